// Losses against their definitions, gradients against differences, and training as a whole: it
// learns what can be learnt, gives the same bits whatever the threads, and goes on after a stop.
#include "select/train.h"

#include <bit>

#include "catch.h"
#include "pools.h"
#include "rounds.h"
#include "select/gradcheck.h"
#include "select/sample.h"
#include "select/synthetic.h"

using namespace ragline;
using namespace ragline::testing;

namespace {

SyntheticData small_data() {
  static const SyntheticData data =
      make_synthetic({.questions = 160, .clusters = 10, .pool = 16, .dimensions = 24, .seed = 4});
  return data;
}

TrainOptions small_options() {
  TrainOptions options;
  options.shape = {.dimensions = 24, .width = 8};
  options.theta = 1;
  options.epochs = 4;
  options.negatives = 8;
  options.rate = 1e-2;
  return options;
}

struct Random6 {
  RandomPool data{9, 6, 10};
  std::vector<double> gram, relevance{0.9, 0.4, 0.1, -0.2, -0.5, -0.7};
  Random6() {
    const Matrix kernel = kernel_of(data.pool, 0);
    for (const auto& row : kernel) gram.insert(gram.end(), row.begin(), row.end());
  }
  // det of the quality-weighted kernel on a set.
  double weight(const CandidateSet& set, double jitter) const {
    double sum = log_det(kernel_of(data.pool, jitter), set);
    for (const auto i : set) sum += relevance[i];
    return std::exp(sum);
  }
};

std::vector<CandidateSet> sets_of(std::size_t k) {
  std::vector<CandidateSet> out;
  for (std::uint32_t bits = 0; bits < 64; ++bits) {
    if (static_cast<std::size_t>(std::popcount(bits)) != k) continue;
    out.emplace_back();
    for (std::uint32_t i = 0; i < 6; ++i)
      if (bits >> i & 1) out.back().push_back(i);
  }
  return out;
}

}  // namespace

TEST_CASE("the margin loss is a restricted likelihood") {
  const Random6 pool;
  const LossShape shape{.jitter = 1e-3, .tau = 1, .margin = 0};
  const CandidateSet positive{0, 3, 4};
  auto others = sets_of(3);
  std::erase(others, positive);
  double sum = pool.weight(positive, shape.jitter);
  for (const auto& set : others) sum += pool.weight(set, shape.jitter);
  SetGradient a(6);
  const auto loss = diverse_margin_loss(pool.gram, pool.relevance, positive, others, shape, a);
  REQUIRE(loss.has_value());
  CHECK(near(loss->loss, -std::log(pool.weight(positive, shape.jitter) / sum), 1e-12));

  // With all other sets of its size it is the k-DPP's likelihood: -log det + log e_k.
  Pool whole = pool.data.pool;
  whole.relevance = pool.relevance;
  double e3 = 0;
  for (const auto& set : sets_of(3)) e3 += pool.weight(set, shape.jitter);
  CHECK(near(std::log(e3), std::log(sum), 1e-12));

  SetGradient b(6);
  double all = 0;
  for (std::size_t k = 0; k <= 6; ++k)
    for (const auto& set : sets_of(k)) all += k == 0 ? 1 : pool.weight(set, shape.jitter);
  const auto likelihood = likelihood_loss(pool.gram, pool.relevance, positive, shape, b);
  CHECK(near(likelihood->loss, -std::log(pool.weight(positive, shape.jitter) / all), 1e-12));
}

TEST_CASE("rows of the inverse Gram matrix times U are dual to U") {
  // u_i . (G^-1 U)_i = 1 - jitter (G^-1)_ii, and without jitter row i is n_i / |n_i|^2, n_i what of
  // u_i lies outside the span of the others.
  const Random6 pool;
  const CandidateSet set{0, 2, 5};
  for (const double jitter : {0.0, 1e-3}) {
    std::vector<double> inverse;
    REQUIRE(set_log_det(pool.gram, 6, set, jitter, &inverse).has_value());
    for (std::size_t i = 0; i < 3; ++i) {
      double product = 0;
      for (std::size_t j = 0; j < 3; ++j)
        product += inverse[i * 3 + j] * pool.gram[set[j] * 6 + set[i]];
      CHECK(near(product, 1 - jitter * inverse[i * 3 + i], 1e-12));
      for (std::size_t other = 0; other < 3 && jitter == 0; ++other) {
        double along = 0;  // of a row's dual with another row
        for (std::size_t j = 0; j < 3; ++j)
          along += inverse[i * 3 + j] * pool.gram[set[j] * 6 + set[other]];
        CHECK(std::abs(along - (other == i ? 1 : 0)) < 1e-12);
      }
    }
  }
}

TEST_CASE("gradients agree with differences") {
  for (const GradientCheck& check : check_gradients(rounds(200, 4), 1)) {
    INFO(check.name);
    CHECK(check.entries >= 50);
    CHECK(check.worst < kGradientTolerance);
  }
}

TEST_CASE("losses far apart neither overflow nor vanish") {
  const Random6 pool;
  SetGradient a(6);
  for (const double sharpness : {1e-9, 500.0, 5000.0}) {
    std::vector<double> relevance = pool.relevance;
    for (double& r : relevance) r *= sharpness;
    for (const auto& [good, bad] : {std::pair(CandidateSet{0, 1}, CandidateSet{4, 5}),
                                    std::pair(CandidateSet{4, 5}, CandidateSet{0, 1})}) {
      const auto loss = diverse_margin_loss(pool.gram, relevance, good, {bad}, {}, a);
      REQUIRE(loss.has_value());
      CHECK(std::isfinite(loss->loss));
      CHECK(loss->loss >= 0);
    }
  }
  for (const double x : a.gram) CHECK(std::isfinite(x));
}

TEST_CASE("features of quality") {
  // Candidates 0, 1 and 3 agree; the query is candidate 2.
  const std::vector<float> rows{1, 0, 0.8f, 0.6f, 0, 1, 1, 0};
  const std::vector<double> relevance{1.5, 0.5, -0.5, -1.5};
  const std::vector<float> query{0, 1};
  const auto features = quality_features(rows, 2, relevance, query);
  REQUIRE(features.size() == 4 * kFeatures);
  const auto feature = [&](std::size_t i, std::size_t f) { return features[i * kFeatures + f]; };
  CHECK(feature(2, 0) == -0.5);
  CHECK((feature(2, 1) > feature(1, 1) && feature(1, 1) > feature(0, 1)));
  CHECK(near(feature(0, 1), feature(3, 1)));
  // Mean cosine with the best three of the others: 0.6, 0.7333, 0.2, 0.6.
  CHECK((feature(1, 2) > feature(0, 2) && feature(0, 2) > feature(2, 2)));
  const auto quality = weighted_quality(features, {2, 0, 1, 0, 0});
  CHECK(near(quality[1], 2 * 0.5 + feature(1, 2)));
  const auto without = quality_features(rows, 2, relevance, {});
  CHECK(without[1] == 0);

  const std::vector<CandidateText> texts{
      {"Dune (film)", "Dune was made by David Lynch after the novel"},
      {"David Lynch", "born in Missoula"},
      {"Missoula", "a city"},
      {"Montana", "a state"}};
  const auto named =
      quality_features(rows, 2, relevance, query, texts, "Where was the director of DUNE born?");
  const auto column = [&](std::size_t f) {
    std::vector<double> out;
    for (std::size_t i = 0; i < 4; ++i) out.push_back(named[i * kFeatures + f]);
    return out;
  };
  CHECK(column(3) == std::vector<double>{0, 1, 1, 0});  // by Dune, and by Lynch
  CHECK(column(4) == std::vector<double>{1, 0, 0, 0});
}

TEST_CASE("a singular set gets more jitter, not a NaN") {
  const std::vector<double> ones(4, 1.0);
  CHECK(!set_log_det(ones, 2, {0, 1}, 0).has_value());
  CHECK(near(*set_log_det(ones, 2, {0, 1}, 1e-3), std::log(1.001 * 1.001 - 1), 1e-9));
}

TEST_CASE("an untrained adapter is the identity") {
  const SyntheticData data = small_data();
  TrainOptions options = small_options();
  const Trainer trainer(data.train, data.validation, options);
  const Adapter adapter{options.shape, 1e-3, "", trainer.best()};
  const TrainingExample& example = data.test[0];
  const auto adapted = adapt(adapter, example.vectors, example.features, example.query).vectors;
  for (std::size_t i = 0; i < adapted.size(); ++i)
    CHECK(near(adapted[i], example.vectors[i], 1e-6));
}

TEST_CASE("training learns to find complements, on topics it has not seen") {
  const SyntheticData data = make_synthetic(
      {.questions = rounds(600, 4), .clusters = 16, .pool = 24, .dimensions = 32, .seed = 1});
  TrainOptions options = small_options();
  options.shape = {.dimensions = 32, .width = 16};
  options.epochs = rounds(8, 2);
  Trainer trainer(data.train, data.validation, options);
  double first = 0, last = 0;
  while (!trainer.done()) {
    const auto report = trainer.run_epoch({});
    (report->epoch == 1 ? first : last) = report->loss;
  }
  CHECK(last < first);
  const Adapter adapter{options.shape, options.loss.jitter, "", trainer.best()};
  const Quality top = mean_quality(measure_input(data.test));
  const Quality base = mean_quality(measure(data.test, 0, 1e-3));
  const Quality trained = mean_quality(measure(data.test, adapter));
  CHECK(base.ndcg10 < 0.6 * top.ndcg10);
  CHECK(trained.ndcg10 > top.ndcg10 + (kSanitized ? 0 : 0.1));
  CHECK(trained.recall4 > top.recall4);
}

TEST_CASE("the same seed gives the same bits, whatever the threads") {
  const SyntheticData data = small_data();
  TrainOptions options = small_options();
  std::vector<std::string> states;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    Trainer trainer(data.train, data.validation, options);
    while (!trainer.done()) trainer.run_epoch({});
    states.push_back(trainer.save());
  }
  CHECK(states[0] == states[1]);
  options.seed = 1;
  Trainer other(data.train, data.validation, options);
  while (!other.done()) other.run_epoch({});
  CHECK(other.save() != states[0]);
}

TEST_CASE("training goes on from a checkpoint as if it had not stopped") {
  const SyntheticData data = small_data();
  const TrainOptions options = small_options();
  Trainer whole(data.train, data.validation, options), first(data.train, data.validation, options),
      second(data.train, data.validation, options);
  while (!whole.done()) whole.run_epoch({});
  first.run_epoch({});
  first.run_epoch({});
  const std::string state = first.save();
  CHECK(!first.run_epoch([] { return true; }).has_value());  // stopped in the middle of an epoch
  REQUIRE(second.load(state).has_value());
  while (!second.done()) second.run_epoch({});
  CHECK(second.save() == whole.save());

  TrainOptions different = options;
  different.rate *= 2;
  Trainer third(data.train, data.validation, different);
  CHECK(third.load(state).error().kind == ErrorKind::kUsage);
  std::string broken = state;
  broken[broken.size() / 2] ^= 1;
  CHECK(second.load(broken).error().kind == ErrorKind::kCorrupt);
  CHECK(second.load(std::string_view(state).substr(0, 40)).error().kind == ErrorKind::kCorrupt);
}

TEST_CASE("negatives are other sets of the same size") {
  const SyntheticData data = small_data();
  Random random(3);
  for (const NegativeKind kind : {NegativeKind::kMixed, NegativeKind::kUniform, NegativeKind::kSwap,
                                  NegativeKind::kSimilarity, NegativeKind::kNear}) {
    for (const TrainingExample& example : data.train) {
      const CandidateSet positive = positive_set(example);
      if (positive.size() < 2) continue;
      for (const CandidateSet& set : draw_negatives(example, positive, kind, 8, random)) {
        REQUIRE(set.size() == positive.size());
        CHECK(set != positive);
        CHECK(std::ranges::is_sorted(set));
        CHECK(std::ranges::adjacent_find(set) == set.end());
        std::size_t shared = 0;
        for (const auto i : set) shared += std::ranges::binary_search(positive, i);
        if (kind == NegativeKind::kUniform || kind == NegativeKind::kSimilarity) CHECK(shared == 0);
        if (kind == NegativeKind::kSwap) CHECK(shared >= 1);
        if (kind == NegativeKind::kNear) CHECK(shared == positive.size() - 1);
      }
    }
  }
}

TEST_CASE("nothing to learn from") {
  std::vector<TrainingExample> none, one(1);
  one[0].dimensions = 24;
  one[0].relevance = {0};
  one[0].vectors.assign(24, 0.2f);
  one[0].pieces = {{0}};
  Trainer trainer(one, none, small_options());
  CHECK(trainer.taught() == 0);
  CHECK(trainer.done());
}

TEST_CASE("a piece of evidence counts once") {
  TrainingExample example;
  example.hops = 2;
  example.relevance.assign(6, 0);
  example.pieces = {{}, {0}, {0}, {1}, {0, 1}, {}};
  CHECK(positive_set(example) == CandidateSet{1, 3});
  const Quality good = quality_of(example, {1, 3}), late = quality_of(example, {0, 1, 2, 5, 3}),
                none = quality_of(example, {0, 5});
  CHECK(good.ndcg10 == 1);
  CHECK(good.recall4 == 1);
  CHECK((late.recall4 == 0.5 && late.recall10 == 1 && late.hits4 == 1));
  CHECK(near(late.ndcg10, (1 / std::log2(3) + 1 / std::log2(6)) / (1 + 1 / std::log2(3))));
  CHECK((none.ndcg10 == 0 && none.hits10 == 0));
}
