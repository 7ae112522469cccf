#pragma once
#include <cstdint>
#include <string>
#include <vector>

// Inputs made from seeds, the same on every machine: input n of a seed corpus depends on nothing but the seeds and n,
// so that a crash is made again from its number.
namespace ragline::fuzz {

// The n-th input: one of the seeds with one to eight small changes (bytes flipped, set, inserted, removed or doubled,
// cut short, or spliced with another seed). At most kMaxInput bytes. An empty list counts as one empty seed.
inline constexpr std::size_t kMaxInput = 64 * 1024;
std::string mutated(const std::vector<std::string>& seeds, std::uint64_t n);

}  // namespace ragline::fuzz
