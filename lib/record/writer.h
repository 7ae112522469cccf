#pragma once
#include <string>
#include <string_view>

#include "record/record.h"

// Writing JSON Lines: appends one line with its newline to `out`. Over 500 MB/s. Text that is not
// UTF-8 is repaired (each bad byte becomes U+FFFD; a path keeps its bytes in path_b64), so the line
// is always valid JSON; U+2028, U+2029 and control characters are escaped. NaN and infinities,
// which JSON lacks, are written null.
//
// What the reader makes of a written line equals the value, and writing that gives the same bytes.
// Safe to call from many threads on different `out`.
namespace ragline {

void write_record(std::string& out, const Document& document);
void write_record(std::string& out, const Chunk& chunk);
void write_record(std::string& out, const Query& query);
void write_record(std::string& out, const Hit& hit);
void write_record(std::string& out, const End& end);
void write_record(std::string& out, const OtherRecord& other);
void write_record(std::string& out, const Record& record);

// A quoted JSON string.
void append_json_string(std::string& out, std::string_view text);
std::string json_string(std::string_view text);

// Builds an object by hand: JsonObject(out).add("a", 1).add("b", "x").close().
// Values: strings are quoted, numbers and bools written plainly, raw() takes JSON text.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  JsonObject& add(std::string_view key, std::string_view value);
  JsonObject& add(std::string_view key, const char* value) {
    return add(key, std::string_view(value));
  }
  JsonObject& add(std::string_view key, bool value);
  JsonObject& add(std::string_view key, double value);
  JsonObject& add(std::string_view key, std::uint64_t value);
  JsonObject& add(std::string_view key, std::int64_t value);
  JsonObject& add(std::string_view key, int value) {
    return add(key, static_cast<std::int64_t>(value));
  }
  JsonObject& raw(std::string_view key, std::string_view json);
  // Members as they are kept in `extra`: "\"a\":1,\"b\":[2]"; nothing when empty.
  JsonObject& members(std::string_view json);
  void close() { out_ += '}'; }

 private:
  void key(std::string_view name);
  std::string& out_;
  bool first_ = true;
};

}  // namespace ragline
