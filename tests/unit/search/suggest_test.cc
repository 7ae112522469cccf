#include "search/suggest.h"

#include <string>

#include "../index/sample.h"
#include "catch.h"

using namespace ragline;

namespace {

using Words = std::vector<std::string>;

std::shared_ptr<const Snapshot> index_of(std::vector<ChunkedDocument> documents,
                                         bool governed = false) {
  const std::shared_ptr<Storage> storage = memory_storage();
  auto writer = IndexWriter::open(storage, sample::options()).value();
  writer->manifest().governed = governed;
  for (ChunkedDocument& document : documents) REQUIRE(writer->add(std::move(document)).has_value());
  REQUIRE(writer->commit().has_value());
  return open_snapshot(*storage).value();
}

Words suggest(const Snapshot& snapshot, std::string_view word, const Scope& scope = {}) {
  const auto bitmaps = apply_scope(snapshot, scope);
  REQUIRE(bitmaps.has_value());
  return suggest_spellings(snapshot, *bitmaps, word);
}

ChunkedDocument labelled(std::string id, std::string text, std::string principal) {
  ChunkedDocument document = sample::document(std::move(id), {std::move(text)});
  document.document.governance.acl = {std::move(principal)};
  for (Chunk& chunk : document.chunks) chunk.governance = document.document.governance;
  return document;
}

}  // namespace

TEST_CASE("near spellings, as a text has them") {
  const auto snapshot =
      index_of({sample::document("a", {"The refunds of unshipped orders", "Shipping takes a week"}),
                sample::document("b", {"Refunding an order twice"})});
  CHECK(suggest(*snapshot, "refnud") == Words{"refunds"});
  CHECK(suggest(*snapshot, "Shippng") == Words{"shipping"});  // its stem is far from "ship"
  CHECK(suggest(*snapshot, "refundng") == Words{"refunding"});
  CHECK(suggest(*snapshot, "oder") == Words{"order"});
  CHECK(suggest(*snapshot, "zebra").empty());
  CHECK(suggest(*snapshot, "wk").empty());
  CHECK(suggest(*snapshot, "2024").empty());
  CHECK(suggest(*snapshot, "").empty());
  CHECK(suggest(*snapshot, std::string(5000, 'x')).empty());
}

TEST_CASE("nearer words come first, then those with the same first letter, then frequent ones") {
  const auto snapshot =
      index_of({sample::document("a", {"carton", "barton", "carbon", "carbon", "marten"})});
  CHECK(suggest(*snapshot, "carten") == Words{"carton", "marten"});
  CHECK(suggest(*snapshot, "cartten") == Words{"carton", "marten"});
  CHECK(suggest(*snapshot, "karbom") == Words{"carbon"});
  CHECK(suggest(*snapshot, "berten") == Words{"barton", "marten"});
}

TEST_CASE("only what the caller may see is suggested") {
  const auto snapshot = index_of(
      {labelled("a", "the salary of everyone", "boss"), labelled("b", "the celery soup", "ann")},
      true);
  Scope scope;
  scope.principals = {"ann"};
  CHECK(suggest(*snapshot, "salery", scope) == Words{"celery"});
  scope.principals = {"boss"};
  CHECK(suggest(*snapshot, "salery", scope) == Words{"salary"});
  scope.principals = {"eve"};
  CHECK(suggest(*snapshot, "salery", scope).empty());
}

TEST_CASE("words of deleted and filtered documents are not suggested") {
  const std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage,
                          {sample::document("a", {"carton"}), sample::document("b", {"carbon"})})
              .has_value());
  REQUIRE(sample::session(storage, {}, {"a"}).has_value());
  const auto snapshot = open_snapshot(*storage).value();
  CHECK(suggest(*snapshot, "carton") == Words{"carbon"});
  Scope scope;
  scope.filters = {parse_filter("document_id != b").value()};
  CHECK(suggest(*snapshot, "carton", scope).empty());
}
