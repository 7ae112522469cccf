#include "eval/trajectory.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/text.h"
#include "corpus/glob.h"
#include "record/object.h"

namespace ragline {

namespace {

constexpr std::string_view kEvery = "all trajectories";
constexpr std::string_view kGold = "cases with gold evidence";

Status read_spans(const JsonMembers& members, std::string_view name,
                  std::vector<EvidenceSpan>& out) {
  const Field* field = members.find(name);
  if (!field) return {};
  if (!field->raw.starts_with('[')) {
    RAGLINE_TRY(out.emplace_back(), read_evidence_span(field->raw));
    return {};
  }
  RAGLINE_TRY(const auto values, json_elements(field->raw));
  for (const std::string_view value : values) {
    RAGLINE_TRY(out.emplace_back(), read_evidence_span(value));
  }
  return {};
}

bool shows(const Call& call, const EvidenceSpan& gold) {
  return std::ranges::any_of(call.evidence, [&](const SeenEvidence& seen) {
    return overlap_of(seen.span, gold) == Overlap::kYes;
  });
}

// The share of the gold lines that were shown; nullopt where places have no lines.
std::optional<double> line_recall(const Trajectory& trajectory,
                                  const std::vector<EvidenceSpan>& gold) {
  std::uint64_t all = 0, seen = 0;
  for (const EvidenceSpan& piece : gold) {
    if (!piece.lines) return std::nullopt;
    std::vector<LineSpan> parts;
    for (const Call& call : trajectory.calls)
      for (const SeenEvidence& shown : call.evidence) {
        if (shown.span.document_id != piece.document_id || !shown.span.lines) continue;
        const LineSpan part{std::max(shown.span.lines->first, piece.lines->first),
                            std::min(shown.span.lines->last, piece.lines->last)};
        if (part.first <= part.last) parts.push_back(part);
      }
    std::ranges::sort(parts, {}, &LineSpan::first);
    std::uint64_t covered = piece.lines->first - 1;  // the last line that was counted
    for (const LineSpan& part : parts) {
      if (part.last <= covered) continue;
      seen += part.last - std::max(covered, part.first - 1);
      covered = part.last;
    }
    all += piece.lines->last - piece.lines->first + 1;
  }
  return all ? std::optional(static_cast<double>(seen) / static_cast<double>(all)) : std::nullopt;
}

class Scorer {
 public:
  Scorer(const Trajectory& trajectory, const TrajectoryCase* gold)
      : trajectory_(trajectory), gold_(gold) {}

  TrajectoryReport run() {
    effort();
    times();
    if (gold_ && !gold_->gold.empty()) evidence();
    if (gold_ && !gold_->root_cause.empty())
      add("root_cause_hit", std::ranges::any_of(gold_->root_cause,
                                                [&](const EvidenceSpan& cause) {
                                                  return first_call(cause) <
                                                         trajectory_.calls.size();
                                                })
                                ? 1
                                : 0);
    freshness();
    if (gold_) limits();
    return std::move(report_);
  }

 private:
  void add(std::string_view measure, double value) { report_.scores.push_back({measure, value}); }

  template <class Amount>
  double sum(Amount amount) const {
    double total = 0;
    for (const Call& call : trajectory_.calls) total += static_cast<double>(amount(call));
    return total;
  }

  // The place of the first call that shows the evidence; the number of calls when none does.
  std::size_t first_call(const EvidenceSpan& gold) const {
    const auto found = std::ranges::find_if(trajectory_.calls,
                                            [&](const Call& call) { return shows(call, gold); });
    return static_cast<std::size_t>(found - trajectory_.calls.begin());
  }

  void effort() {
    std::set<std::pair<std::string_view, std::string_view>> made;
    std::set<std::uint64_t> rounds;
    double errors = 0, repeats = 0, ineffective = 0;
    for (const Call& call : trajectory_.calls) {
      const bool failed = !call.error.empty();
      const bool repeated = call.kind != CallKind::kModel && !call.arguments.empty() &&
                            !made.emplace(call.tool, call.arguments).second;
      errors += failed;
      repeats += repeated;
      ineffective += failed || repeated || call.hits == 0u;
      if (call.round) rounds.insert(*call.round);
    }
    const auto calls = static_cast<double>(trajectory_.calls.size());
    add("calls", calls);
    add("rounds", rounds.empty() ? calls : static_cast<double>(rounds.size()));
    add("errors", errors);
    add("repeats", repeats);
    add("ineffective", calls > 0 ? ineffective / calls : 0);
    add("bytes_scanned", sum([](const Call& call) { return call.bytes_scanned; }));
    add("files", sum([](const Call& call) { return call.files; }));
    add("tokens", sum([](const Call& call) { return call.tokens; }));
    add("reasoning_tokens", sum([](const Call& call) { return call.reasoning_tokens; }));
  }

  void times() {
    struct Part {
      std::string_view elapsed, cost;
      CallKind kind;
    };
    constexpr std::array<Part, 4> kParts = {
        {{"elapsed_ms_tools", "cost_tools", CallKind::kTool},
         {"elapsed_ms_scanning", "cost_scanning", CallKind::kScan},
         {"elapsed_ms_reading", "cost_reading", CallKind::kRead},
         {"elapsed_ms_model", "cost_model", CallKind::kModel}}};
    const auto of = [&](auto amount, auto belongs) {
      return sum([&](const Call& call) { return belongs(call) ? amount(call) : 0.0; });
    };
    const auto elapsed = [](const Call& call) { return call.elapsed_ms; };
    const auto cost = [](const Call& call) { return call.cost; };
    add("elapsed_ms", sum(elapsed));
    for (const Part& part : kParts)
      add(part.elapsed,
          of(elapsed, [&](const Call& call) { return call.kind == part.kind && !call.retry; }));
    add("elapsed_ms_retries", of(elapsed, [](const Call& call) { return call.retry; }));
    add("cost", sum(cost));
    for (const Part& part : kParts)
      add(part.cost, of([](const Call& call) { return call.cost * (1 - reasoning_share(call)); },
                        [&](const Call& call) { return call.kind == part.kind && !call.retry; }));
    add("cost_reasoning", of([](const Call& call) { return call.cost * reasoning_share(call); },
                             [](const Call& call) { return !call.retry; }));
    add("cost_retries", of(cost, [](const Call& call) { return call.retry; }));
  }

  static double reasoning_share(const Call& call) {
    if (call.kind != CallKind::kModel || call.tokens == 0) return 0;
    return std::min(1.0,
                    static_cast<double>(call.reasoning_tokens) / static_cast<double>(call.tokens));
  }

  void evidence() {
    std::size_t found = 0, first = trajectory_.calls.size();
    for (const EvidenceSpan& piece : gold_->gold) {
      const std::size_t call = first_call(piece);
      found += call < trajectory_.calls.size();
      first = std::min(first, call);
    }
    if (first < trajectory_.calls.size()) {
      double elapsed = 0;
      for (std::size_t i = 0; i <= first; ++i) elapsed += trajectory_.calls[i].elapsed_ms;
      add("calls_to_evidence", static_cast<double>(first + 1));
      add("ms_to_evidence", elapsed);
    }
    const auto pieces = static_cast<double>(gold_->gold.size());
    add("evidence_recall", static_cast<double>(found) / pieces);
    if (const auto lines = line_recall(trajectory_, gold_->gold)) add("line_recall", *lines);
    const double hops = gold_->required_hops ? static_cast<double>(*gold_->required_hops) : pieces;
    if (hops > 0) add("hop_coverage", std::min(1.0, static_cast<double>(found) / hops));
  }

  void freshness() {
    std::optional<double> lag;
    for (const Call& call : trajectory_.calls)
      for (const SeenEvidence& seen : call.evidence)
        if (seen.lag_s) lag = std::max(lag.value_or(0), *seen.lag_s);
    if (lag) add("index_lag_s", *lag);
  }

  void limits() {
    const auto value = [&](std::string_view measure) {
      return std::ranges::find(report_.scores, measure, &AnswerScore::measure)->value;
    };
    const std::pair<std::string_view, std::optional<double>> budget[] = {
        {"calls", gold_->most_calls},           {"bytes_scanned", gold_->most_bytes},
        {"files", gold_->most_files},           {"tokens", gold_->most_tokens},
        {"elapsed_ms", gold_->most_elapsed_ms}, {"cost", gold_->most_cost}};
    bool limited = false;
    for (const auto& [measure, most] : budget) {
      limited = limited || most.has_value();
      if (most && value(measure) > *most) report_.over_budget.emplace_back(measure);
    }
    if (limited) add("over_budget", report_.over_budget.empty() ? 0 : 1);
    if (gold_->allowed_scope.empty()) return;
    const PathGlobs scope(gold_->allowed_scope);
    std::set<std::string> outside;
    for (const Call& call : trajectory_.calls)
      for (const SeenEvidence& seen : call.evidence)
        if (!scope.keeps(seen.span.document_id)) outside.insert(seen.span.document_id);
    report_.out_of_scope.assign(outside.begin(), outside.end());
    add("out_of_scope", static_cast<double>(outside.size()));
  }

  const Trajectory& trajectory_;
  const TrajectoryCase* gold_;
  TrajectoryReport report_;
};

}  // namespace

Result<TrajectoryCase> trajectory_case(std::string_view row) {
  TrajectoryCase out;
  if (row.empty()) return out;
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row));
  RAGLINE_CHECK(read_spans(members, "gold_evidence", out.gold));
  RAGLINE_CHECK(read_spans(members, "root_cause", out.root_cause));
  RAGLINE_CHECK(members.count("required_hops", out.required_hops));
  if (const Field* scope = members.find("allowed_scope"); scope && scope->raw.starts_with('"')) {
    RAGLINE_CHECK(read_text(*scope, out.allowed_scope.emplace_back()));
  } else if (scope && scope->raw.starts_with('[')) {
    RAGLINE_CHECK(read_list(*scope, out.allowed_scope));
  }
  const Field* field = members.find("budget");
  if (!field) return out;
  RAGLINE_TRY(const JsonMembers budget, JsonMembers::parse(field->raw));
  RAGLINE_CHECK(budget.number("calls", out.most_calls));
  RAGLINE_CHECK(budget.number("bytes_scanned", out.most_bytes));
  RAGLINE_CHECK(budget.number("files", out.most_files));
  RAGLINE_CHECK(budget.number("tokens", out.most_tokens));
  RAGLINE_CHECK(budget.number("elapsed_ms", out.most_elapsed_ms));
  RAGLINE_CHECK(budget.number("cost", out.most_cost));
  return out;
}

TrajectoryReport score_trajectory(const Trajectory& trajectory, const TrajectoryCase* gold) {
  return Scorer(trajectory, gold).run();
}

const std::vector<AnswerMeasure>& trajectory_measures() {
  static const std::vector<AnswerMeasure> measures = {
      {"calls", kEvery, "calls of tools and models", ""},
      {"rounds", kEvery, "turns of the agent; calls where none are told", ""},
      {"errors", kEvery, "calls that failed", ""},
      {"repeats", kEvery, "calls of a tool with arguments that it had before", ""},
      {"ineffective", kEvery, "share of calls that failed, repeated or found nothing", ""},
      {"bytes_scanned", kEvery, "bytes looked at", ""},
      {"files", kEvery, "files looked at", ""},
      {"tokens", kEvery, "tokens of models", ""},
      {"reasoning_tokens", kEvery, "of these, tokens of reasoning", ""},
      {"elapsed_ms", kEvery, "time of all calls", ""},
      {"elapsed_ms_tools", kEvery, "of tools that neither scan nor read", ""},
      {"elapsed_ms_scanning", kEvery, "of scans", ""},
      {"elapsed_ms_reading", kEvery, "of reads", ""},
      {"elapsed_ms_model", kEvery, "of models", ""},
      {"elapsed_ms_retries", kEvery, "of retries, which count in none of the other parts", ""},
      {"cost", kEvery, "cost of all calls", ""},
      {"cost_tools", kEvery, "of tools that neither scan nor read", ""},
      {"cost_scanning", kEvery, "of scans", ""},
      {"cost_reading", kEvery, "of reads", ""},
      {"cost_model", kEvery, "of models, without reasoning", ""},
      {"cost_reasoning", kEvery, "of models, by the share of reasoning among their tokens", ""},
      {"cost_retries", kEvery, "of retries, which count in none of the other parts", ""},
      {"calls_to_evidence", "trajectories that found some", "calls up to the first gold evidence",
       ""},
      {"ms_to_evidence", "trajectories that found some", "time up to the first gold evidence", ""},
      {"evidence_recall", kGold, "share of gold evidence that some call showed", ""},
      {"line_recall", "gold evidence with lines", "share of gold lines that some call showed", ""},
      {"hop_coverage", kGold, "pieces of gold evidence found, of the hops that are needed", ""},
      {"root_cause_hit", "cases with root_cause", "some call showed the root cause", ""},
      {"index_lag_s", "evidence with indexed_at and modified_at",
       "seconds by which the index was behind, at worst", ""},
      {"over_budget", "cases with budget", "some limit was passed", ""},
      {"out_of_scope", "cases with allowed_scope", "documents shown that the case does not allow",
       ""},
  };
  return measures;
}

bool is_amount(std::string_view measure) {
  return measure.starts_with("elapsed_ms") || measure.starts_with("cost") || measure == "tokens" ||
         measure == "bytes_scanned" || measure == "ms_to_evidence";
}

}  // namespace ragline
