#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Vector searches over bytes: what a scan spends its time in. AVX2 where the processor has it, SSE2 on other x86-64, plain C++
// elsewhere; all with the same answers.
namespace ragline {

// Newlines in `text`. Over 20 GB/s in cache.
std::uint64_t count_newlines(std::string_view text);

// The first byte at `from` or later that is not ASCII; npos.
std::size_t find_non_ascii(std::string_view text, std::size_t from);

// Finds one string. Two of its rarest bytes are looked for at their distance, 32 places at a time; only where both stand is the
// rest compared. About 20 GB/s while such places are rare; each costs some nanoseconds, so "ee" in English is slow.
class LiteralSearch {
 public:
  // `needle` is not empty. `fold`: ASCII letters match in either case; the needle's must be lower case.
  LiteralSearch(std::string needle, bool fold);
  // The first occurrence that begins at `from` or later; npos.
  std::size_t find(std::string_view text, std::size_t from) const;
  const std::string& needle() const { return needle_; }

 private:
  friend struct LiteralKernel;
  bool equals(const char* at) const;

  std::string needle_;
  bool fold_;
  std::size_t first_ = 0, second_ = 0;               // places of the two bytes, first_ <= second_
  unsigned char first_mask_ = 0, second_mask_ = 0;   // 0x20 for a letter of either case
};

}  // namespace ragline
