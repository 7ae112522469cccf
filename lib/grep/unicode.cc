#include "grep/unicode.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>

#include <memory>

#include "core/utf8.h"

namespace ragline {

Property find_property(std::string_view name) {
  Property property;
  property.name = name;
  if (name == "Any") {
    property.kind = Property::Kind::kAny;
    return property;
  }
  const auto category = u_getPropertyValueEnum(UCHAR_GENERAL_CATEGORY_MASK, property.name.c_str());
  if (name.size() <= 2 && category != UCHAR_INVALID_CODE) {
    property.kind = Property::Kind::kCategory;
    property.value = static_cast<unsigned>(category);
    return property;
  }
  const auto script = u_getPropertyValueEnum(UCHAR_SCRIPT, property.name.c_str());
  if (script == UCHAR_INVALID_CODE) return property;
  property.kind = Property::Kind::kScript;
  property.value = static_cast<unsigned>(script);
  return property;
}

bool has_property(char32_t code_point, const Property& property) {
  const auto c = static_cast<UChar32>(code_point);
  bool has = true;
  if (property.kind == Property::Kind::kCategory) has = (U_GET_GC_MASK(c) & property.value) != 0;
  if (property.kind == Property::Kind::kScript) {
    UErrorCode error = U_ZERO_ERROR;
    has = static_cast<unsigned>(uscript_getScript(c, &error)) == property.value;
  }
  return has != property.negated;
}

bool is_word_character(char32_t code_point) {
  if (code_point < 0x80) return is_ascii_word(static_cast<unsigned char>(code_point));
  const auto c = static_cast<UChar32>(code_point);
  constexpr auto kMask = U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_NL_MASK | U_GC_PC_MASK;
  return (U_GET_GC_MASK(c) & kMask) != 0 || code_point == 0x200C || code_point == 0x200D ||
         (U_GET_GC_MASK(c) & U_GC_SO_MASK && u_hasBinaryProperty(c, UCHAR_ALPHABETIC));
}

std::vector<char32_t> fold_orbit(char32_t code_point) {
  if (code_point < 0x80) {
    const char32_t lower = code_point | 0x20;
    if (lower < 'a' || lower > 'z') return {code_point};
    std::vector<char32_t> orbit{lower, lower ^ 0x20};
    if (lower == 'k') orbit.push_back(0x212A);
    if (lower == 's') orbit.push_back(0x17F);
    return orbit;
  }
  const auto c = static_cast<UChar32>(code_point);
  const std::unique_ptr<USet, decltype(&uset_close)> set(uset_open(c, c), &uset_close);
  uset_closeOver(set.get(), USET_CASE_INSENSITIVE);
  std::vector<char32_t> orbit;
  const int items = uset_getItemCount(set.get());
  for (int i = 0; i < items; ++i) {
    UChar32 first = 0, last = 0;
    UErrorCode error = U_ZERO_ERROR;
    if (uset_getItem(set.get(), i, &first, &last, nullptr, 0, &error) != 0) continue;  // a string: "ss" of sharp s
    for (UChar32 each = first; each <= last; ++each) orbit.push_back(static_cast<char32_t>(each));
  }
  return orbit;
}

char32_t code_point_at(std::string_view text, std::size_t at, std::size_t& size) {
  const auto byte = static_cast<unsigned char>(text[at]);
  size = 1;
  if (byte < 0x80) return byte;
  std::size_t end = at;
  const char32_t found = next_code_point(text, end);
  if (found == 0xFFFD && end - at == 1) return kIllFormed;
  size = end - at;
  return found;
}

char32_t code_point_before(std::string_view text, std::size_t at) {
  std::size_t size = 0;
  for (std::size_t back = 1; back <= 4 && back <= at; ++back) {
    if ((static_cast<unsigned char>(text[at - back]) & 0xC0) == 0x80) continue;
    const char32_t found = code_point_at(text, at - back, size);
    return size == back ? found : kIllFormed;
  }
  return kIllFormed;
}

bool word_begins_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  std::size_t size = 0;
  const char32_t found = code_point_at(text, at, size);
  return found != kIllFormed && is_word_character(found);
}

bool word_may_begin(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const char32_t found = code_point_before(text, at);
  return found != kIllFormed && !is_word_character(found);
}

bool word_may_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return true;
  std::size_t size = 0;
  const char32_t found = code_point_at(text, at, size);
  return found != kIllFormed && !is_word_character(found);
}

bool word_ends_at(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  const char32_t found = code_point_before(text, at);
  return found != kIllFormed && is_word_character(found);
}

}  // namespace ragline
