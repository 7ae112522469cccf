#pragma once
#include <utility>
#include <vector>

#include "cli/flags.h"
#include "cli/shared_flags.h"
#include "core/text.h"
#include "index/filter.h"
#include "record/time.h"

// The flags that say what of an index a caller may see and wants to see, for the tools that read one.
namespace ragline {

inline std::vector<Flag> scope_flags() {
  return {filter_flag(), principal_flag(), tenant_flag(), as_of_flag(),
          {.name = "all-versions", .category = "Filters", .help = "every version of a document, whenever it holds"},
          path_glob_flag(),
          {.name = "language", .type = FlagType::kText, .repeatable = true, .value = "CODE", .category = "Filters",
           .help = "only documents in this language, e.g. en"},
          {.name = "type", .type = FlagType::kText, .repeatable = true, .value = "MEDIA", .category = "Filters",
           .help = "only this media type, e.g. text/markdown"}};
}

inline Result<Scope> scope_of(const Flags& flags) {
  Scope scope;
  scope.principals = flags.list("principal");
  if (flags.has("tenant")) scope.tenant = flags.text("tenant");
  if (flags.has("as-of")) {
    auto time = parse_time(flags.text("as-of"));
    if (!time) return fail(ErrorKind::kUsage, cat("--as-of ", flags.text("as-of"), ": ", time.error().message));
    scope.as_of = *time;
  }
  scope.all_versions = flags.on("all-versions");
  if (flags.has("filter")) {
    RAGLINE_TRY(auto filter, parse_filter(flags.text("filter")));
    scope.filters.push_back(std::move(filter));
  }
  scope.path_globs = flags.list("path-glob");
  scope.languages = flags.list("language");
  scope.media_types = flags.list("type");
  return scope;
}

}  // namespace ragline
