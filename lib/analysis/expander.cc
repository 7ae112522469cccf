#include "analysis/expander.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <algorithm>
#include <tuple>

#include "analysis/characters.h"
#include "analysis/fold.h"
#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

// In these the apostrophe ends a word of its own: l'avion, dell'arte, İstanbul'da.
bool apostrophe_separates(Language language) {
  return language == Language::kFrench || language == Language::kItalian || language == Language::kCatalan ||
         language == Language::kTurkish;
}

// What a code point means for the borders inside a word; kSame goes with the one before it.
enum class Shape : std::uint8_t { kLower, kUpper, kDigit, kSame, kSeparator };

Shape shape_of(char32_t c) {
  if (c < 0x80) {
    if (c >= 'a' && c <= 'z') return Shape::kLower;
    if (c >= 'A' && c <= 'Z') return Shape::kUpper;
    if (c >= '0' && c <= '9') return Shape::kDigit;
    return c == '\'' ? Shape::kSame : Shape::kSeparator;
  }
  switch (u_charType(static_cast<UChar32>(c))) {
    case U_UPPERCASE_LETTER:
    case U_TITLECASE_LETTER: return Shape::kUpper;
    case U_LOWERCASE_LETTER:
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
    case U_LETTER_NUMBER: return Shape::kLower;
    case U_DECIMAL_DIGIT_NUMBER: return Shape::kDigit;
    case U_NON_SPACING_MARK:
    case U_COMBINING_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_FORMAT_CHAR: return Shape::kSame;
    default: return is_apostrophe(c) ? Shape::kSame : Shape::kSeparator;
  }
}

std::string_view strip_possessive(std::string_view word) {
  if (word.size() < 3 || (word.back() != 's' && word.back() != 'S')) return word;
  const std::string_view before = word.substr(0, word.size() - 1);
  if (before.back() == '\'') return before.substr(0, before.size() - 1);
  if (before.ends_with("\u2019")) return before.substr(0, before.size() - 3);
  return word;
}

std::string without_apostrophes(std::string_view word) {
  std::string out;
  out.reserve(word.size());
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t begin = at;
    if (!is_apostrophe(decode(word, at))) out.append(word, begin, at - begin);
  }
  return out;
}

// A single low line around a word is Markdown's emphasis; two are Python's __init__ and stay.
std::string_view without_emphasis(std::string_view word) {
  if (word.size() > 1 && word[0] == '_' && word[1] != '_') word.remove_prefix(1);
  if (word.size() > 1 && word.back() == '_' && word[word.size() - 2] != '_') word.remove_suffix(1);
  return word;
}

// The form as written, but for case, accents and the kind of hyphen and apostrophe.
std::string whole_form(std::string_view word) {
  const std::string folded = strip_accents(case_fold(strip_possessive(without_emphasis(word))));
  std::string out;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, at);
    append_utf8(out, is_apostrophe(c) ? U'\'' : c == 0x2010 || c == 0x2011 ? U'-' : c);
  }
  return out;
}

void add_term(Expansion& out, std::string_view text, std::uint32_t position, TermRole role, std::uint32_t begin,
              std::uint32_t end) {
  text = text.substr(0, utf8_floor(text, kMaxTermBytes));
  if (!text.empty()) out.terms.push_back({std::string(text), position, role, begin, end});
}

}  // namespace

void Expander::expand(std::string_view word, Language language, Expansion& out) {
  out.terms.clear();
  out.positions = 0;
  out.length = 0;
  if (word.empty()) return;
  std::size_t at = 0;
  if (is_cjk(decode(word, at))) return expand_cjk(word, out);

  find_parts(word, language);
  std::size_t piece = 0;
  for (const Part& part : parts_) {
    out.length += add_word(word, part.span, out.positions, language, TermRole::kWord, out);
    for (std::uint32_t i = 0; part.pieces > 1 && i < part.pieces; ++i) {
      add_word(word, pieces_[piece + i], out.positions + i, language, TermRole::kPart, out);
    }
    piece += part.pieces;
    out.positions += part.pieces;
  }
  const bool adorned = word.starts_with("__") || word.ends_with("++") || word.ends_with('#');
  if (parts_.size() > 1 || (adorned && !parts_.empty())) add_whole(word, language, out);
  if (out.terms.size() > 1) {
    auto place = [](const Term& term) {
      const bool spelling = term.role == TermRole::kWord || term.role == TermRole::kFolded;
      return std::tuple(term.position, !spelling, term.role);
    };
    std::ranges::stable_sort(out.terms, {}, place);
  }
}

// Cuts the word at everything that is not a letter, a digit or a mark, and each part into its pieces.
void Expander::find_parts(std::string_view word, Language language) {
  parts_.clear();
  pieces_.clear();
  const bool cut_apostrophes = apostrophe_separates(language);
  std::size_t begin = 0;
  bool wordy = false;
  auto close = [&](std::size_t end) {
    if (wordy) {
      const std::size_t before = pieces_.size();
      const Span span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
      find_pieces(word, span);
      parts_.push_back({span, static_cast<std::uint32_t>(pieces_.size() - before)});
    }
    wordy = false;
  };
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t here = at;
    const char32_t c = decode(word, at);
    const Shape shape = shape_of(c);
    if (shape == Shape::kSeparator || (cut_apostrophes && is_apostrophe(c))) {
      close(here);
      begin = at;
    } else if (shape != Shape::kSame) {
      wordy = true;
    }
  }
  close(word.size());
}

// camelCase, XMLHttp (the last capital of a run starts the next piece, but for a plural: URLs), sha256.
void Expander::find_pieces(std::string_view word, Span part) {
  std::uint32_t begin = part.begin, last_at = part.begin;
  Shape last = Shape::kSame, before_last = Shape::kSame;
  for (std::size_t at = part.begin; at < part.end;) {
    const auto here = static_cast<std::uint32_t>(at);
    const Shape shape = shape_of(decode(word, at));
    if (shape == Shape::kSame) continue;
    std::uint32_t cut = begin;
    if (last != Shape::kSame) {
      const bool plural = word[here] == 's' && at == part.end;
      if ((shape == Shape::kDigit) != (last == Shape::kDigit)) cut = here;
      else if (shape == Shape::kUpper && last == Shape::kLower) cut = here;
      else if (shape == Shape::kLower && last == Shape::kUpper && before_last == Shape::kUpper && !plural) cut = last_at;
    }
    if (cut > begin) {
      pieces_.push_back({begin, cut});
      begin = cut;
    }
    before_last = cut == here ? Shape::kSame : last;
    last = shape;
    last_at = here;
  }
  pieces_.push_back({begin, part.end});
}

// The terms of one part or piece; false for a stop word.
bool Expander::add_word(std::string_view word, Span span, std::uint32_t position, Language language, TermRole role,
                        Expansion& out) {
  auto add = [&](std::string_view text, TermRole as) { add_term(out, text, position, as, span.begin, span.end); };
  const std::string written = without_apostrophes(strip_possessive(word.substr(span.begin, span.end - span.begin)));
  const std::string folded = case_fold(written);
  if (folded.empty() || is_stop_word(folded, language)) return false;
  if (is_ascii(folded) && is_ascii(written)) {
    add(stemmers_.stem(folded, language), role);
    return true;
  }
  const std::string stem = strip_accents(stemmers_.stem(folded, language));
  if (stem.empty()) return false;  // nothing but vowel points
  add(stem, role);
  const std::string plain = strip_accents(folded), exact = exact_form(written);
  if (plain == exact) return true;
  const std::string plain_stem = strip_accents(stemmers_.stem(plain, language));
  if (plain_stem != stem) add(plain_stem, TermRole::kFolded);
  if (const std::string pairs = digraph_form(folded); !pairs.empty()) {
    const std::string pairs_stem = strip_accents(stemmers_.stem(pairs, language));
    if (pairs_stem != stem && pairs_stem != plain_stem) add(pairs_stem, TermRole::kFolded);
  }
  add(cat('=', exact), TermRole::kExact);
  return true;
}

void Expander::add_whole(std::string_view word, Language language, Expansion& out) {
  const auto end = static_cast<std::uint32_t>(word.size());
  add_term(out, whole_form(is_valid_utf8(word) ? word : to_valid_utf8(word)), 0, TermRole::kWhole, 0, end);
  if (parts_.size() < 2) return;
  // e-mail is found by email, and update_order_status by updateOrderStatus; but 1-2 is not 12.
  std::string together;
  for (const Part& part : parts_) {
    std::size_t at = part.span.begin;
    const bool hyphen = at == 0 || word[at - 1] == '-' || word[at - 1] == '_';
    if (!hyphen || shape_of(decode(word, at)) == Shape::kDigit) return;
    together += word.substr(part.span.begin, part.span.end - part.span.begin);
  }
  const std::string folded = case_fold(without_apostrophes(strip_possessive(together)));
  add_term(out, strip_accents(stemmers_.stem(folded, language)), 0, TermRole::kWhole, 0, end);
}

void Expander::expand_cjk(std::string_view word, Expansion& out) {
  characters_.clear();
  // Character by character, unless the normal form differs: then up to where it may change, so that a letter goes with its
  // voicing marks and the parts of a Hangul syllable make one.
  const bool valid = is_valid_utf8(word);
  const bool normal = valid && case_fold(word) == word;
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* form = unorm2_getNFKCCasefoldInstance(&status);
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t begin = at;
    decode(word, at);
    for (std::size_t next = at; !normal && next < word.size(); at = next) {
      const char32_t c = decode(word, next);
      if (unorm2_hasBoundaryBefore(form, static_cast<UChar32>(c)) && !is_cjk_mark(c)) break;
    }
    const std::string_view written = word.substr(begin, at - begin);
    const std::string folded = normal ? std::string(written) : case_fold(valid ? std::string(written) : to_valid_utf8(written));
    for (std::size_t i = 0; i < folded.size();) {
      const std::size_t from = i;
      decode(folded, i);
      characters_.push_back({folded.substr(from, i - from), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
    }
  }
  const auto count = static_cast<std::uint32_t>(characters_.size());
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    const Character &left = characters_[i], &right = characters_[i + 1];
    add_term(out, left.text + right.text, i, TermRole::kWord, left.begin, right.end);
  }
  if (count) {
    const Character& last = characters_.back();
    add_term(out, last.text, count - 1, count == 1 ? TermRole::kWord : TermRole::kTail, last.begin, last.end);
  }
  out.positions = count;
  out.length = count > 1 ? count - 1 : count;
}

}  // namespace ragline
