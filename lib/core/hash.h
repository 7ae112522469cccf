#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace ragline {

// XXH3, 64 bits, seed 0: checksums of files and blocks, evidence ids, hash tables.
std::uint64_t hash64(std::string_view bytes);
// 16 lower-case hex digits of hash64: the `checksum` of a document's source bytes.
std::string checksum_text(std::string_view bytes);

// XXH3 over pieces; value() equals hash64 of their concatenation.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  void add(std::string_view bytes);
  std::uint64_t value() const;

 private:
  void* state_;
};

}  // namespace ragline
