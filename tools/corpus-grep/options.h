#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/tool.h"
#include "grep/engine.h"
#include "grep/path_filter.h"
#include "grep/query.h"

// From corpus-grep's flags to what the library wants. Every function answers kUsage for flags that do not go together.
namespace ragline {

// ---- what is asked (patterns.cc)

struct Question {
  std::shared_ptr<const GrepQuery> query;
  std::size_t positionals = 0;  // how many of them were patterns
};
Result<Question> read_question(const Flags& flags);
// The same with other options: for --diagnose.
Result<std::shared_ptr<const GrepQuery>> ask_again(const Flags& flags, const PatternOptions& options);
PatternOptions pattern_options(const Flags& flags);

// ---- where (inputs.cc)

struct Inputs {
  std::vector<std::string> paths;  // relative to the working directory, which is --root where that is given
  bool listed = false;             // files one by one, not a walk
  bool one_file = false;           // a single file was named: no path is shown
  std::uint64_t one_file_bytes = 0;
  Opener opener;
};
// Goes into --root.
Result<Inputs> read_inputs(const Flags& flags, std::size_t first);
Result<WalkOptions> walk_options(const Flags& flags, const PathFilter& filter, const Opener& opener);
Result<PathFilter> path_filter(const Flags& flags);
Result<FileTypes> file_types(const Flags& flags);
Result<std::unique_ptr<TargetStream>> open_targets(const Inputs& inputs, const WalkOptions& walk);
// --index: who may read what; null without it.
Result<std::function<bool(std::string_view)>> reading_rights(const Flags& flags);

// ---- how (options.cc)

// `records`, `terminal`: what standard output wants.
Result<EngineOptions> engine_options(const Flags& flags, const GrepQuery& query, std::string_view format, bool terminal, bool one_file);
// What makes a cursor this search's: patterns, flags and paths, without limits and looks.
std::uint64_t search_hash(const Flags& flags);

}  // namespace ragline
