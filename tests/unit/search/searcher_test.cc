// The searcher against its slow twin, and what it promises about filters, pages and explanations.
#include "search/searcher.h"

#include <cstdlib>
#include <random>

#include "catch.h"
#include "random_corpus.h"
#include "rounds.h"
#include "twin.h"

using namespace ragline;

namespace {

struct Index {
  std::shared_ptr<Storage> storage = memory_storage();
  std::shared_ptr<const Snapshot> snapshot;

  void session(std::vector<ChunkedDocument> add, const std::vector<std::string>& remove = {}) {
    REQUIRE(sample::session(storage, std::move(add), remove, 1).has_value());
    snapshot = open_snapshot(*storage).value();
  }
};

Index random_index(std::mt19937& random, const random_corpus::Words& languages) {
  Index index;
  for (int sessions = 1 + int(random() % 3); sessions > 0; --sessions) {
    std::vector<ChunkedDocument> documents;
    std::vector<std::string> remove;
    for (int n = 5 + int(random() % 40); n > 0; --n)
      documents.push_back(
          random_corpus::document(random, cat("docs/order", random() % 150, ".md"), languages));
    for (int n = int(random() % 6); n > 0; --n) remove.push_back(cat("docs/order", random() % 150, ".md"));
    index.session(std::move(documents), remove);
  }
  return index;
}

SearchOptions random_options(std::mt19937& random) {
  SearchOptions options;
  options.top = random() % 5 ? 1 + random() % 20 : 1000;
  options.offset = random() % 3 ? 0 : random() % 8;
  options.min_score = random() % 5 ? 0 : double(random() % 400) / 100;
  if (random() % 2) {
    options.k1 = double(random() % 300) / 100;
    options.b = double(random() % 101) / 100;
  }
  if (random() % 2)
    for (double& boost : options.fields.by_field) boost = double(random() % 4) / 2;
  options.collapse_documents = random() % 3 == 0;
  return options;
}

std::uint32_t seed_of(std::uint32_t fallback) {
  const char* given = std::getenv("RAGLINE_SEED");
  return given ? std::uint32_t(std::strtoul(given, nullptr, 10)) : fallback;
}

}  // namespace

TEST_CASE("the searcher finds what its slow twin finds") {
  const std::uint32_t seed = seed_of(20261130u);
  std::mt19937 random(seed);
  const random_corpus::Words all[] = {{"en"}, {"en", "de", "zh"}, {"en", "en", "en", "zh"}, {"de"}};
  std::size_t hits = 0;
  for (std::size_t round = 0; round < testing::rounds(12, 3); ++round) {
    const Index index = random_index(random, all[round % 4]);
    Scope scope;
    if (random() % 3 == 0) scope.path_globs = {"**/order*[0-4].md"};
    if (random() % 4 == 0) scope.languages = {"en"};
    const ScopeBitmaps bitmaps = apply_scope(*index.snapshot, scope).value();
    Searcher searcher(*index.snapshot, bitmaps);
    twin::Twin slow(*index.snapshot, bitmaps);
    for (int i = 0; i < 60; ++i) {
      const std::string query = random_corpus::query(random);
      const SearchOptions options = random_options(random);
      INFO("RAGLINE_SEED=" << seed << " round " << round << " query " << query << " top " << options.top
                           << " offset " << options.offset << " min " << options.min_score);
      const auto result = searcher.search(query, options);
      REQUIRE(result.has_value());
      const auto fast = twin::found(*index.snapshot, *result);
      const auto expected = slow.search(query, options);
      REQUIRE(fast.size() == expected.size());
      for (std::size_t h = 0; h < fast.size(); ++h) {
        INFO("hit " << h << ": " << fast[h].document_id << " " << fast[h].score << ", twin "
                    << expected[h].document_id << " " << expected[h].score);
        REQUIRE(fast[h] == expected[h]);
        double sum = 0;
        for (const Contribution& part : searcher.explain(result->hits[h])) sum += part.score;
        REQUIRE(sum == fast[h].score);
      }
      hits += fast.size();
    }
  }
  CHECK(hits > 1000);
}

TEST_CASE("a page is a part of one long list") {
  std::mt19937 random(7);
  const Index index = random_index(random, {"en", "de"});
  const ScopeBitmaps bitmaps = apply_scope(*index.snapshot, {}).value();
  Searcher searcher(*index.snapshot, bitmaps);
  for (const char* query : {"order refund", "order*", "die \"order status\"~2"}) {
    SearchOptions options;
    options.top = 1000;
    const auto all = twin::found(*index.snapshot, searcher.search(query, options).value());
    std::vector<twin::Found> pages;
    options.top = 3;
    for (options.offset = 0; options.offset < all.size() + 5; options.offset += 3)
      for (twin::Found& hit : twin::found(*index.snapshot, searcher.search(query, options).value()))
        pages.push_back(std::move(hit));
    CHECK(pages == all);
  }
}

TEST_CASE("qmd_775_filter_before_top_k") {
  // One document in a thousand passes, and every other one ranks higher.
  std::vector<ChunkedDocument> documents;
  for (int i = 0; i < 6000; ++i) {
    const bool rare = i % 1000 == 17;
    ChunkedDocument document = sample::document(
        cat("d", i), {rare ? cat("refund", std::string(std::size_t(1 + i / 1000) * 8, ' '),
                                 "among many other words that make it long and weak number", i)
                           : "refund refund refund"});
    document.document.metadata = rare ? R"({"kind":"rare"})" : R"({"kind":"common"})";
    documents.push_back(std::move(document));
  }
  Index index;
  index.session(std::move(documents));
  Scope scope;
  scope.filters.push_back(parse_filter("kind = rare").value());
  const ScopeBitmaps bitmaps = apply_scope(*index.snapshot, scope).value(),
                     everything = apply_scope(*index.snapshot, {}).value();
  CHECK(bitmaps.passing == 6);
  SearchOptions options;
  const auto narrow = twin::found(*index.snapshot, Searcher(*index.snapshot, bitmaps).search("refund", options).value());
  options.top = 10000;
  std::vector<twin::Found> passing;
  for (twin::Found& hit : twin::found(*index.snapshot, Searcher(*index.snapshot, everything).search("refund", options).value()))
    if (std::stoi(hit.document_id.substr(1)) % 1000 == 17) passing.push_back(std::move(hit));
  CHECK(narrow.size() == 6);
  CHECK(narrow == passing);
}

TEST_CASE("words that a query asks for and an index lacks") {
  Index index;
  index.session({sample::document("a", {"the refund of an order"})});
  const ScopeBitmaps bitmaps = apply_scope(*index.snapshot, {}).value();
  Searcher searcher(*index.snapshot, bitmaps);
  const SearchResult some = searcher.search("the refund zebra", {}).value();
  CHECK(some.hits.size() == 1);
  CHECK(some.words == std::vector<std::string>{"refund", "zebra"});
  CHECK(some.dropped == std::vector<std::string>{"the"});
  CHECK(some.unknown == std::vector<std::string>{"zebra"});
  CHECK(searcher.search("", {}).value().hits.empty());
  CHECK(searcher.search("the of", {}).value().hits.empty());
  const SearchResult excluded = searcher.search("-refund", {}).value();
  CHECK(excluded.hits.empty());
  CHECK(excluded.only_exclusions);
  CHECK(searcher.search("+the +refund", {}).value().hits.size() == 1);
  CHECK(searcher.search("+zebra refund", {}).value().hits.empty());
  CHECK(searcher.search("refund -(order zebra)", {}).value().hits.empty());
}
