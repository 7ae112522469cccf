#include "core/utf8.h"

#include <cstring>

namespace ragline {

namespace {

// Length of the well-formed sequence at text[at], or 0.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(at);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(at + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
    return continues(at + 1, low, high) && continues(at + 2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
    return continues(at + 1, low, high) && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

std::size_t ascii_prefix(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size()) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    if (word & 0x8080808080808080u) break;
    at += 8;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& at) {
  auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  const std::size_t length = sequence_length(text, at);
  const std::size_t start = at;
  at += length ? length : 1;
  switch (length) {
    case 1: return byte(start);
    case 2: return (byte(start) & 0x1F) << 6 | (byte(start + 1) & 0x3F);
    case 3: return (byte(start) & 0x0F) << 12 | (byte(start + 1) & 0x3F) << 6 | (byte(start + 2) & 0x3F);
    case 4:
      return (byte(start) & 0x07) << 18 | (byte(start + 1) & 0x3F) << 12 | (byte(start + 2) & 0x3F) << 6 |
             (byte(start + 3) & 0x3F);
    default: return 0xFFFD;
  }
}

void append_utf8(std::string& out, char32_t c) {
  auto put = [&](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = ascii_prefix(text, 0); at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return false;
    at += length;
    if (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) at = ascii_prefix(text, at);
  }
  return true;
}

bool is_ascii(std::string_view text) { return ascii_prefix(text, 0) == text.size(); }

std::string to_valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t ascii = ascii_prefix(bytes, at);
    out.append(bytes, at, ascii - at);
    at = ascii;
    if (at == bytes.size()) break;
    append_utf8(out, next_code_point(bytes, at));
  }
  return out;
}

std::size_t utf8_floor(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  std::size_t cut = at;
  // A continuation byte is at most three behind its lead; ill-formed runs are cut where asked.
  for (int back = 0; back < 3 && cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80; ++back) --cut;
  return (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80 ? at : cut;
}

}  // namespace ragline
