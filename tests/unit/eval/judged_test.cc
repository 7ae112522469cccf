#include "eval/judged.h"

#include <cmath>

#include "catch.h"

using namespace ragline;

namespace {

std::vector<JudgedRow> rows(std::string text) {
  auto found = parse_judged(InputText("labels.jsonl", std::move(text)));
  REQUIRE(found);
  return *found;
}

double value(const std::vector<AnswerScore>& scores, std::string_view measure) {
  for (const AnswerScore& score : scores)
    if (score.measure == measure) return score.value;
  return -9;
}

std::string error(std::string text) {
  const auto found = parse_judged(InputText("labels.jsonl", std::move(text)));
  REQUIRE_FALSE(found);
  return found.error().message;
}

}  // namespace

TEST_CASE("RAGAS and ARES from labels") {
  const auto found = rows(
      R"({"query_id":"1","claims":[true,true,0,"Entailment"],"context_relevant":[true,false,true],"reference_claims":[1,0],"similarities":[0.8,0.6,0.7]}
{"query_id":"2","similarities":[0.8],"noncommittal":true,"claims":[],"context_relevance":1,"answer_faithfulness":0,"answer_relevance":true}
)");
  CHECK(value(found[0].scores, "faithfulness") == 0.75);
  CHECK(std::fabs(value(found[0].scores, "context_precision") - 5.0 / 6) < 1e-12);
  CHECK(value(found[0].scores, "context_recall") == 0.5);
  CHECK(std::fabs(value(found[0].scores, "question_similarity") - 0.7) < 1e-12);
  CHECK(value(found[1].scores, "question_similarity") == 0);
  CHECK(value(found[1].scores, "faithfulness") == -9);
  CHECK(value(found[1].scores, "context_relevance") == 1);
  CHECK(value(found[1].scores, "answer_faithfulness") == 0);
}

TEST_CASE("RAGAS' answer correctness needs claims of either side and a similarity") {
  const auto found = rows(
      R"({"query_id":"1","answer2response":[1,1,0],"response2answer":[1,0,0],"answer_similarity":0.6}
{"query_id":"2","answer2response":[1],"response2answer":[1]}
{"query_id":"3","answer2response":[],"response2answer":[],"answer_similarity":1}
{"query_id":"4","answer2response":[null,1],"response2answer":[1],"answer_similarity":1}
{"query_id":"5","answer2response":[0],"response2answer":[],"answer_similarity":0.5}
)");
  // TP 2, FP 1, FN 2
  CHECK(std::fabs(value(found[0].scores, "answer_correctness") - (0.75 * 2 / 3.5 + 0.15)) < 1e-12);
  CHECK(value(found[1].scores, "answer_correctness") == -9);
  CHECK(value(found[2].scores, "answer_correctness") == -9);
  CHECK(value(found[3].scores, "answer_correctness") == -9);
  CHECK(value(found[4].scores, "answer_correctness") == 0.125);
}

TEST_CASE("labels of claims that do not fit together are refused") {
  CHECK(error("{\"id\":1,\"response2answer\":[1],\"retrieved2answer\":[[1],[0]]}\n")
            .find("'retrieved2answer' has 2 claims, 'response2answer' has 1") != std::string::npos);
  CHECK(error("{\"id\":1,\"retrieved2response\":[[1],[0,1]]}\n")
            .find("'retrieved2response' has rows of different length") != std::string::npos);
  CHECK(error("{\"id\":1,\"retrieved2answer\":[[1]],\"retrieved2response\":[[1,0]]}\n")
            .find("different numbers of chunks") != std::string::npos);
  // A label that was not understood leaves its row short: no fault of the file.
  CHECK(rows("{\"id\":1,\"retrieved2response\":[[1,null],[0,1]]}\n")[0].failures == 1);
}

TEST_CASE("what claims are wrong, and what chunks relevant, is not guessed") {
  const auto found = rows(
      "{\"id\":1,\"retrieved2response\":[[1],[0]]}\n"
      "{\"id\":2,\"retrieved2response\":[[1],[0]],\"answer2response\":[0,0]}\n"
      "{\"id\":3,\"retrieved2answer\":[[1]]}\n");
  CHECK(value(found[0].scores, "claim_faithfulness") == 0.5);
  CHECK(value(found[0].scores, "hallucination") == -9);
  CHECK(value(found[1].scores, "hallucination") == 0.5);
  CHECK(value(found[1].scores, "noise_sensitivity_irrelevant") == -9);
  CHECK(value(found[2].scores, "retrieved_claim_recall") == 1);
  CHECK(value(found[2].scores, "context_utilization") == -9);
}

TEST_CASE("a label of ALCE that is null is a failure, not false") {
  const auto found = rows(
      "{\"query_id\":\"1\",\"sentences\":[{\"citations\":1,\"all\":null},{\"citations\":1,\"all\":"
      "1}]}\n"
      "{\"query_id\":\"2\",\"sentences\":[{\"citations\":1},{\"citations\":1,\"all\":1}]}\n");
  CHECK(value(found[0].scores, "alce_recall") == -9);
  CHECK(found[0].failures == 1);
  CHECK(value(found[1].scores, "alce_recall") == 0.5);  // not given: not entailed
  CHECK(found[1].failures == 0);
}

TEST_CASE("RAGChecker, ALCE and UAEval4RAG from labels") {
  const auto found = rows(
      R"({"query_id":"1","answer2response":["Entailment","Neutral"],"response2answer":[true],"retrieved2answer":[[true,false]],"retrieved2response":[[true,false],[false,"Contradiction"]]}
{"query_id":"2","sentences":[{"citations":2,"all":true,"alone":[true,false],"without":[true,true]},{"citations":0}]}
{"query_id":"3","verdict":"clarify","acceptable":true}
{"query_id":"4","verdict":1,"acceptable":false}
)");
  CHECK(value(found[0].scores, "claim_precision") == 0.5);
  CHECK(value(found[0].scores, "chunk_precision") == 0.5);
  CHECK(value(found[0].scores, "hallucination") == 0.5);
  CHECK(value(found[1].scores, "alce_recall") == 0.5);
  CHECK(value(found[1].scores, "alce_precision") == 0.5);
  CHECK(value(found[2].scores, "unanswered") == 1);
  CHECK(value(found[3].scores, "unanswered") == 0);
  CHECK(value(found[3].scores, "acceptable") == 0);
}

// ragas 452, 505, 1274: a judge's answer that could not be parsed became NaN, and so did the mean.
TEST_CASE("ragas_452_labels_that_were_not_understood_are_counted_and_left_out") {
  const auto found = rows(
      R"({"query_id":"1","claims":[true,null,false],"answer_relevance":null}
{"query_id":"2","context_relevant":[true,null],"answer2response":[true,null],"retrieved2response":[[true],[true]]}
)");
  CHECK(value(found[0].scores, "faithfulness") == 0.5);
  CHECK(value(found[0].scores, "answer_relevance") == -9);
  CHECK(found[0].failures == 2);
  CHECK(found[1].scores.empty());
  CHECK(found[1].failures == 2);
}

TEST_CASE("people's labels name measures") {
  const auto found = rows(
      R"({"query_id":"1","answer_relevance":1,"human":{"answer_relevance":false,"faithfulness":0.5,"alce_recall":null}})");
  CHECK(value(found[0].human, "answer_relevance") == 0);
  CHECK(value(found[0].human, "faithfulness") == 0.5);
  CHECK(found[0].human.size() == 2);
}

TEST_CASE("faulty labels are named with file and line") {
  CHECK(error("{\"claims\":[]}\n") ==
        "labels.jsonl:1: no query_id: give each row the id of its query");
  CHECK(error("{\"id\":1,\"claims\":[\"maybe\"]}\n").find("'\"maybe\"' is no label") !=
        std::string::npos);
  CHECK(error("{\"id\":1,\"claims\":true}\n").starts_with("labels.jsonl:1: "));
  CHECK(error("{\"id\":1,\"verdict\":\"perhaps\"}\n").find("give refuse, clarify or answer") !=
        std::string::npos);
  CHECK(error("{\"id\":1,\"human\":{\"nonsense\":1}}\n").find("'nonsense' is no measure") !=
        std::string::npos);
  CHECK(error("{\"id\":1,\"human\":{\"faithfulness\":\"x\"}}\n")
            .find("give a number, true or false") != std::string::npos);
  CHECK(error("{\"id\":1,\"similarities\":[\"x\"]}\n").find("give numbers") != std::string::npos);
  CHECK(error("\n").find("no row in it") != std::string::npos);
}
