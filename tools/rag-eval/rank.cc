#include "rag-eval/commands.h"

namespace ragline {

namespace {

Status run_rank(ToolRun& run) {
  run.outcome.set_found();
  return {};
}

}  // namespace

EvalCommand rank_command() {
  return {.spec = {.name = "rank",
                   .summary = "measure a ranking against judgements",
                   .positionals = {{.name = "QRELS",
                                    .help = "judgements: TREC, BEIR TSV, JSON or case records",
                                    .required = true,
                                    .completion = Completion::kFile},
                                   {.name = "RUN",
                                    .help = "ranking: TREC run, JSON or hit records",
                                    .required = true,
                                    .completion = Completion::kFile}}},
          .body = run_rank};
}

}  // namespace ragline
