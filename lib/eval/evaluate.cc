#include "eval/evaluate.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "eval/prefs.h"
#include "eval/tie_groups.h"

namespace ragline {

namespace {

// The grades of the first ranks as trec_eval's relstring prints them.
std::string grade_letters(const Ranking& ranking, double length) {
  std::string letters;
  for (std::size_t i = 0; i < ranking.grades.size() && static_cast<double>(i) < length; ++i) {
    const double grade = ranking.grades[i];
    letters += grade == kUnpooled         ? '-'
               : grade == kPooledUnjudged ? '.'
               : grade > 9                ? '>'
                                          : static_cast<char>('0' + static_cast<int>(grade));
  }
  return letters;
}

bool is_of_preferences(const Measure& measure) { return measure.info->name.starts_with("prefs_"); }
bool is_of_judges(const Measure& measure) { return measure.info->name.ends_with("_avgjg"); }
bool fits_any_format(const Measure& measure) {
  return measure.info->name == "runid" || measure.info->name == "num_q";
}

class Evaluator {
 public:
  Evaluator(const Qrels& qrels, const Run& run, const std::vector<Measure>& measures,
            const EvaluationOptions& options)
      : qrels_(qrels),
        run_(run),
        measures_(measures),
        options_(options),
        ranker_(options.ranking) {}

  Result<Evaluation> evaluate() {
    RAGLINE_CHECK(check_measures());
    result_.tag = run_.tag();
    for (const Measure& measure : measures_)
      for (std::size_t i = 0; i < measure.names.size(); ++i)
        result_.columns.push_back({measure.names[i], &measure, i, 0});
    RAGLINE_CHECK(go_over_queries());
    average();
    return std::move(result_);
  }

 private:
  bool is_trec() const { return options_.ranking.dialect != Dialect::kOurs; }
  bool of_preferences() const {
    return options_.format == QrelsFormat::kPrefs || options_.format == QrelsFormat::kQrelsPrefs;
  }

  Status check_measures() const {
    for (const Measure& measure : measures_) {
      const bool fits =
          fits_any_format(measure) || (of_preferences() ? is_of_preferences(measure)
                                       : options_.format == QrelsFormat::kQrelsJg
                                           ? is_of_judges(measure)
                                           : !is_of_preferences(measure) && !is_of_judges(measure));
      if (!fits)
        return fail(ErrorKind::kUsage,
                    cat(measure.info->name, ": not defined for this form of judgements: give -R ",
                        is_of_preferences(measure) ? "prefs or qrels_prefs"
                        : is_of_judges(measure)    ? "qrels_jg"
                                                   : "qrels"));
      if (options_.ranking.ties != Ties::kExpected || !measure.info->value) continue;
      if (!measure.info->expected)
        return fail(ErrorKind::kUsage, cat(measure.info->name,
                                           ": has no expected value over tied orders here: use "
                                           "another measure, or --ties docid-desc"));
      if (qrels_.gold() && !measure.info->aspects)
        return fail(ErrorKind::kUsage,
                    cat(measure.info->name,
                        ": with gold evidence a hit's grade depends on the hits above it, so that "
                        "--ties expected has measures of evidence only, such as EvidenceRecall@k"));
    }
    return {};
  }

  // Both lists are in order of ids; the run's lines are all read, as errors in any of them count.
  Status go_over_queries() {
    auto hits = run_.queries().begin();
    const auto hits_end = run_.queries().end();
    for (const JudgedQuery& judged : qrels_.queries()) {
      for (; hits != hits_end && hits->id < judged.id; ++hits) RAGLINE_CHECK(skip(*hits));
      const Run::Query* found = hits != hits_end && hits->id == judged.id ? &*hits++ : nullptr;
      if (found) {
        ++result_.account.both;
      } else {
        if (result_.account.missing.size() < 5) result_.account.missing.emplace_back(judged.id);
        ++result_.account.only_judged;
        if (!options_.complete && options_.ranking.dialect == Dialect::kTrec10)
          result_.stopped = true;
        if (!options_.complete) continue;
      }
      if (!result_.stopped) RAGLINE_CHECK(take(judged, found));
    }
    for (; hits != hits_end; ++hits) RAGLINE_CHECK(skip(*hits));
    if (result_.account.both > 0 || (is_trec() && options_.complete)) return {};
    return BadRows::stop(options_.bad, RowFault::kNoOverlap,
                         {ErrorKind::kNotFound,
                          cat("no query of ", run_.name(), " has judgements in ", qrels_.name(),
                              ": its first is '", run_.queries().front().id, "', theirs '",
                              qrels_.queries().front().id, "': give files whose query ids agree")});
  }

  Status skip(const Run::Query& query) {
    ++result_.account.only_run;
    return ranker_.check(run_, query);
  }

  Status take(const JudgedQuery& judged, const Run::Query* query) {
    // 9.0 averages over a judged query without hits, but works nothing out for it.
    if (!query && options_.ranking.dialect == Dialect::kTrec9) return {};
    result_.queries.push_back(judged.id);
    result_.has_hits.push_back(query != nullptr);
    const std::size_t begin = result_.values.size();
    result_.values.resize(begin + result_.columns.size(), 0.0);
    const std::span<double> row = std::span(result_.values).subspan(begin);
    RAGLINE_CHECK(fill(judged, query, row));
    if (options_.z_scores)
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = options_.z_scores->convert(judged.id, result_.columns[i].name, row[i]);
    return {};
  }

  Status fill(const JudgedQuery& judged, const Run::Query* query, std::span<double> row) {
    if (of_preferences()) return take_preferences(judged, query, row);
    if (options_.format == QrelsFormat::kQrelsJg) return take_judges(judged, query, row);
    RAGLINE_TRY(const Ranking* ranking, ranker_.rank(judged, run_, query));
    note(*ranking);
    if (query || !is_trec())
      measure(*ranking, row);
    else
      measure_missing(*ranking, row);
    return {};
  }

  // 10.0 gives such a query one document that nobody judged, and afterwards takes back what that
  // spoils.
  void measure_missing(Ranking ranking, std::span<double> row) {
    if (!options_.ranking.judged_only) ranking.grades.push_back(kUnpooled);
    ranking.unpooled = ranking.grades.size();
    measure(ranking, row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string_view name = result_.columns[i].name;
      if (name == "num_ret" || name == "utility" || name == "rbp_resid" || name.starts_with("unj"))
        row[i] = 0;
    }
    if (!result_.texts.empty()) result_.texts.back().clear();
  }

  void measure(const Ranking& ranking, std::span<double> row) {
    std::size_t at = 0;
    for (const Measure& measure : measures_) {
      const std::span<double> values = row.subspan(at, measure.names.size());
      at += values.size();
      if (measure.info->print == Print::kText)
        result_.texts.push_back(grade_letters(ranking, measure.arguments.numbers[0]));
      const bool expected = options_.ranking.ties == Ties::kExpected;
      const MeasureFunction function = expected ? measure.info->expected : measure.info->value;
      if (!function) continue;
      if (expected && measure.arguments.judged_only)
        function(judged_part(ranking), measure.arguments, values);
      else
        function(ranking, measure.arguments, values);
    }
  }

  void note(const Ranking& ranking) {
    result_.account.hits += ranking.grades.size();
    result_.account.tied_pairs += ranking.tied_pairs();
    result_.account.nothing_relevant += ranking.relevant == 0;
    for (Column& column : result_.columns) {
      const MeasureArguments& arguments = column.measure->arguments;
      const bool cutoffs = column.measure->info->trec_form == TrecForm::kCutoffs;
      const std::size_t k =
          cutoffs ? static_cast<std::size_t>(arguments.numbers[column.value]) : arguments.cutoff;
      column.straddled += k != SIZE_MAX && ranking.tie_straddles(k);
    }
  }

  // The mean over the judges of the query, each with a ranking of his own.
  Status take_judges(const JudgedQuery& judged, const Run::Query* query, std::span<double> row) {
    std::vector<double> one(row.size());
    double judges = 0;
    for (std::size_t begin = 0; begin < judged.judgements.size();) {
      std::size_t end = begin;
      while (end < judged.judgements.size() &&
             judged.judgements[end].group == judged.judgements[begin].group)
        ++end;
      JudgedQuery single = judged;
      single.judgements = judged.judgements.subspan(begin, end - begin);
      RAGLINE_TRY(const Ranking* ranking, ranker_.rank(single, run_, query));
      std::ranges::fill(one, 0.0);
      measure(*ranking, one);
      for (std::size_t i = 0; i < row.size(); ++i) row[i] += one[i];
      ++judges;
      begin = end;
    }
    if (judges > 1)
      for (double& value : row) value /= judges;
    return {};
  }

  Status take_preferences(const JudgedQuery& judged, const Run::Query* query,
                          std::span<double> row) {
    std::vector<RunHit> hits;
    if (query) RAGLINE_CHECK(run_.read(*query, hits));
    RAGLINE_TRY(const PreferenceCounts counts,
                count_preferences(judged, std::move(hits), options_.ranking.most_hits));
    for (std::size_t i = 0; i < row.size(); ++i)
      if (is_of_preferences(*result_.columns[i].measure))
        row[i] = preference_value(result_.columns[i].name, counts);
      else
        row[i] = result_.columns[i].measure->info->name == "num_q";
    return {};
  }

  void average() {
    const std::size_t columns = result_.columns.size();
    result_.means.assign(columns, 0.0);
    result_.means_both.assign(columns, 0.0);
    result_.means_all.assign(columns, 0.0);
    const auto counted =
        static_cast<double>(options_.complete ? qrels_.queries().size() : result_.queries.size());
    const auto both = static_cast<double>(result_.account.both);
    for (std::size_t c = 0; c < columns; ++c) {
      double sum = 0, sum_both = 0;
      for (std::size_t q = 0; q < result_.queries.size(); ++q) {
        sum += result_.at(q, c);
        if (result_.has_hits[q]) sum_both += result_.at(q, c);
      }
      const Mean mean = result_.columns[c].measure->info->mean;
      if (mean == Mean::kGeometric)  // a query that 9.0 left out adds the least logarithm
        sum += (counted - static_cast<double>(result_.queries.size())) * std::log(.00001);
      const auto of = [&](double total, double n) {
        if (mean == Mean::kSum || n == 0) return total;
        return mean == Mean::kGeometric ? std::exp(total / n) : total / n;
      };
      result_.means[c] = of(sum, counted);
      result_.means_both[c] = of(sum_both, both);
      result_.means_all[c] = of(sum, counted + static_cast<double>(result_.account.only_run));
      if (result_.columns[c].measure->info->name == "num_q") result_.means[c] = counted;
    }
  }

  const Qrels& qrels_;
  const Run& run_;
  const std::vector<Measure>& measures_;
  const EvaluationOptions& options_;
  Ranker ranker_;
  Evaluation result_;
};

}  // namespace

std::vector<double> Evaluation::column(std::size_t column) const {
  std::vector<double> out;
  for (std::size_t q = 0; q < queries.size(); ++q) out.push_back(at(q, column));
  return out;
}

Result<Evaluation> evaluate(const Qrels& qrels, const Run& run,
                            const std::vector<Measure>& measures,
                            const EvaluationOptions& options) {
  return Evaluator(qrels, run, measures, options).evaluate();
}

}  // namespace ragline
