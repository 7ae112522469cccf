// Globs, as "pattern\npath": any bytes compile and match in bounded time; a glob covers what it matches.
#include "corpus/glob.h"

#include "fuzz.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;  // a path has no more
  const std::string_view input = ragline::fuzz::text(data, size);
  const std::size_t newline = input.find('\n');
  const std::string_view pattern = input.substr(0, newline);
  const std::string_view path = newline == input.npos ? pattern : input.substr(newline + 1);

  const ragline::GlobPattern one(pattern);
  const bool matches = one.matches(path);
  if (one.shape() == ragline::GlobPattern::Shape::kNever) require(!matches);
  const ragline::Glob glob(pattern);
  if (glob.matches(path) && !pattern.empty() && pattern.find_first_of("{/") == pattern.npos) require(glob.covers(path));
  if (pattern.find('{') == pattern.npos) require(glob.matches(path) == matches);
  return 0;
}
