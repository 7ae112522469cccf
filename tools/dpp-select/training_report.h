#pragma once
#include <string>
#include <vector>

#include "dpp-select/examples.h"
#include "select/train.h"

namespace ragline {

// What a training gives to read: its settings, its epochs, and the test.
class TrainingReport {
 public:
  TrainingReport(const ExampleSplit& split, const ExampleSet& set, const TrainOptions& options,
                 std::size_t taught)
      : split_(split), set_(set), options_(options), taught_(taught) {}

  void add(const EpochReport& epoch, double seconds);
  void measure_test(const Adapter& adapter);

  // measure records, a line each.
  std::string records() const;
  // One object with everything.
  std::string json(std::size_t best_epoch) const;

 private:
  void compare(const std::vector<TrainingExample>& examples, const Adapter& adapter, const char* by,
               const std::string& group);

  const ExampleSplit& split_;
  const ExampleSet& set_;
  const TrainOptions& options_;
  const std::size_t taught_;
  std::vector<std::string> epochs_, measures_;
};

}  // namespace ragline
