#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace ragline {

// Occurrences of terms while a segment is built: for each term a chain of byte slices in shared pages, each slice twice as long as the one
// before (as Lucene's indexing chain does), so that a word seen once costs 16 bytes and a frequent one wastes little.
//
// A token per occurrence, as varints:
//   new chunk     (gap << 1 | 1), position      gap = chunk - previous chunk (the first: chunk + 1)
//   same chunk    (position - previous position) << 1
class Occurrences {
 public:
  using TermId = std::uint32_t;

  // Ids are 0, 1, 2, ...
  TermId add_term();
  // Chunks ascending for each term; positions ascending within a chunk; an occurrence at the same place as the one before is dropped.
  void add(TermId term, std::uint32_t chunk, std::uint32_t position);
  std::size_t term_count() const { return terms_.size(); }
  // Fetch ahead what add() will touch: first the term, later (once that has come) the end of its chain.
  void prefetch_term(TermId term) const { __builtin_prefetch(&terms_[term], 1); }
  void prefetch_end(TermId term) const { __builtin_prefetch(byte(terms_[term].at), 1); }
  std::size_t memory() const { return pages_.size() * kPage + terms_.capacity() * sizeof(Term); }

  // Calls visit(chunk, positions) for every chunk of the term, ascending.
  template <class Visit>
  void for_each(TermId term, Visit visit) const;

 private:
  static constexpr std::uint32_t kPageBits = 16, kPage = 1u << kPageBits;
  static constexpr std::uint32_t kFirstSlice = 16, kLastSlice = 2048, kLink = 4;

  struct alignas(32) Term {
    std::uint32_t head = 0, at = 0, end = 0;  // addresses: page << kPageBits | offset; end is where the link stands
    std::uint32_t slice = 0;                  // bytes of the current slice
    std::uint32_t chunk = UINT32_MAX, position = 0;
  };
  class Reader;

  unsigned char* byte(std::uint32_t address) { return pages_[address >> kPageBits].get() + (address & (kPage - 1)); }
  const unsigned char* byte(std::uint32_t address) const { return pages_[address >> kPageBits].get() + (address & (kPage - 1)); }
  std::uint32_t new_slice(std::uint32_t size);
  void grow(Term& term);
  void put(Term& term, std::uint32_t value) {
    while (true) {
      if (term.at == term.end) grow(term);
      if (value < 0x80) {
        *byte(term.at++) = static_cast<unsigned char>(value);
        return;
      }
      *byte(term.at++) = static_cast<unsigned char>(value | 0x80);
      value >>= 7;
    }
  }

  std::vector<Term> terms_;
  std::vector<std::unique_ptr<unsigned char[]>> pages_;
  std::uint32_t page_used_ = kPage;
};

// Follows a chain.
class Occurrences::Reader {
 public:
  Reader(const Occurrences& all, const Term& term)
      : all_(all), at_(term.head), last_(term.at), slice_(kFirstSlice), end_(term.head + kFirstSlice - kLink) {}
  bool done() const { return at_ == last_; }
  std::uint32_t varint() {
    std::uint32_t value = 0;
    for (int shift = 0;; shift += 7) {
      if (at_ == end_) follow();
      const std::uint32_t b = *all_.byte(at_++);
      value |= (b & 0x7F) << shift;
      if (b < 0x80) return value;
    }
  }

 private:
  void follow();
  const Occurrences& all_;
  std::uint32_t at_, last_, slice_, end_;
};

template <class Visit>
void Occurrences::for_each(TermId id, Visit visit) const {
  const Term& term = terms_[id];
  if (term.head == term.at) return;
  Reader reader(*this, term);
  std::vector<std::uint32_t> positions;
  std::uint32_t chunk = UINT32_MAX, position = 0;
  while (!reader.done()) {
    const std::uint32_t token = reader.varint();
    if (token & 1) {
      if (!positions.empty()) visit(chunk, positions);
      positions.clear();
      chunk += token >> 1;
      position = reader.varint();
    } else {
      position += token >> 1;
    }
    positions.push_back(position);
  }
  visit(chunk, positions);
}

}  // namespace ragline
