#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ragline {

// Tokens and their ids, both ways. Cost: a hash and, nearly always, one comparison a lookup.
class Vocabulary {
 public:
  // Room for so many tokens, to spare growing.
  void reserve(std::size_t tokens);
  // Ids may come in any order and leave gaps. Of two ids of one token the last added counts.
  void add(std::string_view token, std::uint32_t id);
  std::optional<std::uint32_t> find(std::string_view token) const;
  // Empty for an id that has no token.
  std::string_view token(std::uint32_t id) const;
  // One more than the largest id.
  std::size_t size() const { return tokens_.size(); }
  // Bytes of the longest token.
  std::size_t longest() const { return longest_; }

 private:
  struct Slot {
    std::uint32_t hash = 0, id = 0;
    std::uint32_t used = 0;
  };
  struct Span {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
  };
  void resize(std::size_t slots);
  std::string bytes_;
  std::vector<Span> tokens_;  // by id
  std::vector<Slot> slots_;   // open addressing, a power of two
  std::size_t count_ = 0, longest_ = 0;
};

}  // namespace ragline
