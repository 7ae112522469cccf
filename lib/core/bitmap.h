#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ragline {

// A fixed-size set of ordinals [0, size), 64 to a word: filters and deletes. Bits past size are zero.
class Bitmap {
 public:
  Bitmap() = default;
  explicit Bitmap(std::size_t size, bool value = false) : size_(size), words_((size + 63) / 64, value ? ~0ull : 0) {
    trim();
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool test(std::size_t i) const { return words_[i >> 6] >> (i & 63) & 1; }
  void set(std::size_t i) { words_[i >> 6] |= 1ull << (i & 63); }
  void reset(std::size_t i) { words_[i >> 6] &= ~(1ull << (i & 63)); }
  void set_range(std::size_t begin, std::size_t end) {
    for (; begin < end && (begin & 63); ++begin) set(begin);
    for (; begin + 64 <= end; begin += 64) words_[begin >> 6] = ~0ull;
    for (; begin < end; ++begin) set(begin);
  }
  std::size_t count() const {
    std::size_t total = 0;
    for (std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
    return total;
  }
  // All of the same size.
  Bitmap& operator&=(const Bitmap& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  Bitmap& operator|=(const Bitmap& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  Bitmap& and_not(const Bitmap& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  Bitmap& flip() {
    for (std::uint64_t& word : words_) word = ~word;
    trim();
    return *this;
  }
  bool operator==(const Bitmap&) const = default;
  const std::vector<std::uint64_t>& words() const { return words_; }
  std::vector<std::uint64_t>& words() { return words_; }

  // Calls visit(ordinal) for every member, ascending.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word; word &= word - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }

 private:
  void trim() {
    if (size_ & 63) words_.back() &= (1ull << (size_ & 63)) - 1;
  }
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace ragline
