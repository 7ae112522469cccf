#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/measure.h"
#include "eval/qrels.h"
#include "eval/ranking.h"
#include "eval/run.h"
#include "eval/z_scores.h"

// A run measured against judgements, query by query.
//
//   Result<Evaluation> e = evaluate(qrels, run, *parse_measures({"nDCG@10"}), {});
//   e->column(0);    // nDCG@10 of each query, in the order of e->queries
//   e->means[0];
namespace ragline {

struct EvaluationOptions {
  RankingOptions ranking;
  QrelsFormat format = QrelsFormat::kQrels;
  // Queries with judgements but without hits count, with the value of an empty ranking. Ours does
  // so by default; trec_eval only with -c.
  bool complete = true;
  const ZScores* z_scores = nullptr;  // values become distances from other runs' means
  BadRows* bad = nullptr;             // told when the files have no query in common
};

// What became of each query.
struct QueryAccount {
  std::uint64_t both = 0, only_judged = 0, only_run = 0;
  std::uint64_t nothing_relevant = 0;  // of those that count: no document reaches the level
  std::uint64_t tied_pairs = 0;        // neighbours with equal scores, over all queries that count
  std::uint64_t hits = 0;
  std::vector<std::string> missing;  // ids of the first queries of only_judged, at most 5
};

struct Column {
  std::string name;
  const Measure* measure = nullptr;
  std::size_t value = 0;        // which of its values
  std::uint64_t straddled = 0;  // queries with a tie that goes over the measure's cut-off
};

struct Evaluation {
  std::vector<Column> columns;
  std::vector<std::string_view> queries;  // that count, by id; views into the qrels
  std::vector<bool> has_hits;             // by query
  std::vector<double> values;             // [query * columns + column]
  std::vector<std::string> texts;         // of a relstring, by query; else empty
  std::vector<double> means;              // by column, over queries
  std::vector<double> means_both;         // the same over queries with hits only
  // The same with the queries of the run that nobody judged counted as 0.
  std::vector<double> means_all;
  QueryAccount account;
  std::string_view tag;
  // Set where trec_eval 10 gives up: at a judged query without hits and without -c.
  bool stopped = false;

  double at(std::size_t query, std::size_t column) const {
    return values[query * columns.size() + column];
  }
  std::vector<double> column(std::size_t column) const;
};

// `measures` must outlive the result, and so must qrels and run.
// Errors: those of reading the run, kUsage for a measure that the format or --ties expected does
// not have, kNotFound where no query is in both.
Result<Evaluation> evaluate(const Qrels& qrels, const Run& run,
                            const std::vector<Measure>& measures, const EvaluationOptions& options);

}  // namespace ragline
