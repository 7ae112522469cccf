#pragma once
#include <string>
#include <vector>

#include "cli/tool.h"
#include "eval/bootstrap.h"
#include "eval/significance.h"

namespace ragline {

struct CompareSettings {
  std::string test, correction, field;
  BootstrapOptions bootstrap;
  RandomisationOptions randomisation;
  double alpha = 0.05;  // of the smallest difference that can be detected
  double success = 0;   // score from which a query counts as solved
  bool first_only = false;
};

// What one measure says about the runs on one group of queries.
struct Comparison {
  std::string measure, group;
  std::vector<std::vector<double>> scores;  // by run
};

// Two runs, by their places.
struct RunPair {
  std::size_t a = 0, b = 0;
  TestResult test;
  double adjusted = 1;
};

std::vector<double> difference_of(const std::vector<double>& a, const std::vector<double>& b);

// Writes comparisons in the format that the run asks for.
class CompareReport {
 public:
  CompareReport(ToolRun& run, const CompareSettings& settings, std::vector<std::string> names);
  Status write(const Comparison& comparison, const std::vector<RunPair>& pairs);

 private:
  struct Facts;
  Facts facts_of(const Comparison& comparison, const RunPair& pair) const;
  std::string mean_record(const Comparison& comparison, std::size_t run) const;
  std::string pair_record(const Comparison& comparison, const RunPair& pair) const;
  std::string test_text() const;
  std::string tables(const Comparison& comparison, const std::vector<RunPair>& pairs) const;

  ToolRun& run_;
  const CompareSettings& settings_;
  std::vector<std::string> names_;
};

}  // namespace ragline
