#include "select/method.h"

#include <algorithm>

#include "core/text.h"
#include "select/relevance.h"

namespace ragline {

namespace {

constexpr Method kMethods[] = {
    {"dpp", "determinantal point process: greedy MAP of relevance and volume", Scale::kZ, 1.0 / 3,
     true, false, 0, make_dpp},
    {"mmr", "maximal marginal relevance: against the nearest pick", Scale::kUnit, 0.3, false, false,
     0, make_mmr},
    {"msd", "max-sum diversification: against the mean of all picks", Scale::kUnit, 0.3, false,
     false, 0, make_msd},
    {"ssd", "sliding spectrum decomposition: against the last picks", Scale::kZ, 0.5, true, false,
     0, make_ssd},
    {"facility", "facility location: every candidate near some pick", Scale::kUnit, 0.5, false,
     false, kMostCovered, make_facility},
    {"cover", "coverage with diminishing returns", Scale::kUnit, 0.5, false, false, kMostCovered,
     make_cover},
    {"xquad", "xQuAD: every rewrite and entity of the query answered", Scale::kUnit, 0.5, false,
     true, 0, make_xquad},
    {"top", "the input order without near-duplicates", Scale::kZ, 0.05, false, false, 0, make_top},
};

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method* find_method(std::string_view name) {
  const auto found = std::ranges::find(kMethods, name, &Method::name);
  return found == std::end(kMethods) ? nullptr : found;
}

Result<std::vector<Pick>> select(Pool& pool, std::span<const double> scores,
                                 const SelectOptions& options, const Limits& limits) {
  pool.relevance = options.method->scale == Scale::kZ ? z_scores(scores) : unit_scores(scores);
  return select_prepared(pool, options, limits);
}

Result<std::vector<Pick>> select_prepared(const Pool& pool, const SelectOptions& options,
                                          const Limits& limits) {
  const Method& method = *options.method;
  if (method.most > 0 && pool.size > method.most)
    return fail(ErrorKind::kLimit,
                cat(pool.size, " candidates: ", method.name, " compares all with all and takes ",
                    method.most, ": ask for fewer, or use another method"));
  const auto objective = method.make(pool, {.diversity = options.diversity,
                                            .jitter = options.jitter,
                                            .window = options.window,
                                            .count = std::min(limits.count, pool.size)});
  return choose_greedily(*objective, pool.size, limits);
}

}  // namespace ragline
