#include "eval/failures.h"

#include <algorithm>
#include <array>

#include "core/text.h"
#include "eval/citations.h"
#include "eval/json_rows.h"
#include "record/object.h"

namespace ragline {

namespace {

bool holds(const std::vector<Passage>& passages, const EvidenceSpan& gold) {
  return std::ranges::any_of(passages, [&](const Passage& passage) {
    const bool same = !gold.evidence_id.empty() && passage.span.evidence_id == gold.evidence_id;
    return same || overlap_of(passage.span, gold) == Overlap::kYes;
  });
}

// The first piece of gold evidence that the stage does not hold.
const EvidenceSpan* lost_in(const std::vector<Passage>& stage,
                            const std::vector<EvidenceSpan>& gold) {
  const auto lost =
      std::ranges::find_if(gold, [&](const EvidenceSpan& piece) { return !holds(stage, piece); });
  return lost == gold.end() ? nullptr : &*lost;
}

Failure context_failure(const PipelineStages& stages, const EvidenceSpan& lost) {
  if (!stages.dropped) return Failure::kContextOther;
  for (const auto& [id, reason] : *stages.dropped) {
    if (overlap_of(span_of_id(id), lost) != Overlap::kYes) continue;
    if (reason.find("dup") != reason.npos) return Failure::kContextDuplicate;
    for (const std::string_view word : {"budget", "token", "limit", "room", "trunc", "size"})
      if (reason.find(word) != reason.npos) return Failure::kContextTruncated;
  }
  return Failure::kContextOther;
}

bool is_right(const PipelineStages& stages) {
  const AnswerCase& gold = *stages.gold_case;
  if (gold.items.empty()) return true;
  for (const AnswerScore& score : score_answer(gold, stages.given).scores)
    if (score.measure == "contains") return score.value == 1;
  return false;
}

bool in_the_middle(const std::vector<Passage>& context, const std::vector<EvidenceSpan>& gold) {
  const std::size_t n = context.size();
  if (n < 5) return false;
  return std::ranges::all_of(gold, [&](const EvidenceSpan& piece) {
    for (std::size_t i = 0; i < n; ++i)
      if (holds({context[i]}, piece) && (i < n / 3 || i >= n - n / 3)) return false;
    return true;
  });
}

bool cites_gold(const PipelineStages& stages) {
  CitedAnswer input;
  input.answer = stages.given->answer;
  input.citations = stages.given->citations;
  input.context = stages.context;
  input.gold = &stages.gold;
  return check_citations(input).gold_cited > 0;
}

}  // namespace

const char* failure_name(Failure failure) {
  constexpr std::array<const char*, 11> names = {
      "none",          "retrieval",     "selection",  "context_truncated", "context_duplicate",
      "context_other", "context_order", "generation", "citation",          "refusal",
      "made_up"};
  return names[static_cast<std::size_t>(failure)];
}

Diagnosis diagnose(const PipelineStages& stages) {
  const Refusal refusal =
      stages.given ? (stages.given->refused
                          ? (*stages.given->refused ? Refusal::kRefused : Refusal::kAnswered)
                          : refusal_of(stages.given->answer))
                   : Refusal::kAnswered;
  if (stages.gold_case->unanswerable)
    return {stages.given && refusal != Refusal::kRefused ? Failure::kMadeUp : Failure::kNone,
            std::nullopt};
  if (stages.retrieved)
    if (const auto* lost = lost_in(*stages.retrieved, stages.gold))
      return {Failure::kRetrieval, *lost};
  if (stages.selected)
    if (const auto* lost = lost_in(*stages.selected, stages.gold))
      return {Failure::kSelection, *lost};
  if (stages.context)
    if (const auto* lost = lost_in(*stages.context, stages.gold))
      return {context_failure(stages, *lost), *lost};
  if (!stages.given) return {};
  if (refusal == Refusal::kRefused) return {Failure::kRefusal, std::nullopt};
  if (!is_right(stages)) {
    const bool middle =
        stages.context && !stages.gold.empty() && in_the_middle(*stages.context, stages.gold);
    return {middle ? Failure::kContextOrder : Failure::kGeneration, std::nullopt};
  }
  if (!stages.gold.empty() && !cites_gold(stages)) return {Failure::kCitation, std::nullopt};
  return {};
}

Result<DropReasons> parse_drop_reasons(const InputText& text, BadRows* bad) {
  DropReasons out;
  const auto take = [&](std::string_view row, RowFault&) -> Status {
    RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row));
    const Field* dropped = members.find("dropped");
    if (!dropped) return {};
    std::string query;
    RAGLINE_CHECK(members.id({"query_id"}, query));
    RAGLINE_TRY(const auto values, json_elements(dropped->raw));
    std::map<std::string, std::string> reasons;
    for (const std::string_view value : values) {
      RAGLINE_TRY(const JsonMembers one, JsonMembers::parse(value));
      std::string id, reason;
      RAGLINE_CHECK(one.text({"evidence_id"}, id));
      RAGLINE_CHECK(one.text({"reason"}, reason));
      if (!id.empty()) reasons[id] = ascii_lower(reason);
    }
    out[query].merge(reasons);
    return {};
  };
  RAGLINE_CHECK(each_json_row(text, bad, take));
  return out;
}

}  // namespace ragline
