#pragma once
#include <cstddef>

// How often a random test repeats: as often as it says in a plain build, a fraction of that under
// sanitizers, where a round takes 20 to 60 times as long and shows what it has to show early.
namespace ragline::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

inline constexpr std::size_t rounds(std::size_t plain, std::size_t fraction = 10) {
  return kSanitized ? plain / fraction : plain;
}

}  // namespace ragline::testing
