#include "lexical/builder.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/hash.h"
#include "lexical/occurrences.h"
#include "lexical/postings_writer.h"

// The hot loop is: split the text into raw words, look each word up in a cache by its bytes, and add the occurrences
// that the cache holds for it. Only words that were not seen lately are analysed (folded, cut in parts, stemmed).
// Zipf's law makes that a few per cent of a text.

namespace ragline {

namespace {

// Positions between title, context and text, so that no phrase runs from one into the next.
constexpr std::uint32_t kPartGap = 100;

// An append-only string pool with an open-addressing index from key to number.
class KeyTable {
 public:
  KeyTable() : slots_(1024, kFree) {}

  // The number of the key, or kFree when it is new: then the caller must add().
  static constexpr std::uint32_t kFree = UINT32_MAX;
  std::uint32_t find(std::string_view key, std::uint64_t hash) const {
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      const std::uint32_t number = slots_[i];
      if (number == kFree) return kFree;
      if (hashes_[number] == static_cast<std::uint32_t>(hash >> 32) && this->key(number) == key) return number;
    }
  }
  std::uint32_t add(std::string_view key, std::uint64_t hash) {
    if ((ends_.size() + 1) * 2 > slots_.size()) rehash();
    const auto number = static_cast<std::uint32_t>(ends_.size());
    bytes_ += key;
    ends_.push_back(bytes_.size());
    hashes_.push_back(static_cast<std::uint32_t>(hash >> 32));
    low_.push_back(static_cast<std::uint32_t>(hash));
    place(number);
    return number;
  }
  std::string_view key(std::uint32_t number) const {
    const std::size_t begin = number ? ends_[number - 1] : 0;
    return std::string_view(bytes_).substr(begin, ends_[number] - begin);
  }
  std::size_t size() const { return ends_.size(); }
  std::size_t memory() const {
    return bytes_.capacity() + ends_.capacity() * 8 + (hashes_.capacity() + low_.capacity() + slots_.size()) * 4;
  }

 private:
  void place(std::uint32_t number) {
    std::size_t i = low_[number] & (slots_.size() - 1);
    while (slots_[i] != kFree) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = number;
  }
  void rehash() {
    slots_.assign(slots_.size() * 2, kFree);
    for (std::uint32_t number = 0; number < ends_.size(); ++number) place(number);
  }
  std::string bytes_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint32_t> hashes_, low_, slots_;
};

// What one raw word adds, under one field and language.
struct CachedTerm {
  std::uint32_t term, position;
};
struct CachedWord {
  std::uint32_t first = 0;  // in the list of cached terms
  std::uint16_t count = 0, positions = 0, length = 0;
};
constexpr std::size_t kCacheWords = 1 << 19;

}  // namespace

struct PostingsBuilder::State {
  Analyzer analyzer;
  std::vector<RawWord> words;
  Expansion expansion;

  KeyTable terms;           // key -> term id
  Occurrences occurrences;  // by the same ids
  ChunkColumns columns;

  KeyTable cache;           // field, language, word -> number in cached_words
  std::vector<CachedWord> cached_words;
  std::vector<CachedTerm> cached_terms;

  std::uint32_t term_of(std::string_view key) {
    const std::uint64_t hash = hash64(key);
    const std::uint32_t known = terms.find(key, hash);
    if (known != KeyTable::kFree) return known;
    occurrences.add_term();
    return terms.add(key, hash);
  }

  CachedWord lookup(Field field, Language language, std::string_view word) {
    // The cache key in one small buffer; longer words are rare and made on the heap.
    char small[64];
    std::string large;
    std::string_view key;
    if (word.size() + 2 <= sizeof small) {
      small[0] = static_cast<char>(field);
      small[1] = static_cast<char>(language);
      std::memcpy(small + 2, word.data(), word.size());
      key = {small, word.size() + 2};
    } else {
      large = term_key(field, language, word);
      key = large;
    }
    const std::uint64_t hash = hash64(key);
    const std::uint32_t known = cache.find(key, hash);
    if (known != KeyTable::kFree) return cached_words[known];

    if (cache.size() >= kCacheWords) {
      cache = KeyTable();
      cached_words.clear();
      cached_terms.clear();
    }
    analyzer.expand(word, language, expansion);
    CachedWord entry;
    entry.first = static_cast<std::uint32_t>(cached_terms.size());
    entry.count = static_cast<std::uint16_t>(std::min<std::size_t>(expansion.terms.size(), UINT16_MAX));
    entry.positions = static_cast<std::uint16_t>(std::min<std::uint32_t>(expansion.positions, UINT16_MAX));
    entry.length = static_cast<std::uint16_t>(std::min<std::uint32_t>(expansion.length, UINT16_MAX));
    for (std::size_t i = 0; i < entry.count; ++i)
      cached_terms.push_back({term_of(term_key(field, language, expansion.terms[i].text)), expansion.terms[i].position});
    cache.add(key, hash);
    cached_words.push_back(entry);
    return entry;
  }

  // Returns the position after the text.
  std::uint32_t add_text(Field field, Language language, std::string_view text, std::uint32_t chunk, std::uint32_t position) {
    analyzer.split_words(text, words);
    std::uint32_t length = 0;
    for (const RawWord& word : words) {
      const CachedWord entry = lookup(field, language, text.substr(word.begin, word.end - word.begin));
      for (std::uint32_t i = entry.first; i < entry.first + entry.count; ++i)
        occurrences.add(cached_terms[i].term, chunk, position + cached_terms[i].position);
      position += entry.positions;
      length += entry.length;
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
  return s.terms.memory() + s.occurrences.memory() + s.cache.memory() + s.cached_words.capacity() * sizeof(CachedWord) +
         s.cached_terms.capacity() * sizeof(CachedTerm) + s.columns.languages.capacity() * (1 + 4 * kTextFieldCount);
}

Status PostingsBuilder::write(Storage& storage, std::string_view folder) {
  State& s = *state_;
  std::vector<std::uint32_t> order(s.terms.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return s.terms.key(a) < s.terms.key(b); });

  RAGLINE_TRY(auto writer, PostingsWriter::create(storage, folder, s.columns));
  for (std::uint32_t term : order) {
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
