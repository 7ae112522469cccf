#include "eval/citations.h"

#include <unordered_map>

#include "cli/shared_flags.h"
#include "core/text.h"
#include "eval/evidence_input.h"
#include "eval/judge.h"
#include "eval/judged.h"
#include "rag-eval/commands.h"
#include "rag-eval/end_record.h"
#include "rag-eval/judge_url.h"
#include "core/program.h"
#include "rag-eval/scores.h"
#include "record/reader.h"
#include "record/writer.h"

// rag-eval citations: whether citations name what they should, and what their sentences rest on.
namespace ragline {

namespace {

const char* state_name(SpanState state) {
  switch (state) {
    case SpanState::kMatches:
      return "matches";
    case SpanState::kChanged:
      return "changed";
    case SpanState::kTooShort:
      return "too_short";
    case SpanState::kNoDocument:
      return "no_document";
    case SpanState::kNoSpan:
      return "no_span";
  }
  return "";
}

// What is wrong with one answer, as records of their own: a sentence without support, a citation
// that does not hold.
std::string fault_records(const std::string& query_id, const CitationReport& report) {
  std::string out;
  for (const CheckedCitation& citation : report.citations) {
    const bool stale = citation.state && *citation.state != SpanState::kMatches &&
                       *citation.state != SpanState::kNoSpan;
    if (citation.resolved && citation.in_context.value_or(true) && !stale) continue;
    JsonObject record(out);
    record.add("type", "fault")
        .add("query_id", query_id)
        .add("fault", "citation")
        .add("citation", citation.text);
    record.add("resolved", citation.resolved);
    if (citation.in_context) record.add("in_context", *citation.in_context);
    if (citation.state) record.add("state", state_name(*citation.state));
    record.close();
    out += '\n';
  }
  for (const CheckedSentence& sentence : report.sentences) {
    if (sentence.verdict == SentenceVerdict::kSupported ||
        sentence.verdict == SentenceVerdict::kUnchecked)
      continue;
    JsonObject record(out);
    record.add("type", "fault")
        .add("query_id", query_id)
        .add("fault", sentence_verdict_name(sentence.verdict))
        .add("text", sentence.text);
    if (!sentence.missing.empty()) {
      std::string missing = "[";
      for (const Fact& fact : sentence.missing) {
        if (missing.size() > 1) missing += ',';
        JsonObject(missing).add("kind", fact_kind_name(fact.kind)).add("text", fact.text).close();
      }
      record.raw("missing", missing + "]");
    }
    record.close();
    out += '\n';
  }
  return out;
}

std::string fault_text(const std::string& query_id, const CitationReport& report) {
  std::string out;
  for (const CheckedCitation& citation : report.citations) {
    if (!citation.resolved) append(out, query_id, ": [", citation.text, "] names nothing\n");
    if (citation.resolved && !citation.in_context.value_or(true))
      append(out, query_id, ": [", citation.text, "] was not shown\n");
    if (citation.state && *citation.state != SpanState::kMatches &&
        *citation.state != SpanState::kNoSpan)
      append(out, query_id, ": [", citation.text, "] in the corpus: ", state_name(*citation.state),
             "\n");
  }
  for (const CheckedSentence& sentence : report.sentences) {
    if (sentence.verdict == SentenceVerdict::kSupported ||
        sentence.verdict == SentenceVerdict::kUnchecked)
      continue;
    append(out, query_id, ": ", sentence_verdict_name(sentence.verdict), ": ", sentence.text);
    for (const Fact& fact : sentence.missing)
      append(out, " <", fact_kind_name(fact.kind), " ", fact.text, ">");
    out += '\n';
  }
  return out;
}

struct Inputs {
  std::vector<GivenAnswer> answers;
  std::unordered_map<std::string, AnswerCase> cases;
  Contexts contexts;
  bool has_contexts = false;
  std::optional<CorpusText> corpus;
};

Result<Inputs> read_inputs(const Flags& flags, BadRows& bad) {
  Inputs out;
  RAGLINE_TRY(out.answers, read_answers(flags.positionals()[0], &bad));
  if (flags.has("gold")) {
    RAGLINE_TRY(std::vector<AnswerCase> cases, read_cases(flags.text("gold"), &bad));
    for (AnswerCase& one : cases) out.cases.emplace(one.query_id, std::move(one));
  }
  if (flags.has("evidence")) {
    RAGLINE_TRY(Contexts contexts, read_contexts(flags.text("evidence"), &bad));
    out.contexts.swap(contexts);
    out.has_contexts = true;
  }
  if (flags.has("corpus-root")) {
    RAGLINE_TRY(out.corpus, CorpusText::open(flags.text("corpus-root")));
  }
  return out;
}

// ALCE's measures, as the judge sees them.
std::vector<AnswerMeasure> all_measures() {
  std::vector<AnswerMeasure> out = citation_measures();
  for (const AnswerMeasure& measure : judged_measures())
    if (measure.name.starts_with("alce")) out.push_back(measure);
  return out;
}

Result<Judge> open_judge(const Flags& flags) {
  if (flags.has("judge-cmd")) {
    const std::string command = flags.text("judge-cmd");
    return Judge::open(
        command,
        [command](const std::string& requests) -> Result<std::string> {
          auto replies = run_program(command, requests);
          if (!replies)
            replies.error().message += ": it must read judge_task records and write a line for each";
          return replies;
        },
        flags.text("judge-cache"));
  }
  const JudgeEndpoint endpoint{flags.text("judge-url"), flags.text("judge-model"),
                               flags.text("api-key-env"),
                               static_cast<std::size_t>(flags.integer("judge-parallel"))};
  return Judge::open(
      judge_name(endpoint),
      [endpoint](const std::string& requests) { return ask_endpoint(endpoint, requests); },
      flags.text("judge-cache"));
}

// ALCE's scores beside the others, and what the judge did as members of the `end` record.
Status add_judged(const Flags& flags, const std::vector<CitationReport>& reports,
                  std::vector<CaseScores>& scored, std::string& members) {
  RAGLINE_TRY(Judge judge, open_judge(flags));
  RAGLINE_TRY(const auto alce, judge_citations(reports, judge));
  for (std::size_t i = 0; i < alce.size(); ++i) {
    if (!alce[i]) continue;
    scored[i].scores.push_back({"alce_recall", alce[i]->recall});
    scored[i].scores.push_back({"alce_precision", alce[i]->precision});
  }
  const JudgeLedger& ledger = judge.ledger();
  append(members, "\"judge_hash\":\"", judge.hash(), "\",\"judge_tasks\":", ledger.tasks,
         ",\"judge_cached\":", ledger.cached, ",\"judge_failures\":", ledger.failures,
         ",\"judge_tokens\":", ledger.tokens, ",\"judge_cost\":", number_text(ledger.cost));
  return {};
}

CitedAnswer cited_answer(const GivenAnswer& given, Inputs& inputs) {
  static const std::vector<Passage> kNothingShown;
  CitedAnswer answer;
  answer.answer = given.answer;
  answer.citations = given.citations;
  answer.corpus = inputs.corpus ? &*inputs.corpus : nullptr;
  if (!inputs.has_contexts) return answer;
  const auto context = inputs.contexts.find(given.query_id);
  answer.context = context == inputs.contexts.end() ? &kNothingShown : &context->second;
  return answer;
}

}  // namespace

Status run_citations(ToolRun& run, BadRows& bad) {
  const Flags& flags = run.flags;
  const bool judged = flags.has("judge-cmd") || flags.has("judge-url");
  if (flags.has("judge-cache") && !judged)
    return fail(ErrorKind::kUsage,
                "--judge-cache keeps what a judge says: give one with --judge-cmd or --judge-url");
  if (flags.has("judge-url") && !flags.has("judge-model"))
    return fail(ErrorKind::kUsage,
                "--judge-url needs the name of a model: give it with --judge-model");
  RAGLINE_CHECK(check_standard_input(std::vector{flags.positionals()[0], flags.text("gold"),
                                                 flags.text("evidence"), flags.text("queries")}));
  RAGLINE_TRY(const CaseGroups groups, CaseGroups::open(flags, flags.has("gold"), bad));
  RAGLINE_TRY(Inputs inputs, read_inputs(flags, bad));
  std::vector<CaseScores> scored;
  std::vector<CitationReport> reports;
  std::string faults;
  std::uint64_t citations = 0, sentences = 0, unsupported = 0;
  for (const GivenAnswer& given : inputs.answers) {
    CitedAnswer answer = cited_answer(given, inputs);
    const auto found = inputs.cases.find(given.query_id);
    const std::string row = found == inputs.cases.end() ? "" : found->second.row;
    const auto gold = gold_evidence_of(row);
    if (!gold) {
      RAGLINE_CHECK(BadRows::note(&bad, RowFault::kMember,
                                  at_line(gold.error(), flags.text("gold"), found->second.line)));
      continue;
    }
    answer.gold = &*gold;
    const CitationReport& report = reports.emplace_back(check_citations(answer));
    citations += report.citations.size();
    sentences += report.sentences.size();
    for (const CheckedSentence& sentence : report.sentences)
      unsupported += sentence.verdict != SentenceVerdict::kSupported &&
                     sentence.verdict != SentenceVerdict::kUnchecked;
    faults += run.format() == "jsonl" ? fault_records(given.query_id, report)
                                      : fault_text(given.query_id, report);
    scored.push_back({given.query_id, groups.of(given.query_id, row), citation_scores(report), ""});
  }
  std::string judge_members;
  if (judged) RAGLINE_CHECK(add_judged(flags, reports, scored, judge_members));
  run.outcome.set_found();
  if (!flags.on("no-faults"))
    RAGLINE_CHECK(
        write_out(run, faults.empty() || run.format() == "jsonl" ? faults : faults + "\n"));
  RAGLINE_CHECK(write_scores(run, all_measures(), scored));
  if (run.format() != "jsonl") {
    if (!judge_members.empty()) run.note(judge_members);
    return {};
  }
  return run.out.write(end_record({{"answers", inputs.answers.size()},
                                   {"citations", citations},
                                   {"sentences", sentences},
                                   {"unsupported", unsupported}},
                                  bad, std::move(judge_members)));
}

namespace {

Flag file_flag(std::string name, std::string value, std::string help,
               Completion completion = Completion::kFile) {
  return {.name = std::move(name),
          .type = FlagType::kText,
          .value = std::move(value),
          .category = "Input",
          .help = std::move(help),
          .completion = completion};
}

Flag text_flag(std::string name, std::string value, std::string help) {
  return {.name = std::move(name),
          .type = FlagType::kText,
          .value = std::move(value),
          .category = "Judge",
          .help = std::move(help)};
}

Flag cache_flag() {
  Flag cache =
      text_flag("judge-cache", "FILE", "keep what the judge says in FILE, ask nothing twice");
  cache.completion = Completion::kFile;
  return cache;
}

Flag parallel_flag() {
  return {.name = "judge-parallel",
          .type = FlagType::kInteger,
          .value = "N",
          .least = 1,
          .most = 64,
          .fallback = "4",
          .category = "Judge",
          .help = "requests to the endpoint under way at once",
          .details = "The output is the same for any number."};
}

Flag url_flag() {
  Flag url = text_flag("judge-url", "URL", "ask a chat endpoint instead, through curl");
  url.details =
      "The base of an OpenAI-compatible endpoint, such as `http://localhost:8000/v1`. One request "
      "a task, temperature 0, tried three times.";
  url.conflicts = {"judge-cmd"};
  return url;
}

}  // namespace

CommandSpec citations_spec() {
  std::vector<Flag> flags = {
      file_flag("evidence", "FILE", "what was shown: context or hit records"),
      file_flag("gold", "FILE", "case records with gold_evidence"),
      file_flag("corpus-root", "DIR", "folder that document ids are relative to",
                Completion::kDirectory),
      {.name = "judge-cmd",
       .type = FlagType::kText,
       .value = "COMMAND",
       .category = "Judge",
       .help = "ask a program what entails what",
       .details = "A shell command that reads `judge_task` records (key, premise, hypothesis) and "
                  "writes a line `{\"key\", \"label\"}` for each, in any order, "
                  "with `tokens` and `cost` where it knows them. Then ALCE's recall and precision "
                  "are measured too. A task without an "
                  "answer is a failure: counted, and its answer left out."},
      cache_flag(),
      url_flag(),
      text_flag("judge-model", "NAME", "the endpoint's model"),
      parallel_flag(),
      text_flag("api-key-env", "VAR", "variable with the endpoint's key; none is sent without"),
      {.name = "no-faults",
       .category = "Output",
       .help = "means only, without the list of faults"}};
  for (Flag& flag : score_flags()) flags.push_back(std::move(flag));
  return {.description = {"Looks at each citation, `[3]` (the third piece of `--evidence`, or of "
                          "the answer's own list) or an evidence id: does it name "
                          "a passage, was that shown, is it gold, do its bytes exist in the "
                          "corpus, and are they still those that were cited. Then at each "
                          "sentence: does it cite, and do its numbers, dates, identifiers and "
                          "quotes stand in what it cites.",
                          "What fails is listed first: a `fault` record for each citation that "
                          "does not hold and each sentence without support. That a fact "
                          "is missing is certain; that the passage supports the rest of the "
                          "sentence is not said.",
                          measures_text(citation_measures())},
          .positionals = {{.name = "ANSWERS",
                           .help = "answer records; - is standard input",
                           .required = true,
                           .completion = Completion::kFile}},
          .flags = std::move(flags),
          .examples = {
              {"rag-eval citations answers.jsonl --evidence contexts.jsonl --corpus-root docs/",
               "Faults and means."}}};
}

}  // namespace ragline
