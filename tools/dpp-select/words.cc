#include "dpp-select/words.h"

#include <cmath>

#include "core/hash.h"
#include "core/text.h"

namespace ragline {

std::map<std::uint64_t, double> Words::count(std::string_view text) {
  std::map<std::uint64_t, double> out;
  std::vector<RawWord> words;
  analyzer_.split_words(text, words);
  Expansion expansion;
  for (const RawWord& word : words) {
    analyzer_.expand(text.substr(word.begin, word.end - word.begin), Language::kEnglish, expansion);
    for (const Term& term : expansion.terms)
      if (term.role == TermRole::kWord) ++out[hash64(term.text)];
  }
  return out;
}

std::vector<float> Words::vectors(const std::vector<std::string_view>& texts) {
  std::vector<std::map<std::uint64_t, double>> counts;
  std::map<std::uint64_t, double> holders;
  for (const std::string_view text : texts) {
    counts.push_back(count(text));
    if (counts.back().empty()) counts.back()[hash64(cat("\n", counts.size()))] = 1;
    for (const auto& [term, occurrences] : counts.back()) ++holders[term];
  }
  const auto total = static_cast<double>(texts.size());
  std::vector<float> out(texts.size() * kHashed);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::vector<double> row(kHashed);
    double square = 0;
    for (const auto& [term, occurrences] : counts[i]) {
      const double weight = (1 + std::log(occurrences)) * std::log(1 + total / holders[term]);
      row[term % kHashed] += term >> 63 ? weight : -weight;
    }
    // Words whose hashes cancel out to nothing leave one, as above.
    for (const double x : row) square += x * x;
    if (square == 0) square = row[i % kHashed] = 1;
    for (std::size_t d = 0; d < kHashed; ++d)
      out[i * kHashed + d] = static_cast<float>(row[d] / std::sqrt(square));
  }
  return out;
}

std::vector<double> Words::answers(const std::vector<std::string_view>& texts,
                                   const std::vector<std::string>& aspects) {
  std::vector<std::map<std::uint64_t, double>> wanted;
  for (const std::string& aspect : aspects) wanted.push_back(count(aspect));
  std::vector<double> out;
  for (const std::string_view text : texts) {
    const auto held = count(text);
    for (const auto& words : wanted) {
      double found = 0;
      for (const auto& [word, occurrences] : words) found += held.contains(word) ? 1 : 0;
      out.push_back(words.empty() ? 0 : found / static_cast<double>(words.size()));
    }
  }
  return out;
}

}  // namespace ragline
