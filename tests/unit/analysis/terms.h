#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analyzer.h"

// Readable forms of what the analyzer returns.
namespace ragline::testing {

inline std::vector<std::string> raw_words(std::string_view text) {
  Analyzer analyzer;
  std::vector<RawWord> words;
  analyzer.split_words(text, words);
  std::vector<std::string> out;
  for (const RawWord& word : words) out.emplace_back(text.substr(word.begin, word.end - word.begin));
  return out;
}

struct PlacedTerm {
  std::string text;
  std::uint32_t position;
  TermRole role;
};

// All terms of a text, with positions from its start.
inline std::vector<PlacedTerm> all_terms(std::string_view text, Language language = Language::kEnglish) {
  Analyzer analyzer;
  std::vector<RawWord> words;
  analyzer.split_words(text, words);
  std::vector<PlacedTerm> out;
  Expansion expansion;
  std::uint32_t position = 0;
  for (const RawWord& word : words) {
    analyzer.expand(text.substr(word.begin, word.end - word.begin), language, expansion);
    for (const Term& term : expansion.terms) out.push_back({term.text, position + term.position, term.role});
    position += expansion.positions;
  }
  return out;
}

// The terms of one role, each as "text@position", in order.
inline std::string terms_of(std::string_view text, TermRole role, Language language = Language::kEnglish) {
  std::string out;
  for (const PlacedTerm& term : all_terms(text, language)) {
    if (term.role != role) continue;
    if (!out.empty()) out += ' ';
    out += term.text + '@' + std::to_string(term.position);
  }
  return out;
}

inline std::string words_of(std::string_view text, Language language = Language::kEnglish) {
  return terms_of(text, TermRole::kWord, language);
}

// Whether the query's words stand in the text at the same distances, as a phrase query asks; of a word's spellings (kWord,
// kFolded) one is enough.
inline bool has_phrase(std::string_view text, std::string_view phrase, Language language = Language::kEnglish) {
  const std::vector<PlacedTerm> in_text = all_terms(text, language);
  std::map<std::uint32_t, std::set<std::string>> wanted;
  for (const PlacedTerm& term : all_terms(phrase, language)) {
    if (term.role == TermRole::kWord || term.role == TermRole::kFolded) wanted[term.position].insert(term.text);
  }
  auto stands_at = [&](std::uint32_t start) {
    return std::ranges::all_of(wanted, [&](const auto& slot) {
      return std::ranges::any_of(in_text, [&](const PlacedTerm& term) {
        return term.position == start + slot.first && slot.second.contains(term.text);
      });
    });
  };
  return !wanted.empty() && std::ranges::any_of(in_text, [&](const PlacedTerm& term) { return stands_at(term.position); });
}

}  // namespace ragline::testing
