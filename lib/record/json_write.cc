// Strings and objects of JSON text.
#include <array>
#include <cmath>

#include "core/text.h"
#include "core/utf8.h"
#include "record/json_bytes.h"
#include "record/json_scan.h"
#include "record/writer.h"

namespace ragline {

namespace {

// How a byte below 0x80 is written: up to six characters, and their number last.
struct Escape {
  char text[7];
  unsigned char length;
};

constexpr std::array<Escape, 128> kEscapes = [] {
  std::array<Escape, 128> escapes{};
  constexpr std::string_view kHex = "0123456789abcdef";
  for (unsigned byte = 0; byte < 128; ++byte) {
    if (byte < 0x20) {
      escapes[byte] = {{'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]}, 6};
    } else {
      escapes[byte] = {{static_cast<char>(byte)}, 1};
    }
  }
  constexpr std::string_view kShort = "\"\"\\\\\nn\rr\tt\bb\ff";
  for (std::size_t i = 0; i < kShort.size(); i += 2)
    escapes[static_cast<unsigned char>(kShort[i])] = {{'\\', kShort[i + 1]}, 2};
  return escapes;
}();

// U+2028 and U+2029 end a line to JavaScript and to some readers of lines. They start with this
// byte.
constexpr char kSeparatorLead = '\xE2';
bool is_line_separator(const char* at, const char* end) {
  return end - at >= 3 && at[1] == '\x80' && (at[2] == '\xA8' || at[2] == '\xA9');
}

// Escapes [at, end), which is UTF-8, to `to`, which has room for kWorst times the text and kSlack
// bytes. Eight bytes are stored at once and then looked at, so clean text costs one step for each
// eight bytes. Returns the end of what it wrote.
constexpr std::size_t kWorst = 6, kSlack = 8;
char* escape(const char* at, const char* end, char* to) {
  while (true) {
    for (; end - at >= 8; at += 8, to += 8) {
      const std::uint64_t word = load_word(at);
      std::memcpy(to, at, 8);
      if (const std::uint64_t mask = mask_special(word) | mask_equal(word, kSeparatorLead)) {
        at += first_hit(mask);
        to += first_hit(mask);
        break;
      }
    }
    if (at == end) return to;
    if (*at == kSeparatorLead && is_line_separator(at, end)) {
      std::memcpy(to, at[2] == '\xA8' ? "\\u2028" : "\\u2029", 6);
      to += 6;
      at += 3;
    } else if (static_cast<unsigned char>(*at) < 0x80) {
      const Escape& form = kEscapes[static_cast<unsigned char>(*at++)];
      std::memcpy(to, &form, sizeof form);
      to += form.length;
    } else {
      *to++ = *at++;
    }
  }
}

// ASCII without anything to escape.
bool is_plain(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    const std::uint64_t word = load_word(text.data() + at);
    if (mask_special(word) | (word & kHighBits)) return false;
  }
  for (; at < text.size(); ++at)
    if (is_special(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80) return false;
  return true;
}

// In pieces, so that the room for the worst case stays small. A piece never ends inside a
// character.
void append_escaped(std::string& out, std::string_view text) {
  constexpr std::size_t kPiece = 8192;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, utf8_floor(text, kPiece));
    const std::size_t held = out.size();
    out.resize_and_overwrite(held + kWorst * piece.size() + kSlack, [&](char* buffer, std::size_t) {
      char* const end = escape(piece.data(), piece.data() + piece.size(), buffer + held);
      return static_cast<std::size_t>(end - buffer);
    });
    text.remove_prefix(piece.size());
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::size_t kShort =
      64;  // most fields; the check and the copy of longer text are worth their set-up
  out += '"';
  if (text.size() < kShort && is_plain(text)) {
    out += text;
  } else if (is_utf8(text)) {
    append_escaped(out, text);
  } else {
    append_escaped(out, to_valid_utf8(text));
  }
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
