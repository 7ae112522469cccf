#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/answer_input.h"
#include "eval/refusal.h"

// How well answers fit gold answers, without a model: what the words show.
namespace ragline {

// One measure of one answer. The names, with range and meaning, are in answer_measures().
struct AnswerScore {
  std::string_view measure;
  double value = 0;
};

struct AnswerMeasure {
  std::string_view name;
  std::string_view applies;  // to which cases
  std::string_view meaning;
  std::string_view source;
};
// In the order of output; all range from 0 to 1 (crag from -1) and higher is better.
const std::vector<AnswerMeasure>& answer_measures();

struct ScoredAnswer {
  std::string query_id;
  bool missing = false;  // there was no row for the case; scored as an empty answer
  Refusal refusal = Refusal::kAnswered;
  std::vector<AnswerScore> scores;  // those that apply
};

struct AnswerOptions {
  double tolerance = 0;  // of numeric, relative
};

// Of a case without a gold answer only refusal_right applies. The best alias counts.
ScoredAnswer score_answer(const AnswerCase& gold, const GivenAnswer* given,
                          const AnswerOptions& options = {});

// CRAG's score (Yang et al. 2024): correct 1, missing 0, wrong -1, by the rules of its evaluation
// script: the answer is cut to 75 words; a reply equal to a gold answer (case and outer blanks
// aside) or "invalid" to an "invalid" question is correct; one that holds "i don't know" is
// missing. What these rules leave open the script gives to a model: here the row's `correct` says
// it, and where it does not, the answer counts as wrong and the score is a lower bound.
enum class CragVerdict { kCorrect, kMissing, kWrong, kOpen };
CragVerdict crag_verdict(const AnswerCase& gold, const GivenAnswer* given);
double crag_value(CragVerdict verdict);

}  // namespace ragline
