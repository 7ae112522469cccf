#include "lexical/word_cache.h"

#include <cstring>

#include "lexical/word_hash.h"

namespace ragline {

std::uint64_t WordCache::hash(Field field, Language language, std::string_view word) {
  return word_hash(word, static_cast<std::uint64_t>(field) << 8 | static_cast<std::uint64_t>(language));
}

const WordCache::Entry* WordCache::find(std::uint64_t hash, Field field, Language language, std::string_view word) const {
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t i = hash & (slots_.size() - 1); slots_[i].entry != kFree; i = (i + 1) & (slots_.size() - 1)) {
    if (slots_[i].tag != tag) continue;
    const auto* entry = reinterpret_cast<const Entry*>(words_.data() + slots_[i].entry);
    if (entry->size == word.size() && entry->field == static_cast<char>(field) && entry->language == language &&
        std::memcmp(entry->word(), word.data(), word.size()) == 0)
      return entry;
  }
  return nullptr;
}

void WordCache::place(std::uint64_t hash, std::uint32_t entry) {
  std::size_t i = hash & (slots_.size() - 1);
  while (slots_[i].entry != kFree) i = (i + 1) & (slots_.size() - 1);
  slots_[i] = {static_cast<std::uint32_t>(hash >> 32), entry};
}

void WordCache::add(std::uint64_t hash, Field field, Language language, std::string_view word, std::span<const Term> terms,
                    std::uint32_t positions, std::uint32_t length) {
  if (word.size() > kLongestWord || terms.size() > kMostTerms) return;
  if (memory() > kMostBytes) *this = WordCache();
  if ((all_.size() + 1) * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, Slot{});
    for (auto [known, entry] : all_) place(known, entry);
  }
  const auto at = static_cast<std::uint32_t>(words_.size());
  const Entry entry{static_cast<std::uint16_t>(positions), static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(terms.size()),
                    static_cast<std::uint16_t>(word.size()), static_cast<char>(field), language, 0};
  words_.resize(at + (sizeof entry + terms.size_bytes() + word.size() + 3) / 4);
  char* out = reinterpret_cast<char*>(words_.data() + at);
  std::memcpy(out, &entry, sizeof entry);
  if (!terms.empty()) std::memcpy(out + sizeof entry, terms.data(), terms.size_bytes());
  std::memcpy(out + sizeof entry + terms.size_bytes(), word.data(), word.size());
  place(hash, at);
  all_.emplace_back(hash, at);
}

}  // namespace ragline
