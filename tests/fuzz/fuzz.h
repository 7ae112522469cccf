#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>

// What every fuzz target uses. A target is
//
//   extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
//     const std::string_view input = ragline::fuzz::text(data, size);
//     ...
//     return 0;
//   }
namespace ragline::fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A property that must hold for every input, in every kind of build (assert() is not in a release build).
inline void require(bool holds, std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: the property does not hold\n", where.file_name(), static_cast<unsigned>(where.line()));
  std::abort();
}

}  // namespace ragline::fuzz
