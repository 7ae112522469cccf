#pragma once
#include <map>
#include <span>
#include <string>

#include "eval/answer_input.h"

// RGB's four abilities (Chen et al., "Benchmarking Large Language Models in Retrieval-Augmented
// Generation", AAAI 2024), by the rules of its own scorer:
//   * an answer that holds "insufficient information" or 信息不足 is a rejection;
//   * else each item of the gold answer must stand in it, by substring, in lower case, with one of
//     its alternatives (of Chinese questions the answer's blanks are dropped first);
//   * an answer that holds "factual errors" or 事实性错误 has found the falsified passages out.
// Which ability a row measures follows from its files: rows with a false answer (*_fact.json) are
// counterfactual, rows with answer1 and answer2 (*_int.json) are information integration, the
// others are noise robustness, and negative rejection where the answer's noise_rate is 1.
namespace ragline {

struct RgbScore {
  std::size_t answers = 0;
  std::size_t right = 0;
  double share() const {
    return answers ? static_cast<double>(right) / static_cast<double>(answers) : 0;
  }
};

struct RgbReport {
  std::map<double, RgbScore> noise_robustness;  // by noise rate below 1; 0 where none is given
  RgbScore negative_rejection;
  RgbScore information_integration;
  RgbScore counterfactual_accuracy;  // right although the passages are falsified
  RgbScore error_detection;          // ED
  RgbScore error_correction;         // CR: of those detected, the share that is right as well
  std::size_t missing = 0;           // cases without an answer; they count as wrong
};

// Of the cases that are RGB's; the answers in any order.
RgbReport score_rgb(std::span<const AnswerCase> cases, std::span<const GivenAnswer> answers);

}  // namespace ragline
