#include "select/train.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "core/bytes.h"
#include "core/hash.h"
#include "core/text.h"
#include "select/method.h"

namespace ragline {

namespace {

constexpr std::size_t kShards = 8;
constexpr double kFirstDecay = 0.9, kSecondDecay = 0.999, kAdamFloor = 1e-8;  // Kingma and Ba 2015
// Three weights of size 1 have further to go than thousands of small ones.
constexpr float kQualityPace = 10;
constexpr std::string_view kMagic = "RAGTRAIN";
constexpr std::uint32_t kVersion = 1;

// A stream of its own for each part of the work, so that the order of the work does not matter.
Random stream(std::uint64_t seed, std::uint64_t epoch, std::uint64_t part) {
  std::string key;
  put_fixed(key, seed);
  put_fixed(key, epoch);
  put_fixed(key, part);
  return Random(hash64(key));
}

// relevance: for a sharpness of 1.
std::vector<std::uint32_t> choose(const TrainingExample& example, std::span<const float> vectors,
                                  std::vector<double> relevance, bool keep_lengths, double jitter) {
  const Pool pool{.size = example.size(),
                  .dimensions = example.dimensions,
                  .vectors = vectors,
                  .relevance = std::move(relevance),
                  .keep_lengths = keep_lengths};
  const auto objective = make_dpp(pool, {.diversity = diversity_of_theta(1), .jitter = jitter});
  std::vector<std::uint32_t> order;
  for (const Pick& pick : choose_greedily(*objective, pool.size, {.count = kMeasured}))
    order.push_back(pick.candidate);
  return order;
}

void put_floats(std::string& out, const std::vector<float>& values) {
  for (const float value : values) put_fixed(out, value);
}

}  // namespace

std::vector<Quality> measure(const std::vector<TrainingExample>& examples, const Adapter& adapter) {
  std::vector<Quality> out;
  for (const TrainingExample& example : examples) {
    Adapted adapted = adapt(adapter, example.vectors, example.features, example.query);
    out.push_back(quality_of(example, choose(example, adapted.vectors, std::move(adapted.relevance),
                                             true, adapter.jitter)));
  }
  return out;
}

std::vector<Quality> measure(const std::vector<TrainingExample>& examples, double theta,
                             double jitter) {
  std::vector<Quality> out;
  for (const TrainingExample& example : examples) {
    std::vector<double> relevance = example.relevance;
    for (double& r : relevance) r *= theta;
    out.push_back(
        quality_of(example, choose(example, example.vectors, std::move(relevance), false, jitter)));
  }
  return out;
}

std::vector<Quality> measure_input(const std::vector<TrainingExample>& examples) {
  std::vector<Quality> out;
  for (const TrainingExample& example : examples) {
    std::vector<std::uint32_t> order(std::min(kMeasured, example.size()));
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    out.push_back(quality_of(example, order));
  }
  return out;
}

Quality mean_quality(const std::vector<Quality>& values) {
  Quality out;
  const double share = values.empty() ? 0 : 1 / static_cast<double>(values.size());
  for (const Quality& value : values)
    for (double Quality::* part : {&Quality::ndcg10, &Quality::recall10, &Quality::recall4,
                                   &Quality::hits10, &Quality::hits4})
      out.*part += share * (value.*part);
  return out;
}

// What one shard of a batch adds up to.
struct Trainer::Shard {
  std::vector<float> gradient;
  double loss = 0, margin = 0;
  std::size_t examples = 0;
};

Trainer::Trainer(const std::vector<TrainingExample>& train,
                 const std::vector<TrainingExample>& validation, const TrainOptions& options)
    : train_(train), validation_(validation), options_(options) {
  for (std::uint32_t i = 0; i < train.size(); ++i)
    if (const std::size_t k = positive_set(train[i]).size(); k >= 2 && k < train[i].size())
      usable_.push_back(i);
  Random random = stream(options.seed, 0, 0);
  for (const double value : initial_parameters(options.shape, options.theta, random))
    parameters_.push_back(static_cast<float>(value));
  first_.resize(parameters_.size());
  second_.resize(parameters_.size());
  best_ = parameters_;
}

void Trainer::work(std::span<const std::uint32_t> batch, std::size_t shard, Shard& out) const {
  out.gradient.assign(parameters_.size(), 0);
  out.loss = out.margin = 0;
  out.examples = 0;
  const QualityWeights weights = Adapter{options_.shape, 0, "", parameters_}.quality();
  Activations<float> activations;
  for (std::size_t place = shard; place < batch.size(); place += kShards) {
    const TrainingExample& example = train_[batch[place]];
    forward<float>(options_.shape, parameters_, example.vectors, example.query, activations);
    const auto gram = gram_of<float>(activations.outputs, example.dimensions);
    const CandidateSet positive = positive_set(example);
    const std::vector<double> relevance = weighted_quality(example.features, weights);
    SetGradient sets(example.size());
    std::optional<SetLoss> loss;
    if (options_.likelihood) {
      loss = likelihood_loss(gram, relevance, positive, options_.loss, sets);
    } else {
      Random random = stream(options_.seed, epoch_ + 1, 1 + batch[place]);
      loss = diverse_margin_loss(
          gram, relevance, positive,
          draw_negatives(example, positive, options_.negative_kind, options_.negatives, random),
          options_.loss, sets);
    }
    if (!loss) continue;
    if (options_.learn_map) {
      auto du = times_rows<float>(sets.gram, 2, activations.outputs, example.dimensions);
      backward<float>(options_.shape, parameters_, activations, du, out.gradient);
    }
    for (std::size_t i = 0; options_.learn_quality && i < example.features.size(); ++i)
      out.gradient[options_.shape.quality_at() + i % kFeatures] +=
          static_cast<float>(sets.relevance[i / kFeatures] * example.features[i]);
    out.loss += loss->loss;
    out.margin += loss->margin;
    ++out.examples;
  }
}

// Adam on the mean gradient, at most `clip` long.
void Trainer::step(std::vector<Shard>& shards) {
  std::vector<float>& sum = shards[0].gradient;
  std::size_t examples = shards[0].examples;
  for (std::size_t s = 1; s < shards.size(); ++s) {
    examples += shards[s].examples;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += shards[s].gradient[i];
  }
  if (examples == 0) return;
  double square = 0;
  for (const float g : sum) square += static_cast<double>(g) * static_cast<double>(g);
  const double length = std::sqrt(square) / static_cast<double>(examples);
  if (!std::isfinite(length)) return;  // one batch beyond float's range: passed over
  const double scale =
      std::min(1.0, options_.clip / std::max(length, 1e-30)) / static_cast<double>(examples);
  ++steps_;
  const auto count = static_cast<double>(steps_);
  const auto rate =
      static_cast<float>(options_.rate * std::sqrt(1 - std::pow(kSecondDecay, count)) /
                         (1 - std::pow(kFirstDecay, count)));
  constexpr auto decay1 = static_cast<float>(kFirstDecay),
                 decay2 = static_cast<float>(kSecondDecay);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const float g = sum[i] * static_cast<float>(scale);
    first_[i] = decay1 * first_[i] + (1 - decay1) * g;
    second_[i] = decay2 * second_[i] + (1 - decay2) * g * g;
    const float pace = i < options_.shape.quality_at() ? rate : kQualityPace * rate;
    parameters_[i] -= pace * first_[i] / (std::sqrt(second_[i]) + static_cast<float>(kAdamFloor));
  }
}

Quality Trainer::validate() const {
  const Adapter adapter{options_.shape, options_.loss.jitter, "", parameters_};
  return mean_quality(measure(validation_, adapter));
}

std::optional<EpochReport> Trainer::run_epoch(const std::function<bool()>& stop) {
  std::vector<std::uint32_t> order = usable_;
  Random random = stream(options_.seed, epoch_ + 1, 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  if (epoch_ == 0) best_value_ = validate().ndcg10;

  EpochReport report;
  std::size_t examples = 0;
  std::vector<Shard> shards(kShards);
  for (std::size_t at = 0; at < order.size(); at += options_.batch) {
    if (stop && stop()) return std::nullopt;
    const auto batch = std::span<const std::uint32_t>(order).subspan(
        at, std::min(options_.batch, order.size() - at));
    std::atomic<std::size_t> next = 0;
    const auto run = [&] {
      for (std::size_t s = next++; s < kShards; s = next++) work(batch, s, shards[s]);
    };
    {
      std::vector<std::jthread> others;
      for (int t = 1; t < options_.threads; ++t) others.emplace_back(run);
      run();
    }
    for (const Shard& shard : shards) {
      report.loss += shard.loss;
      report.margin += shard.margin;
      examples += shard.examples;
    }
    step(shards);
  }
  if (examples > 0) {
    report.loss /= static_cast<double>(examples);
    report.margin /= static_cast<double>(examples);
  }
  report.epoch = ++epoch_;
  report.validation = validate();
  report.improved = report.validation.ndcg10 > best_value_;
  ++stale_;
  if (report.improved) {
    best_value_ = report.validation.ndcg10;
    best_ = parameters_;
    best_epoch_ = epoch_;
    stale_ = 0;
  }
  return report;
}

std::uint64_t Trainer::fingerprint() const {
  std::string key;
  for (const std::size_t value :
       {options_.shape.dimensions, options_.shape.width, options_.negatives, options_.batch,
        options_.shape.activation == Activation::kGelu ? std::size_t{1} : 0,
        std::size_t{options_.shape.normalise}, std::size_t{options_.shape.conditioned},
        std::size_t{options_.likelihood}, std::size_t{options_.learn_quality},
        std::size_t{options_.learn_map}, static_cast<std::size_t>(options_.negative_kind),
        train_.size(), validation_.size()})
    put_fixed(key, static_cast<std::uint64_t>(value));
  for (const double value : {options_.theta, options_.loss.jitter, options_.loss.tau,
                             options_.loss.margin, options_.rate, options_.clip})
    put_fixed(key, value);
  put_fixed(key, options_.seed);
  for (const std::vector<TrainingExample>* examples : {&train_, &validation_})
    for (const TrainingExample& example : *examples) {
      put_string(key, example.query_id);
      put_floats(key, example.vectors);
      for (const double x : example.features) put_fixed(key, x);
    }
  return hash64(key);
}

std::string Trainer::save() const {
  std::string out(kMagic);
  put_fixed(out, kVersion);
  put_fixed(out, fingerprint());
  for (const std::size_t value : {static_cast<std::size_t>(steps_), epoch_, best_epoch_, stale_})
    put_fixed(out, static_cast<std::uint64_t>(value));
  put_fixed(out, best_value_);
  for (const auto* values : {&parameters_, &first_, &second_, &best_}) put_floats(out, *values);
  put_fixed(out, hash64(out));
  return out;
}

Status Trainer::load(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 28 ||
      hash64(bytes.substr(0, bytes.size() - 8)) !=
          get_fixed<std::uint64_t>(bytes.data() + bytes.size() - 8))
    return fail(ErrorKind::kCorrupt, "not a checkpoint, or cut short: remove it to begin anew");
  ByteReader reader(bytes.substr(kMagic.size()));
  if (reader.fixed<std::uint32_t>() != kVersion)
    return fail(ErrorKind::kVersion, "a checkpoint of another version: remove it to begin anew");
  if (reader.fixed<std::uint64_t>() != fingerprint())
    return fail(
        ErrorKind::kUsage,
        "the checkpoint is of other examples or settings: give those, or remove it to begin anew");
  steps_ = reader.fixed<std::uint64_t>();
  for (std::size_t* value : {&epoch_, &best_epoch_, &stale_})
    *value = static_cast<std::size_t>(reader.fixed<std::uint64_t>());
  best_value_ = reader.fixed<double>();
  for (auto* values : {&parameters_, &first_, &second_, &best_})
    for (float& value : *values) value = reader.fixed<float>();
  if (!reader.ok())
    return fail(ErrorKind::kCorrupt, "the checkpoint is too short: remove it to begin anew");
  return {};
}

}  // namespace ragline
