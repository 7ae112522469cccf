#include "select/synthetic.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/text.h"
#include "select/adapter.h"
#include "select/dot.h"
#include "select/quality.h"
#include "select/relevance.h"

namespace ragline {

namespace {

using Vector = std::vector<double>;

constexpr std::size_t kTopics = 4, kFacets = 12, kFillers = 8;
constexpr double kFacetWeights[] = {1, 0.8, 0.65, 0.5};  // of a question's facets
// Lengths of the parts of a chunk, beside its topic's 1.
constexpr double kTopicSpread = 0.6, kFacet = 0.9, kFactDensity = 0.6, kEchoDensity = 0.25,
                 kNoise = 0.3, kFillerNoise = 1.1;

class Generator {
 public:
  explicit Generator(const SyntheticOptions& options) : options_(options), random_(options.seed) {}

  SyntheticData make() {
    density_ = direction();
    for (std::size_t f = 0; f < kFacets; ++f) facets_.push_back(direction());
    for (std::size_t c = 0; c < options_.clusters; ++c) add_cluster();
    unit_ = unit_rows(vectors_, options_.dimensions);
    SyntheticData data;
    for (std::size_t q = 0; q < options_.questions; ++q) {
      const std::uint32_t topic = random_.below(topics_.size());
      const double place =
          static_cast<double>(topic / kTopics) / static_cast<double>(options_.clusters);
      TrainingExample example = ask(topic, q);
      (place < 0.6    ? data.train
       : place < 0.75 ? data.validation
                      : data.test)
          .push_back(std::move(example));
    }
    return data;
  }

 private:
  struct ChunkInfo {
    std::uint32_t topic, facet;
    bool fact;
  };

  Vector direction() {
    Vector out(options_.dimensions);
    double square = 0;
    for (double& x : out) {
      x = random_.normal();
      square += x * x;
    }
    for (double& x : out) x /= std::sqrt(square);
    return out;
  }
  static void add(Vector& to, const Vector& what, double times) {
    for (std::size_t d = 0; d < to.size(); ++d) to[d] += times * what[d];
  }

  void add_chunk(const Vector& topic, std::uint32_t facet, bool fact, double facet_share,
                 double density, double noise) {
    Vector chunk = topic;
    add(chunk, facets_[facet], facet_share);
    add(chunk, density_, density);
    add(chunk, direction(), noise);
    for (const double x : chunk) vectors_.push_back(static_cast<float>(x));
    chunks_.push_back({static_cast<std::uint32_t>(topics_.size() - 1), facet, fact});
  }

  void add_cluster() {
    const Vector centre = direction();
    for (std::size_t t = 0; t < kTopics; ++t) {
      Vector topic = centre;
      add(topic, direction(), kTopicSpread);
      topics_.push_back(topic);
      for (std::uint32_t f = 0; f < kFacets; ++f) {
        add_chunk(topic, f, true, kFacet, kFactDensity, kNoise);
        for (std::uint32_t echo = 2 + random_.below(2); echo > 0; --echo)
          add_chunk(topic, f, false, kFacet, kEchoDensity * random_.uniform(), kNoise);
      }
      for (std::size_t f = 0; f < kFillers; ++f)
        add_chunk(topic, random_.below(kFacets), false, 0, kEchoDensity * random_.uniform(),
                  kFillerNoise);
    }
  }

  TrainingExample ask(std::uint32_t topic, std::size_t number) {
    TrainingExample out;
    out.query_id = cat("s", number);
    const double kind = random_.uniform();
    out.hops = kind < 0.48 ? 2 : kind < 0.82 ? 3 : 4;
    std::vector<std::uint32_t> facets(kFacets);
    std::iota(facets.begin(), facets.end(), 0u);
    for (std::size_t i = 0; i < out.hops; ++i)
      std::swap(facets[i], facets[i + random_.below(kFacets - i)]);
    facets.resize(out.hops);
    Vector wanted = topics_[topic];
    for (std::size_t i = 0; i < facets.size(); ++i)
      add(wanted, facets_[facets[i]], kFacetWeights[i]);
    std::vector<float> query(wanted.begin(), wanted.end());
    out.query = unit_rows(query, options_.dimensions);

    std::vector<float> cosines(chunks_.size());
    dots(out.query, unit_, cosines);
    std::vector<std::uint32_t> order(chunks_.size());
    std::iota(order.begin(), order.end(), 0u);
    const std::size_t count = std::min(options_.pool, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                              std::greater<>(), [&](std::uint32_t i) { return cosines[i]; });
    out.dimensions = options_.dimensions;
    for (std::size_t i = 0; i < count; ++i) {
      const ChunkInfo& chunk = chunks_[order[i]];
      const auto row = std::span<const float>(unit_).subspan(order[i] * options_.dimensions,
                                                             options_.dimensions);
      out.vectors.insert(out.vectors.end(), row.begin(), row.end());
      out.relevance.push_back(static_cast<double>(cosines[order[i]]));
      out.pieces.emplace_back();
      out.names.push_back(order[i]);
      const auto facet = std::ranges::find(facets, chunk.facet);
      if (!chunk.fact || chunk.topic != topic || facet == facets.end()) continue;
      out.pieces.back().push_back(static_cast<std::uint32_t>(facet - facets.begin()));
    }
    out.relevance = z_scores(out.relevance);
    out.features = quality_features(out.vectors, out.dimensions, out.relevance, out.query);
    return out;
  }

  const SyntheticOptions options_;
  Random random_;
  Vector density_;
  std::vector<Vector> facets_, topics_;
  std::vector<ChunkInfo> chunks_;
  std::vector<float> vectors_, unit_;
};

}  // namespace

SyntheticData make_synthetic(const SyntheticOptions& options) { return Generator(options).make(); }

}  // namespace ragline
