#include "vector/flat.h"

#include <cmath>

#include "catch.h"
#include "core/bitmap.h"
#include "rounds.h"
#include "vector/half.h"

using namespace ragline;

namespace {

// Rows around a few centres, as real embeddings are, some of them equal; unit length unless
// `plain`.
std::vector<std::vector<float>> random_rows(std::mt19937& random, std::size_t count,
                                            std::size_t dimensions, bool plain) {
  std::normal_distribution<float> normal;
  std::vector<std::vector<float>> centres(1 + random() % 5, std::vector<float>(dimensions)), rows;
  for (auto& centre : centres)
    for (float& value : centre) value = normal(random);
  const float spread = 0.01f + 0.01f * (random() % 100);
  for (std::size_t r = 0; r < count; ++r) {
    if (r && random() % 20 == 0) {
      rows.push_back(rows[random() % r]);
      continue;
    }
    std::vector<float> row = centres[random() % centres.size()];
    double squares = 0;
    for (float& value : row) value += spread * normal(random), squares += value * value;
    if (random() % 50 == 0)
      std::fill(row.begin(), row.end(), 0.f);
    else if (!plain)
      for (float& value : row) value = static_cast<float>(value / std::sqrt(squares));
    rows.push_back(row);
  }
  return rows;
}

// The slow twin: every row in double precision, sorted.
std::vector<Neighbour> slow_search(const std::vector<std::vector<float>>& rows,
                                   std::span<const float> query, std::size_t k,
                                   const Bitmap* filter) {
  std::vector<Neighbour> out;
  for (std::uint32_t r = 0; r < rows.size(); ++r) {
    if (filter && !filter->test(r)) continue;
    double sum = 0;
    for (std::size_t i = 0; i < query.size(); ++i) sum += double(query[i]) * rows[r][i];
    out.push_back({r, static_cast<float>(sum)});
  }
  std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.score > b.score; });
  out.resize(std::min(k, out.size()));
  return out;
}

// What the scores are exact for.
std::vector<float> kept(const FlatBuilder& builder, std::size_t row, std::size_t dimensions) {
  const FlatRows view = builder.view();
  std::vector<float> out(dimensions);
  if (!view.floats.empty())
    return {view.floats.begin() + row * dimensions, view.floats.begin() + (row + 1) * dimensions};
  if (!view.halves.empty())
    for (std::size_t i = 0; i < dimensions; ++i)
      out[i] = from_half(view.halves[row * dimensions + i]);
  else
    dequantise(view.codes.subspan(row * padded_dimensions(dimensions)), view.scales[row].scale,
               out);
  return out;
}

// Equal rows and scores, but for the last bit: the twin rounds a dequantised value once more.
void require_same(const std::vector<Neighbour>& found, const std::vector<Neighbour>& expected,
                  bool exactly) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (exactly) REQUIRE(found[i].row == expected[i].row);
    REQUIRE(std::fabs(found[i].score - expected[i].score) <=
            1e-5 * std::fabs(expected[i].score) + 1e-6);
    if (i)
      REQUIRE((found[i - 1].score > found[i].score ||
               (found[i - 1].score == found[i].score && found[i - 1].row < found[i].row)));
  }
}

}  // namespace

TEST_CASE("a flat search is the search of floats, filtered or not, alone or in a batch") {
  std::mt19937 random(20261130);
  for (std::size_t round = 0; round < testing::rounds(150); ++round) {
    const std::size_t dimensions = 1 + random() % 200, count = random() % 700;
    const auto copies = static_cast<FlatCopies>(random() % 3);
    const bool plain = random() % 4 == 0;
    INFO("round " << round << ", copies " << static_cast<int>(copies));
    FlatBuilder builder(dimensions, copies);
    std::vector<std::vector<float>> rows = random_rows(random, count, dimensions, plain);
    for (std::size_t r = 0; r < count; ++r) {
      builder.append(rows[r]);
      rows[r] = kept(builder, r, dimensions);
    }
    Bitmap filter(count);
    const unsigned passing = std::vector<unsigned>{0, 1, 10, 50, 99, 100}[random() % 6];
    for (std::size_t r = 0; r < count; ++r)
      if (random() % 100 < passing) filter.set(r);
    const bool filtered = random() % 3 && count;
    FlatOptions options{.k = random() % 30};
    if (filtered) options.filter = filter.words();
    std::vector<float> queries;
    for (const auto& row : random_rows(random, random() % 10, dimensions, plain))
      queries.insert(queries.end(), row.begin(), row.end());
    const auto batch = search_flat_batch(builder.view(), queries, options);
    REQUIRE(batch.size() == queries.size() / dimensions);
    for (std::size_t q = 0; q < batch.size(); ++q) {
      const auto query = std::span<const float>(queries).subspan(q * dimensions, dimensions);
      const auto found = search_flat(builder.view(), query, options);
      require_same(found, slow_search(rows, query, options.k, filtered ? &filter : nullptr),
                   copies != FlatCopies::kNone);
      REQUIRE(batch[q] == found);
      std::vector<std::uint32_t> which;
      for (const Neighbour& neighbour : found) which.push_back(neighbour.row);
      const auto scores = score_rows(builder.view(), query, which);
      for (std::size_t i = 0; i < found.size(); ++i) REQUIRE(scores[i] == found[i].score);
    }
  }
}

TEST_CASE("equal rows come in the order of their numbers") {
  FlatBuilder builder(8, FlatCopies::kNone);
  const std::vector<float> row{1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < 5000; ++i) builder.append(row);
  const auto found = search_flat(builder.view(), row, {.k = 3});
  REQUIRE(found.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(found[i].row == i);
}

// Filters that pass one row in a thousand gave empty answers where they were applied after the k
// best were taken.
TEST_CASE("qmd_775_a_filter_counts_before_the_k_best_are_taken") {
  std::mt19937 random(7);
  FlatBuilder builder(16, FlatCopies::kFloat);
  for (const auto& row : random_rows(random, 5000, 16, false)) builder.append(row);
  Bitmap filter(5000);
  for (const std::size_t row : {17u, 1999u, 2000u, 4444u, 4999u}) filter.set(row);
  const std::vector<float> query(16, 0.25f);
  const auto found = search_flat(builder.view(), query, {.k = 10, .filter = filter.words()});
  REQUIRE(found.size() == 5);
  for (const Neighbour& neighbour : found) CHECK(filter.test(neighbour.row));
}
