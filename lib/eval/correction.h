#pragma once
#include <span>
#include <vector>

// p values of several comparisons, adjusted so that they may be read against the same level as one
// alone. Both return adjusted values in the order given, at most 1, and accept any number of them.
namespace ragline {

// Holm 1979: keeps the chance of even one false alarm at the level. Assumes nothing about how the
// comparisons depend on each other.
std::vector<double> holm(std::span<const double> p);

// Benjamini and Hochberg 1995: keeps the expected share of false alarms among the alarms at the
// level. For many comparisons that are looked through for candidates.
std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace ragline
