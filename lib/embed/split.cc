#include "embed/split.h"

#include <unicode/uchar.h>

#include "core/utf8.h"
#include "embed/bert.h"

namespace ragline {

namespace {

// GPT-2's words, as the reference has them.
constexpr std::string_view kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

struct Cut {
  std::size_t begin, end;
  bool separator;
};
using Cuts = std::vector<Cut>;

void add_cut(Cuts& cuts, std::size_t begin, std::size_t end, bool separator) {
  if (begin < end) cuts.push_back({begin, end, separator});
}

// Joins neighbours as the behaviour has it; what is removed is left out.
Cuts arrange(const Cuts& cuts, SplitBehaviour behaviour) {
  Cuts out;
  for (const Cut& cut : cuts) {
    if (behaviour == SplitBehaviour::kRemoved && cut.separator) continue;
    const bool touches = !out.empty() && out.back().end == cut.begin;
    const bool joins =
        touches &&
        ((behaviour == SplitBehaviour::kContiguous && cut.separator == out.back().separator) ||
         (behaviour == SplitBehaviour::kMergedWithPrevious && cut.separator &&
          !out.back().separator) ||
         (behaviour == SplitBehaviour::kMergedWithNext && !cut.separator && out.back().separator));
    if (joins) {
      out.back().end = cut.end;
      out.back().separator = cut.separator;
    } else {
      out.push_back(cut);
    }
  }
  return out;
}

// A step from a function that cuts one text into separators and the rest.
template <class Find>
SplitStep step_of(Find find, SplitBehaviour behaviour, bool invert = false) {
  return [find, behaviour, invert](Pieces& pieces) {
    Pieces out;
    for (const Piece& piece : pieces) {
      Cuts cuts = find(std::string_view(piece.text));
      for (Cut& cut : cuts) cut.separator = cut.separator != invert;
      for (const Cut& cut : arrange(cuts, behaviour))
        out.push_back(
            {piece.text.substr(cut.begin, cut.end - cut.begin), piece.first && cut.begin == 0});
    }
    pieces = std::move(out);
  };
}

// Every character for which is_separator(c) holds is one.
template <class Test>
Cuts cut_characters(std::string_view text, Test is_separator) {
  Cuts cuts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    if (!is_separator(next_code_point(text, at))) continue;
    add_cut(cuts, begin, here, false);
    add_cut(cuts, here, at, true);
    begin = at;
  }
  add_cut(cuts, begin, text.size(), false);
  return cuts;
}

bool is_blank(char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)); }

// \w as the reference's engine has it.
bool is_word(char32_t c) {
  const auto code = static_cast<UChar32>(c);
  return u_isUAlphabetic(code) || u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL) ||
         (U_GET_GC_MASK(code) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK));
}

Cuts cut_matches(std::string_view text, const SplitRegex& regex) {
  Cuts cuts;
  std::size_t at = 0;
  regex.each_match(text, [&](std::size_t begin, std::size_t end) {
    add_cut(cuts, at, begin, false);
    add_cut(cuts, begin, end, true);
    at = end;
  });
  add_cut(cuts, at, text.size(), false);
  return cuts;
}

}  // namespace

SplitStep split_blanks() {
  return step_of([](std::string_view text) { return cut_characters(text, is_blank); },
                 SplitBehaviour::kRemoved);
}

SplitStep split_words() {
  return step_of(
      [](std::string_view text) {
        // Runs of word characters and runs of the others, blanks between.
        Cuts cuts;
        int last = 0;
        for (std::size_t at = 0; at < text.size();) {
          const std::size_t begin = at;
          const char32_t c = next_code_point(text, at);
          const int kind = is_word(c) ? 1 : is_blank(c) ? 0 : 2;
          if (kind && kind == last)
            cuts.back().end = at;
          else if (kind)
            cuts.push_back({begin, at, false});
          last = kind;
        }
        return cuts;
      },
      SplitBehaviour::kRemoved);
}

SplitStep split_bert() {
  const SplitStep blanks = split_blanks(),
                  punctuation = split_punctuation(SplitBehaviour::kIsolated);
  return [blanks, punctuation](Pieces& pieces) {
    blanks(pieces);
    punctuation(pieces);
  };
}

SplitStep split_punctuation(SplitBehaviour behaviour) {
  return step_of([](std::string_view text) { return cut_characters(text, is_bert_punctuation); },
                 behaviour);
}

SplitStep split_digits(bool each_alone) {
  return step_of(
      [](std::string_view text) {
        return cut_characters(text, [](char32_t c) {
          return (U_GET_GC_MASK(static_cast<UChar32>(c)) &
                  (U_GC_ND_MASK | U_GC_NL_MASK | U_GC_NO_MASK)) != 0;
        });
      },
      each_alone ? SplitBehaviour::kIsolated : SplitBehaviour::kContiguous);
}

SplitStep split_text(std::string pattern, SplitBehaviour behaviour, bool invert) {
  return step_of(
      [pattern](std::string_view text) {
        Cuts cuts;
        std::size_t at = 0;
        for (std::size_t found; !pattern.empty() && (found = text.find(pattern, at)) != text.npos;
             at = found + pattern.size()) {
          add_cut(cuts, at, found, false);
          add_cut(cuts, found, found + pattern.size(), true);
        }
        add_cut(cuts, at, text.size(), false);
        return cuts;
      },
      behaviour, invert);
}

SplitStep split_regex(std::shared_ptr<const SplitRegex> pattern, SplitBehaviour behaviour,
                      bool invert) {
  return step_of([pattern](std::string_view text) { return cut_matches(text, *pattern); },
                 behaviour, invert);
}

SplitStep split_metaspace(std::string mark, PrependScheme scheme, bool cut) {
  const SplitStep at_marks = split_text(mark, SplitBehaviour::kMergedWithNext, false);
  return [mark, scheme, cut, at_marks](Pieces& pieces) {
    for (Piece& piece : pieces) {
      std::string text;
      for (const char c : piece.text) c == ' ' ? void(text += mark) : text.push_back(c);
      const bool prepend =
          scheme == PrependScheme::kAlways || (scheme == PrependScheme::kFirst && piece.first);
      if (prepend && !text.starts_with(mark)) text.insert(0, mark);
      piece.text = std::move(text);
    }
    if (cut) at_marks(pieces);
  };
}

const std::vector<std::string>& byte_characters() {
  static const std::vector<std::string> table = [] {
    std::vector<std::string> out(256);
    char32_t spare = 256;
    for (char32_t byte = 0; byte < 256; ++byte) {
      const bool printable =
          (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      append_utf8(out[byte], printable ? byte : spare++);
    }
    return out;
  }();
  return table;
}

Result<SplitStep> split_byte_level(bool prefix_space, bool cut) {
  RAGLINE_TRY(const auto regex, SplitRegex::parse(kGpt2));
  const SplitStep words = split_regex(regex, SplitBehaviour::kIsolated, false);
  return [prefix_space, cut, words](Pieces& pieces) {
    if (prefix_space)
      for (Piece& piece : pieces)
        if (!piece.text.starts_with(' ')) piece.text.insert(0, 1, ' ');
    if (cut) words(pieces);
    for (Piece& piece : pieces) {
      std::string text;
      for (const char c : piece.text) text += byte_characters()[static_cast<unsigned char>(c)];
      piece.text = std::move(text);
    }
  };
}

}  // namespace ragline
