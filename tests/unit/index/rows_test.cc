#include "index/rows.h"

#include <random>

#include "catch.h"
#include "record/evidence.h"
#include "sample.h"

using namespace ragline;

namespace {

Document full_document() {
  Document document;
  document.document_id = "a#b@c";
  document.version = "2";
  document.path = "dir/a.md";
  document.media_type = "text/markdown";
  document.language = "en";
  document.governance.tenant = "t";
  document.governance.acl = std::vector<std::string>{"ann", "*"};
  document.governance.effective_from = "2026-01-01";
  document.governance.effective_to = "2027-01-01T00:00:00Z";
  document.checksum = "0123456789abcdef";
  document.title = "A title";
  document.metadata = R"({"a":1})";
  document.extra = R"("x":[1,2])";
  return document;
}

// What a reader gives back for `chunk` stored under `document`.
Chunk round_trip(const Chunk& chunk, const Document& document, std::uint32_t place) {
  std::string row;
  encode_document_row(row, document, document.language, "html", 42);
  DocumentRow shared;
  REQUIRE(decode_document_row(row, shared));
  CHECK(shared.columns_hash == 42);
  CHECK(shared.title == document.title);
  CHECK(shared.metadata == document.metadata);
  CHECK(shared.extra == document.extra);
  encode_chunk_row(row, chunk, document, document.language, "html", place);
  Chunk out;
  out.document_id = document.document_id;
  out.version = document.version;
  out.path = document.path;
  out.governance.tenant = document.governance.tenant;
  REQUIRE(decode_chunk_row(row, shared, place, out));
  return out;
}

Chunk plain_chunk(const Document& document, std::string text) {
  Chunk chunk;
  chunk.document_id = document.document_id;
  chunk.version = document.version;
  chunk.path = document.path;
  chunk.title = document.title;
  chunk.media_type = document.media_type;
  chunk.language = document.language;
  chunk.governance = document.governance;
  chunk.checksum = document.checksum;
  chunk.extractor = "html";
  chunk.metadata = document.metadata;
  chunk.text = std::move(text);
  chunk.bytes = {100, 100 + chunk.text.size()};
  chunk.evidence_id =
      format_evidence_id(chunk.document_id, *chunk.bytes, evidence_hash(chunk.text));
  return chunk;
}

}  // namespace

TEST_CASE("a chunk comes back with every field") {
  const Document document = full_document();
  Chunk chunk = plain_chunk(document, "some text\0with a NUL");
  SECTION("nothing of its own") {}
  SECTION("everything of its own") {
    chunk.ordinal = 77;
    chunk.parent_id = "parent";
    chunk.path = "other";
    chunk.title = "Other";
    chunk.section_path = {"One", "", "Three"};
    chunk.page = 3;
    chunk.block_type = "invented";
    chunk.lines = {10, 20};
    chunk.context = "| a | b |";
    chunk.media_type = "text/x";
    chunk.language = "de";
    chunk.checksum = "f";
    chunk.extractor = "pdf";
    chunk.metadata = "{}";
    chunk.extra = R"("later":true)";
  }
  SECTION("a known block type") { chunk.block_type = "front_matter"; }
  SECTION("a span that is longer than the text") { chunk.bytes->end += 5; }
  SECTION("an id of another making") { chunk.evidence_id = "made-elsewhere"; }
  SECTION("no span") {
    chunk.bytes.reset();
    chunk.evidence_id.clear();
  }
  CHECK(round_trip(chunk, document, 0) == chunk);
}

TEST_CASE("what a chunk leaves out it has of its document, and the id follows from the text") {
  const Document document = full_document();
  const Chunk whole = plain_chunk(document, "text");
  Chunk bare;
  bare.ordinal = 0;
  bare.bytes = whole.bytes;
  bare.text = whole.text;
  CHECK(round_trip(bare, document, 0) == whole);
}

TEST_CASE("a chunk without an own field costs a few bytes above its text") {
  const Document document = full_document();
  std::string row;
  encode_chunk_row(row, plain_chunk(document, std::string(400, 'x')), document, "en", "html", 0);
  CHECK(row.size() <= 403);
}

TEST_CASE("rows with any byte changed or cut never read out of bounds") {
  const Document document = full_document();
  Chunk chunk = plain_chunk(document, "text");
  chunk.section_path = {"One", "Two"};
  chunk.lines = {1, 2};
  chunk.parent_id = "p";
  std::string rows[2];
  encode_document_row(rows[0], document, "en", "", 1);
  encode_chunk_row(rows[1], chunk, document, "en", "", 0);
  for (const std::string& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      for (int value = 0; value < 256; ++value) {
        std::string changed = row;
        changed[i] = static_cast<char>(value);
        DocumentRow shared;
        Chunk out;
        (void)decode_document_row(changed, shared);
        (void)decode_chunk_row(changed, shared, 0, out);
        (void)decode_chunk_row(std::string_view(changed).substr(0, i), shared, 0, out);
      }
}
