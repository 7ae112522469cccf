#pragma once
#include <cstddef>
#include <span>

// Inner products of float rows.
//   Cost       one pass over the rows, 16 products a cycle with AVX2 (asked for at run time), 4
//   else. Precision  dots() adds up in float, in 32 lanes: relative to |a||b| the error stays below
//   1e-6 for
//              up to 4,096 dimensions. dot() adds up in double.
//   Threads    any.
namespace ragline {

// out[i] = a . row i, for out.size() rows of a.size() values each, one after the other.
void dots(std::span<const float> a, std::span<const float> rows, std::span<float> out);

double dot(std::span<const float> a, std::span<const float> b);

}  // namespace ragline
