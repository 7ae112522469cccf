#include "select/dot.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ragline {

namespace {

constexpr std::size_t kLanes = 32;

float dot_plainly(const float* a, const float* b, std::size_t size) {
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  for (std::size_t lane = 0; i < size; ++i, ++lane) lanes[lane] += a[i] * b[i];
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  return lanes[0];
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) float dot_avx2(const float* a, const float* b,
                                                   std::size_t size) {
  __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                    _mm256_setzero_ps()};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes)
    for (std::size_t part = 0; part < 4; ++part)
      sums[part] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8 * part),
                                   _mm256_loadu_ps(b + i + 8 * part), sums[part]);
  for (; i + 8 <= size; i += 8)
    sums[0] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sums[0]);
  const __m256 eight =
      _mm256_add_ps(_mm256_add_ps(sums[0], sums[2]), _mm256_add_ps(sums[1], sums[3]));
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  float sum = _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

// Four rows at a time: each value of `a` is loaded once for all of them.
__attribute__((target("avx2,fma"))) void dots_avx2(const float* a, const float* rows,
                                                   std::size_t size, std::size_t count,
                                                   float* out) {
  std::size_t row = 0;
  for (; row + 4 <= count; row += 4) {
    const float* const at[4] = {rows + row * size, rows + (row + 1) * size, rows + (row + 2) * size,
                                rows + (row + 3) * size};
    __m256 sums[4][2];
    for (auto& pair : sums) pair[0] = pair[1] = _mm256_setzero_ps();
    std::size_t i = 0;
    for (; i + 16 <= size; i += 16) {
      const __m256 low = _mm256_loadu_ps(a + i), high = _mm256_loadu_ps(a + i + 8);
      for (std::size_t r = 0; r < 4; ++r) {
        sums[r][0] = _mm256_fmadd_ps(low, _mm256_loadu_ps(at[r] + i), sums[r][0]);
        sums[r][1] = _mm256_fmadd_ps(high, _mm256_loadu_ps(at[r] + i + 8), sums[r][1]);
      }
    }
    // Sums of neighbours, twice, leave a row a lane of each half.
    const __m256 first = _mm256_hadd_ps(_mm256_add_ps(sums[0][0], sums[0][1]),
                                        _mm256_add_ps(sums[1][0], sums[1][1]));
    const __m256 second = _mm256_hadd_ps(_mm256_add_ps(sums[2][0], sums[2][1]),
                                         _mm256_add_ps(sums[3][0], sums[3][1]));
    const __m256 halves = _mm256_hadd_ps(first, second);
    _mm_storeu_ps(out + row,
                  _mm_add_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps(halves, 1)));
    for (; i < size; ++i)
      for (std::size_t r = 0; r < 4; ++r) out[row + r] += a[i] * at[r][i];
  }
  for (; row < count; ++row) out[row] = dot_avx2(a, rows + row * size, size);
}

#endif

void dots_plainly(const float* a, const float* rows, std::size_t size, std::size_t count,
                  float* out) {
  for (std::size_t row = 0; row < count; ++row) out[row] = dot_plainly(a, rows + row * size, size);
}

using DotsFunction = void (*)(const float*, const float*, std::size_t, std::size_t, float*);

DotsFunction fastest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return dots_avx2;
#endif
  return dots_plainly;
}

}  // namespace

void dots(std::span<const float> a, std::span<const float> rows, std::span<float> out) {
  static const DotsFunction function = fastest();
  function(a.data(), rows.data(), a.size(), out.size(), out.data());
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane)
      sums[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
  for (; i < a.size(); ++i) sums[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

}  // namespace ragline
