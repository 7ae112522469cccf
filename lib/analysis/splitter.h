#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "analysis/analyzer.h"

// Text to raw words; the rules are in analyzer.h. Thread-compatible.
namespace ragline {

class Splitter {
 public:
  Splitter();
  ~Splitter();

  void split(std::string_view text, std::vector<RawWord>& words);

 private:
  std::size_t slow_word(std::size_t at);
  std::size_t word(std::size_t begin);
  std::size_t cjk_run(std::size_t begin);
  std::size_t complex_stretch(std::size_t begin);
  void break_by_icu(std::size_t begin, std::size_t end);
  void emit(std::size_t begin, std::size_t end);

  struct Breaker;  // ICU's iterator, made when the first complex stretch is met
  std::unique_ptr<Breaker> breaker_;
  std::string_view text_;
  std::vector<RawWord>* words_ = nullptr;
};

}  // namespace ragline
