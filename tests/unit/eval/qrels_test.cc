#include "eval/qrels.h"

#include "cases.h"

using namespace ragline;

namespace {
std::string fault(const std::string& text, Dialect dialect = Dialect::kOurs) {
  const auto qrels = Qrels::parse(InputText("qrels", text), dialect);
  return qrels ? "" : qrels.error().message;
}
bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("a byte-order mark is no part of the first id") {
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(qrels_of(mark + "q 0 a 1\n").find("q"));
  CHECK(qrels_of(mark + "{\"q\": {\"a\": 1}}").find("q"));
  CHECK(run_of(mark + "q Q0 a 1 1 t\n").find("q"));
  // trec_eval takes it for one.
  CHECK_FALSE(qrels_of(mark + "q 0 a 1\n", Dialect::kTrec9).find("q"));
}

TEST_CASE("judgements in TREC, TSV and JSON form are the same") {
  for (const char* text : {"q2 0 d1 1\nq1 0 b 0\nq1 0 a 2\n", "q2\td1\t1\nq1\tb\t0\nq1\ta\t2\n",
                           "query-id\tcorpus-id\tscore\nq2\td1\t1\r\nq1\tb\t0\nq1\ta\t2",
                           R"({"q2": {"d1": 1}, "q1": {"b": 0, "a": 2}})",
                           "# by hand\n\n q2  0\td1 1 \r\nq1 0 b 0\nq1 0 a 2"}) {
    INFO(text);
    const Qrels qrels = qrels_of(text);
    REQUIRE(qrels.queries().size() == 2);
    CHECK(qrels.queries()[0].id == "q1");
    const JudgedQuery* first = qrels.find("q1");
    REQUIRE(first);
    REQUIRE(first->judgements.size() == 2);
    CHECK(first->judgements[0].document == "a");
    CHECK(first->judgements[0].grade == 2);
    CHECK(qrels.find("q3") == nullptr);
  }
}

TEST_CASE("ids with escapes in JSON") {
  const Qrels qrels = qrels_of(R"({"q\t1": {"caf\u00e9": 1}})");
  CHECK(qrels.queries()[0].id == "q\t1");
  CHECK(qrels.queries()[0].judgements[0].document == "caf\u00e9");
}

TEST_CASE("mteb_5516_grades_may_be_fractions") {
  CHECK(qrels_of("q 0 d 0.5\n").queries()[0].judgements[0].grade == 0.5);
  CHECK(qrels_of("q 0 d 1.5\n", Dialect::kTrec10).queries()[0].judgements[0].grade == 1);
}

TEST_CASE("trec_eval_46_document_ids_may_hold_a_hash") {
  CHECK(qrels_of("q 0 d#1 1\n").queries()[0].judgements[0].document == "d#1");
  CHECK(qrels_of("q 0 d#1 1\n", Dialect::kTrec10).queries()[0].judgements[0].document == "d#1");
}

TEST_CASE("what is wrong with judgements") {
  CHECK(has(fault("q 0 d 1\nq 0 d\n"), "qrels:2: 3 fields: a line of judgements has 4"));
  CHECK(has(fault("q 0 d x\n"), "qrels:1: the grade 'x' is no number"));
  CHECK(has(fault("q 0 d nan\n"), "is no number"));
  CHECK(has(fault("q 0 d inf\n"), "is no number"));
  CHECK(has(fault("q 0 d 1e300\n"), "the grade '1e300' is no number up to a billion: give one"));
  CHECK(has(fault("q 0 d 1\nq 0 e 0\nq 0 d 0\n"),
            "qrels:3: document 'd' is judged twice for query 'q'"));
  CHECK(has(fault(""), "no judgement in it"));
  CHECK(has(fault("\n# nothing\n"), "no judgement in it"));
  CHECK(has(fault("q Q0 d 1 2.5 tag\n"), "give the judgements first, then the run"));
  CHECK(has(fault(R"({"q": {"d": "x"}})"), "qrels"));
  CHECK(
      has(fault(R"({"q": {"d": 1}, "r": 2})"), "qrels:1: not {\"query\": {\"document\": number}}"));
  CHECK(has(fault(R"({"q": {"d": 1)"), "qrels:1: "));
  CHECK(has(fault("a\tb\t1\na\tb\n"), "qrels:2: 2 columns"));
}

TEST_CASE("trec_eval 9 knows no comments") {
  CHECK(has(fault("# a comment here now\nq 0 d 1\n", Dialect::kTrec9), "qrels:1: "));
  CHECK(fault("# a comment here now\nq 0 d 1\n", Dialect::kTrec10).empty());
}

TEST_CASE("a document judged for several subtopics") {
  const Qrels qrels = qrels_of("q 1 d 1\nq 2 d 1\nq 2 e 1\n");
  CHECK(qrels.queries()[0].judgements.size() == 3);
}
