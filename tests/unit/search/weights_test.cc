#include "search/weights.h"

#include <cmath>

#include "../index/sample.h"
#include "catch.h"
#include "search/searcher.h"

using namespace ragline;

namespace {

std::shared_ptr<const Snapshot> index_of(std::vector<std::pair<const char*, std::string>> texts) {
  const std::shared_ptr<Storage> storage = memory_storage();
  std::vector<ChunkedDocument> documents;
  for (const auto& [language, text] : texts) {
    ChunkedDocument& document = documents.emplace_back(sample::document(cat("d", documents.size()), {text}));
    document.document.language = document.chunks[0].language = language;
  }
  REQUIRE(sample::session(storage, std::move(documents)).has_value());
  return open_snapshot(*storage).value();
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

struct Asked {
  Searcher searcher;
  SearchResult result;
  Asked(const Snapshot& snapshot, const ScopeBitmaps& scope, std::string_view query)
      : searcher(snapshot, scope), result(searcher.search(query, {}).value()) {}
  // What the first leaf added to the best hit.
  Contribution first() { return searcher.explain(result.hits.at(0)).at(0); }
};

}  // namespace

TEST_CASE("inverse document frequency") {
  CHECK(near(bm25_idf(1, 1), std::log(1 + 0.5 / 1.5)));
  CHECK(near(bm25_idf(2, 10), std::log(1 + 8.5 / 2.5)));
  CHECK(bm25_idf(1, 100) > bm25_idf(2, 100));
  CHECK(bm25_idf(100, 100) > 0);
}

TEST_CASE("with one language the weights are BM25's") {
  const auto snapshot = index_of({{"en", "refund order"}, {"en", "order order ship ship"}, {"en", "ship"}});
  const ScopeBitmaps scope = apply_scope(*snapshot, {}).value();
  Asked asked(*snapshot, scope, "order");
  const Contribution part = asked.first();
  CHECK(part.leaf.doc_freq == 2);
  CHECK(near(part.leaf.idf, std::log(1 + 1.5 / 2.5)));
  CHECK(part.leaf.boost == 1);
  CHECK(near(part.average_length, 7.0 / 3));
  CHECK(part.tf == 2);
  CHECK(part.length == 4);
  const double norm = 0.9 * (1 - 0.4 + 0.4 * 4 / (7.0 / 3));
  CHECK(std::abs(part.score - part.leaf.idf * 2 / (2 + norm)) < 1e-6);
}

TEST_CASE("a language's share is drawn towards the whole index") {
  std::vector<std::pair<const char*, std::string>> texts;
  for (int i = 0; i < 30; ++i) texts.emplace_back("en", i < 3 ? "order ship" : "ship");
  for (int i = 0; i < 10; ++i) texts.emplace_back("de", i < 1 ? "order haus" : "haus");
  const auto snapshot = index_of(std::move(texts));
  const ScopeBitmaps scope = apply_scope(*snapshot, {}).value();
  Asked asked(*snapshot, scope, "order");
  const Contribution part = asked.first();
  const bool english = part.leaf.language == Language::kEnglish;
  const double doc_freq = english ? 3 : 1, chunks = english ? 30 : 10, length = english ? 33 : 11;
  const double share = (doc_freq + kPrior * 4 / 40) / (chunks + kPrior);
  CHECK(double(part.leaf.doc_freq) == doc_freq);
  CHECK(near(part.leaf.idf, bm25_idf(share * 40, 40)));
  CHECK(near(part.average_length, (length + kPrior * 44 / 40) / (chunks + kPrior)));
}

TEST_CASE("lance_2238_a_question_finds_its_own_language_first") {
  std::vector<std::pair<const char*, std::string>> texts;
  for (int i = 0; i < 60; ++i) {
    texts.emplace_back("en", cat("the company paid for order number ", i, " in euros"));
    texts.emplace_back("de", cat("die Firma zahlte für Bestellung Nummer ", i, " in Euro"));
  }
  texts.emplace_back("de", "der Vertrag mit Microsoft 1975 wurde bezahlt");
  texts.emplace_back("en", "the contract with Microsoft 1975 was paid in a long text of many more words");
  const auto snapshot = index_of(std::move(texts));
  const ScopeBitmaps scope = apply_scope(*snapshot, {}).value();
  auto best = [&](std::string_view query) {
    Asked asked(*snapshot, scope, query);
    const Segment& segment = *snapshot->segments[asked.result.hits.at(0).segment];
    return segment.chunk(asked.result.hits[0].chunk).value().language;
  };
  CHECK(best("which company paid Microsoft 1975") == "en");
  CHECK(best("welche Firma zahlte Microsoft 1975") == "de");
}
