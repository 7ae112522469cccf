// The ARM kernels: every 64-bit ARM has NEON. The slow twin is the portable loop of kernels.cc.
#include "vector/kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

namespace ragline {

namespace {

template <int kQueries>
void neon_row(const std::int8_t* row, std::size_t width, const std::int16_t* queries,
              std::int32_t* out, std::size_t out_stride) {
  int32x4_t low[kQueries], high[kQueries];
  for (int q = 0; q < kQueries; ++q) low[q] = high[q] = vdupq_n_s32(0);
  for (std::size_t i = 0; i < width; i += 16) {
    const int8x16_t bytes = vld1q_s8(row + i);
    const int16x8_t a = vmovl_s8(vget_low_s8(bytes)), b = vmovl_s8(vget_high_s8(bytes));
    for (int q = 0; q < kQueries; ++q) {
      const std::int16_t* query = queries + static_cast<std::size_t>(q) * width + i;
      const int16x8_t c = vld1q_s16(query), d = vld1q_s16(query + 8);
      low[q] = vmlal_s16(low[q], vget_low_s16(a), vget_low_s16(c));
      high[q] = vmlal_s16(high[q], vget_high_s16(a), vget_high_s16(c));
      low[q] = vmlal_s16(low[q], vget_low_s16(b), vget_low_s16(d));
      high[q] = vmlal_s16(high[q], vget_high_s16(b), vget_high_s16(d));
    }
  }
  for (int q = 0; q < kQueries; ++q)
    out[static_cast<std::size_t>(q) * out_stride] = vaddvq_s32(vaddq_s32(low[q], high[q]));
}

void neon_one(const std::int8_t* rows, std::size_t count, std::size_t width,
              const std::int16_t* query, std::int32_t* out) {
  for (std::size_t r = 0; r < count; ++r)
    neon_row<1>(rows + r * width, width, query, out + r, count);
}

void neon_four(const std::int8_t* rows, std::size_t count, std::size_t width,
               const std::int16_t* queries, std::int32_t* out) {
  for (std::size_t r = 0; r < count; ++r)
    neon_row<4>(rows + r * width, width, queries, out + r, count);
}

}  // namespace

const Kernels kNeonKernels{"neon", neon_one, neon_four};

}  // namespace ragline
#endif
