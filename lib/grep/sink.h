#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "record/record.h"

namespace ragline {

// A line of a file, or in a search across lines several that touch a match. Views last during the call only.
struct FoundLine {
  std::string_view text;      // without its last newline; a CR before it stays
  std::uint64_t offset = 0;   // of text[0] in the canonical text
  std::uint64_t number = 0;   // of its first line, from 1; 0 when nobody counts
  bool newline = true;        // whether a newline follows
  // Of a search across lines: the matches, relative to `text`. Otherwise null: a Matcher finds them on the line.
  const std::vector<ByteSpan>* spans = nullptr;

  // Without the CR of a CR LF.
  std::string_view content() const { return text.ends_with('\r') ? text.substr(0, text.size() - 1) : text; }
};

// Takes what a FileSearcher finds in one file, in order. Lines around matches (-A, -B) come once each, however the ranges overlap.
class Sink {
 public:
  virtual ~Sink() = default;
  // False: enough of this file.
  virtual bool match(const FoundLine& line) = 0;
  virtual void context(const FoundLine& line, bool before_match) = 0;
  // Lines are left out between what came and what comes.
  virtual void gap() = 0;
};

}  // namespace ragline
