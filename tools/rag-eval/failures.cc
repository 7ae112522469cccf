#include "eval/failures.h"

#include <map>
#include <unordered_map>

#include "cli/shared_flags.h"
#include "core/text.h"
#include "rag-eval/commands.h"
#include "rag-eval/end_record.h"
#include "rag-eval/scores.h"
#include "rag-eval/table.h"
#include "rag-eval/trec.h"
#include "record/reader.h"
#include "record/writer.h"

// rag-eval failures: which stage of a pipeline lost the gold evidence.
namespace ragline {

namespace {

// What a stage held, query by query.
struct Stage {
  Contexts held;
  bool given = false;
};

// The records of the stages, each absent when its file was not given.
struct Stages {
  std::vector<AnswerCase> cases;
  Stage retrieved, selected, context;
  DropReasons dropped;
  std::unordered_map<std::string, GivenAnswer> answers;
  bool has_answers = false;
};

Result<Stages> read_stages(const Flags& flags, BadRows& bad) {
  Stages out;
  RAGLINE_TRY(out.cases, read_cases(flags.text("gold"), &bad));
  for (auto [flag, stage] :
       {std::pair("retrieved", &out.retrieved), std::pair("selected", &out.selected)}) {
    stage->given = flags.has(flag);
    if (!stage->given) continue;
    RAGLINE_TRY(stage->held, read_contexts(flags.text(flag), &bad));
  }
  if (flags.has("context")) {
    RAGLINE_TRY(const InputText text, InputText::open(flags.text("context")));
    RAGLINE_TRY(out.context.held, parse_contexts(text, &bad));
    out.context.given = true;
    RAGLINE_TRY(out.dropped, parse_drop_reasons(text, &bad));
  }
  out.has_answers = flags.has("answers");
  if (!out.has_answers) return out;
  RAGLINE_TRY(std::vector<GivenAnswer> answers, read_answers(flags.text("answers"), &bad));
  for (GivenAnswer& answer : answers) out.answers.emplace(answer.query_id, answer);
  return out;
}

const std::vector<Passage>* of_query(const Stage& stage, const std::string& query) {
  static const std::vector<Passage> kNothing;
  if (!stage.given) return nullptr;
  const auto found = stage.held.find(query);
  return found == stage.held.end() ? &kNothing : &found->second;
}

std::string lost_text(const Diagnosis& diagnosis) {
  if (!diagnosis.lost) return "";
  if (!diagnosis.lost->evidence_id.empty()) return diagnosis.lost->evidence_id;
  std::string text = diagnosis.lost->document_id;
  if (diagnosis.lost->lines)
    append(text, ":", diagnosis.lost->lines->first, "-", diagnosis.lost->lines->last);
  return text;
}

struct Counts {
  std::map<Failure, std::vector<std::string>> queries;  // by kind, ids in the order of the cases
};

Status write_counts(ToolRun& run, const Counts& counts, std::uint64_t cases) {
  std::string out;
  TextTable table({"lost at", "queries", "share", "such as"}, 1);
  for (const auto& [failure, queries] : counts.queries) {
    const double share = static_cast<double>(queries.size()) / static_cast<double>(cases);
    std::string examples, list = "[";
    for (std::size_t i = 0; i < queries.size() && i < 5; ++i) {
      append(examples, i ? ", " : "", queries[i]);
      append(list, i ? "," : "", json_string(queries[i]));
    }
    if (run.format() == "jsonl") {
      JsonObject record(out);
      record.add("type", "failures")
          .add("failure", failure_name(failure))
          .add("queries", std::uint64_t{queries.size()})
          .add("share", share);
      record.raw("examples", list + "]").close();
      out += '\n';
    }
    table.add({failure_name(failure), cat(queries.size()), fixed_text(share, 4), examples});
  }
  return write_out(run, run.format() == "jsonl" ? out : table.render(run.format()));
}

}  // namespace

Status run_failures(ToolRun& run, BadRows& bad) {
  const Flags& flags = run.flags;
  if (!flags.has("retrieved") && !flags.has("selected") && !flags.has("context") &&
      !flags.has("answers"))
    return fail(ErrorKind::kUsage,
                "no stage to look at: give --retrieved, --selected, --context or --answers");
  RAGLINE_CHECK(check_standard_input(std::vector{flags.text("gold"), flags.text("retrieved"),
                                                 flags.text("selected"), flags.text("context"),
                                                 flags.text("answers")}));
  RAGLINE_TRY(const Stages stages, read_stages(flags, bad));
  Counts counts;
  std::string out;
  for (const AnswerCase& one : stages.cases) {
    PipelineStages pipeline;
    const auto gold = gold_evidence_of(one.row);
    if (!gold) {
      RAGLINE_CHECK(BadRows::note(&bad, RowFault::kMember,
                                  at_line(gold.error(), flags.text("gold"), one.line)));
      continue;
    }
    pipeline.gold = *gold;
    pipeline.retrieved = of_query(stages.retrieved, one.query_id);
    pipeline.selected = of_query(stages.selected, one.query_id);
    pipeline.context = of_query(stages.context, one.query_id);
    const auto dropped = stages.dropped.find(one.query_id);
    if (dropped != stages.dropped.end()) pipeline.dropped = &dropped->second;
    pipeline.gold_case = &one;
    static const GivenAnswer kNoAnswer;
    const auto given = stages.answers.find(one.query_id);
    if (stages.has_answers)
      pipeline.given = given == stages.answers.end() ? &kNoAnswer : &given->second;
    const Diagnosis diagnosis = diagnose(pipeline);
    counts.queries[diagnosis.failure].push_back(one.query_id);
    if (run.format() != "jsonl" || diagnosis.failure == Failure::kNone) continue;
    JsonObject record(out);
    record.add("type", "fault")
        .add("query_id", one.query_id)
        .add("fault", failure_name(diagnosis.failure));
    if (diagnosis.lost) record.add("lost", lost_text(diagnosis));
    record.close();
    out += '\n';
  }
  std::uint64_t cases = 0, failed = 0;
  for (const auto& [failure, queries] : counts.queries) {
    cases += queries.size();
    if (failure != Failure::kNone) failed += queries.size();
  }
  run.outcome.set_found();
  RAGLINE_CHECK(run.out.write(out));
  RAGLINE_CHECK(write_counts(run, counts, cases));
  if (run.format() != "jsonl") return {};
  return run.out.write(end_record({{"cases", cases}, {"failed", failed}}, bad));
}

namespace {

Flag file_flag(std::string name, char letter, std::string help) {
  return {.name = std::move(name),
          .letter = letter,
          .type = FlagType::kText,
          .value = "FILE",
          .category = "Input",
          .help = std::move(help),
          .completion = Completion::kFile};
}

}  // namespace

CommandSpec failures_spec() {
  Flag gold = file_flag("gold", 'g', "case records with gold_evidence and expected_answer");
  gold.required = true;
  Flag format = format_flag();
  format.choices = {"text", "jsonl", "tsv", "markdown"};
  return {.description =
              {"Follows the gold evidence of each case through the records of a pipeline and "
               "names the first stage behind which some of it is missing: retrieval, "
               "selection, the context (truncated, a duplicate, or without a recorded "
               "reason). Where all of it was shown it looks at the answer: wrong "
               "(generation, or context_order when the evidence stood in the middle of five "
               "passages or more), without citing it (citation), or refusing. "
               "An answer to an unanswerable case is made_up. Stages without a file are not "
               "asked.",
               "Each failed case is a `fault` record with the evidence that was lost; then "
               "come the numbers with examples."},
          .flags = {std::move(gold), file_flag("retrieved", 0, "hit records of the retrieval"),
                    file_flag("selected", 0, "hit records behind reranking or selection"),
                    file_flag("context", 0, "context records"),
                    file_flag("answers", 0, "answer records"), skip_bad_flag(), std::move(format),
                    quiet_flag()},
          .examples = {{"rag-eval failures --gold gold.jsonl --retrieved hits.jsonl --context "
                        "ctx.jsonl --answers answers.jsonl",
                        "Where it goes wrong."}}};
}

}  // namespace ragline
