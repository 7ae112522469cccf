#pragma once
#include <unicode/brkiter.h>
#include <unicode/locid.h>

#include <memory>
#include <string>
#include <vector>

#include "analysis/analyzer.h"
#include "analysis/characters.h"
#include "analysis/splitter.h"

// Analyzer::split_words without any short cut: ICU breaks the whole text, then the rules of analyzer.h are applied to its
// segments, one after the other. Walls (ASCII separators, '@', CJK, pictographs, ill-formed bytes) are shown to ICU as '/'.
namespace ragline::slow {

struct Segment {
  std::size_t begin, end;
  bool cjk = false, wordy = false, joiner = false;
};

inline std::vector<Segment> segments(std::string_view text) {
  struct Point {
    char32_t c;
    std::size_t at;
    bool wall, cjk;
  };
  std::vector<Point> points;
  icu::UnicodeString shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    const char32_t c = next_code_point(text, at);
    const bool ill_formed = c == 0xFFFD && at - here == 1;
    const bool cjk = is_cjk(c) || (is_cjk_mark(c) && !points.empty() && points.back().cjk);
    const bool separator = c < 0x80 && kAsciiClass[c] == CharClass::kSeparator;
    points.push_back({ill_formed ? U' ' : c, here, ill_formed || cjk || separator || c == '@' || is_pictograph(c), cjk});
    shown.append(points.back().wall ? static_cast<UChar32>('/') : static_cast<UChar32>(c));
  }
  UErrorCode status = U_ZERO_ERROR;
  static const std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  iterator->setText(shown);
  std::vector<Segment> out;
  std::int32_t unit = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    const bool within_cjk = i > 0 && point.cjk && points[i - 1].cjk;
    const bool by_wall = i > 0 && (point.wall || points[i - 1].wall) && !within_cjk;
    const bool starts = i == 0 || by_wall || (!within_cjk && iterator->isBoundary(unit));
    if (starts) {
      if (!out.empty()) out.back().end = point.at;
      out.push_back({point.at, text.size(), point.cjk, false, is_joiner(point.c)});
    } else {
      out.back().joiner = false;
    }
    out.back().wordy = out.back().wordy || point.cjk || is_alphanumeric(point.c);
    unit += !point.wall && point.c > 0xFFFF ? 2 : 1;
  }
  return out;
}

inline void emit(std::string_view text, Segment word, std::vector<RawWord>& words) {
  const std::string_view bytes = text.substr(word.begin, word.end - word.begin);
  if (bytes.size() == 1 && ((bytes[0] >= 'a' && bytes[0] <= 'z') || (bytes[0] >= 'A' && bytes[0] <= 'Z'))) {
    if (text.substr(word.end, 2) == "++") word.end += 2;
    else if (text.substr(word.end, 1) == "#") word.end += 1;
  }
  while (word.end - word.begin > kMaxRawWordBytes) {
    const std::size_t cut = utf8_floor(text, word.begin + kMaxRawWordBytes);
    words.push_back({static_cast<std::uint32_t>(word.begin), static_cast<std::uint32_t>(cut)});
    word.begin = cut;
  }
  words.push_back({static_cast<std::uint32_t>(word.begin), static_cast<std::uint32_t>(word.end)});
}

inline std::vector<RawWord> split_words(std::string_view text) {
  std::vector<RawWord> words;
  const std::vector<Segment> all = segments(text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].wordy) continue;
    Segment word = all[i];
    while (!word.cjk && i + 2 < all.size() && all[i + 1].joiner && all[i + 2].wordy && !all[i + 2].cjk) {
      i += 2;
      word.end = all[i].end;
    }
    emit(text, word, words);
  }
  return words;
}

}  // namespace ragline::slow
