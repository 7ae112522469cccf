// Strings and objects of JSON text. Clean stretches are found eight bytes at a time (json_bytes.h) and copied whole.
#include <cmath>

#include "core/text.h"
#include "core/utf8.h"
#include "record/json_bytes.h"
#include "record/writer.h"

namespace ragline {

namespace {

void append_escape(std::string& out, unsigned char byte) {
  switch (byte) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    default: append(out, "\\u00", hex(byte, 2)); return;
  }
}

// The length of the well-formed sequence of several bytes at [at, end), 0 when it is ill-formed. Table 3-7 of Unicode.
std::ptrdiff_t sequence_length(const char* at, const char* end) {
  auto byte = [&](std::ptrdiff_t i) { return static_cast<unsigned char>(at[i]); };
  auto continues = [&](std::ptrdiff_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned lead = byte(0);
  const std::ptrdiff_t left = end - at;
  if (lead >= 0xE1 && lead <= 0xEC) return left >= 3 && continues(1) && continues(2) ? 3 : 0;
  if (lead >= 0xC2 && lead <= 0xDF) return left >= 2 && continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (left < 3 || !continues(1) || !continues(2)) return 0;
    return (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ? 0 : 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (left < 4 || !continues(1) || !continues(2) || !continues(3)) return 0;
    return (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F) ? 0 : 4;
  }
  return 0;
}

// U+2028 and U+2029 are line ends to JavaScript and to some readers of lines.
bool is_line_separator(const char* at) {
  return at[0] == '\xE2' && at[1] == '\x80' && (at[2] == '\xA8' || at[2] == '\xA9');
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* run = text.data();  // not written yet
  out += '"';
  for (const char* at = run; (at = find_special<true>(at, end)) != end;) {
    const auto byte = static_cast<unsigned char>(*at);
    std::ptrdiff_t length = 1;
    if (byte >= 0x80) {
      length = sequence_length(at, end);
      // Runs of text that is not ASCII stay in this loop: the search for special bytes would stop at once.
      while (length > 0 && !(length == 3 && is_line_separator(at))) {
        at += length;
        length = at < end && static_cast<unsigned char>(*at) >= 0x80 ? sequence_length(at, end) : -1;
      }
      if (length < 0) continue;
      out.append(run, at);
      if (length == 0) {
        out += "\xEF\xBF\xBD";
        length = 1;
      } else {
        out += at[2] == '\xA8' ? "\\u2028" : "\\u2029";
      }
    } else {
      out.append(run, at);
      append_escape(out, byte);
    }
    run = at += length;
  }
  out.append(run, end);
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

void JsonObject::key(std::string_view name) {
  if (!first_) out_ += ',';
  first_ = false;
  append_json_string(out_, name);
  out_ += ':';
}

JsonObject& JsonObject::add(std::string_view name, std::string_view value) {
  key(name);
  append_json_string(out_, value);
  return *this;
}

JsonObject& JsonObject::add(std::string_view name, bool value) {
  return raw(name, value ? "true" : "false");
}

JsonObject& JsonObject::add(std::string_view name, double value) {
  return raw(name, std::isfinite(value) ? number_text(value) : "null");
}

JsonObject& JsonObject::add(std::string_view name, std::uint64_t value) {
  key(name);
  append(out_, value);
  return *this;
}

JsonObject& JsonObject::add(std::string_view name, std::int64_t value) {
  key(name);
  append(out_, value);
  return *this;
}

JsonObject& JsonObject::raw(std::string_view name, std::string_view json) {
  key(name);
  out_ += json;
  return *this;
}

JsonObject& JsonObject::members(std::string_view json) {
  if (json.empty()) return *this;
  if (!first_) out_ += ',';
  first_ = false;
  out_ += json;
  return *this;
}

}  // namespace ragline
