#include "search/signals.h"

#include <algorithm>
#include <bit>
#include <map>

#include "core/text.h"
#include "lexical/field.h"
#include "search/weights.h"

namespace ragline {

namespace {

constexpr std::uint32_t kWindow = 20;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alnum(char c) { return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

bool is_identifier(std::string_view word) {
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    const char before = word[i - 1], here = word[i], behind = word[i + 1];
    if ((here == '_' || here == '@' || here == '.') && is_alnum(before) && is_alnum(behind)) return true;
  }
  for (std::size_t i = 1; i < word.size(); ++i)
    if (is_lower(word[i - 1]) && is_upper(word[i])) return true;
  return false;
}

SignalReader::SignalReader(const Snapshot& snapshot, double chunks, bool governed, const QueryWords& query)
    : snapshot_(snapshot), chunks_(chunks), governed_(governed), query_(query) {
  for (std::uint32_t i = 0; i < query.words.size(); ++i)
    for (const std::string& term : query.words[i].terms) word_of_[term].push_back(i);
}

double SignalReader::idf(Language language, const std::string& term) {
  if (const auto found = word_of_.find(term); found != word_of_.end()) return query_.words[found->second[0]].idf;
  if (governed_) return bm25_idf(1, chunks_);
  std::uint64_t doc_freq = 0;
  for (const auto& segment : snapshot_.segments)
    if (const auto info = segment->postings().find(term_key(Field::kContent, language, term))) doc_freq += info->doc_freq;
  return bm25_idf(static_cast<double>(doc_freq), chunks_);
}

// Where words of the query stand, by the number of the word in the text. `total_idf`, if asked for: of all words.
std::vector<SignalReader::Place> SignalReader::places(std::string_view text, Language language, double* total_idf, std::uint64_t& identifiers) {
  std::vector<Place> out;
  analyzer_.split_words(text, raw_);
  std::uint32_t position = 0;
  for (const RawWord raw : raw_) {
    const std::string_view word = text.substr(raw.begin, raw.end - raw.begin);
    analyzer_.expand(word, language, expansion_);
    for (const Term& term : expansion_.terms) {
      if (term.role != TermRole::kWord) continue;
      if (const auto found = word_of_.find(term.text); found != word_of_.end())
        for (const std::uint32_t number : found->second) out.push_back({position, number});
      if (total_idf) *total_idf += idf(language, term.text);
      ++position;
    }
    for (std::size_t i = 0; i < query_.identifiers.size(); ++i)
      if (word.size() == query_.identifiers[i].size() && ascii_lower(word) == query_.identifiers[i]) identifiers |= std::uint64_t{1} << i;
  }
  return out;
}

Signals SignalReader::read(const Chunk& chunk) {
  Signals out;
  const Language language = language_from_code(chunk.language).value_or(Language::kNone);
  std::uint64_t identifiers = 0;
  const auto weight = [&](std::uint32_t word) { return query_.words[word].idf; };
  double known = 0, all_pairs = 0;
  for (const QueryWord& word : query_.words) known += word.idf;
  for (std::size_t i = 0; i + 1 < query_.words.size(); ++i) all_pairs += std::min(query_.words[i].idf, query_.words[i + 1].idf);

  if (!chunk.title.empty()) {
    double total = 0, shared = 0;
    std::map<std::uint32_t, double> by_position;
    for (const Place& place : places(chunk.title, language, &total, identifiers)) by_position[place.position] = weight(place.word);
    for (const auto& [position, idf] : by_position) shared += idf;
    out.title = total > 0 ? std::min(1.0, shared / total) : 0;
  }
  const std::vector<Place> found = places(chunk.text, language, nullptr, identifiers);
  std::vector<std::uint32_t> inside(query_.words.size(), 0);
  double sum = 0, best = 0;
  for (std::size_t first = 0, last = 0; last < found.size(); ++last) {
    if (inside[found[last].word]++ == 0) sum += weight(found[last].word);
    for (; found[last].position - found[first].position >= kWindow; ++first)
      if (--inside[found[first].word] == 0) sum -= weight(found[first].word);
    best = std::max(best, sum);
  }
  out.window = known > 0 ? std::min(1.0, best / known) : 0;

  std::vector<bool> paired(query_.words.size(), false);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = i + 1; j < found.size() && found[j].position <= found[i].position + 1; ++j)
      if (found[j].position == found[i].position + 1 && found[j].word == found[i].word + 1) paired[found[i].word] = true;
  double pairs = 0;
  for (std::uint32_t i = 0; i + 1 < query_.words.size(); ++i)
    if (paired[i]) pairs += std::min(weight(i), weight(i + 1));
  out.pairs = all_pairs > 0 ? pairs / all_pairs : 0;
  if (!query_.identifiers.empty())
    out.exact = static_cast<double>(std::popcount(identifiers)) / static_cast<double>(query_.identifiers.size());
  return out;
}

}  // namespace ragline
