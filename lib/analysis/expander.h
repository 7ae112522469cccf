#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analyzer.h"
#include "analysis/stemmer.h"

// A raw word to its terms; the rules are in analyzer.h. Thread-compatible.
namespace ragline {

class Expander {
 public:
  // Replaces `out`. The word may be any bytes.
  void expand(std::string_view word, Language language, Expansion& out);

 private:
  struct Span {
    std::uint32_t begin, end;  // bytes of the raw word
  };
  struct Part {
    Span span;
    std::uint32_t pieces = 1;  // how many of pieces_, in order, are its
  };

  struct Character {
    std::string text;
    std::uint32_t begin, end;
  };

  void expand_cjk(std::string_view word, Expansion& out);
  void find_parts(std::string_view word, Language language);
  void find_pieces(std::string_view word, Span part);
  bool add_word(std::string_view word, Span span, std::uint32_t position, Language language, TermRole role,
                Expansion& out);
  void add_whole(std::string_view word, Language language, Expansion& out);

  Stemmers stemmers_;
  std::vector<Part> parts_;
  std::vector<Span> pieces_;
  std::vector<Character> characters_;
};

}  // namespace ragline
