#include "select/sample.h"

#include "cli/flag_kinds.h"
#include "cli/paths.h"
#include "cli/shared_flags.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "dpp-select/choice.h"
#include "dpp-select/commands.h"
#include "select/relevance.h"

namespace ragline {

namespace {

// One query's draws, each a group of its own.
Result<std::string> draw_group(const QueryGroup& group, Choice& choice,
                               const ChoiceOptions& options, std::uint64_t draws, bool any_size,
                               Random& random) {
  Pool& pool = choice.candidates.pool;
  if (!choice.candidates.prepared) pool.relevance = z_scores(choice.candidates.scores);
  RAGLINE_TRY(const DppSampler sampler,
              DppSampler::create(pool, theta_of_diversity(options.select.diversity),
                                 options.select.jitter));
  const std::size_t count = std::min(options.count, sampler.rank());
  if (!any_size && count < options.count)
    choice.candidates.warnings.push_back(
        cat("the candidates span ", sampler.rank(), " directions: sets of ", count));
  std::string out;
  for (std::uint64_t draw = 1; draw <= draws; ++draw) {
    const auto set = any_size ? sampler.draw(random) : sampler.draw(count, random);
    std::vector<OutputHit> hits;
    choice.picks.clear();
    for (const std::uint32_t i : set) {
      hits.push_back({choice.candidates.hits[i], pool.relevance[i], ""});
      choice.picks.push_back({i, pool.relevance[i]});
    }
    QueryGroup one = group;
    if (draws > 1) {
      append(one.query_id, one.query_id.empty() ? "" : "/", draw);
      if (one.query) one.query->query_id = one.query_id;
      for (Hit& hit : one.hits) hit.query_id = one.query_id;
    }
    out += write_group(one, choice, options, hits, false);
  }
  return out;
}

Status run_sample(ToolRun& run) {
  RAGLINE_TRY(ChoiceOptions options, choice_options(run.flags));
  if (options.select.diversity == 0)
    return fail(
        ErrorKind::kUsage,
        "--diversity 0: a sample needs some: the most relevant set alone would have a chance");
  RAGLINE_CHECK(
      need_piped_input("rag-search -k 100 'what to look for' | dpp-select sample -k 5 --draws 20"));
  RAGLINE_TRY(auto reader, GroupReader::open("-", {.no_end = run.flags.on("no-end"),
                                                   .skip_bad = run.flags.on("skip-bad")}));
  run.outcome.set_allow_partial(run.flags.on("allow-partial"));
  Random random(static_cast<std::uint64_t>(run.flags.integer("seed")));
  const auto draws = static_cast<std::uint64_t>(run.flags.integer("draws"));
  Words words;
  QueryGroup group;
  std::string out;
  while (true) {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
    out.clear();
    RAGLINE_TRY(const bool more, reader.next(group, &out));
    if (!more) break;
    Choice choice;
    RAGLINE_CHECK(prepare(reader, group, options, words, choice.candidates));
    if (choice.candidates.pool.size > 0) run.outcome.set_found();
    RAGLINE_TRY(const std::string drawn,
                draw_group(group, choice, options, draws, run.flags.on("any-size"), random));
    RAGLINE_CHECK(run.out.write(out + drawn));
  }
  RAGLINE_CHECK(run.out.write(out));
  report_bad_lines(run, reader);
  return {};
}

}  // namespace

SelectCommand sample_command() {
  Flag draws = text_flag("draws", "N", "Choice", "sets to draw for each query");
  draws.type = FlagType::kInteger;
  draws.least = 1;
  draws.most = 1e6;
  draws.fallback = "1";
  Flag any = switch_flag("any-size", "Choice", "sets of any size instead of exactly --top",
                         "A DPP instead of a k-DPP; a set may be empty.");
  any.conflicts = {"top"};
  std::vector<Flag> flags = kernel_flags();
  flags.insert(flags.end(), {std::move(draws), std::move(any), top_flag(), seed_flag()});
  return {.spec = {.name = "sample",
                   .summary = "draw sets at random, by their volume and relevance",
                   .description = {"Draws exact samples of the determinantal point process whose "
                                   "likeliest set `select` seeks. With "
                                   "several draws each is a group of its own, `QUERY/1`, `QUERY/2` "
                                   "and so on; within a set hits "
                                   "keep the order they came in."},
                   .flags = std::move(flags),
                   .examples = {{"rag-search -i docs.idx -k 50 'refund' | dpp-select sample -k 5 "
                                 "--draws 20 --seed 7",
                                 "Twenty sets of five: what else would do."}}},
          .body = run_sample};
}

}  // namespace ragline
