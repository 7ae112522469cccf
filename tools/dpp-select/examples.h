#pragma once
#include <string>
#include <vector>

#include "core/result.h"
#include "dpp-select/candidates.h"
#include "select/training_example.h"

namespace ragline {

struct ExampleSet {
  std::vector<TrainingExample> examples;
  std::size_t dimensions = 0;
  std::string model;                     // of the vectors, where the records say
  std::uint64_t without_gold = 0;        // queries that no gold is known for
  std::uint64_t without_pool = 0;        // queries with no candidates
  std::uint64_t pieces = 0, absent = 0;  // of gold evidence; those that no candidate holds
};

struct ExampleOptions {
  std::string gold;  // file of case records; empty: those within the candidates
  CandidateOptions candidates;
  GroupOptions groups;
};

// Queries with their candidates and gold evidence. A piece of evidence that no candidate holds
// stays in what is to be found, and cannot be. Errors: kData for bad lines, no query with gold, or
// vectors of several dimensions or models.
Result<ExampleSet> read_examples(ToolRun& run, const std::string& candidates,
                                 const ExampleOptions& options);

// Training, validation and test examples: 60, 15 and 25 % by a seeded shuffle. `disjoint`: no
// training example shares gold evidence with the other two (those that do are dropped).
struct ExampleSplit {
  std::vector<TrainingExample> train, validation, test;
  std::size_t dropped = 0;
};
ExampleSplit split_examples(std::vector<TrainingExample> examples, bool disjoint,
                            std::uint64_t seed);

// The test examples with only those gold pieces whose candidate is gold in training too, or only
// the others; without those that have none left.
std::vector<TrainingExample> with_seen_evidence(const std::vector<TrainingExample>& test,
                                                const std::vector<TrainingExample>& train,
                                                bool seen);

}  // namespace ragline
