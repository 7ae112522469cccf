#include "eval/prefs.h"

#include <algorithm>
#include <map>

#include "core/text.h"

namespace ragline {

namespace {

struct Placed {
  const Judgement* judgement;
  std::uint32_t place;
};

class Counter {
 public:
  Counter(const JudgedQuery& judged, PreferenceCounts& counts) : judged_(judged), counts_(counts) {}

  Status count(std::vector<RunHit> hits, std::uint64_t most_hits) {
    place(std::move(hits), most_hits);
    counts_.pairs.assign(std::size_t{counts_.judged} * counts_.judged, 0);
    std::ranges::stable_sort(placed_, [](const Placed& a, const Placed& b) {
      if (a.judgement->group != b.judgement->group) return a.judgement->group < b.judgement->group;
      if (a.judgement->subgroup != b.judgement->subgroup)
        return a.judgement->subgroup < b.judgement->subgroup;
      if (a.judgement->grade != b.judgement->grade) return a.judgement->grade > b.judgement->grade;
      return a.place < b.place;
    });
    for (std::size_t begin = 0; begin < placed_.size();) {
      std::size_t end = begin + 1;
      while (end < placed_.size() &&
             placed_[end].judgement->group == placed_[begin].judgement->group)
        ++end;
      const std::span<const Placed> rows = std::span(placed_).subspan(begin, end - begin);
      JudgePreferences& judge = counts_.judges.emplace_back();
      const bool one_set = rows.front().judgement->subgroup == rows.back().judgement->subgroup;
      RAGLINE_CHECK(one_set ? take_classes(rows, judge) : take_sets(rows, judge));
      begin = end;
    }
    return {};
  }

 private:
  void place(std::vector<RunHit> hits, std::uint64_t most_hits) {
    std::ranges::sort(hits, [](const RunHit& a, const RunHit& b) {
      return a.score != b.score ? a.score > b.score : a.document < b.document;
    });
    if (hits.size() > most_hits) hits.resize(most_hits);
    std::map<std::string_view, std::uint32_t> places;
    constexpr std::uint32_t kNowhere = UINT32_MAX;
    for (const Judgement& judgement : judged_.judgements) places[judgement.document] = kNowhere;
    for (const RunHit& hit : hits)
      if (auto found = places.find(hit.document); found != places.end())
        found->second = counts_.retrieved++;
    counts_.judged = counts_.retrieved;
    for (auto& [document, at] : places)
      if (at == kNowhere) at = counts_.judged++;
    for (const Judgement& judgement : judged_.judgements)
      placed_.push_back({&judgement, places[judgement.document]});
  }

  std::uint16_t& pair(std::uint32_t better, std::uint32_t worse) {
    return counts_.pairs[std::size_t{better} * counts_.judged + worse];
  }

  void take_pair(std::uint32_t better, std::uint32_t worse, JudgePreferences& judge) {
    ++pair(better, worse);
    const bool kept = better < worse;
    const std::uint32_t first = std::min(better, worse), last = std::max(better, worse);
    if (last < counts_.retrieved) {
      ++judge.possible;
      judge.kept += kept;
    } else if (first < counts_.retrieved) {
      ++judge.implied_possible;
      judge.implied_kept += kept;
    } else {
      ++judge.unseen;
    }
  }

  void take_level(double level, std::uint32_t at, JudgePreferences& judge) const {
    const bool retrieved = at < counts_.retrieved;
    if (level > 0) {
      ++judge.relevant;
      judge.relevant_retrieved += retrieved;
    } else {
      ++judge.nonrelevant;
      judge.nonrelevant_retrieved += retrieved;
    }
  }

  Status take_classes(std::span<const Placed> rows, JudgePreferences& judge) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 0 || rows[i].judgement->grade != rows[i - 1].judgement->grade)
        judge.classes.emplace_back();
      judge.classes.back().push_back(rows[i].place);
      take_level(rows[i].judgement->grade, rows[i].place, judge);
    }
    for (std::size_t upper = 0; upper < judge.classes.size(); ++upper)
      for (std::size_t lower = upper + 1; lower < judge.classes.size(); ++lower)
        for (const std::uint32_t better : judge.classes[upper])
          for (const std::uint32_t worse : judge.classes[lower]) {
            if (better == worse) return twice(rows, better);
            take_pair(better, worse, judge);
          }
    return {};
  }

  Status take_sets(std::span<const Placed> rows, JudgePreferences& judge) {
    const std::size_t n = counts_.judged;
    judge.preferred.assign(n * n, 0);
    judge.levels.assign(n, -1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double& level = judge.levels[rows[i].place];
      const double here = rows[i].judgement->grade;
      if ((level > 0 && here == 0) || (level == 0 && here > 0))
        return fail(ErrorKind::kData, cat("document '", rows[i].judgement->document,
                                          "' has both level 0 and another for query '", judged_.id,
                                          "': a judge gives it one or the other"));
      level = here;
      for (std::size_t j = i + 1;
           j < rows.size() && rows[j].judgement->subgroup == rows[i].judgement->subgroup; ++j)
        if (rows[j].judgement->grade != here)
          judge.preferred[rows[i].place * n + rows[j].place] = 1;
    }
    // Warshall's closure.
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        if (judge.preferred[i * n + k])
          for (std::size_t j = 0; j < n; ++j)
            judge.preferred[i * n + j] |= judge.preferred[k * n + j];
    for (std::size_t i = 0; i < n; ++i)
      if (judge.preferred[i * n + i]) return twice(rows, static_cast<std::uint32_t>(i));
    for (std::uint32_t i = 0; i < n; ++i) {
      if (judge.levels[i] >= 0) take_level(judge.levels[i], i, judge);
      for (std::uint32_t j = 0; j < n; ++j)
        if (judge.preferred[i * n + j]) take_pair(i, j, judge);
    }
    return {};
  }

  Status twice(std::span<const Placed> rows, std::uint32_t at) const {
    const auto row = std::ranges::find(rows, at, &Placed::place);
    return fail(ErrorKind::kData,
                cat("judge '", row->judgement->group, "' contradicts itself about '",
                    row->judgement->document, "' for query '", judged_.id,
                    "': leave one of the lines out"));
  }

  const JudgedQuery& judged_;
  PreferenceCounts& counts_;
  std::vector<Placed> placed_;
};

struct Share {
  std::uint64_t kept = 0, possible = 0;
  double value() const { return static_cast<double>(kept) / static_cast<double>(possible); }
};

enum class Scope { kAll, kRetrieved, kImplied };

Share share_of(const JudgePreferences& judge, Scope scope) {
  Share share{judge.kept, judge.possible};
  if (scope == Scope::kRetrieved) return share;
  share.kept += judge.implied_kept;
  share.possible += judge.implied_possible;
  if (scope == Scope::kAll) share.possible += judge.unseen;
  return share;
}

// As many nonrelevant documents as relevant ones: fewer are filled up with kept preferences; of
// more only the first count. trec_eval then counts the nonrelevant class against its own beginning
// too, which is kept here, as the figures are to agree.
Share balanced_classes(const JudgePreferences& judge, std::uint32_t retrieved,
                       bool only_retrieved) {
  Share share;
  auto take = [&](std::uint32_t better, std::uint32_t worse) {
    if (only_retrieved && (better >= retrieved || worse >= retrieved)) return;
    ++share.possible;
    share.kept += better < worse && better < retrieved;
  };
  const std::size_t count = judge.classes.size();
  for (std::size_t upper = 0; upper < count; ++upper)
    for (std::size_t lower = upper + 1; lower + 1 < count; ++lower)
      for (const std::uint32_t better : judge.classes[upper])
        for (const std::uint32_t worse : judge.classes[lower]) take(better, worse);
  const auto& last = judge.classes.back();
  const std::uint64_t most = std::min<std::uint64_t>(
      only_retrieved ? judge.relevant_retrieved : judge.relevant, last.size());
  for (const auto& upper : judge.classes)
    for (const std::uint32_t better : upper)
      for (std::size_t i = 0; i < most; ++i) take(better, last[i]);
  return share;
}

Share balanced_sets(const JudgePreferences& judge, std::uint32_t retrieved, bool only_retrieved) {
  const auto n = static_cast<std::uint32_t>(judge.levels.size());
  const std::uint32_t end = only_retrieved ? retrieved : n;
  std::uint32_t first_left_out = 0;
  for (std::uint64_t seen = 0; first_left_out < end; ++first_left_out)
    if (judge.levels[first_left_out] == 0 && ++seen == judge.relevant + 1) break;
  const auto is_left_out = [&](std::uint32_t at) {
    return at >= first_left_out && judge.levels[at] == 0;
  };
  Share share;
  for (std::uint32_t i = 0; i < end; ++i) {
    if (is_left_out(i)) continue;
    for (std::uint32_t j = 0; j < end; ++j) {
      if (is_left_out(j) || !judge.preferred[std::size_t{i} * n + j]) continue;
      ++share.possible;
      share.kept += i < j && i < retrieved;
    }
  }
  return share;
}

Share balanced(const JudgePreferences& judge, std::uint32_t retrieved, bool only_retrieved) {
  const std::uint64_t relevant = only_retrieved ? judge.relevant_retrieved : judge.relevant;
  const std::uint64_t others = only_retrieved ? judge.nonrelevant_retrieved : judge.nonrelevant;
  if (relevant >= others) {
    Share share = share_of(judge, only_retrieved ? Scope::kRetrieved : Scope::kAll);
    share.kept += judge.relevant_retrieved * (relevant - others);
    share.possible += judge.relevant * (relevant - others);
    return share;
  }
  return judge.classes.empty() ? balanced_sets(judge, retrieved, only_retrieved)
                               : balanced_classes(judge, retrieved, only_retrieved);
}

double mean_over_pairs(const PreferenceCounts& counts, Scope scope) {
  double sum = 0;
  std::uint64_t pairs = 0;
  const std::size_t n = counts.judged, retrieved = counts.retrieved;
  auto take = [&](std::size_t i, std::size_t j) {
    const double with = counts.pairs[i * n + j], against = counts.pairs[j * n + i];
    if (with + against == 0) return;
    ++pairs;
    if (i < retrieved) sum += with / (with + against);
  };
  for (std::size_t i = 0; i < retrieved; ++i)
    for (std::size_t j = i + 1; j < retrieved; ++j) take(i, j);
  if (scope != Scope::kRetrieved)
    for (std::size_t i = 0; i < retrieved; ++i)
      for (std::size_t j = retrieved; j < n; ++j) take(i, j);
  if (scope == Scope::kAll)
    for (std::size_t i = retrieved; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) take(i, j);
  return pairs > 0 ? sum / static_cast<double>(pairs) : 0;
}

}  // namespace

Result<PreferenceCounts> count_preferences(const JudgedQuery& judged, std::vector<RunHit> hits,
                                           std::uint64_t most_hits) {
  PreferenceCounts counts;
  RAGLINE_CHECK(Counter(judged, counts).count(std::move(hits), most_hits));
  return counts;
}

double preference_value(std::string_view measure, const PreferenceCounts& counts) {
  std::string_view name = measure.substr(std::string_view("prefs_").size());
  if (name.starts_with("num_prefs_")) {
    std::uint64_t sum = 0;
    for (const JudgePreferences& judge : counts.judges) {
      if (name == "num_prefs_poss") sum += share_of(judge, Scope::kAll).possible;
      if (name == "num_prefs_ful") sum += share_of(judge, Scope::kAll).kept;
      if (name == "num_prefs_ful_ret") sum += judge.kept;
    }
    return static_cast<double>(sum);
  }
  Scope scope = Scope::kAll;
  if (name.ends_with("_ret")) scope = Scope::kRetrieved;
  if (name.ends_with("_imp")) scope = Scope::kImplied;
  if (scope != Scope::kAll) name.remove_suffix(4);
  if (name == "pair") return mean_over_pairs(counts, scope);
  if (name == "simp") {
    Share all;
    for (const JudgePreferences& judge : counts.judges) {
      const Share share = share_of(judge, scope);
      all.kept += share.kept;
      all.possible += share.possible;
    }
    return all.possible > 0 ? all.value() : 0;
  }
  double sum = 0;
  for (const JudgePreferences& judge : counts.judges) {
    // 0 / 0 makes the sum NaN, and the value of the query 0, where the balanced form is asked for.
    if (name == "avgjg_Rnonrel")
      sum += balanced(judge, counts.retrieved, scope == Scope::kRetrieved).value();
    else if (const Share share = share_of(judge, scope); share.possible > 0)
      sum += share.value();
  }
  return sum > 0 ? sum / static_cast<double>(counts.judges.size()) : 0;
}

}  // namespace ragline
