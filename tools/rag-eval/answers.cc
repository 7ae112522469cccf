#include "eval/answers.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "cli/shared_flags.h"
#include "core/text.h"
#include "eval/rgb.h"
#include "rag-eval/commands.h"
#include "rag-eval/end_record.h"
#include "rag-eval/scores.h"
#include "rag-eval/table.h"
#include "rag-eval/trec.h"

// rag-eval answers: what the words of the answers show, refusals, CRAG's score, RGB's abilities.
namespace ragline {

namespace {

// What is said besides the means.
struct Tally {
  RefusalMatrix refusals;
  std::uint64_t partial = 0;  // answers that refuse in part
  std::uint64_t missing = 0;  // cases without an answer
  std::uint64_t extra = 0;    // answers without a case
  std::uint64_t open = 0;     // answers that CRAG's rules leave to a judge, and none has judged
};

const char* refusal_name(Refusal refusal) {
  return refusal == Refusal::kRefused   ? "refused"
         : refusal == Refusal::kPartial ? "partial"
                                        : "answered";
}

CaseScores score_case(const AnswerCase& gold, const GivenAnswer* given,
                      const AnswerOptions& options, const CaseGroups& groups, Tally& tally) {
  const ScoredAnswer scored = score_answer(gold, given, options);
  tally.refusals.add(scored.refusal == Refusal::kRefused, gold.unanswerable);
  tally.partial += scored.refusal == Refusal::kPartial;
  tally.missing += scored.missing;
  tally.open += !gold.items.empty() && crag_verdict(gold, given) == CragVerdict::kOpen;
  std::string members = cat("\"refusal\":\"", refusal_name(scored.refusal),
                            "\",\"unanswerable\":", gold.unanswerable ? "true" : "false");
  if (scored.missing) members += ",\"missing\":true";
  return {gold.query_id, groups.of(gold.query_id, gold.row), scored.scores, std::move(members)};
}

// A figure of the matrix, and the cases that it is about; without any it does not apply.
struct RefusalFigure {
  std::string_view name;
  double value = 0;
  std::uint64_t cases = 0;
};

std::array<RefusalFigure, 3> refusal_figures(const RefusalMatrix& matrix) {
  const std::uint64_t refused = matrix.refused_unanswerable + matrix.refused_answerable;
  const std::uint64_t unanswerable = matrix.refused_unanswerable + matrix.answered_unanswerable;
  const bool any = refused + unanswerable > 0;
  return {{{"precision", matrix.precision(), refused},
           {"recall", matrix.recall(), unanswerable},
           {"f1", matrix.f1(), any ? matrix.total() : 0}}};
}

std::string tally_text(const Tally& tally) {
  const RefusalMatrix& matrix = tally.refusals;
  TextTable table({"", "refused", "answered"});
  table.add({"unanswerable", cat(matrix.refused_unanswerable), cat(matrix.answered_unanswerable)});
  table.add({"answerable", cat(matrix.refused_answerable), cat(matrix.answered_answerable)});
  std::string out = cat("\n", table.text());
  out += "\nrefusals:";
  for (const RefusalFigure& figure : refusal_figures(matrix))
    append(out, " ", figure.name, " ", figure.cases > 0 ? fixed_text(figure.value, 4) : "-", ",");
  append(out, " ", tally.partial, " in part, counted as answers\n");
  if (tally.missing > 0) append(out, tally.missing, " cases without an answer, counted as empty\n");
  if (tally.extra > 0) append(out, tally.extra, " answers without a case, left out\n");
  if (tally.open > 0)
    append(out, tally.open,
           " answers that CRAG leaves to a judge, counted as wrong: crag is a lower bound\n");
  return out;
}

Status write_tally(ToolRun& run, const Tally& tally, std::uint64_t cases, const BadRows& bad) {
  if (run.format() == "text") return write_out(run, tally_text(tally));
  if (run.format() != "jsonl") return {};
  const RefusalMatrix& matrix = tally.refusals;
  std::string out;
  for (const RefusalFigure& figure : refusal_figures(matrix))
    if (figure.cases > 0)
      out += figure_record(cat("refusal_", figure.name), figure.value, figure.cases);
  out += end_record({{"cases", cases},
                     {"refused_unanswerable", matrix.refused_unanswerable},
                     {"answered_unanswerable", matrix.answered_unanswerable},
                     {"refused_answerable", matrix.refused_answerable},
                     {"answered_answerable", matrix.answered_answerable},
                     {"partial", tally.partial},
                     {"missing", tally.missing},
                     {"extra", tally.extra},
                     {"open", tally.open}},
                    bad);
  return run.out.write(out);
}

Status write_rgb(ToolRun& run, const RgbReport& report) {
  struct Line {
    std::string name;
    RgbScore score;
  };
  std::vector<Line> lines;
  for (const auto& [rate, score] : report.noise_robustness)
    lines.push_back({cat("rgb_noise_robustness@", number_text(rate)), score});
  lines.push_back({"rgb_negative_rejection", report.negative_rejection});
  lines.push_back({"rgb_information_integration", report.information_integration});
  lines.push_back({"rgb_counterfactual_accuracy", report.counterfactual_accuracy});
  lines.push_back({"rgb_error_detection", report.error_detection});
  lines.push_back({"rgb_error_correction", report.error_correction});
  std::erase_if(lines, [](const Line& line) { return line.score.answers == 0; });
  std::string out;
  TextTable table({"RGB", "value", "right", "answers"});
  for (const Line& line : lines) {
    if (run.format() == "jsonl")
      out += figure_record(line.name, line.score.share(), line.score.answers);
    table.add({line.name, fixed_text(line.score.share(), 4), cat(line.score.right),
               cat(line.score.answers)});
  }
  if (run.format() != "jsonl") out = cat("\n", table.render(run.format()));
  return run.out.write(out);
}

}  // namespace

Status run_answers(ToolRun& run, BadRows& bad) {
  const Flags& flags = run.flags;
  RAGLINE_CHECK(check_standard_input(
      std::vector{flags.positionals()[0], flags.text("gold"), flags.text("queries")}));
  RAGLINE_TRY(const CaseGroups groups, CaseGroups::open(flags, true, bad));
  RAGLINE_TRY(const std::vector<AnswerCase> cases, read_cases(flags.text("gold"), &bad));
  RAGLINE_TRY(const std::vector<GivenAnswer> answers, read_answers(flags.positionals()[0], &bad));
  std::unordered_map<std::string_view, const GivenAnswer*> by_query;
  for (const GivenAnswer& answer : answers) by_query.try_emplace(answer.query_id, &answer);

  Tally tally;
  std::vector<CaseScores> scored;
  std::unordered_set<std::string_view> known;
  for (const AnswerCase& gold : cases) {
    const auto given = by_query.find(gold.query_id);
    known.insert(gold.query_id);
    scored.push_back(score_case(gold, given == by_query.end() ? nullptr : given->second,
                                {.tolerance = flags.number("tolerance")}, groups, tally));
  }
  tally.extra = static_cast<std::uint64_t>(std::ranges::count_if(
      answers, [&](const GivenAnswer& answer) { return !known.contains(answer.query_id); }));
  if (tally.missing == cases.size())
    return BadRows::stop(
        &bad, RowFault::kNoOverlap,
        {ErrorKind::kData, cat(flags.positionals()[0], ": no answer to any case of ",
                               flags.text("gold"), ": the ids of the queries must be the same")});

  run.outcome.set_found();
  run.summary.counts = {{"cases", cases.size()}, {"answers", answers.size()}};
  RAGLINE_CHECK(write_scores(run, answer_measures(), scored));
  if (std::ranges::any_of(cases, &AnswerCase::rgb))
    RAGLINE_CHECK(write_rgb(run, score_rgb(cases, answers)));
  return write_tally(run, tally, cases.size(), bad);
}

CommandSpec answers_spec() {
  std::vector<Flag> flags = {{.name = "gold",
                              .letter = 'g',
                              .type = FlagType::kText,
                              .required = true,
                              .value = "FILE",
                              .category = "Input",
                              .help = "case records, JSON rows, RGB's files, or TSV",
                              .completion = Completion::kFile},
                             {.name = "tolerance",
                              .type = FlagType::kNumber,
                              .value = "X",
                              .least = 0,
                              .most = 1,
                              .fallback = "0",
                              .category = "Measures",
                              .help = "relative error that a number may have"}};
  for (Flag& flag : score_flags()) flags.push_back(std::move(flag));
  return {
      .description = {"Answers and cases are matched by the id of the query. A case without an "
                      "answer counts as an empty one. Every measure is a mean over the "
                      "cases that it applies to, with a bootstrap interval (BCa).",
                      "A case may be `unanswerable`: then refusing is right. Refusals are found "
                      "by their words (English, German, Chinese), unless the "
                      "answer's record says `refused` itself.",
                      "Rows of RGB (with `positive` and `negative`) are measured by its own "
                      "rules as well: noise robustness by the answers' `noise_rate`, "
                      "negative rejection where that is 1, information integration, and "
                      "counterfactual robustness.",
                      measures_text(answer_measures())},
      .positionals = {{.name = "ANSWERS",
                       .help = "answer records, JSON rows or TSV; - is standard input",
                       .required = true,
                       .completion = Completion::kFile}},
      .flags = std::move(flags),
      .examples = {{"rag-eval answers answers.jsonl --gold gold.jsonl",
                    "Means with intervals, and refusals."},
                   {"rag-eval answers answers.tsv --gold gold.tsv --by question_type",
                    "By a field of the cases."}}};
}

}  // namespace ragline
