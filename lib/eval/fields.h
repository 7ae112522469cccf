#pragma once
#include <cstring>
#include <string_view>

// Fields between blanks, as TREC files have them: the blanks of C's isspace().
namespace ragline {

inline bool is_field_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Walks over the fields of one line. next() is empty at the end of the line.
class FieldWalker {
 public:
  explicit FieldWalker(std::string_view line) : at_(line.data()), end_(at_ + line.size()) {}

  std::string_view next() {
    while (at_ != end_ && is_field_blank(*at_)) ++at_;
    const char* const begin = at_;
    while (at_ != end_ && !is_field_blank(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

 private:
  const char* at_;
  const char* end_;
};

// Walks over the lines of a text. A line keeps what ends it but the newline.
class LineWalker {
 public:
  explicit LineWalker(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  bool next(std::string_view& line) {
    if (at_ == end_) return false;
    const auto* newline =
        static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    const char* const stop = newline ? newline : end_;
    line = {at_, static_cast<std::size_t>(stop - at_)};
    at_ = newline ? newline + 1 : end_;
    return true;
  }

 private:
  const char* at_;
  const char* end_;
};

}  // namespace ragline
