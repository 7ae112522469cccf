#include "eval/answer_input.h"

#include "catch.h"

using namespace ragline;

namespace {

InputText input(std::string bytes) { return InputText("gold.jsonl", std::move(bytes)); }

std::string case_error(std::string bytes) {
  const auto cases = parse_cases(input(std::move(bytes)));
  REQUIRE_FALSE(cases);
  CHECK(cases.error().kind == ErrorKind::kData);
  return cases.error().message;
}

using Items = std::vector<Aliases>;

}  // namespace

TEST_CASE("case records and their three forms of expected_answer") {
  const auto cases = parse_cases(input(
      R"({"type":"case","query_id":"1","query":"q","expected_answer":"one"}
{"type":"hit","query_id":"1","rank":1}
{"type":"case","query_id":"2","query":"q","expected_answer":["one","uno"],"risk":{"kind":"x"}}

{"type":"case","query_id":"3","query":"q","expected_answer":[["one","uno"],"two"],"unanswerable":false}
{"type":"case","query_id":"4","query":"q","unanswerable":true}
)"));
  REQUIRE(cases);
  REQUIRE(cases->size() == 4);
  CHECK((*cases)[0].items == Items{{"one"}});
  CHECK((*cases)[1].items == Items{{"one", "uno"}});
  CHECK((*cases)[2].items == Items{{"one", "uno"}, {"two"}});
  CHECK((*cases)[3].items.empty());
  CHECK((*cases)[3].unanswerable);
  CHECK((*cases)[1].row.starts_with("{\"type\":\"case\",\"query_id\":\"2\""));
  CHECK((*cases)[3].line == 6);
}

TEST_CASE("plain rows, TSV, a JSON object of rows and RGB") {
  const auto rows = parse_cases(
      input("{\"id\":7,\"question\":\"q\",\"answers\":[\"a\",\"b\"],\"type\":\"bridge\"}\n"));
  REQUIRE(rows);
  CHECK((*rows)[0].query_id == "7");
  CHECK((*rows)[0].items == Items{{"a", "b"}});

  const auto tsv = parse_cases(input("# query\tanswer\nq1\tParis\tParis, France\r\nq2\t\n"));
  REQUIRE(tsv);
  CHECK((*tsv)[0].items == Items{{"Paris", "Paris, France"}});
  CHECK((*tsv)[1].items == Items{{""}});

  const auto object =
      parse_cases(input("{\n  \"0\": {\"answer\": \"no\",\n \"evidence_list\": []},\n  \"1\": "
                        "{\"answer\": \"Yes\"}\n}\n"));
  REQUIRE(object);
  REQUIRE(object->size() == 2);
  CHECK((*object)[1].query_id == "1");
  CHECK((*object)[1].items == Items{{"Yes"}});

  const auto rgb = parse_cases(input(
      R"({"id":0,"query":"q","answer":["a","b"],"fakeanswer":"c","positive":[],"negative":["x"],"positive_wrong":[]})"));
  REQUIRE(rgb);
  CHECK((*rgb)[0].items == Items{{"a"}, {"b"}});
  CHECK((*rgb)[0].fake == Aliases{"c"});
  CHECK((*rgb)[0].rgb);
}

TEST_CASE("given answers") {
  const auto answers = parse_answers(input(
      R"({"type":"answer","query_id":"1","answer":"A","citations":["x#0-1@aaaaaaaaaaaa",{"evidence_id":"y"},3],"refused":true}
{"id":"2","prediction":["a","b"],"correct":1}
{"id":"3","response":null,"correct":false}
{"id":"4","noise_rate":0.2,"output":"x"}
{"id":"4","noise_rate":0.4,"output":"y"}
)"));
  REQUIRE(answers);
  CHECK((*answers)[0].refused == true);
  CHECK((*answers)[0].citations == std::vector<std::string>{"x#0-1@aaaaaaaaaaaa", "y", "3"});
  CHECK((*answers)[1].answer == "a, b");
  CHECK((*answers)[1].items == std::vector<std::string>{"a", "b"});
  CHECK((*answers)[1].correct == true);
  CHECK((*answers)[2].answer.empty());
  CHECK((*answers)[2].correct == false);
  CHECK((*answers)[4].noise_rate == 0.4);
}

TEST_CASE("faults are named with file and line") {
  CHECK(case_error("{\"id\":1,\"answer\":\"x\"}\n{\"id\":}\n").starts_with("gold.jsonl:2: "));
  CHECK(case_error("{\"answer\":\"x\"}\n") ==
        "gold.jsonl:1: no query_id: give each row the id of its query");
  CHECK(case_error("{\"id\":1,\"answer\":\"x\"}\n\n{\"id\":\"1\",\"answer\":\"y\"}\n") ==
        "gold.jsonl:3: query '1' comes twice: keep one of the rows");
  CHECK(case_error("just text\n").starts_with("gold.jsonl:1: neither JSON nor two columns"));
  CHECK(case_error("").starts_with("gold.jsonl: no case in it"));
  CHECK(case_error("{\"type\":\"answer\",\"query_id\":\"1\"}\n")
            .starts_with("gold.jsonl: no case in it"));
  CHECK(case_error("{\"id\":1,\"answer\":{\"x\":1}}\n").starts_with("gold.jsonl:1: "));
  CHECK(case_error("{\"id\":1,\"answer\":[[[1]]]}\n")
            .starts_with("gold.jsonl:1: an answer is a string"));
  CHECK(case_error("{\"id\":1,\"unanswerable\":\"yes\"}\n")
            .find("'unanswerable' is a string: give true or false") != std::string::npos);
  CHECK(
      case_error("{\"a\":{\"answer\":\"x\"},\n\"b\":{\"answer\":[1,}}").starts_with("gold.jsonl:"));
  const auto answers = parse_answers(input("{\"id\":1,\"correct\":2}\n"));
  REQUIRE_FALSE(answers);
  CHECK(answers.error().message.find("field 'correct' is 2: give true or false") !=
        std::string::npos);
}
