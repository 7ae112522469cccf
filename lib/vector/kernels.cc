#include "vector/kernels.h"

#include <vector>

namespace ragline {

namespace {

void one_query(const std::int8_t* rows, std::size_t count, std::size_t width,
               const std::int16_t* query, std::int32_t* out) {
  for (std::size_t row = 0; row < count; ++row, rows += width) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < width; ++i) sum += rows[i] * query[i];
    out[row] = sum;
  }
}

void four_queries(const std::int8_t* rows, std::size_t count, std::size_t width,
                  const std::int16_t* queries, std::int32_t* out) {
  for (std::size_t q = 0; q < 4; ++q)
    one_query(rows, count, width, queries + q * width, out + q * count);
}

// The obviously right loops, for processors that have no kernel here.
constexpr Kernels kPortableKernels{"portable", one_query, four_queries};

std::vector<Kernels> runnable() {
  std::vector<Kernels> out{kPortableKernels};
#if defined(__x86_64__)
  out.push_back(kSseKernels);
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) out.push_back(kAvx2Kernels);
  if (__builtin_cpu_supports("avx512bw")) {
    out.push_back(kAvx512Kernels);
    if (__builtin_cpu_supports("avx512vnni")) out.push_back(kVnniKernels);
  }
#elif defined(__aarch64__)
  out.push_back(kNeonKernels);
#endif
  return out;
}

}  // namespace

std::span<const Kernels> all_kernels() {
  static const std::vector<Kernels> all = runnable();
  return all;
}

const Kernels& kernels() {
  static const Kernels& best = all_kernels().back();
  return best;
}

}  // namespace ragline
