#include "eval/ranking.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/hash.h"
#include "core/text.h"

namespace ragline {

std::uint64_t Ranking::tied_pairs() const {
  std::uint64_t pairs = 0;
  for (const TieGroup& group : ties) pairs += group.end - group.begin - 1;
  return pairs;
}

bool Ranking::tie_straddles(std::size_t k) const {
  const auto group = std::ranges::upper_bound(ties, k, {}, &TieGroup::end);
  return group != ties.end() && group->begin < k;
}

Result<const Ranking*> Ranker::rank(const JudgedQuery& judged, const Run& run,
                                    const Run::Query* query) {
  RAGLINE_CHECK(look_up(judged, run, query));
  order();
  if (ranked_.size() > options_.most_hits) ranked_.resize(options_.most_hits);
  fill(judged);
  ranking_.tag = run.tag();
  return &ranking_;
}

Status Ranker::check(const Run& run, const Run::Query& query) {
  // trec_eval does not look for documents that come twice where it does not measure.
  if (options_.dialect != Dialect::kOurs) return run.read(query, hits_);
  return look_up({query.id, {}, 0, 0}, run, &query);
}

Ranker::Slot& Ranker::find(std::string_view document, const JudgedQuery& judged) {
  const std::uint64_t hash = hash64(document);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.index == 0) {
      slot.hash = hash;
      return slot;
    }
    if (slot.hash != hash) continue;
    const std::size_t index = slot.index - 1, count = judged.judgements.size();
    const std::string_view there =
        index < count ? judged.judgements[index].document : hits_[index - count].document;
    if (there == document) return slot;
  }
}

// Judgements first, each document under the first of its judgements; then the hits, so that a
// document that comes twice finds itself, or its judgement taken.
Status Ranker::look_up(const JudgedQuery& judged, const Run& run, const Run::Query* query) {
  hits_.clear();
  ranked_.clear();
  if (query) RAGLINE_CHECK(run.read(*query, hits_));
  const std::size_t count = judged.judgements.size();
  if (options_.dialect != Dialect::kOurs)
    if (const Judgement* twice = Qrels::duplicate(judged))
      return fail(ErrorKind::kData,
                  cat("document '", twice->document, "' is judged twice for query '", judged.id,
                      "': keep one of the lines"));
  slots_.assign(std::bit_ceil(2 * (count + hits_.size()) + 1), {});
  for (std::size_t i = 0; i < count; ++i) {
    Slot& slot = find(judged.judgements[i].document, judged);
    if (slot.index == 0) slot.index = static_cast<std::uint32_t>(i + 1);
  }
  taken_.assign(count, false);
  ranked_.reserve(hits_.size());
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    Slot& slot = find(hits_[i].document, judged);
    const bool is_judged = slot.index > 0 && slot.index <= count;
    if (is_judged ? taken_[slot.index - 1] : slot.index > 0) {
      RAGLINE_CHECK(run.fault(RowFault::kDuplicate, hits_[i],
                              cat("document '", hits_[i].document, "' is there twice for query '",
                                  judged.id, "': keep its best line")));
      continue;
    }
    if (is_judged)
      taken_[slot.index - 1] = true;
    else
      slot.index = static_cast<std::uint32_t>(count + i + 1);
    ranked_.push_back({hits_[i], is_judged ? slot.index : 0});
  }
  return {};
}

void Ranker::order() {
  // A NaN, which trec_eval's dialects let in, goes last.
  const auto score = [](const Ranked& r) {
    return std::isnan(r.hit.score) ? -HUGE_VAL : r.hit.score;
  };
  const auto by_id = [&](const Ranked& a, const Ranked& b) {
    if (score(a) != score(b)) return score(a) > score(b);
    return a.hit.document > b.hit.document;
  };
  const auto by_rank = [&](const Ranked& a, const Ranked& b) {
    if (score(a) != score(b)) return score(a) > score(b);
    const auto rank_a = parse_integer(a.hit.rank), rank_b = parse_integer(b.hit.rank);
    if (rank_a != rank_b) return rank_a.value_or(INT64_MAX) < rank_b.value_or(INT64_MAX);
    return a.hit.document > b.hit.document;
  };
  const auto by_score = [&](const Ranked& a, const Ranked& b) { return score(a) > score(b); };
  const auto sort = [&](const auto& before) {
    if (!std::ranges::is_sorted(ranked_, before)) std::ranges::stable_sort(ranked_, before);
  };
  switch (options_.ties) {
    case Ties::kDocidDesc:
    case Ties::kExpected:
      return sort(by_id);
    case Ties::kRank:
      return sort(by_rank);
    case Ties::kInput:
      return sort(by_score);
  }
}

// The aspects of a judged document are the groups of its judgements above 0.
void Ranker::note_aspects(const JudgedQuery& judged) {
  groups_.clear();
  for (const Judgement& judgement : judged.judgements)
    if (judgement.grade > 0) groups_.push_back(judgement.group);
  std::ranges::sort(groups_);
  groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
  ranking_.aspect_count = ranking_.hops = static_cast<std::uint32_t>(groups_.size());
  ranking_.judged_aspects.clear();
  ranking_.aspects.assign(ranked_.size(), {});
  aspect_ids_.clear();
  aspect_ids_.reserve(judged.judgements.size());  // so that spans into it stay valid
  std::vector<std::span<const std::uint32_t>> of_judgement(judged.judgements.size());
  for (std::size_t begin = 0; begin < judged.judgements.size();) {
    const std::size_t first_id = aspect_ids_.size();
    std::size_t end = begin;
    for (; end < judged.judgements.size() &&
           judged.judgements[end].document == judged.judgements[begin].document;
         ++end)
      if (judged.judgements[end].grade > 0)
        aspect_ids_.push_back(static_cast<std::uint32_t>(
            std::ranges::lower_bound(groups_, judged.judgements[end].group) - groups_.begin()));
    const auto ids = std::span<const std::uint32_t>(aspect_ids_).subspan(first_id);
    of_judgement[begin] = ids;
    if (!ids.empty()) ranking_.judged_aspects.push_back(ids);
    begin = end;
  }
  for (std::size_t i = 0; i < ranked_.size(); ++i)
    if (ranked_[i].judgement > 0) ranking_.aspects[i] = of_judgement[ranked_[i].judgement - 1];
}

void Ranker::note_evidence(const JudgedQuery& judged) {
  ranking_.aspect_count = judged.evidence;
  ranking_.hops = judged.hops;
  ranking_.relevant = judged.evidence;
  ranking_.unpooled = 0;
  ranking_.ideal.assign(judged.evidence, 1);
  ranking_.aspects.clear();
  ranking_.judged_aspects.clear();
  aspect_ids_.resize(judged.evidence);
  std::iota(aspect_ids_.begin(), aspect_ids_.end(), 0u);
  for (std::size_t i = 0; i < judged.evidence; ++i)
    ranking_.judged_aspects.push_back(std::span<const std::uint32_t>(aspect_ids_).subspan(i, 1));
  std::vector<bool> seen(judged.evidence);
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    bool is_new = false;
    for (const std::uint32_t piece : ranked_[i].hit.evidence) {
      is_new = is_new || !seen[piece];
      seen[piece] = true;
    }
    ranking_.grades[i] = is_new;
    ranking_.relevant_retrieved += is_new;
    ranking_.aspects.push_back(ranked_[i].hit.evidence);
  }
}

void Ranker::fill(const JudgedQuery& judged) {
  const auto grade_of = [&](std::uint32_t judgement) {
    if (judgement == 0) return kUnpooled;
    double grade = judged.judgements[judgement - 1].grade;
    // A document that several subtopics judge has the best of its grades.
    for (std::size_t i = judgement;
         i < judged.judgements.size() &&
         judged.judgements[i].document == judged.judgements[judgement - 1].document;
         ++i)
      grade = std::max(grade, judged.judgements[i].grade);
    return grade < 0 ? kPooledUnjudged : grade;
  };
  if (options_.judged_only && judged.evidence == 0)
    std::erase_if(ranked_, [&](const Ranked& each) { return grade_of(each.judgement) < 0; });
  ranking_.level = options_.level;
  ranking_.collection_size = options_.collection_size;
  ranking_.relevant = ranking_.relevant_retrieved = ranking_.unpooled = ranking_.pooled_unjudged =
      0;
  ranking_.grades.clear();
  ranking_.ideal.clear();
  ranking_.ties.clear();
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    const double grade = grade_of(ranked_[i].judgement);
    ranking_.grades.push_back(grade);
    ranking_.relevant_retrieved += grade >= options_.level && grade >= 0;
    ranking_.unpooled += grade == kUnpooled;
    ranking_.pooled_unjudged += grade == kPooledUnjudged;
    if (i == 0 || ranked_[i].hit.score != ranked_[i - 1].hit.score) continue;
    const auto rank = static_cast<std::uint32_t>(i);
    if (!ranking_.ties.empty() && ranking_.ties.back().end == rank)
      ++ranking_.ties.back().end;
    else
      ranking_.ties.push_back({rank - 1, rank + 1});
  }
  for (std::size_t i = 0; i < judged.judgements.size(); ++i) {
    if (i > 0 && judged.judgements[i].document == judged.judgements[i - 1].document) continue;
    const double grade = grade_of(static_cast<std::uint32_t>(i + 1));
    if (grade >= 0) ranking_.ideal.push_back(grade);
    ranking_.relevant += grade >= options_.level && grade >= 0;
  }
  std::ranges::sort(ranking_.ideal, std::greater());
  if (judged.evidence > 0)
    note_evidence(judged);
  else if (options_.aspects)
    note_aspects(judged);
}

}  // namespace ragline
