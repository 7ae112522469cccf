#include "embed/charsmap.h"

#include <unicode/ubrk.h>

#include <cstring>
#include <memory>

#include "core/bytes.h"
#include "core/utf8.h"

namespace ragline {

namespace {

struct CloseBreaks {
  void operator()(UBreakIterator* breaks) const { ubrk_close(breaks); }
};
struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

// Calls visit(grapheme) over all of `text`.
template <class Visit>
void each_grapheme(std::string_view text, Visit visit) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> view(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &error));
  const std::unique_ptr<UBreakIterator, CloseBreaks> breaks(
      ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &error));
  ubrk_setUText(breaks.get(), view.get(), &error);
  if (U_FAILURE(error)) return visit(text);
  std::size_t begin = 0;
  ubrk_first(breaks.get());
  for (std::int32_t end; (end = ubrk_next(breaks.get())) != UBRK_DONE;
       begin = static_cast<std::size_t>(end))
    visit(text.substr(begin, static_cast<std::size_t>(end) - begin));
}

constexpr std::size_t kLongestKey = 5;

}  // namespace

Result<Charsmap> Charsmap::parse(std::string_view bytes) {
  const auto bad = [] {
    return fail(
        ErrorKind::kData,
        "precompiled_charsmap does not hold a trie and its replacements: take the file that "
        "belongs to the model");
  };
  ByteReader reader(bytes);
  const auto size = reader.fixed<std::uint32_t>();
  const std::string_view units = reader.bytes(size);
  if (!reader.ok() || size == 0 || size % sizeof(std::uint32_t) != 0) return bad();
  Charsmap out;
  out.units_.resize(size / sizeof(std::uint32_t));
  std::memcpy(out.units_.data(), units.data(), size);
  out.replacements_ = reader.bytes(reader.left());
  if (out.replacements_.empty() || out.replacements_.back() != '\0' ||
      !is_valid_utf8(out.replacements_))
    return bad();
  return out;
}

const char* Charsmap::find(std::string_view text) const {
  // Darts-clone's units: bit 8 says that a child for the key's end exists, the low bits are the
  // label, and the offset to the children is shifted by 8 more when bit 9 is set.
  const auto offset = [](std::uint32_t unit) { return unit >> 10 << ((unit & 0x200) >> 6); };
  std::size_t at = offset(units_[0]);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) return nullptr;
    at ^= byte;
    if (at >= units_.size() || (units_[at] & 0x800000FF) != byte) return nullptr;
    const bool ends = units_[at] & 0x100;
    at ^= offset(units_[at]);
    if (!ends) continue;
    if (at >= units_.size()) return nullptr;
    const std::uint32_t value = units_[at] & 0x7FFFFFFF;
    return value < replacements_.size() ? replacements_.data() + value : nullptr;
  }
  return nullptr;
}

std::string Charsmap::normalise(std::string_view text) const {
  std::string out;
  const auto by_character = [&](std::string_view part) {
    for (std::size_t at = 0; at < part.size();) {
      const std::size_t begin = at;
      next_code_point(part, at);
      const std::string_view character = part.substr(begin, at - begin);
      const char* replacement = find(character);
      replacement ? out += replacement : out += character;
    }
  };
  // Among ASCII alone, CR LF is the only grapheme of two characters.
  if (is_ascii(text) && text.find('\r') == text.npos) {
    by_character(text);
    return out;
  }
  each_grapheme(text, [&](std::string_view grapheme) {
    const char* replacement = grapheme.size() <= kLongestKey ? find(grapheme) : nullptr;
    replacement ? void(out += replacement) : by_character(grapheme);
  });
  return out;
}

}  // namespace ragline
