#include "eval/claims.h"

#include <algorithm>

namespace ragline {

namespace {

std::optional<double> share(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::size_t count(const Verdicts& verdicts) {
  return static_cast<std::size_t>(std::ranges::count(verdicts, true));
}

bool any(const Verdicts& row) { return std::ranges::find(row, true) != row.end(); }

// Whether some chunk of those marked entails the claim.
bool any_of_marked(const Verdicts& row, const Verdicts& marked, bool mark) {
  for (std::size_t chunk = 0; chunk < row.size() && chunk < marked.size(); ++chunk)
    if (row[chunk] && marked[chunk] == mark) return true;
  return false;
}

}  // namespace

ClaimScores score_claims(const ClaimChecks& checks) {
  ClaimScores out;
  const Verdicts& right = checks.gold_entails_response;
  out.precision = share(count(right), right.size());
  out.recall = share(count(checks.response_entails_gold), checks.response_entails_gold.size());
  if (out.precision && out.recall)
    out.f1 = *out.precision + *out.recall > 0
                 ? 2 * *out.precision * *out.recall / (*out.precision + *out.recall)
                 : 0;

  std::size_t chunks = 0;
  for (const auto* matrix : {&checks.chunks_entail_gold, &checks.chunks_entail_response})
    for (const Verdicts& row : *matrix) chunks = std::max(chunks, row.size());
  Verdicts relevant(chunks);
  std::size_t recalled = 0, used = 0;
  for (std::size_t claim = 0; claim < checks.chunks_entail_gold.size(); ++claim) {
    const Verdicts& row = checks.chunks_entail_gold[claim];
    for (std::size_t chunk = 0; chunk < row.size(); ++chunk)
      relevant[chunk] = relevant[chunk] || row[chunk];
    if (!any(row)) continue;
    ++recalled;
    used += claim < checks.response_entails_gold.size() && checks.response_entails_gold[claim];
  }
  if (!checks.chunks_entail_gold.empty()) {
    out.claim_recall = share(recalled, checks.chunks_entail_gold.size());
    out.context_precision = share(count(relevant), chunks);
    if (!checks.response_entails_gold.empty())
      out.context_utilization = recalled > 0 ? share(used, recalled) : 0;
  }

  if (checks.chunks_entail_response.empty()) return out;
  std::size_t from_relevant = 0, from_irrelevant = 0, made_up = 0, known = 0, faithful = 0;
  for (std::size_t claim = 0; claim < checks.chunks_entail_response.size(); ++claim) {
    const Verdicts& row = checks.chunks_entail_response[claim];
    const bool is_right = claim < right.size() && right[claim];
    const bool in_relevant = any_of_marked(row, relevant, true);
    const bool in_irrelevant = !in_relevant && any_of_marked(row, relevant, false);
    from_relevant += in_relevant && !is_right;
    from_irrelevant += in_irrelevant && !is_right;
    faithful += any(row);
    made_up += !any(row) && !is_right;
    known += !any(row) && is_right;
  }
  const std::size_t claims = checks.chunks_entail_response.size();
  out.faithfulness = share(faithful, claims);
  if (right.empty()) return out;  // which claims are wrong is not known
  out.hallucination = share(made_up, claims);
  out.self_knowledge = share(known, claims);
  if (checks.chunks_entail_gold.empty()) return out;  // nor which chunks are relevant
  out.noise_sensitivity_relevant = share(from_relevant, claims);
  out.noise_sensitivity_irrelevant = share(from_irrelevant, claims);
  return out;
}

std::optional<double> answer_correctness(const ClaimChecks& checks, double similarity) {
  const auto right = static_cast<double>(std::ranges::count(checks.gold_entails_response, true));
  const auto claims = static_cast<double>(checks.gold_entails_response.size());
  const auto missing = static_cast<double>(std::ranges::count(checks.response_entails_gold, false));
  if (checks.gold_entails_response.empty() && checks.response_entails_gold.empty())
    return std::nullopt;
  return 0.75 * right / (right + (claims - right + missing) / 2) + 0.25 * similarity;
}

AlceScore score_alce(const std::vector<CitedSentence>& sentences) {
  std::size_t supported = 0, citations = 0, needed = 0;
  for (const CitedSentence& sentence : sentences) {
    citations += sentence.citations;
    if (sentence.citations == 0 || !sentence.in_range || !sentence.all_entail) continue;
    ++supported;
    if (sentence.citations == 1) {
      ++needed;
      continue;
    }
    for (std::size_t i = 0; i < sentence.citations; ++i)
      needed += (i < sentence.alone.size() && sentence.alone[i]) ||
                !(i < sentence.without.size() && sentence.without[i]);
  }
  return {share(supported, sentences.size()).value_or(0), share(needed, citations).value_or(0)};
}

double context_precision(const Verdicts& relevant_by_rank) {
  double sum = 0, seen = 0;
  for (std::size_t rank = 0; rank < relevant_by_rank.size(); ++rank) {
    if (!relevant_by_rank[rank]) continue;
    ++seen;
    sum += seen / static_cast<double>(rank + 1);
  }
  return seen > 0 ? sum / seen : 0;
}

}  // namespace ragline
