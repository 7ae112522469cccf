#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

// Products of 8-bit rows and 16-bit queries, in integers: every kernel gives the same sums, so
// results do not depend on the machine. kernels() is the fastest that this processor has, chosen
// once at run time; nothing is compiled for the build machine only.
namespace ragline {

struct Kernels {
  const char* name;
  // out[r] = row r · query, for `count` rows, one after the other. `width` is a multiple of
  // kRowAlign; no alignment is asked for.
  void (*one_query)(const std::int8_t* rows, std::size_t count, std::size_t width,
                    const std::int16_t* query, std::int32_t* out);
  // The same for four queries that lie one after the other: out[q * count + r].
  void (*four_queries)(const std::int8_t* rows, std::size_t count, std::size_t width,
                       const std::int16_t* queries, std::int32_t* out);
};

const Kernels& kernels();
// All that this processor can run, the portable one first: for tests.
std::span<const Kernels> all_kernels();

// Each is defined on its own architecture only.
extern const Kernels kSseKernels, kAvx2Kernels, kAvx512Kernels, kVnniKernels;  // kernels_x86.cc
extern const Kernels kNeonKernels;                                             // kernels_neon.cc

}  // namespace ragline
