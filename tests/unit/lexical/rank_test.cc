#include "lexical/rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "catch.h"
#include "rounds.h"
#include "unit/lexical/lists.h"

using namespace ragline_test;

namespace {

// The definition: a map of sums, sorted.
std::vector<RankedChunk> brute_force(const std::vector<ScoredList>& lists, const MadeSegment& made,
                                     const std::vector<std::string>& keys, const RankOptions& options) {
  std::map<std::uint32_t, std::uint32_t> sums;
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (const auto& [chunk, positions] : made.terms.at(keys[i])) {
      const std::size_t length = std::min<std::size_t>(made.columns.lengths[0][chunk], lists[i].norms.size() - 1);
      sums[chunk] += contribution(lists[i].weight, static_cast<std::uint32_t>(positions.size()), lists[i].norms[length]);
    }
  auto tie = [&](std::uint32_t chunk) { return options.tie_rank.empty() ? chunk : options.tie_rank[chunk]; };
  auto better = [&](const RankedChunk& a, const RankedChunk& b) { return a.score != b.score ? a.score > b.score : tie(a.chunk) < tie(b.chunk); };
  std::vector<RankedChunk> all;
  for (auto [chunk, score] : sums)
    if (score >= options.floor && (!options.allowed || options.allowed->test(chunk))) all.push_back({chunk, score});
  std::sort(all.begin(), all.end(), better);
  if (!options.first_chunk.empty()) {
    std::vector<RankedChunk> firsts;
    std::vector<bool> seen(options.first_chunk.size());
    for (const RankedChunk& hit : all) {
      const auto document = static_cast<std::size_t>(
          std::upper_bound(options.first_chunk.begin(), options.first_chunk.end(), hit.chunk) - options.first_chunk.begin());
      if (!seen[document]) firsts.push_back(hit);
      seen[document] = true;
    }
    all = firsts;
  }
  all.resize(std::min<std::size_t>(all.size(), options.top));
  return all;
}

void compare(const MadeSegment& made, std::mt19937& random, double coarse) {
  std::vector<std::string> keys;
  for (const auto& [key, list] : made.terms) keys.push_back(key);
  std::shuffle(keys.begin(), keys.end(), random);
  keys.resize(1 + random() % std::min<std::size_t>(keys.size(), 8));

  auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  const double k1 = random() % 5 == 0 ? 0 : uniform(0.1, 3), b = random() % 4 == 0 ? (random() % 2 ? 0 : 1) : uniform(0, 1);
  const auto norms = bm25_norms(made.postings->lengths(Field::kContent).longest(), uniform(1, 500), k1, b);
  std::vector<ScoredList> lists;
  for (const std::string& key : keys) {
    ScoredList& list = lists.emplace_back();
    list.list = made.postings->list(key);
    list.weight = static_cast<float>(uniform(0.01, 10) * coarse);  // coarse weights make many ties
    list.lengths = made.postings->lengths(Field::kContent);
    list.norms = norms;
  }

  RankOptions options;
  const std::uint32_t tops[] = {1, 2, 10, 100, 100'000};
  options.top = tops[random() % 5];
  if (random() % 3 == 0) options.floor = 1 + static_cast<std::uint32_t>(uniform(0, 5 * coarse));
  Bitmap allowed(made.chunks());
  const double share = random() % 2 ? 0.5 : 0.002;
  for (std::uint32_t chunk = 0; chunk < made.chunks(); ++chunk)
    if (uniform(0, 1) < share) allowed.set(chunk);
  if (random() % 2) options.allowed = &allowed;
  std::vector<std::uint32_t> tie(made.chunks());
  std::iota(tie.begin(), tie.end(), 0u);
  std::shuffle(tie.begin(), tie.end(), random);
  if (random() % 2) options.tie_rank = tie;
  std::vector<std::uint32_t> first;
  for (std::uint32_t chunk = 0; chunk < made.chunks(); chunk += 1 + static_cast<std::uint32_t>(random()) % 20) first.push_back(chunk);
  first.push_back(made.chunks());
  if (random() % 3 == 0) options.first_chunk = first;

  const auto expected = brute_force(lists, made, keys, options);
  REQUIRE(rank_exhaustive(lists, made.chunks(), options) == expected);
  REQUIRE(rank_pruned(lists, made.chunks(), options) == expected);
  REQUIRE(rank(lists, made.chunks(), options) == expected);
}

}  // namespace

TEST_CASE("pruned and exhaustive ranking equal brute force, ties included") {
  std::mt19937 random(21);
  for (std::uint32_t chunks : {1u, 100u, 5000u, 20'000u}) {
    for (int segment = 0; segment < 2; ++segment) {
      MadeSegment made = random_segment(random, chunks, 12);
      made.write();
      for (std::size_t round = 0; round < testing::rounds(60, 4); ++round) {
        INFO("chunks " << chunks << " segment " << segment << " round " << round);
        compare(made, random, round % 2 ? 1 << 20 : 3);
      }
    }
  }
}

TEST_CASE("no lists, or empty ones, rank nothing") {
  REQUIRE(rank({}, 10, {}).empty());
  ScoredList empty;
  empty.weight = 1;
  const std::vector<float> norms{1.0f};
  empty.norms = norms;
  REQUIRE(rank_exhaustive(std::span(&empty, 1), 10, {}).empty());
  REQUIRE(rank_pruned(std::span(&empty, 1), 10, {}).empty());
}

TEST_CASE("lists made in memory rank like those from an index") {
  std::mt19937 random(22);
  MadeSegment made = random_segment(random, 3000, 6);
  made.write();
  const auto norms = bm25_norms(300, 100, 0.9, 0.4);
  std::vector<ScoredList> disk, memory;
  for (const auto& [key, postings] : made.terms) {
    std::vector<std::uint32_t> docs, tfs;
    for (const auto& [chunk, positions] : postings) {
      docs.push_back(chunk);
      tfs.push_back(static_cast<std::uint32_t>(positions.size()));
    }
    disk.push_back({made.postings->list(key), 1000.0f, made.postings->lengths(Field::kContent), norms});
    memory.push_back({PostingList(docs, tfs), 1000.0f, made.postings->lengths(Field::kContent), norms});
  }
  RankOptions options;
  options.top = 50;
  REQUIRE(rank_pruned(disk, made.chunks(), options) == rank_pruned(memory, made.chunks(), options));
}
