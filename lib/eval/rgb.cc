#include "eval/rgb.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "analysis/characters.h"
#include "analysis/fold.h"
#include "core/text.h"

namespace ragline {

namespace {

struct Verdict {
  bool rejected = false, right = false, detected = false;
};

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool is_chinese(std::string_view text) {
  for (std::size_t at = 0; at < text.size();)
    if (is_cjk(decode(text, at))) return true;
  return false;
}

Verdict judge(const AnswerCase& gold, std::string answer) {
  if (is_chinese(gold.query)) std::erase(answer, ' ');
  Verdict out;
  // Its own scorer looks for the marks before it lowers the case; "Insufficient information" at
  // the start of an answer is one all the same.
  answer = ascii_lower(answer);
  out.detected = has(answer, "factual errors") || has(answer, "事实性错误");
  out.rejected = has(answer, "insufficient information") || has(answer, "信息不足");
  out.right = !out.rejected && !gold.items.empty() &&
              std::ranges::all_of(gold.items, [&](const Aliases& item) {
                return std::ranges::any_of(item, [&](const std::string& alias) {
                  return has(answer, ascii_lower(alias));
                });
              });
  return out;
}

void count(RgbScore& score, bool right) {
  ++score.answers;
  score.right += right;
}

}  // namespace

RgbReport score_rgb(std::span<const AnswerCase> cases, std::span<const GivenAnswer> answers) {
  std::unordered_map<std::string_view, std::vector<const GivenAnswer*>> by_query;
  for (const GivenAnswer& answer : answers) by_query[answer.query_id].push_back(&answer);
  static const GivenAnswer kNone;
  RgbReport report;
  for (const AnswerCase& gold : cases) {
    if (!gold.rgb) continue;
    auto found = by_query.find(gold.query_id);
    if (found == by_query.end()) {
      ++report.missing;
      found = by_query.emplace(gold.query_id, std::vector{&kNone}).first;
    }
    for (const GivenAnswer* answer : found->second) {
      const Verdict verdict = judge(gold, answer->answer);
      const double rate = answer->noise_rate.value_or(0);
      if (!gold.fake.empty()) {
        count(report.counterfactual_accuracy, verdict.right);
        count(report.error_detection, verdict.detected);
        if (verdict.detected) count(report.error_correction, verdict.right);
      } else if (gold.rgb_integration) {
        count(report.information_integration, verdict.right);
      } else if (rate >= 1) {
        // As its scorer has it, a right answer from noise alone counts here too.
        count(report.negative_rejection, verdict.rejected || verdict.right);
      } else {
        count(report.noise_robustness[rate], verdict.right);
      }
    }
  }
  return report;
}

}  // namespace ragline
