#include "eval/gold.h"

#include "cases.h"
#include "core/text.h"

using namespace ragline;

namespace {

const std::string kCases =
    R"({"type":"case","query_id":"q","query":"x","gold_evidence":["a.md#10-20@000000000000",)"
    R"({"path":"b.md","lines":[3,4]},{"fact":"the sky is blue"}],"required_hops":2})"
    "\n"
    R"({"type":"case","query_id":"r","query":"y","unanswerable":true})"
    "\n";

std::string hit(int rank, const std::string& members) {
  return cat(R"({"type":"hit","query_id":"q","rank":)", rank, R"(,"score":)", 10 - rank, ",",
             members, "}\n");
}
const std::string kEnd = R"({"type":"end","query_id":"q","complete":true})"
                         "\n";

}  // namespace

TEST_CASE("gold evidence is found by place and by text") {
  const auto gold = Gold::parse(InputText("gold", kCases));
  REQUIRE(gold);
  REQUIRE(gold->queries().size() == 1);
  CHECK(gold->queries()[0].hops == 2);
  CHECK(gold->without_evidence() == 1);
  using Pieces = std::vector<std::uint32_t>;
  CHECK(gold->pieces_in("q", {span_of_id("a.md#15-30@000000000000"), ""}) == Pieces{0});
  CHECK(gold->pieces_in("q", {span_of_id("a.md#20-30@000000000000"), ""}) == Pieces{});
  CHECK(gold->pieces_in("q", {span_of_id("x"), "We know the\nsky  is blue."}) == Pieces{2});
  EvidenceSpan lines;
  lines.document_id = "b.md";
  lines.lines = LineSpan{4, 9};
  CHECK(gold->pieces_in("q", {lines, "the sky is blue"}) == Pieces{1, 2});
  CHECK(gold->pieces_in("other", {lines, ""}).empty());
}

TEST_CASE("evidence counts once, however many hits hold it") {
  const std::string run = hit(1, R"("document_id":"x","text":"nothing")") +
                          hit(2, R"("document_id":"y","text":"the sky is blue")") +
                          hit(3, R"("document_id":"z","text":"again: the sky is blue")") +
                          hit(4, R"("document_id":"b.md","lines":[1,3])") + kEnd;
  CHECK(mean_value(kCases, run, "EvidenceRecall@3") == Approx(1.0 / 3));
  CHECK(mean_value(kCases, run, "EvidenceRecall") == Approx(2.0 / 3));
  CHECK(mean_value(kCases, run, "HopCoverage@4") == 1);
  CHECK(mean_value(kCases, run, "AllEvidence") == 0);
  CHECK(mean_value(kCases, run, "P@3") == Approx(1.0 / 3));
  CHECK(mean_value(kCases, run, "MultiHop_Hits@1") == 0);
  CHECK(mean_value(kCases, run, "MultiHop_Hits@2") == 1);
  CHECK(mean_value(kCases, run, "MultiHop_MRR@10") == 0.5);
  CHECK(mean_value(kCases, run, "MultiHop_MAP@10") == Approx((1.0 / 2 + 1.0 / 4) / 3));
  CHECK(mean_value(kCases, run, "nDCG") <= 1);
}

TEST_CASE("MultiHop-RAG's rows are gold evidence") {
  const std::string rows =
      R"({"7": {"answer": "Yes", "evidence_list": [{"fact": "A b."}, {"fact": "C d."}]},)"
      R"("8": {"answer": "Insufficient information.", "evidence_list": []}})";
  CHECK(Gold::is_gold(rows));
  const auto gold = Gold::parse(InputText("gold", rows));
  REQUIRE(gold);
  CHECK(gold->queries()[0].id == "7");
  CHECK(gold->pieces_in("7", {span_of_id("x"), "a b. C d."}) == std::vector<std::uint32_t>{1});
}

TEST_CASE("a TREC run names evidence by id") {
  CHECK(mean_value(kCases, "q Q0 a.md#12-13@000000000000 1 2 t\nq Q0 c.md 2 1 t\n",
                   "EvidenceRecall@1") == Approx(1.0 / 3));
}

TEST_CASE("what is wrong with gold") {
  auto fault = [](const std::string& text) {
    const auto gold = Gold::parse(InputText("gold", text));
    return gold ? "" : gold.error().message;
  };
  CHECK(fault(R"({"type":"case","query_id":"q","query":"x"})").find("no case with gold_evidence") !=
        std::string::npos);
  CHECK(fault(R"({"type":"case","query_id":"q","query":"x","gold_evidence":[{"lines":[1,2]}]})")
            .find(":1: evidence without a place") != std::string::npos);
  CHECK_FALSE(Gold::is_gold(R"({"q": {"d": 1}})"));
  CHECK_FALSE(Gold::is_gold("q 0 d 1\n"));
}
