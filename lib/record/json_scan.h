#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

// The grammar of JSON (RFC 8259), token by token: checks what the record reader passes through
// unread, takes apart the small lists and objects inside records, and says exactly what is wrong
// with a bad line.
//
//   JsonScanner scan(text);
//   for (auto token = scan.next(); token != JsonToken::kEnd; token = scan.next()) ...
//
// Not checked: that strings are UTF-8 (check_json() of record/reader.h does both). No recursion:
// depth is bounded by kMaxJsonDepth, so hostile nesting is an error, not a stack overflow. The text
// must outlive the scanner.
namespace ragline {

inline constexpr int kMaxJsonDepth = 1024;

enum class JsonToken {
  kOpenObject,
  kCloseObject,
  kOpenArray,
  kCloseArray,
  kKey,  // a member's name; its value follows
  kString,
  kNumber,
  kTrue,
  kFalse,
  kNull,
  kEnd,   // the one value is over, and nothing follows it
  kFault  // not JSON; stays
};

class JsonScanner {
 public:
  explicit JsonScanner(std::string_view json) : text_(json) {}

  JsonToken next();
  // The current token's text; keys and strings without their quotes, escapes as written.
  std::string_view raw() const { return raw_; }
  // Offset just behind the current token; of the offending byte after kFault.
  std::size_t at() const { return at_; }
  // How many objects and arrays are open.
  int depth() const { return depth_; }
  // After kFault: "byte 12: what is wrong: what would be right".
  Error fault() const;

  // Right after kKey, or inside an array: the next value whole, as written, its inside checked.
  // nullopt where no value follows: at the end of the array, or at a fault (last() tells them
  // apart).
  std::optional<std::string_view> value();
  // The last token that value() or next() met.
  JsonToken last() const { return last_; }

 private:
  enum class Expect { kValue, kValueOrClose, kKey, kKeyOrClose, kCommaOrClose };
  JsonToken advance();
  JsonToken open(bool object);
  JsonToken close();
  JsonToken string(bool key);
  JsonToken number();
  JsonToken word(std::string_view spelling, JsonToken token);
  JsonToken bad(std::string_view what);
  void skip_blanks();
  bool in_object() const { return stack_[depth_ / 64] >> (depth_ % 64) & 1; }

  std::string_view text_, raw_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::uint64_t stack_[kMaxJsonDepth / 64 + 1] = {};  // a bit per open level: 1 is an object
  Expect expect_ = Expect::kValue;
  JsonToken last_ = JsonToken::kEnd;
  std::string_view what_;
};

// The first fault in `json` as one JSON value, as JsonScanner::fault() words it.
Status check_json_grammar(std::string_view json);

// core's is_valid_utf8 at simdjson's speed (tens of GB/s). Defined in reader.cc, the one file that
// includes simdjson.
bool is_utf8(std::string_view text);

// Appends the inside of a JSON string with its escapes resolved. Half a surrogate pair becomes
// U+FFFD. Requires escapes that the scanner accepts; false (with `out` partly written) otherwise.
bool append_unescaped(std::string& out, std::string_view inside);

}  // namespace ragline
