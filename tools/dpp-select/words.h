#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analyzer.h"

namespace ragline {

// What candidates have in common by their words: vectors where records bring none, and how well a
// candidate answers a rewrite or an entity of the query. One thread.
class Words {
 public:
  // A vector a text, of length 1: tf-idf over the given texts, hashed to kHashed dimensions with
  // signs. Nothing but a repetition of words: texts of no word at all get a direction of their own.
  static constexpr std::size_t kHashed = 512;
  std::vector<float> vectors(const std::vector<std::string_view>& texts);

  // The share of the aspect's words (no stop words) that the text holds, 0 to 1; 0 for an aspect
  // without words.
  std::vector<double> answers(const std::vector<std::string_view>& texts,
                              const std::vector<std::string>& aspects);

 private:
  // Terms of kind kWord, hashed, with their counts.
  std::map<std::uint64_t, double> count(std::string_view text);

  Analyzer analyzer_;
};

}  // namespace ragline
