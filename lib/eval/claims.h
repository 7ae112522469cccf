#pragma once
#include <optional>
#include <vector>

// Arithmetic over claims that a judge has checked: whether one text entails another's claims.
namespace ragline {

using Verdicts = std::vector<bool>;

// RAGChecker (Ru et al., NeurIPS 2024). Gold is the gold answer, response the given one; matrices
// have a row for each claim and a column for each retrieved chunk.
struct ClaimChecks {
  Verdicts gold_entails_response;            // by response claim (RAGChecker's answer2response)
  Verdicts response_entails_gold;            // by gold claim (response2answer)
  std::vector<Verdicts> chunks_entail_gold;  // by gold claim, then chunk (retrieved2answer)
  std::vector<Verdicts>
      chunks_entail_response;  // by response claim, then chunk (retrieved2response)
};

// Absent where there is nothing to divide by, and where the checks that it needs are not there.
struct ClaimScores {
  std::optional<double> precision, recall, f1;
  std::optional<double> claim_recall;       // gold claims that some chunk entails
  std::optional<double> context_precision;  // chunks that entail some gold claim
  std::optional<double>
      context_utilization;  // of the gold claims in some chunk, those in the response
  // Wrong response claims that a relevant chunk entails; and those that only an irrelevant one
  // does.
  std::optional<double> noise_sensitivity_relevant, noise_sensitivity_irrelevant;
  std::optional<double> hallucination;   // wrong claims that no chunk entails
  std::optional<double> self_knowledge;  // right claims that no chunk entails
  std::optional<double> faithfulness;    // claims that some chunk entails
};
ClaimScores score_claims(const ClaimChecks& checks);

// RAGAS' answer correctness: 3/4 F1 and 1/4 similarity of the answers. F1 = TP / (TP + (FP + FN) /
// 2) of response claims that the gold answer entails (TP) or not (FP), and gold claims that the
// response lacks (FN). nullopt when there is no claim on either side.
std::optional<double> answer_correctness(const ClaimChecks& checks, double similarity);

// ALCE (Gao et al., EMNLP 2023), one sentence of an answer.
struct CitedSentence {
  std::size_t citations = 0;  // those out of range too
  bool in_range = true;       // false: some citation names nothing, and the sentence is unsupported
  bool all_entail = false;    // all cited passages, joined, entail the sentence
  Verdicts alone;             // each alone does; read only where all do and there are several
  Verdicts without;           // all but this one do
};

struct AlceScore {
  double recall = 0;     // sentences whose citations entail them
  double precision = 0;  // citations that are needed: alone enough, or not to be left out
};
// Recall is over sentences, precision over citations; without any it is 0.
AlceScore score_alce(const std::vector<CitedSentence>& sentences);

// RAGAS' context precision: the mean of precision@k over the ranks k that hold something relevant;
// 0 when none does.
double context_precision(const Verdicts& relevant_by_rank);

}  // namespace ragline
