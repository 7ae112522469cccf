#include "search/facets.h"

#include <random>
#include <set>

#include "../index/sample.h"
#include "catch.h"

using namespace ragline;

namespace {

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

ChunkedDocument document(std::string id, std::string language, std::string metadata, std::size_t chunks = 1) {
  ChunkedDocument out = sample::document(std::move(id), std::vector<std::string>(chunks, "some text"));
  out.document.language = language;
  for (Chunk& chunk : out.chunks) chunk.language = language;
  out.document.metadata = std::move(metadata);
  return out;
}

std::vector<Bitmap> all_of(const Snapshot& snapshot) {
  std::vector<Bitmap> out;
  for (const auto& segment : snapshot.segments) out.emplace_back(segment->chunk_count(), true);
  return out;
}

}  // namespace

TEST_CASE("documents are counted, not chunks, most first and then by value") {
  const std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage, {document("a", "en", R"({"kind":"x","tags":["p","q"]})", 5), document("b", "de", R"({"kind":"y"})")}).has_value());
  REQUIRE(sample::session(storage, {document("c", "en", R"({"kind":"y","tags":["q"],"deep":{"er":3}})", 2), document("d", "en", "")}).has_value());
  const auto snapshot = open_snapshot(*storage).value();
  const auto all = all_of(*snapshot);
  CHECK(count_facets(*snapshot, all, "language") == Counts{{"en", 3}, {"de", 1}});
  CHECK(count_facets(*snapshot, all, "kind") == Counts{{"y", 2}, {"x", 1}});
  CHECK(count_facets(*snapshot, all, "metadata.kind") == Counts{{"y", 2}, {"x", 1}});
  CHECK(count_facets(*snapshot, all, "tags") == Counts{{"q", 2}, {"p", 1}});
  CHECK(count_facets(*snapshot, all, "deep.er") == Counts{{"3", 1}});
  CHECK(count_facets(*snapshot, all, "kin").empty());
  CHECK(count_facets(*snapshot, all, "").empty());
  CHECK(count_facets(*snapshot, all, "kind", 1) == Counts{{"y", 2}});
}

TEST_CASE("counts of random sets equal a count over their documents") {
  const std::uint32_t seed = 20261130u;
  std::mt19937 random(seed);
  INFO("seed " << seed);
  const std::shared_ptr<Storage> storage = memory_storage();
  std::map<std::string, std::string> kinds;
  for (int session = 0; session < 3; ++session) {
    std::vector<ChunkedDocument> documents;
    for (int i = 0; i < 150; ++i) {
      const std::string id = cat("d", session, "-", i);
      kinds[id] = cat("k", random() % 6);
      documents.push_back(document(id, "en", cat(R"({"kind":")", kinds[id], R"("})"), 1 + random() % 4));
    }
    REQUIRE(sample::session(storage, std::move(documents)).has_value());
  }
  const auto snapshot = open_snapshot(*storage).value();
  for (int round = 0; round < 20; ++round) {
    std::vector<Bitmap> some;
    std::map<std::string, std::set<std::string>> expected;
    for (const auto& segment : snapshot->segments) {
      Bitmap& chunks = some.emplace_back(segment->chunk_count());
      for (std::uint32_t chunk = 0; chunk < segment->chunk_count(); ++chunk) {
        if (random() % (1u + unsigned(round)) != 0) continue;
        chunks.set(chunk);
        const std::string id(segment->document(segment->document_of(chunk)).document_id);
        expected[kinds[id]].insert(id);
      }
    }
    const Counts counts = count_facets(*snapshot, some, "kind");
    REQUIRE(counts.size() == expected.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      CHECK(counts[i].second == expected[counts[i].first].size());
      if (i > 0) {
        const bool in_order = counts[i - 1].second > counts[i].second ||
                              (counts[i - 1].second == counts[i].second && counts[i - 1].first < counts[i].first);
        CHECK(in_order);
      }
    }
  }
}
