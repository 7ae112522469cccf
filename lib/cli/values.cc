#include <algorithm>
#include <numeric>

#include "cli/flags.h"
#include "core/text.h"

// The checks of single values, and the search for what the user may have meant.
namespace ragline {

namespace {

std::unexpected<Error> wrong(std::string_view place, std::string_view text, std::string_view what) {
  return fail(ErrorKind::kUsage, cat(place, text.empty() ? " ''" : " ", text, ": ", what));
}

Status check_range(const Flag& flag, std::string_view place, std::string_view text, double value) {
  if (flag.least && value < *flag.least)
    return wrong(place, text, cat("must be at least ", bound_text(flag, *flag.least)));
  if (flag.most && value > *flag.most)
    return wrong(place, text, cat("must be at most ", bound_text(flag, *flag.most)));
  return {};
}

Status check_choice(const Flag& flag, std::string_view place, std::string_view text) {
  std::string names;
  for (const auto& choice : flag.choices) {
    if (choice == text) return {};
    append(names, names.empty() ? "" : ", ", choice);
  }
  const std::string near = nearest_name(text, flag.choices);
  return wrong(place, text,
               near.empty() ? cat("must be one of ", names)
                            : cat("must be one of ", names, ": did you mean ", near, "?"));
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost 1
// each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string bound_text(const Flag& flag, double bound) {
  if (flag.type == FlagType::kDuration) {
    if (bound >= 1000 &&
        bound == static_cast<double>(static_cast<std::int64_t>(bound / 1000)) * 1000)
      return cat(number_text(bound / 1000), "s");
    return cat(number_text(bound), "ms");
  }
  if (flag.type == FlagType::kSize) {
    for (auto [unit, letter] : {std::pair(1073741824.0, "G"), {1048576.0, "M"}, {1024.0, "K"}})
      if (bound >= unit &&
          bound == static_cast<double>(static_cast<std::int64_t>(bound / unit)) * unit)
        return cat(number_text(bound / unit), std::string_view(letter));
    return cat(number_text(bound), " bytes");
  }
  return flag.unit.empty() ? number_text(bound) : cat(number_text(bound), " ", flag.unit);
}

Status check_value(const Flag& flag, std::string_view place, std::string_view text) {
  switch (flag.type) {
    case FlagType::kSwitch:
      return {};
    case FlagType::kText:
      // An empty path is nearly always a shell variable that is not set.
      if (text.empty() && flag.completion != Completion::kNone)
        return wrong(place, text, cat("is empty: give a ", flag.value));
      return {};
    case FlagType::kInteger:
      if (auto value = parse_integer(text))
        return check_range(flag, place, text, static_cast<double>(*value));
      return wrong(place, text, "must be a whole number");
    case FlagType::kNumber:
      if (auto value = parse_double(text)) return check_range(flag, place, text, *value);
      return wrong(place, text, "must be a number");
    case FlagType::kSize:
      if (auto value = parse_size(text))
        return check_range(flag, place, text, static_cast<double>(*value));
      return wrong(place, text, "must be a size such as 64K, 512M or 2G");
    case FlagType::kDuration:
      if (auto value = parse_duration_ms(text))
        return check_range(flag, place, text, static_cast<double>(*value));
      return wrong(place, text, "must be a duration such as 250ms, 30s or 5m");
    case FlagType::kChoice:
      return check_choice(flag, place, text);
  }
  return {};
}

std::string nearest_name(std::string_view typed, const std::vector<std::string>& candidates) {
  for (const auto& name : candidates)
    if (typed.size() >= 2 && name.starts_with(typed)) return name;
  std::string best;
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const auto& name : candidates) {
    const std::size_t distance = edit_distance(typed, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

}  // namespace ragline
