#include "corpus/decode.h"

#include <algorithm>
#include <cstdint>

#include "core/utf8.h"

namespace ragline {

namespace {

constexpr std::size_t kControlShare = 20;        // at most one in so many
constexpr std::size_t kPlain = 64;               // bytes looked at together
constexpr std::size_t kSample = 64 * 1024;       // bytes of which UTF-16 without a mark is guessed
constexpr char32_t kReplacement = 0xFFFD;

// Windows-1252 from 0x80; the five holes are the C1 controls of the same number, as on the web.
constexpr char16_t kWindows1252[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

bool is_odd_control(unsigned byte) {
  return byte < 0x20 ? !(byte >= 0x07 && byte <= 0x0D) && byte != 0x1B : byte == 0x7F;
}

// Whether 64 bytes hold no odd control and no 0xC2: nearly all of every text. Written so that compilers make vectors of it.
bool are_plain(const char* bytes) {
  unsigned char odd = 0;
  for (std::size_t i = 0; i < kPlain; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const auto from_bell = static_cast<unsigned char>(byte - 0x07);
    odd |= static_cast<unsigned char>(((byte < 0x20) & (from_bell > 6) & (byte != 0x1B)) | (byte == 0x7F) | (byte == 0xC2));
  }
  return odd == 0;
}

// Of UTF-8 text. C1 controls are C2 80 to C2 9F.
bool has_too_many_controls(std::string_view text) {
  std::size_t controls = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    while (at + kPlain < text.size() && are_plain(text.data() + at)) at += kPlain;
    const unsigned byte = byte_at(text, at);
    controls += is_odd_control(byte) || (byte == 0xC2 && at + 1 < text.size() && byte_at(text, at + 1) < 0xA0);
  }
  return controls > text.size() / kControlShare;
}

bool is_binary_text(std::string_view text) {
  return text.find('\0') != text.npos || has_too_many_controls(text);
}

unsigned unit_at(std::string_view bytes, std::size_t at, bool little) {
  const unsigned first = byte_at(bytes, at), second = byte_at(bytes, at + 1);
  return little ? first | second << 8 : first << 8 | second;
}

bool is_high_surrogate(unsigned unit) { return (unit & 0xFC00) == 0xD800; }
bool is_low_surrogate(unsigned unit) { return (unit & 0xFC00) == 0xDC00; }

std::string from_utf16(std::string_view bytes, bool little) {
  std::string out;
  out.reserve(bytes.size());
  std::size_t at = 0;
  for (; at + 2 <= bytes.size(); at += 2) {
    const unsigned unit = unit_at(bytes, at, little);
    if (unit < 0x80) {
      out += static_cast<char>(unit);
    } else if (is_high_surrogate(unit) && at + 4 <= bytes.size() && is_low_surrogate(unit_at(bytes, at + 2, little))) {
      at += 2;
      append_utf8(out, 0x10000 + ((unit & 0x3FF) << 10 | (unit_at(bytes, at, little) & 0x3FF)));
    } else {
      append_utf8(out, (unit & 0xF800) == 0xD800 ? kReplacement : unit);
    }
  }
  if (at < bytes.size()) append_utf8(out, kReplacement);
  return out;
}

std::string from_utf32(std::string_view bytes, bool little) {
  std::string out;
  std::size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4) {
    const char32_t first = unit_at(bytes, at, little), second = unit_at(bytes, at + 2, little);
    const char32_t code = little ? second << 16 | first : first << 16 | second;
    append_utf8(out, code > 0x10FFFF || (code & 0xFFFFF800) == 0xD800 ? kReplacement : code);
  }
  if (at < bytes.size()) append_utf8(out, kReplacement);
  return out;
}

std::string from_windows_1252(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const unsigned byte = byte_at(bytes, at);
    append_utf8(out, byte >= 0x80 && byte < 0xA0 ? kWindows1252[byte - 0x80] : byte);
  }
  return out;
}

// How text-like bytes are when read as UTF-16: whether no unit is odd (a control, a lone surrogate, a noncharacter, private
// use), and how many units are what every text has, ASCII and the punctuation and kana of East Asia.
struct Plausibility {
  bool clean = true;
  std::size_t units = 0, latin = 0, common = 0;
};

Plausibility weigh_utf16(std::string_view bytes, bool little) {
  Plausibility result;
  bool after_high = false;
  for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
    const unsigned unit = unit_at(bytes, at, little);
    const bool low = is_low_surrogate(unit);
    result.clean = result.clean && low == after_high && !(unit < 0xA0 && unit >= 0x7F) &&
                   !(unit < 0x20 && is_odd_control(unit)) && !(unit >= 0xE000 && unit < 0xF900) &&
                   !(unit >= 0xFDD0 && unit < 0xFDF0) && unit < 0xFFFE;
    after_high = is_high_surrogate(unit);
    result.latin += unit < 0x100;
    result.common += unit < 0x7F || (unit >= 0x3000 && unit < 0x3100) || (unit >= 0xFF00 && unit < 0xFF66);
    ++result.units;
  }
  return result;
}

// Bytes with NULs among them. Latin text in UTF-16 is every second byte zero; another script has few zero bytes, but then too many
// bytes that no 8-bit text with NULs would have: strings that NULs separate are not UTF-16.
bool is_utf16(std::string_view bytes, bool little) {
  const std::string_view sample = bytes.substr(0, std::min(bytes.size(), kSample) & ~std::size_t{1});
  const Plausibility ours = weigh_utf16(sample, little), other = weigh_utf16(sample, !little);
  if (ours.units < 2 || !ours.clean || ours.common * 50 < ours.units) return false;
  if (ours.common <= other.common) return false;
  if (ours.latin * 4 >= ours.units * 3) return true;
  const auto odd = static_cast<std::size_t>(std::ranges::count_if(sample, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte != 0 && is_odd_control(byte));
  }));
  return odd * 10 >= sample.size() && (is_ascii(sample) || !is_valid_utf8(sample));
}

bool is_mostly_utf8(std::string_view bytes) {
  std::size_t well_formed = 0, ill_formed = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t start = at;
    const char32_t code = next_code_point(bytes, at);
    if (code == kReplacement && at - start == 1) {
      ++ill_formed;
    } else if (code >= 0x80) {
      ++well_formed;
    }
  }
  return well_formed > ill_formed;
}

Decoded binary() { return {true, false, "", {}}; }

Decoded converted(const char* encoding, std::string text) {
  if (is_binary_text(text)) return binary();
  return {false, true, encoding, std::move(text)};
}

}  // namespace

Decoded decode_text(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xEF\xBB\xBF"sv)) return converted("utf-8-bom", to_valid_utf8(bytes.substr(3)));
  if (bytes.starts_with("\xFF\xFE\0\0"sv)) return converted("utf-32le", from_utf32(bytes.substr(4), true));
  if (bytes.starts_with("\0\0\xFE\xFF"sv)) return converted("utf-32be", from_utf32(bytes.substr(4), false));
  if (bytes.starts_with("\xFF\xFE"sv)) return converted("utf-16le", from_utf16(bytes.substr(2), true));
  if (bytes.starts_with("\xFE\xFF"sv)) return converted("utf-16be", from_utf16(bytes.substr(2), false));
  if (bytes.find('\0') != bytes.npos) {
    if (is_utf16(bytes, true)) return converted("utf-16le", from_utf16(bytes, true));
    if (is_utf16(bytes, false)) return converted("utf-16be", from_utf16(bytes, false));
    return binary();
  }
  if (is_valid_utf8(bytes)) return has_too_many_controls(bytes) ? binary() : Decoded{};
  if (is_mostly_utf8(bytes)) return converted("utf-8", to_valid_utf8(bytes));
  return converted("windows-1252", from_windows_1252(bytes));
}

std::string decode_as(std::string_view bytes, std::string_view encoding) {
  if (encoding.starts_with("utf-16")) return from_utf16(bytes, encoding == "utf-16le");
  if (encoding.starts_with("utf-32")) return from_utf32(bytes, encoding == "utf-32le");
  if (encoding == "windows-1252") return from_windows_1252(bytes);
  return to_valid_utf8(bytes);
}

}  // namespace ragline
