#pragma once
#include <string_view>

#include "eval/answer_text.h"

// How much two texts have in common. All results are shares from 0 to 1.
namespace ragline {

struct PrecisionRecall {
  double precision = 0, recall = 0;
  double f1() const {
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
  }
};

// Tokens as bags: each occurrence of the reference is matched once. Both empty is 1, as SQuAD 2 has
// it for questions without an answer; one empty is 0. O(n log n).
PrecisionRecall token_overlap(const Tokens& found, const Tokens& reference);

// Whether `needle` stands in `text` as consecutive tokens; an empty needle does not. "7" is not in
// "1976", as it would be by substring. O(n + m).
bool contains_tokens(const Tokens& text, const Tokens& needle);

// ROUGE (Lin 2004) over word_tokens. N-grams as bags; ROUGE-L by the longest common subsequence of
// the whole texts (rouge_score's rougeL). Texts shorter than n have no overlap: 0.
PrecisionRecall rouge_n(const Tokens& found, const Tokens& reference, std::size_t n);
PrecisionRecall rouge_l(const Tokens& found, const Tokens& reference);

// Length of the longest common subsequence, 64 tokens of `a` at a time (Hyyro 2004):
// O(|a| / 64 * |b|).
std::size_t longest_common_subsequence(const Tokens& a, const Tokens& b);

// chrF2 (Popovic 2015) as sacreBLEU 2 computes it with its defaults: n-grams of 1 to 6 code points
// without white space, case kept, beta 2, precision and recall averaged over the orders that both
// texts have. sacreBLEU prints it times 100.
double chrf(std::string_view found, std::string_view reference);

}  // namespace ragline
