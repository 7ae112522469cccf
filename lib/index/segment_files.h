#pragma once
#include <string>
#include <string_view>

#include "core/text.h"

// The names of files in an index. A number is used once: next_segment of the manifest counts on.
namespace ragline {

inline constexpr std::string_view kManifestFile = "MANIFEST", kManifestDraft = "MANIFEST.tmp", kLockFile = "LOCK";
// Keeps walks, version control and other tools out of the folder.
inline constexpr std::string_view kIgnoreFile = ".gitignore";

inline std::string numbered(std::uint64_t number) {
  std::string digits = cat(number);
  return digits.size() < 6 ? std::string(6 - digits.size(), '0') + digits : digits;
}
inline std::string segment_name(std::uint64_t number) { return cat("seg-", numbered(number)); }
inline std::string deletes_file(std::string_view segment, std::uint64_t number) {
  return cat(segment, ".del-", numbered(number));
}
inline std::string versions_file(std::uint64_t number) { return cat("versions-", numbered(number)); }
inline std::string documents_file(std::string_view segment) { return cat(segment, "/documents"); }
inline std::string vectors_file(std::string_view segment) { return cat(segment, "/vectors"); }
inline std::string text_file(std::string_view segment) { return cat(segment, "/text"); }

}  // namespace ragline
