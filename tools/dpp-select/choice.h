#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "dpp-select/candidates.h"
#include "select/adapter.h"
#include "select/method.h"

// What select and explain share: the flags that say how to choose, and the choice for one query.
namespace ragline {

// The flags of the kernel alone, and with those of the choice.
std::vector<Flag> kernel_flags();
std::vector<Flag> choice_flags();

struct ChoiceOptions {
  CandidateOptions candidates;
  SelectOptions select;
  std::size_t count = 10;
  std::uint64_t max_tokens = UINT64_MAX;
  std::vector<std::string> required;
  std::vector<std::pair<std::string, std::uint32_t>> caps;  // field -> most
  std::optional<Adapter> adapter;
};
Result<ChoiceOptions> choice_options(const Flags& flags);

// Chosen for one query, and what was chosen from.
struct Choice {
  Candidates candidates;
  Limits limits;
  std::vector<Pick> picks;
  double elapsed_ms = 0;  // of choosing, without reading
};
// The candidates of one query, through the adapter where there is one.
Status prepare(GroupReader& reader, const QueryGroup& group, const ChoiceOptions& options,
               Words& words, Candidates& out);
Status choose(GroupReader& reader, const QueryGroup& group, const ChoiceOptions& options,
              Words& words, Choice& out);

// How a set looks by cosines: the mean and the largest within it, and how near the pool's
// candidates are to it (each to its nearest, the mean).
struct SetFigures {
  double redundancy = 0, largest = 0, coverage = 0;
};
SetFigures figures_of(const Choice& choice);

// Writes the group: its query, the hits given, its end record with our counts.
//   hits  places in group.hits in their order, with what `scores` and `explain` get.
struct OutputHit {
  std::uint32_t hit = 0;
  double gain = 0;
  std::string explain;  // JSON, or empty
};
std::string write_group(QueryGroup& group, const Choice& choice, const ChoiceOptions& options,
                        const std::vector<OutputHit>& hits, bool stats);

}  // namespace ragline
