#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "eval/answers.h"
#include "eval/bad_rows.h"
#include "eval/input.h"

// Measures over labels that a judge gave: rows of JSON, one a query, with any of these members.
//
//   RAGAS       claims              [bool]    response claims that the context supports
//               reference_claims    [bool]    gold claims that the context supports
//               context_relevant    [bool]    retrieved passages, by rank
//               similarities        [number]  of the question to questions made from the answer
//               noncommittal        bool      the answer evades: its relevance is 0
//               answer2response, response2answer (below) with
//               answer_similarity   number    of the response to the gold answer
//   ARES        context_relevance, answer_faithfulness, answer_relevance      0 or 1
//   RAGChecker  answer2response, response2answer       [label by claim]
//               retrieved2answer, retrieved2response   [[label by chunk] by claim]
//   ALCE        sentences           [{"citations", "in_range", "all", "alone", "without"}]
//   UAEval4RAG  verdict             "refuse", "clarify", "answer", or -1, 0, 1
//               acceptable          bool
//   people      human               an object with any measure of the table: their own value
//
// A label is true or false, 1 or 0, or "Entailment", "Neutral", "Contradiction" (only the first is
// true). A label that is null was not understood: it is counted and left out, never taken for
// false.
namespace ragline {

struct JudgedRow {
  std::string query_id;
  std::vector<AnswerScore> scores;
  std::vector<AnswerScore> human;  // what people say of the same measures
  std::uint64_t failures = 0;      // labels that are null
  std::string row;                 // as it came, for group-by
};

// Errors: those of InputText::open; kData "file:line: what: remedy".
Result<std::vector<JudgedRow>> read_judged(const std::string& path, BadRows* bad = nullptr);
Result<std::vector<JudgedRow>> parse_judged(const InputText& text, BadRows* bad = nullptr);
const std::vector<AnswerMeasure>& judged_measures();

}  // namespace ragline
