#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/input.h"

// Gold answers and given answers, from files.
//
// Read from, told apart by their first bytes:
//   records    `case` and `answer` (DESIGN.md, section 2); other types are passed over
//   JSON rows  without a type: the query under query_id, id, _id or qid; the text under answer,
//              prediction, response or output (gold: expected_answer, answer, answers, gold)
//   RGB rows   JSON rows with `positive` and `negative` (rgb.h)
//   TSV        query<TAB>answer; in a gold file further columns are aliases
//   JSON       one object whose members are such rows by query id, as MultiHop-RAG has them
//   and packed forms of these (input.h).
namespace ragline {

// What an answer has to say: the alternatives of one fact.
using Aliases = std::vector<std::string>;

struct AnswerCase {
  std::string query_id, query;
  // One item for an ordinary question, more where a list is asked for: all of them count. A gold
  // string is one item; a list of strings is one item with aliases; a list of lists is a list of
  // items. (In RGB rows a list of strings is a list of items, as its own scorer has it.)
  std::vector<Aliases> items;
  bool unanswerable = false;
  std::string row;         // the JSON as it came, for group-by; empty in TSV
  std::uint64_t line = 0;  // on which it begins, from 1
  // RGB only: the answer that the falsified passages give, and whether two facts are asked for.
  Aliases fake;
  bool rgb = false, rgb_integration = false;
};

struct GivenAnswer {
  std::string query_id, answer;
  std::vector<std::string> items;    // where the answer came as a JSON list
  std::optional<bool> refused;       // the record's word
  std::optional<bool> correct;       // a judge's word: true or false, 1 or 0
  std::optional<double> noise_rate;  // RGB's result files: share of passages that are noise
  std::vector<std::string> citations;
  std::string row;
};

// Errors: those of InputText::open; kData "file:line: what: remedy" for a fault, a row without a
// query id, a query id twice, no row at all. A given answer may be null or absent: that is empty.
Result<std::vector<AnswerCase>> read_cases(const std::string& path, BadRows* bad = nullptr);
Result<std::vector<AnswerCase>> parse_cases(const InputText& text, BadRows* bad = nullptr);
Result<std::vector<GivenAnswer>> read_answers(const std::string& path, BadRows* bad = nullptr);
Result<std::vector<GivenAnswer>> parse_answers(const InputText& text, BadRows* bad = nullptr);

}  // namespace ragline
