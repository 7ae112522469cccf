#include "eval/bad_rows.h"

#include "catch.h"
#include "eval/answer_input.h"
#include "eval/evaluate.h"
#include "eval/evidence_input.h"
#include "eval/failures.h"
#include "eval/gold.h"
#include "eval/judged.h"
#include "eval/report_data.h"
#include "eval/trace_input.h"

using namespace ragline;
using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

namespace {

InputText input(std::string text) { return InputText("file", std::move(text)); }

// Both ways to read the same bad text: skipping leaves `counts`, not skipping stops at `fault`.
template <class Read>
void check_reader(const std::string& text, const Counts& counts, RowFault fault,
                  const std::string& message, Read read) {
  INFO(text);
  BadRows skipping(true);
  CHECK(read(input(text), &skipping));
  CHECK(skipping.counts() == counts);
  CHECK(skipping.first().starts_with(message));
  CHECK(!skipping.stopped_by());
  BadRows strict;
  const auto failed = read(input(text), &strict);
  REQUIRE(!failed);
  CHECK(failed.error().message.starts_with(message));
  CHECK(strict.stopped_by() == fault);
  CHECK(strict.total() == 0);
  CHECK(!read(input(text), nullptr));
}

}  // namespace

TEST_CASE("bad rows are counted by kind, the first is named") {
  BadRows bad(true);
  CHECK(BadRows::note(&bad, RowFault::kShort, {ErrorKind::kData, "a:1: x"}));
  CHECK(BadRows::note(&bad, RowFault::kNumber, {ErrorKind::kData, "a:2: y"}));
  CHECK(BadRows::note(&bad, RowFault::kShort, {ErrorKind::kData, "a:3: z"}));
  CHECK(bad.total() == 3);
  CHECK(bad.first() == "a:1: x");
  CHECK(bad.counts() == Counts{{"short_line", 2}, {"not_a_number", 1}});
  const auto stopped = BadRows::stop(&bad, RowFault::kCut, {ErrorKind::kData, "a: cut"});
  CHECK(stopped.error().message == "a: cut");
  CHECK(bad.stopped_by() == RowFault::kCut);
}

TEST_CASE("a row that is read again counts once") {
  const InputText text = input("one\ntwo\n");
  BadRows bad(true);
  for (int i = 0; i < 3; ++i)
    CHECK(BadRows::note(&bad, RowFault::kShort, text, text.bytes().data() + 4, "x"));
  CHECK(bad.total() == 1);
  CHECK(bad.first() == "file:2: x");
}

TEST_CASE("judgements") {
  const auto read = [](InputText text, BadRows* bad) {
    return Qrels::parse(std::move(text), Dialect::kOurs, QrelsFormat::kQrels, bad);
  };
  check_reader("q 0 a 1\nq 0 b\nq 0 c x\nq 0 a 0\n",
               {{"short_line", 1}, {"not_a_number", 1}, {"duplicate", 1}}, RowFault::kShort,
               "file:2: 3 fields", read);
  check_reader("q\ta\t1\nq\tb\nq\tc\tnan\n", {{"short_line", 1}, {"not_a_number", 1}},
               RowFault::kShort, "file:2: 2 columns", read);
  check_reader("{\"q\": {\"a\": 1, \"b\": 1e99}}", {{"not_a_number", 1}}, RowFault::kNumber,
               "file:1: the grade", read);
  check_reader(
      "{\"query_id\":\"1\",\"gold_evidence\":[{\"path\":\"a\"}]}\n{\"query_id\":\"2\",\"gold_"
      "evidence\":[[]]}\n{oops\n",
      {{"not_json", 1}, {"bad_member", 1}}, RowFault::kJson, "file:3:", read);
  BadRows bad(true);
  const auto kept = read(input("q 0 a 1\nq 0 a 0\n"), &bad);
  REQUIRE(kept);
  CHECK(kept->queries()[0].judgements.size() == 1);
  CHECK(kept->queries()[0].judgements[0].grade == 1);
}

TEST_CASE("files that are no judgements, or no run, stop even where rows are skipped") {
  BadRows bad(true);
  CHECK(!Qrels::parse(input("q Q0 a 1 2.5 t\n"), Dialect::kOurs, QrelsFormat::kQrels, &bad));
  CHECK(bad.stopped_by() == RowFault::kSwapped);
  CHECK(!Qrels::parse(input("q 0 a\n"), Dialect::kOurs, QrelsFormat::kQrels, &bad));
  CHECK(bad.stopped_by() == RowFault::kEmpty);
  const auto run = Run::parse(input("q 0 a 1\n"), {.bad = &bad});
  REQUIRE(run);
  CHECK(!run->check());
  CHECK(bad.stopped_by() == RowFault::kSwapped);
  CHECK(!Run::parse(input("{\"type\":\"hit\",\"query_id\":\"1\",\"document_id\":\"a\"}\n"),
                    {.bad = &bad}));
  CHECK(bad.stopped_by() == RowFault::kCut);
}

TEST_CASE("runs") {
  const auto read = [](InputText text, BadRows* bad) -> Status {
    RAGLINE_TRY(const Run run, Run::parse(std::move(text), {.bad = bad}));
    const auto qrels = Qrels::parse(InputText("qrels", "q 0 a 1\n"));
    const auto measures = parse_measures(std::vector<std::string>{"RR"});
    EvaluationOptions options;
    options.bad = bad;
    RAGLINE_TRY(const Evaluation found, evaluate(*qrels, run, *measures, options));
    CHECK(found.means[0] == 0.5);
    return {};
  };
  check_reader("q Q0 b 1 3 t\nq Q0 a 2 2 t\nq Q0 a 3 1 t\nq Q0 c 1\nq Q0 d 1 nan t\n",
               {{"short_line", 1}, {"not_a_number", 1}, {"duplicate", 1}}, RowFault::kShort,
               "file:4: 4 fields", read);
  check_reader("{\"q\": {\"b\": 3, \"a\": 2, \"b\": 1}}", {{"duplicate", 1}}, RowFault::kDuplicate,
               "file:1: document 'b' is there twice", read);
  check_reader(
      "{\"type\":\"hit\",\"query_id\":\"q\",\"document_id\":\"b\",\"score\":3}\n"
      "{\"type\":\"hit\",\"query_id\":\"q\",\"score\":3}\n{\"type\":\"hit\"\n"
      "{\"type\":\"hit\",\"query_id\":\"q\",\"document_id\":\"a\",\"score\":2}\n"
      "{\"type\":\"end\",\"complete\":true}\n",
      {{"not_json", 1}, {"bad_member", 1}}, RowFault::kMember, "file:2: a hit without", read);
}

TEST_CASE("no query in common") {
  BadRows bad;
  const auto qrels = Qrels::parse(InputText("qrels", "q 0 a 1\n"));
  const auto run = Run::parse(input("p Q0 a 1 1 t\n"));
  EvaluationOptions options;
  options.bad = &bad;
  CHECK(!evaluate(*qrels, *run, {}, options));
  CHECK(bad.stopped_by() == RowFault::kNoOverlap);
}

TEST_CASE("cases and answers") {
  const Counts counts = {{"short_line", 1}, {"not_json", 1}, {"bad_member", 2}, {"duplicate", 1}};
  const std::string rows =
      "{\"id\":1,\"answer\":\"a\"}\n{\"answer\":\"b\"}\nword\n{\"id\":1}\n{\"id\":\n{\"id\":2,"
      "\"answer\":{}}\n";
  check_reader(rows, counts, RowFault::kMember, "file:2: no query_id",
               [](const InputText& text, BadRows* bad) { return parse_cases(text, bad); });
  check_reader(rows, counts, RowFault::kMember, "file:2: no query_id",
               [](const InputText& text, BadRows* bad) { return parse_answers(text, bad); });
}

TEST_CASE("contexts, reasons, traces, labels, results") {
  check_reader(
      "{\"query_id\":\"1\",\"contexts\":[\"a\"]}\n{\"contexts\":[\"b\"]}\n{\"query_id\":\"1\","
      "\"contexts\":[]}\n{\"query_id\":\"2\",\"contexts\":[{}]}\n",
      {{"bad_member", 2}, {"duplicate", 1}}, RowFault::kMember, "file:2: no query_id",
      [](const InputText& text, BadRows* bad) { return parse_contexts(text, bad); });
  check_reader("{\"dropped\":[1]}\n", {{"bad_member", 1}}, RowFault::kMember, "file:1:",
               [](const InputText& text, BadRows* bad) { return parse_drop_reasons(text, bad); });
  check_reader("{\"trace_id\":\"1\"}\n{\"tool\":\"x\"}\n[]\n", {{"not_json", 1}, {"bad_member", 1}},
               RowFault::kMember, "file:2: no trace_id",
               [](const InputText& text, BadRows* bad) { return parse_traces(text, bad); });
  check_reader("{\"id\":1,\"claims\":[true]}\n{\"id\":2,\"claims\":[\"maybe\"]}\n",
               {{"bad_member", 1}}, RowFault::kMember, "file:2: '\"maybe\"' is no label",
               [](const InputText& text, BadRows* bad) { return parse_judged(text, bad); });
  check_reader("{\"type\":\"comparison\",\"p\":\"x\"}\n{\n", {{"not_json", 1}, {"bad_member", 1}},
               RowFault::kMember, "file:1:", [](const InputText& text, BadRows* bad) {
                 ReportData data;
                 const Status status = data.add(text, "run", bad);
                 CHECK(data.comparisons.empty());
                 return status;
               });
}

TEST_CASE("a query whose context is bad has none") {
  BadRows bad(true);
  const auto contexts = parse_contexts(input("{\"query_id\":\"1\",\"contexts\":[\"a\",{}]}\n{"
                                             "\"query_id\":\"1\",\"contexts\":[\"b\"]}\n"),
                                       &bad);
  REQUIRE(contexts);
  CHECK(contexts->at("1").size() == 1);
  CHECK(bad.counts() == Counts{{"bad_member", 1}});
}
