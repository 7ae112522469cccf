#include "grep/bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define RAGLINE_AVX2 __attribute__((target("avx2")))
#endif

namespace ragline {

namespace {

// How common a byte is in text and code, roughly: 0 is rarest. Frequencies of English and of C, blended by hand.
int commonness(unsigned char byte) {
  static constexpr std::string_view kOften = " etaoinsrhld_cu\nmfpg,.b(y)v;*w=-\tk0/1\"x2>:j'3#4q5z86&79[]{}";
  const auto place = kOften.find(static_cast<char>(byte));
  if (place != kOften.npos) return 200 - static_cast<int>(place) * 2;
  if (byte >= 'A' && byte <= 'Z') return 60;
  return byte >= 0x80 ? 30 : 20;
}

unsigned char lower(unsigned char byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

bool is_letter(unsigned char byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

std::uint64_t count_plainly(const char* at, const char* end) {
  return static_cast<std::uint64_t>(std::count(at, end, '\n'));
}

#if defined(__x86_64__)

RAGLINE_AVX2 std::uint64_t count_avx2(const char* at, const char* end) {
  const __m256i newline = _mm256_set1_epi8('\n'), zero = _mm256_setzero_si256();
  __m256i total = zero;
  while (end - at >= 128) {
    // Bytes of `sums` count up to 255: 63 rounds of four.
    __m256i sums = zero;
    for (int round = 0; round < 63 && end - at >= 128; ++round, at += 128)
      for (int i = 0; i < 4; ++i)
        sums = _mm256_sub_epi8(
            sums, _mm256_cmpeq_epi8(newline, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32 * i))));
    total = _mm256_add_epi64(total, _mm256_sad_epu8(sums, zero));
  }
  alignas(32) std::uint64_t lanes[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), total);
  return lanes[0] + lanes[1] + lanes[2] + lanes[3] + count_plainly(at, end);
}

// The first place in whole blocks from `at` on; `end` less than a block before the end when there is none.
RAGLINE_AVX2 const char* non_ascii_avx2(const char* at, const char* end) {
  for (; end - at >= 64; at += 64) {
    const auto* block = reinterpret_cast<const __m256i*>(at);
    const __m256i low = _mm256_loadu_si256(block), high = _mm256_loadu_si256(block + 1);
    if (_mm256_movemask_epi8(_mm256_or_si256(low, high)) == 0) continue;
    const auto bits = static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_epi8(low))) |
                      static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_epi8(high))) << 32;
    return at + std::countr_zero(bits);
  }
  return at;
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

#endif

}  // namespace

std::uint64_t count_newlines(std::string_view text) {
  const char* const end = text.data() + text.size();
#if defined(__x86_64__)
  if (has_avx2()) return count_avx2(text.data(), end);
#endif
  return count_plainly(text.data(), end);
}

std::size_t find_non_ascii(std::string_view text, std::size_t from) {
  if (from >= text.size()) return std::string_view::npos;
  const char* at = text.data() + from;
  const char* const end = text.data() + text.size();
#if defined(__x86_64__)
  if (has_avx2()) at = non_ascii_avx2(at, end);
#endif
  for (; at < end; ++at)
    if (static_cast<unsigned char>(*at) >= 0x80) return static_cast<std::size_t>(at - text.data());
  return std::string_view::npos;
}

LiteralSearch::LiteralSearch(std::string needle, bool fold) : needle_(std::move(needle)), fold_(fold) {
  auto rank = [&](std::size_t i) {
    const auto byte = static_cast<unsigned char>(needle_[i]);
    const int common = commonness(byte);
    return fold_ && is_letter(byte) ? common + commonness(byte ^ 0x20) / 2 : common;
  };
  std::size_t best = 0, next = 0;
  for (std::size_t i = 1; i < needle_.size(); ++i)
    if (rank(i) < rank(best)) best = i;
  next = best == 0 && needle_.size() > 1 ? 1 : 0;
  for (std::size_t i = 0; i < needle_.size(); ++i)
    if (i != best && rank(i) < rank(next)) next = i;
  first_ = std::min(best, next);
  second_ = std::max(best, next);
  auto mask = [&](std::size_t i) -> unsigned char { return fold_ && is_letter(static_cast<unsigned char>(needle_[i])) ? 0x20 : 0; };
  first_mask_ = mask(first_);
  second_mask_ = mask(second_);
}

bool LiteralSearch::equals(const char* at) const {
  if (!fold_) return std::memcmp(at, needle_.data(), needle_.size()) == 0;
  for (std::size_t i = 0; i < needle_.size(); ++i)
    if (lower(static_cast<unsigned char>(at[i])) != static_cast<unsigned char>(needle_[i])) return false;
  return true;
}

// Each kernel looks at the places [at, last] where a match may begin and returns the first match, or where it stopped for lack
// of a whole block (found is false).
struct LiteralKernel {
  struct Stop {
    const char* at;
    bool found;
  };

  static Stop plain(const LiteralSearch& search, const char* at, const char* last) {
    for (; at <= last; ++at) {
      const auto first = static_cast<unsigned char>(at[search.first_]);
      const auto second = static_cast<unsigned char>(at[search.second_]);
      if ((first | search.first_mask_) == static_cast<unsigned char>(search.needle_[search.first_]) &&
          (second | search.second_mask_) == static_cast<unsigned char>(search.needle_[search.second_]) && search.equals(at))
        return {at, true};
    }
    return {at, false};
  }

#if defined(__x86_64__)
  // `last` is the last place of a match, so reading second_ + 15 bytes further needs 15 places more.
  static Stop sse2(const LiteralSearch& search, const char* at, const char* last) {
    const __m128i first = _mm_set1_epi8(search.needle_[search.first_]), second = _mm_set1_epi8(search.needle_[search.second_]);
    const __m128i first_mask = _mm_set1_epi8(static_cast<char>(search.first_mask_));
    const __m128i second_mask = _mm_set1_epi8(static_cast<char>(search.second_mask_));
    auto load = [](const char* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); };
    for (; last - at >= 15; at += 16) {
      const __m128i both = _mm_and_si128(_mm_cmpeq_epi8(_mm_or_si128(load(at + search.first_), first_mask), first),
                                         _mm_cmpeq_epi8(_mm_or_si128(load(at + search.second_), second_mask), second));
      for (auto hits = static_cast<unsigned>(_mm_movemask_epi8(both)); hits; hits &= hits - 1) {
        const char* place = at + std::countr_zero(hits);
        if (search.equals(place)) return {place, true};
      }
    }
    return {at, false};
  }

  RAGLINE_AVX2 static Stop avx2(const LiteralSearch& search, const char* at, const char* last) {
    const __m256i first = _mm256_set1_epi8(search.needle_[search.first_]);
    const __m256i second = _mm256_set1_epi8(search.needle_[search.second_]);
    const __m256i first_mask = _mm256_set1_epi8(static_cast<char>(search.first_mask_));
    const __m256i second_mask = _mm256_set1_epi8(static_cast<char>(search.second_mask_));
    const std::size_t one = search.first_, two = search.second_;
    for (; last - at >= 63; at += 64) {
      const auto* block = reinterpret_cast<const __m256i*>(at + one);
      const auto* other = reinterpret_cast<const __m256i*>(at + two);
      const __m256i low = _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_or_si256(_mm256_loadu_si256(block), first_mask), first),
                                           _mm256_cmpeq_epi8(_mm256_or_si256(_mm256_loadu_si256(other), second_mask), second));
      const __m256i high =
          _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_or_si256(_mm256_loadu_si256(block + 1), first_mask), first),
                           _mm256_cmpeq_epi8(_mm256_or_si256(_mm256_loadu_si256(other + 1), second_mask), second));
      if (_mm256_testz_si256(_mm256_or_si256(low, high), _mm256_or_si256(low, high))) continue;
      auto hits = static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_epi8(low))) |
                  static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_epi8(high))) << 32;
      for (; hits; hits &= hits - 1) {
        const char* place = at + std::countr_zero(hits);
        if (search.equals(place)) return {place, true};
      }
    }
    return {at, false};
  }
#endif
};

std::size_t LiteralSearch::find(std::string_view text, std::size_t from) const {
  if (text.size() < needle_.size() || from > text.size() - needle_.size()) return std::string_view::npos;
  const char* at = text.data() + from;
  const char* const last = text.data() + (text.size() - needle_.size());
#if defined(__x86_64__)
  LiteralKernel::Stop stop = has_avx2() ? LiteralKernel::avx2(*this, at, last) : LiteralKernel::sse2(*this, at, last);
  if (!stop.found) stop = LiteralKernel::plain(*this, stop.at, last);
#else
  LiteralKernel::Stop stop = LiteralKernel::plain(*this, at, last);
#endif
  return stop.found ? static_cast<std::size_t>(stop.at - text.data()) : std::string_view::npos;
}

}  // namespace ragline
