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

#endif

using DotFunction = float (*)(const float*, const float*, std::size_t);

DotFunction fastest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return dot_avx2;
#endif
  return dot_plainly;
}

}  // namespace

void dots(std::span<const float> a, std::span<const float> rows, std::span<float> out) {
  static const DotFunction function = fastest();
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = function(a.data(), rows.data() + i * a.size(), a.size());
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
