// The x86 kernels. Each widens sixteen-bit halves of a row's bytes, multiplies them with the
// query's and adds neighbouring products to 32-bit sums: pmaddwd does the last two in one
// instruction, and with VNNI (vpdpwssd) the accumulation too. A query alone is memory's to limit,
// so its tile is four rows that share each load of the query; for four queries the tile is two
// rows, so that widening is paid for once a four products.
//
// The slow twin is the portable loop of kernels.cc; kernels_test.cc compares them.
#include "vector/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace ragline {

namespace {

// ---- SSE2, which every x86-64 has

inline __m128i load(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }

inline std::int32_t sum_of(__m128i v) {
  v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4E));
  v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0xB1));
  return _mm_cvtsi128_si32(v);
}

template <int kQueries>
void sse_row(const std::int8_t* row, std::size_t width, const std::int16_t* queries,
             std::int32_t* out, std::size_t out_stride) {
  __m128i sums[kQueries];
  for (__m128i& sum : sums) sum = _mm_setzero_si128();
  for (std::size_t i = 0; i < width; i += 16) {
    const __m128i bytes = load(row + i);
    const __m128i sign = _mm_cmpgt_epi8(_mm_setzero_si128(), bytes);
    const __m128i low = _mm_unpacklo_epi8(bytes, sign), high = _mm_unpackhi_epi8(bytes, sign);
    for (int q = 0; q < kQueries; ++q) {
      const std::int16_t* query = queries + static_cast<std::size_t>(q) * width + i;
      sums[q] = _mm_add_epi32(sums[q], _mm_madd_epi16(low, load(query)));
      sums[q] = _mm_add_epi32(sums[q], _mm_madd_epi16(high, load(query + 8)));
    }
  }
  for (int q = 0; q < kQueries; ++q)
    out[static_cast<std::size_t>(q) * out_stride] = sum_of(sums[q]);
}

void sse_one(const std::int8_t* rows, std::size_t count, std::size_t width,
             const std::int16_t* query, std::int32_t* out) {
  for (std::size_t r = 0; r < count; ++r)
    sse_row<1>(rows + r * width, width, query, out + r, count);
}

void sse_four(const std::int8_t* rows, std::size_t count, std::size_t width,
              const std::int16_t* queries, std::int32_t* out) {
  for (std::size_t r = 0; r < count; ++r)
    sse_row<4>(rows + r * width, width, queries, out + r, count);
}

// ---- AVX2

[[gnu::target("avx2")]] inline __m256i load256(const std::int16_t* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}
[[gnu::target("avx2")]] inline __m256i widen256(const std::int8_t* at) {
  return _mm256_cvtepi8_epi16(load(at));
}
[[gnu::target("avx2")]] inline __m256i add_products(__m256i sum, __m256i a, __m256i b) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
}
// The four sums of four registers.
[[gnu::target("avx2")]] inline __m128i sums_of(__m256i a, __m256i b, __m256i c, __m256i d) {
  const __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
  return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

[[gnu::target("avx2")]] void avx2_one(const std::int8_t* rows, std::size_t count, std::size_t width,
                                      const std::int16_t* query, std::int32_t* out) {
  std::size_t r = 0;
  for (; r + 4 <= count; r += 4) {
    const std::int8_t* at = rows + r * width;
    __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
    for (std::size_t i = 0; i < width; i += 16, at += 16) {
      const __m256i q = load256(query + i);
      a = add_products(a, widen256(at), q);
      b = add_products(b, widen256(at + width), q);
      c = add_products(c, widen256(at + 2 * width), q);
      d = add_products(d, widen256(at + 3 * width), q);
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + r), sums_of(a, b, c, d));
  }
  for (; r < count; ++r) {
    const std::int8_t* at = rows + r * width;
    __m256i a = _mm256_setzero_si256(), b = a;
    for (std::size_t i = 0; i < width; i += 32, at += 32) {
      a = add_products(a, widen256(at), load256(query + i));
      b = add_products(b, widen256(at + 16), load256(query + i + 16));
    }
    a = _mm256_add_epi32(a, b);
    out[r] = sum_of(_mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)));
  }
}

[[gnu::target("avx2")]] void avx2_four(const std::int8_t* rows, std::size_t count,
                                       std::size_t width, const std::int16_t* queries,
                                       std::int32_t* out) {
  for (std::size_t r = 0; r < count; r += 2) {
    const std::int8_t* first = rows + r * width;
    const std::int8_t* second = r + 1 < count ? first + width : first;
    const __m256i zero = _mm256_setzero_si256();
    __m256i a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero, b3 = zero;
    for (std::size_t i = 0; i < width; i += 16) {
      const __m256i a = widen256(first + i), b = widen256(second + i);
      const std::int16_t* query = queries + i;
      __m256i q = load256(query);
      a0 = add_products(a0, a, q), b0 = add_products(b0, b, q);
      q = load256(query + width);
      a1 = add_products(a1, a, q), b1 = add_products(b1, b, q);
      q = load256(query + 2 * width);
      a2 = add_products(a2, a, q), b2 = add_products(b2, b, q);
      q = load256(query + 3 * width);
      a3 = add_products(a3, a, q), b3 = add_products(b3, b, q);
    }
    alignas(16) std::int32_t sums[8];
    _mm_store_si128(reinterpret_cast<__m128i*>(sums), sums_of(a0, a1, a2, a3));
    _mm_store_si128(reinterpret_cast<__m128i*>(sums + 4), sums_of(b0, b1, b2, b3));
    for (std::size_t q = 0; q < 4; ++q) {
      out[q * count + r] = sums[q];
      if (r + 1 < count) out[q * count + r + 1] = sums[4 + q];
    }
  }
}

// ---- AVX-512, with and without VNNI. The two differ in one instruction and so cannot share a
// function: a function has one target.

#define RAGLINE_AVX512_KERNELS(prefix, features, accumulate)                                      \
  [[gnu::target(features)]] void prefix##_one(const std::int8_t* rows, std::size_t count,         \
                                              std::size_t width, const std::int16_t* query,       \
                                              std::int32_t* out) {                                \
    std::size_t r = 0;                                                                            \
    for (; r + 4 <= count; r += 4) {                                                              \
      const std::int8_t* at = rows + r * width;                                                   \
      __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;                                    \
      for (std::size_t i = 0; i < width; i += 32, at += 32) {                                     \
        const __m512i q = _mm512_loadu_si512(query + i);                                          \
        a = accumulate(a, RAGLINE_WIDEN512(at), q);                                               \
        b = accumulate(b, RAGLINE_WIDEN512(at + width), q);                                       \
        c = accumulate(c, RAGLINE_WIDEN512(at + 2 * width), q);                                   \
        d = accumulate(d, RAGLINE_WIDEN512(at + 3 * width), q);                                   \
      }                                                                                           \
      out[r] = _mm512_reduce_add_epi32(a);                                                        \
      out[r + 1] = _mm512_reduce_add_epi32(b);                                                    \
      out[r + 2] = _mm512_reduce_add_epi32(c);                                                    \
      out[r + 3] = _mm512_reduce_add_epi32(d);                                                    \
    }                                                                                             \
    for (; r < count; ++r) {                                                                      \
      __m512i a = _mm512_setzero_si512();                                                         \
      for (std::size_t i = 0; i < width; i += 32)                                                 \
        a = accumulate(a, RAGLINE_WIDEN512(rows + r * width + i), _mm512_loadu_si512(query + i)); \
      out[r] = _mm512_reduce_add_epi32(a);                                                        \
    }                                                                                             \
  }                                                                                               \
  [[gnu::target(features)]] void prefix##_four(const std::int8_t* rows, std::size_t count,        \
                                               std::size_t width, const std::int16_t* queries,    \
                                               std::int32_t* out) {                               \
    for (std::size_t r = 0; r < count; ++r, rows += width) {                                      \
      __m512i a = _mm512_setzero_si512(), b = a, c = a, d = a;                                    \
      for (std::size_t i = 0; i < width; i += 32) {                                               \
        const __m512i row = RAGLINE_WIDEN512(rows + i);                                           \
        a = accumulate(a, row, _mm512_loadu_si512(queries + i));                                  \
        b = accumulate(b, row, _mm512_loadu_si512(queries + width + i));                          \
        c = accumulate(c, row, _mm512_loadu_si512(queries + 2 * width + i));                      \
        d = accumulate(d, row, _mm512_loadu_si512(queries + 3 * width + i));                      \
      }                                                                                           \
      out[r] = _mm512_reduce_add_epi32(a);                                                        \
      out[count + r] = _mm512_reduce_add_epi32(b);                                                \
      out[2 * count + r] = _mm512_reduce_add_epi32(c);                                            \
      out[3 * count + r] = _mm512_reduce_add_epi32(d);                                            \
    }                                                                                             \
  }
#define RAGLINE_WIDEN512(at) \
  _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)))
#define RAGLINE_ADD_PRODUCTS512(sum, a, b) _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))

RAGLINE_AVX512_KERNELS(avx512, "avx512f,avx512bw", RAGLINE_ADD_PRODUCTS512)
RAGLINE_AVX512_KERNELS(vnni, "avx512f,avx512bw,avx512vnni", _mm512_dpwssd_epi32)

}  // namespace

const Kernels kSseKernels{"sse2", sse_one, sse_four};
const Kernels kAvx2Kernels{"avx2", avx2_one, avx2_four};
const Kernels kAvx512Kernels{"avx512", avx512_one, avx512_four};
const Kernels kVnniKernels{"avx512vnni", vnni_one, vnni_four};

}  // namespace ragline
#endif
