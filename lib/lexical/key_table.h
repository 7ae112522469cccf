#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lexical/word_hash.h"

namespace ragline {

// Distinct strings numbered 0, 1, 2, ... in the order of their coming.
class KeyTable {
 public:
  KeyTable() : slots_(1024) {}
  // The key's number; `added` says whether it is new.
  std::uint32_t number(std::string_view key, bool& added) {
    const std::uint64_t hash = word_hash(key, 0);
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    std::size_t i = hash & (slots_.size() - 1);
    for (; slots_[i].number != kFree; i = (i + 1) & (slots_.size() - 1))
      if (slots_[i].tag == tag && this->key(slots_[i].number) == key) {
        added = false;
        return slots_[i].number;
      }
    added = true;
    const auto number = static_cast<std::uint32_t>(ends_.size());
    bytes_ += key;
    ends_.push_back(bytes_.size());
    slots_[i] = {tag, number};
    if (ends_.size() * 2 > slots_.size()) grow();
    return number;
  }
  std::string_view key(std::uint32_t number) const {
    const std::size_t begin = number ? ends_[number - 1] : 0;
    return std::string_view(bytes_).substr(begin, ends_[number] - begin);
  }
  std::size_t size() const { return ends_.size(); }
  std::size_t memory() const { return bytes_.capacity() + ends_.capacity() * 8 + slots_.size() * sizeof(Slot); }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  struct Slot {
    std::uint32_t tag = 0, number = kFree;
  };
  void grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    for (std::uint32_t number = 0; number < ends_.size(); ++number) {
      const std::uint64_t hash = word_hash(key(number), 0);
      std::size_t i = hash & (slots_.size() - 1);
      while (slots_[i].number != kFree) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = {static_cast<std::uint32_t>(hash >> 32), number};
    }
  }
  std::string bytes_;
  std::vector<std::uint64_t> ends_;
  std::vector<Slot> slots_;
};

}  // namespace ragline
