#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/language.h"
#include "lexical/field.h"

namespace ragline {

// What a raw word adds to the index, remembered by its bytes, field and language: the terms, where they stand, how far the next
// word is. Made so that a look-up touches two cache lines, both of which can be fetched ahead (a vocabulary does not fit the CPU's caches):
//
//   hash all words of a text   -> prefetch_slot
//   for each                   -> prefetch_entry
//   for each                   -> find
class WordCache {
 public:
  struct Term {
    std::uint32_t term, position;
  };
  struct Entry {
    std::uint16_t positions, length, count, size;  // count terms and size bytes of word follow
    char field;
    Language language;
    std::uint16_t unused;
    const Term* terms() const { return reinterpret_cast<const Term*>(this + 1); }
    const char* word() const { return reinterpret_cast<const char*>(terms() + count); }
  };
  static_assert(sizeof(Entry) == 12 && alignof(Entry) <= alignof(Term));

  WordCache() : slots_(1 << 12) {}

  static std::uint64_t hash(Field field, Language language, std::string_view word);
  void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }
  void prefetch_entry(std::uint64_t hash) const {
    const Slot& slot = slots_[hash & (slots_.size() - 1)];
    __builtin_prefetch(words_.data() + slot.entry);
  }
  // nullptr when it is not known. Valid until the next add().
  const Entry* find(std::uint64_t hash, Field field, Language language, std::string_view word) const;
  // Words of more than kLongestWord bytes and with more terms than fit are not kept; the caller expands them each time.
  static constexpr std::size_t kLongestWord = 512, kMostTerms = 512;
  void add(std::uint64_t hash, Field field, Language language, std::string_view word, std::span<const Term> terms,
           std::uint32_t positions, std::uint32_t length);

  std::size_t memory() const { return slots_.size() * sizeof(Slot) + words_.capacity() * 4; }

 private:
  struct Slot {
    std::uint32_t tag = 0, entry = kFree;
  };
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::size_t kMostBytes = std::size_t{48} << 20;  // then it begins anew
  void place(std::uint64_t hash, std::uint32_t entry);

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> words_ = {0};  // entries, in units of four bytes; 0 is free
  std::vector<std::pair<std::uint64_t, std::uint32_t>> all_;  // for growing
};

}  // namespace ragline
