#include "grep/path_filter.h"

#include <algorithm>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

void PathFilter::add_glob(std::string_view glob, bool ignore_case) {
  const bool negated = glob.starts_with('!');
  if (negated) glob.remove_prefix(1);
  takes_in_ = takes_in_ || !negated;
  globs_.push_back({Glob(ignore_case ? ascii_lower(glob) : std::string(glob)), negated, ignore_case});
}

void PathFilter::add_type(const std::vector<std::string>& globs, bool negated) {
  for (const std::string& glob : globs) (negated ? unwanted_types_ : wanted_types_).emplace_back(glob);
}

IgnoreVerdict PathFilter::verdict(std::string_view path, bool is_directory) const {
  const std::string relative = relative_path(base_, path);
  const std::string_view inside = relative.starts_with('/') ? std::string_view(relative).substr(1) : relative;
  std::string lower;
  for (auto each = globs_.rbegin(); each != globs_.rend(); ++each) {
    if (each->glob.directories_only() && !is_directory) continue;
    if (each->ignore_case && lower.empty()) lower = ascii_lower(inside);
    if (each->glob.matches(each->ignore_case ? std::string_view(lower) : inside))
      return each->negated ? IgnoreVerdict::kIgnore : IgnoreVerdict::kKeep;
  }
  if (is_directory) return IgnoreVerdict::kNone;
  if (takes_in_) return IgnoreVerdict::kIgnore;
  auto matches = [&](const Glob& glob) { return glob.matches(inside); };
  if (std::ranges::any_of(unwanted_types_, matches)) return IgnoreVerdict::kIgnore;
  if (!wanted_types_.empty() && std::ranges::none_of(wanted_types_, matches)) return IgnoreVerdict::kIgnore;
  return IgnoreVerdict::kNone;
}

}  // namespace ragline
