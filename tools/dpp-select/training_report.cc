#include "dpp-select/training_report.h"

#include <algorithm>

#include "core/text.h"
#include "eval/bootstrap.h"
#include "record/writer.h"

namespace ragline {

namespace {

struct NamedPart {
  const char* name;
  double Quality::* part;
};
constexpr NamedPart kParts[] = {{"nDCG@10", &Quality::ndcg10},
                                {"recall@10", &Quality::recall10},
                                {"recall@4", &Quality::recall4},
                                {"hits@10", &Quality::hits10},
                                {"hits@4", &Quality::hits4}};

std::string list_of(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) append(out, out.size() > 1 ? "," : "", item);
  return out + "]";
}

}  // namespace

void TrainingReport::add(const EpochReport& epoch, double seconds) {
  std::string line;
  JsonObject object(line);
  object.add("epoch", std::uint64_t{epoch.epoch})
      .add("loss", epoch.loss)
      .add("margin", epoch.margin);
  object.add("validation_ndcg10", epoch.validation.ndcg10)
      .add("validation_recall4", epoch.validation.recall4);
  object.add("improved", epoch.improved).add("seconds", seconds).close();
  epochs_.push_back(std::move(line));
}

// All methods on the same examples: each one's mean, and its difference to the input order.
void TrainingReport::compare(const std::vector<TrainingExample>& examples, const Adapter& adapter,
                             const char* by, const std::string& group) {
  if (examples.empty()) return;
  const double theta = options_.theta > 0 ? options_.theta : 1, jitter = adapter.jitter;
  const auto top = measure_input(examples);
  const std::pair<const char*, std::vector<Quality>> runs[] = {
      {"top", top},
      {"base", measure(examples, 0, jitter)},
      {"dpp", measure(examples, theta, jitter)},
      {"adapter", measure(examples, adapter)}};
  const auto add = [&](const std::string& run, const NamedPart& part,
                       const std::vector<double>& values) {
    const BootstrapMean mean = bootstrap_mean(values, {.samples = 2000, .seed = options_.seed});
    std::string line;
    JsonObject object(line);
    object.add("type", "measure").add("measure", part.name).add("run", run);
    if (!group.empty()) object.add("by", by).add("group", group);
    object.add("value", mean.mean).add("queries", std::uint64_t{values.size()});
    object.add("low", mean.bca.low).add("high", mean.bca.high).add("confidence", 0.95).close();
    measures_.push_back(std::move(line));
  };
  for (const NamedPart& part : kParts) {
    for (const auto& [run, qualities] : runs) {
      std::vector<double> values, differences;
      for (std::size_t i = 0; i < qualities.size(); ++i) {
        values.push_back(qualities[i].*part.part);
        differences.push_back(values.back() - top[i].*part.part);
      }
      add(run, part, values);
      if (&qualities != &runs[0].second) add(cat(run, " - top"), part, differences);
    }
  }
}

void TrainingReport::measure_test(const Adapter& adapter) {
  compare(split_.test, adapter, "", "");
  for (const std::uint32_t hops : {2u, 3u, 4u}) {
    std::vector<TrainingExample> some;
    std::ranges::copy_if(split_.test, std::back_inserter(some),
                         [&](const TrainingExample& example) { return example.hops == hops; });
    compare(some, adapter, "hops", cat(hops));
  }
  compare(with_seen_evidence(split_.test, split_.train, true), adapter, "evidence", "seen");
  compare(with_seen_evidence(split_.test, split_.train, false), adapter, "evidence", "unseen");
}

std::string TrainingReport::records() const {
  std::string out;
  for (const std::string& line : measures_) append(out, line, "\n");
  return out;
}

std::string TrainingReport::json(std::size_t best_epoch) const {
  std::string out, data, settings;
  JsonObject counts(data);
  counts.add("train", std::uint64_t{split_.train.size()})
      .add("usable", std::uint64_t{taught_})
      .add("dropped", std::uint64_t{split_.dropped});
  counts.add("validation", std::uint64_t{split_.validation.size()})
      .add("test", std::uint64_t{split_.test.size()});
  counts.add("without_gold", set_.without_gold).add("without_candidates", set_.without_pool);
  counts.add("pieces", set_.pieces).add("pieces_in_no_candidate", set_.absent).close();
  JsonObject chosen(settings);
  chosen.add("model", set_.model)
      .add("dimensions", std::uint64_t{options_.shape.dimensions})
      .add("width", std::uint64_t{options_.shape.width});
  chosen.add("activation", options_.shape.activation == Activation::kGelu ? "gelu" : "relu");
  chosen.add("normalise", options_.shape.normalise).add("conditioned", options_.shape.conditioned);
  chosen.add("loss", options_.likelihood ? "nll" : "dml")
      .add("theta", options_.theta)
      .add("learn_quality", options_.learn_quality)
      .add("learn_map", options_.learn_map);
  chosen.add("jitter", options_.loss.jitter)
      .add("tau", options_.loss.tau)
      .add("margin", options_.loss.margin);
  chosen.add("negatives", std::uint64_t{options_.negatives})
      .add("rate", options_.rate)
      .add("batch", std::uint64_t{options_.batch});
  chosen.add("seed", options_.seed).close();
  JsonObject report(out);
  report.raw("settings", settings).raw("data", data).add("best_epoch", std::uint64_t{best_epoch});
  report.add(
      "margin_is",
      "g(P) - lse(g(N)) + tau log M, the mean over training queries; for nll minus the loss");
  report.raw("epochs", list_of(epochs_)).raw("measures", list_of(measures_)).close();
  return out + "\n";
}

}  // namespace ragline
