#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/language.h"

// What a term of the inverted index is a term of. A key in the dictionary is
//
//   field letter, language byte, term bytes
//
// so that one language's words of one field are neighbours, a term's document frequency is counted within its language,
// and an index may mix languages: each chunk is scored by the words, frequencies and lengths of its own language.
namespace ragline {

enum class Field : char {
  kContent = 'c',  // title (when it is not part of the text), context, text
  kTitle = 't',
  kSection = 's',  // headings above the chunk
  kPath = 'p',
  kFilter = 'f'    // exact values for filters; language byte 0, term = name, 0x1F, value
};
inline constexpr Field kTextFields[] = {Field::kContent, Field::kTitle, Field::kSection, Field::kPath};
inline constexpr std::size_t kTextFieldCount = 4;
inline constexpr std::size_t field_index(Field field) {
  switch (field) {
    case Field::kContent: return 0;
    case Field::kTitle: return 1;
    case Field::kSection: return 2;
    default: return 3;
  }
}

inline std::string term_key(Field field, Language language, std::string_view term) {
  std::string key;
  key.reserve(term.size() + 2);
  key += static_cast<char>(field);
  key += static_cast<char>(language);
  key += term;
  return key;
}
inline std::string filter_key(std::string_view name, std::string_view value) {
  std::string key;
  key.reserve(name.size() + value.size() + 3);
  key += static_cast<char>(Field::kFilter);
  key += '\0';
  key += name;
  key += '\x1F';
  key += value;
  return key;
}

}  // namespace ragline
