#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/bootstrap.h"
#include "eval/input.h"

// Results of several runs, gathered from the records that rag-eval writes.
namespace ragline {

struct ReportValue {
  double value = 0;
  std::uint64_t queries = 0;
  std::optional<Interval> interval;
};

struct ReportComparison {
  std::string measure, group, run_a, run_b, test;
  double difference = 0, p = 1;
  std::optional<double> adjusted;
  std::optional<Interval> interval;
  std::uint64_t wins = 0, ties = 0, losses = 0;
};

struct ReportQuantiles {
  double p50 = 0, p95 = 0, p99 = 0;
};

// What is known of one run. Names keep the order in which they came.
struct ReportRun {
  std::string name;
  std::vector<std::string> measures;
  std::map<std::string, ReportValue, std::less<>> means;
  std::map<std::string, std::map<std::string, ReportValue>> groups;  // by measure, then group
  std::map<std::string, std::map<std::string, double>> queries;      // by measure, then query id
  std::map<std::string, ReportQuantiles, std::less<>> quantiles;
  std::map<std::string, std::uint64_t> failures;
  std::map<std::string, std::vector<std::string>> examples;  // of failures
};

struct ReportData {
  std::vector<ReportRun> runs;
  std::vector<ReportComparison> comparisons;
  std::string by;  // the field of the groups; the last one that came

  // Adds the records of one file; a record without `run` belongs to the run `name`. Types that say
  // nothing here are passed over. kData "file:line: what: remedy".
  Status add(const InputText& text, const std::string& name, BadRows* bad = nullptr);
  bool empty() const { return runs.empty() && comparisons.empty(); }
  ReportRun& run(const std::string& name);
};

// Measures of all runs, in the order of the first that has each.
std::vector<std::string> measures_of(const ReportData& data);

// "nDCG@10" is nDCG at 10; nullopt for a name without a cut-off.
std::optional<std::pair<std::string, double>> cutoff_of(std::string_view measure);

}  // namespace ragline
