#include "lexical/builder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "lexical/key_table.h"
#include "lexical/occurrences.h"
#include "lexical/postings_writer.h"
#include "lexical/word_cache.h"

// The hot loop is: split the text into raw words, look each word up in a cache by its bytes, and add the occurrences that the cache holds for it.
// Only words that were not seen lately are analysed (folded, cut in parts, stemmed). Zipf's law makes that a few per cent of a text. What
// remains is waiting for memory, so a text's words are looked up in groups, each step fetching ahead what the next one reads.

namespace ragline {

namespace {

// Positions between title, context and text, so that no phrase runs from one into the next.
constexpr std::uint32_t kPartGap = 100;
constexpr std::size_t kGroup = 32;  // words looked up together

}  // namespace

struct PostingsBuilder::State {
  Analyzer analyzer;
  std::vector<RawWord> words;
  Expansion expansion;
  std::vector<WordCache::Term> fresh;  // terms of a word that is not in the cache

  KeyTable terms;           // key -> term id
  Occurrences occurrences;  // by the same ids
  ChunkColumns columns;
  WordCache cache;

  std::uint32_t term_of(std::string_view key) {
    bool added;
    const std::uint32_t term = terms.number(key, added);
    if (added) occurrences.add_term();
    return term;
  }

  void expand(Field field, Language language, std::string_view word, std::uint64_t hash) {
    analyzer.expand(word, language, expansion);
    fresh.clear();
    for (const Term& term : expansion.terms) fresh.push_back({term_of(term_key(field, language, term.text)), term.position});
    cache.add(hash, field, language, word, fresh, expansion.positions, expansion.length);
  }

  // Returns the position after the text.
  std::uint32_t add_text(Field field, Language language, std::string_view text, std::uint32_t chunk, std::uint32_t position) {
    analyzer.split_words(text, words);
    std::uint32_t length = 0;
    std::uint64_t hashes[kGroup];
    const WordCache::Entry* entries[kGroup];
    auto word_at = [&](std::size_t i) { return text.substr(words[i].begin, words[i].end - words[i].begin); };
    auto add_terms = [&](const WordCache::Term* begin, std::size_t count) {
      for (std::size_t t = 0; t < count; ++t) occurrences.add(begin[t].term, chunk, position + begin[t].position);
    };
    for (std::size_t first = 0; first < words.size(); first += kGroup) {
      const std::size_t count = std::min(kGroup, words.size() - first);
      for (std::size_t i = 0; i < count; ++i) {
        hashes[i] = WordCache::hash(field, language, word_at(first + i));
        cache.prefetch_slot(hashes[i]);
      }
      for (std::size_t i = 0; i < count; ++i) cache.prefetch_entry(hashes[i]);
      bool all_known = true;
      for (std::size_t i = 0; i < count; ++i) {
        entries[i] = cache.find(hashes[i], field, language, word_at(first + i));
        all_known = all_known && entries[i];
        if (entries[i] && entries[i]->count > 0) occurrences.prefetch_term(entries[i]->terms()->term);
      }
      for (std::size_t i = 0; i < count && all_known; ++i)
        if (entries[i]->count > 0) occurrences.prefetch_end(entries[i]->terms()->term);
      for (std::size_t i = 0; i < count; ++i) {
        // A word added to the cache moves the others: look again.
        const WordCache::Entry* entry = all_known ? entries[i] : cache.find(hashes[i], field, language, word_at(first + i));
        if (entry) {
          add_terms(entry->terms(), entry->count);
          position += entry->positions;
          length += entry->length;
        } else {
          expand(field, language, word_at(first + i), hashes[i]);
          add_terms(fresh.data(), fresh.size());
          position += expansion.positions;
          length += expansion.length;
        }
      }
    }
    columns.lengths[field_index(field)][chunk] += length;
    return position;
  }
};

PostingsBuilder::PostingsBuilder() : state_(std::make_unique<State>()) {}
PostingsBuilder::~PostingsBuilder() = default;
PostingsBuilder::PostingsBuilder(PostingsBuilder&&) noexcept = default;
PostingsBuilder& PostingsBuilder::operator=(PostingsBuilder&&) noexcept = default;

std::uint32_t PostingsBuilder::add(const ChunkText& chunk) {
  State& s = *state_;
  const std::uint32_t ordinal = chunk_count();
  for (auto& column : s.columns.lengths) column.push_back(0);
  s.columns.languages.push_back(chunk.language);

  std::uint32_t position = 0;
  auto content = [&](std::string_view text) {
    if (text.empty()) return;
    position = s.add_text(Field::kContent, chunk.language, text, ordinal, position) + kPartGap;
  };
  if (chunk.title_in_content) content(chunk.title);
  content(chunk.context);
  content(chunk.text);
  if (!chunk.title.empty()) s.add_text(Field::kTitle, chunk.language, chunk.title, ordinal, 0);
  if (!chunk.section.empty()) s.add_text(Field::kSection, chunk.language, chunk.section, ordinal, 0);
  if (!chunk.path.empty()) s.add_text(Field::kPath, chunk.language, chunk.path, ordinal, 0);
  return ordinal;
}

void PostingsBuilder::add_filter(std::string_view name, std::string_view value) {
  state_->occurrences.add(state_->term_of(filter_key(name, value)), chunk_count() - 1, 0);
}

std::uint32_t PostingsBuilder::chunk_count() const { return static_cast<std::uint32_t>(state_->columns.languages.size()); }

std::size_t PostingsBuilder::memory() const {
  const State& s = *state_;
  return s.terms.memory() + s.occurrences.memory() + s.cache.memory() + s.columns.languages.capacity() * (1 + 4 * kTextFieldCount);
}

namespace {

// Term ids in the order of their keys. Keys are compared by eight bytes at first, which decides nearly always without touching them.
std::vector<std::uint32_t> key_order(const KeyTable& terms) {
  struct Item {
    std::uint32_t head;    // field and language
    std::uint32_t term;
    std::uint64_t prefix;  // the next eight bytes, high ones first
  };
  std::vector<Item> items(terms.size());
  for (std::uint32_t term = 0; term < items.size(); ++term) {
    const std::string_view key = terms.key(term);
    std::uint64_t prefix = 0;
    std::memcpy(&prefix, key.data() + 2, std::min<std::size_t>(key.size() - 2, 8));
    items[term] = {static_cast<std::uint32_t>(static_cast<unsigned char>(key[0]) << 8 | static_cast<unsigned char>(key[1])), term, __builtin_bswap64(prefix)};
  }
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    if (a.head != b.head) return a.head < b.head;
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return terms.key(a.term) < terms.key(b.term);
  });
  std::vector<std::uint32_t> order(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) order[i] = items[i].term;
  return order;
}

}  // namespace

Status PostingsBuilder::write(Storage& storage, std::string_view folder) {
  State& s = *state_;
  RAGLINE_TRY(auto writer, PostingsWriter::create(storage, folder, s.columns));
  for (std::uint32_t term : key_order(s.terms)) {
    const std::string_view key = s.terms.key(term);
    writer.begin(key);
    const bool filter = static_cast<Field>(key[0]) == Field::kFilter;
    s.occurrences.for_each(term, [&](std::uint32_t chunk, const std::vector<std::uint32_t>& positions) {
      writer.add(chunk, filter ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(positions));
    });
    RAGLINE_CHECK(writer.end());
  }
  RAGLINE_CHECK(writer.finish());
  *this = PostingsBuilder();
  return {};
}

}  // namespace ragline
