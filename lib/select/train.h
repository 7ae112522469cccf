#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "select/adapter.h"
#include "select/training_example.h"

// Training of the P-Adapter (network.h) on examples, by the losses of loss.h with Adam.
//
//   Trainer trainer(train, validation, options);
//   while (!trainer.done()) report(trainer.run_epoch({}));
//   Adapter adapter{options.shape, options.loss.jitter, model, trainer.best()};
//
//   Result    the same examples, options and seed give the same bits, whatever the threads: a batch
//   is
//             cut into shards by its order alone, and their gradients are added in that order.
//   Resuming  after load(save()) training goes on as if it had never stopped.
//   Cost      a query of m candidates: about 12 m D r products, 4 m^2 D and the negatives' k^3.
//   Threads   the trainer belongs to one; it starts its own.
namespace ragline {

struct TrainOptions {
  NetworkShape shape;
  LossShape loss;
  double theta = 1;           // weight of the first-stage score to begin with
  bool likelihood = false;    // the comparison: likelihood_loss instead of the Diverse Margin Loss
  bool learn_quality = true;  // the weights of quality too; else theta is what it stays
  bool learn_map = true;      // the network; else it stays the identity
  NegativeKind negative_kind = NegativeKind::kMixed;
  std::size_t negatives = 32;
  double rate = 5e-3;
  std::size_t batch = 32, epochs = 20, patience = 6;
  double clip = 1;  // longest gradient
  std::uint64_t seed = 0;
  int threads = 1;
};

struct EpochReport {
  std::size_t epoch = 0;        // from 1
  double loss = 0, margin = 0;  // means over the examples of the epoch, before each step
  Quality validation;
  bool improved = false;
};

// Chooses kMeasured candidates of each example, greedily, and measures them: by an adapter, or by
// the vectors as they are with theta as the sharpness.
std::vector<Quality> measure(const std::vector<TrainingExample>& examples, const Adapter& adapter);
std::vector<Quality> measure(const std::vector<TrainingExample>& examples, double theta,
                             double jitter);
// The same for the order that the examples came in.
std::vector<Quality> measure_input(const std::vector<TrainingExample>& examples);
Quality mean_quality(const std::vector<Quality>& values);

class Trainer {
 public:
  // The examples must outlive it. Those that cannot teach (fewer than two positives, or no others
  // in the pool) are left out of training, and counted.
  Trainer(const std::vector<TrainingExample>& train, const std::vector<TrainingExample>& validation,
          const TrainOptions& options);

  std::size_t taught() const { return usable_.size(); }
  bool done() const {
    return epoch_ >= options_.epochs || stale_ >= options_.patience || usable_.empty();
  }
  // nullopt when `stop` returned true between two batches; the epoch is then to be run again from
  // the last save().
  std::optional<EpochReport> run_epoch(const std::function<bool()>& stop);

  // The parameters of the best epoch by NDCG@10 on the validation examples; at first the identity.
  const std::vector<float>& best() const { return best_; }
  std::size_t best_epoch() const { return best_epoch_; }

  std::string save() const;
  // kCorrupt, or kUsage when the state is of other examples or options.
  Status load(std::string_view bytes);

 private:
  struct Shard;
  void work(std::span<const std::uint32_t> batch, std::size_t shard, Shard& out) const;
  void step(std::vector<Shard>& shards);
  Quality validate() const;
  std::uint64_t fingerprint() const;

  const std::vector<TrainingExample>& train_;
  const std::vector<TrainingExample>& validation_;
  const TrainOptions options_;
  std::vector<std::uint32_t> usable_;
  std::vector<float> parameters_, first_, second_, best_;
  double best_value_ = -1;
  std::uint64_t steps_ = 0;
  std::size_t epoch_ = 0, best_epoch_ = 0, stale_ = 0;
};

}  // namespace ragline
