#include "index/segment.h"

#include <cmath>
#include <random>

#include "catch.h"
#include "core/text.h"
#include "sample.h"

using namespace ragline;

namespace {

SegmentEntry write(Storage& storage, const std::vector<ChunkedDocument>& documents,
                   bool begin_first = false) {
  SegmentWriter writer;
  if (begin_first) REQUIRE(writer.begin(storage, "seg-000001"));
  for (const ChunkedDocument& document : documents) REQUIRE(writer.add(document));
  return writer.write(storage, "seg-000001").value();
}

// Documents of one to four chunks with ids in no order, some fields set, texts of any size.
std::vector<ChunkedDocument> random_documents(std::mt19937& random, std::size_t count) {
  std::vector<ChunkedDocument> documents;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> texts;
    for (std::size_t c = random() % 4 + 1; c > 0; --c) {
      std::string text;
      for (std::size_t words = random() % 50 == 0 ? 8'000 : random() % 60 + 1; words > 0; --words)
        append(text, "word", random() % 500, ' ');
      texts.push_back(text);
    }
    ChunkedDocument one = sample::document(cat("docs/", random() % 1000, "/", i), texts,
                                           random() % 3 ? "" : cat("v", random() % 3));
    Document& document = one.document;
    if (random() % 2) document.path = random() % 2 ? document.document_id : cat("other/", i);
    if (random() % 4 == 0) document.governance.tenant = cat("tenant", random() % 300);
    if (random() % 4 == 0) document.governance.acl = std::vector<std::string>{"ann", "bob"};
    if (random() % 4 == 0) document.governance.effective_from = "2026-02-03T04:05:06Z";
    if (random() % 4 == 0) document.metadata = R"({"year":2020,"tags":["a","b"]})";
    for (Chunk& chunk : one.chunks) {
      chunk.path = document.path;
      chunk.governance = document.governance;
      chunk.metadata = document.metadata;
      if (random() % 2) chunk.lines = {random() % 100, 200};
      if (random() % 3 == 0) chunk.section_path = {"One", "Two"};
    }
    documents.push_back(std::move(one));
  }
  return documents;
}

void check_equal(const Segment& segment, const std::vector<ChunkedDocument>& documents) {
  REQUIRE(segment.document_count() == documents.size());
  std::uint32_t chunk = 0;
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    const ChunkedDocument& expected = documents[d];
    const DocumentEntry entry = segment.document(d);
    CHECK(entry.document_id == expected.document.document_id);
    CHECK(entry.version == expected.document.version);
    CHECK(entry.path == expected.document.path);
    CHECK(entry.tenant == expected.document.governance.tenant);
    CHECK(entry.labelled == expected.document.governance.acl.has_value());
    CHECK(entry.first_chunk == chunk);
    REQUIRE(entry.chunks == expected.chunks.size());
    Document record = expected.document;
    record.text.clear();
    REQUIRE(segment.document_record(d).value() == record);
    for (const Chunk& expected_chunk : expected.chunks) {
      CHECK(segment.document_of(chunk) == d);
      REQUIRE(segment.chunk(chunk++).value() == expected_chunk);
    }
  }
  CHECK(segment.chunk_count() == chunk);
}

}  // namespace

TEST_CASE("a segment gives back what was written, text kept or sent ahead") {
  std::mt19937 random(7);
  const auto documents = random_documents(random, 100);
  auto storage = memory_storage();
  const SegmentEntry entry = write(*storage, documents, GENERATE(false, true));
  const auto segment = Segment::open(*storage, entry).value();
  check_equal(*segment, documents);
  REQUIRE(segment->check());
  std::uint64_t bytes = 0;
  for (const auto& [name, content] : sample::files(*storage)) bytes += content.size();
  CHECK(entry.bytes == bytes);

  std::size_t seen = 0;
  REQUIRE(segment->scan([&](std::uint32_t document, ChunkedDocument&& one) -> Status {
    CHECK(document == seen);
    CHECK(one.chunks == documents[seen++].chunks);
    return {};
  }));
  CHECK(seen == documents.size());
}

TEST_CASE(
    "documents are found by id, in the order of versions, and ties follow id, version and "
    "ordinal") {
  auto storage = memory_storage();
  const SegmentEntry entry =
      write(*storage, {sample::document("b", {"x", "y"}, "2"), sample::document("a", {"x"}),
                       sample::document("b", {"z"}, "1"), sample::document("ab", {"q"})});
  const auto segment = Segment::open(*storage, entry).value();
  CHECK(segment->find_document("b") == std::vector<std::uint32_t>{2, 0});
  CHECK(segment->find_document("a") == std::vector<std::uint32_t>{1});
  CHECK(segment->find_document("c").empty());
  CHECK(segment->find_document("").empty());
  const std::vector<std::uint32_t> expected = {3, 4, 0, 2, 1};
  CHECK(std::vector<std::uint32_t>(segment->tie_rank().begin(), segment->tie_rank().end()) ==
        expected);
}

TEST_CASE("documents in order need no order") {
  auto storage = memory_storage();
  const auto segment =
      Segment::open(*storage,
                    write(*storage, {sample::document("a", {"x"}), sample::document("b", {"y"})}))
          .value();
  CHECK(segment->tie_rank().empty());
  CHECK(segment->find_document("b") == std::vector<std::uint32_t>{1});
}

TEST_CASE("a merge equals a segment written from the live documents") {
  const auto seed = GENERATE(1u, 2u, 3u);
  INFO("seed " << seed);
  std::mt19937 random(seed);
  auto storage = memory_storage();
  std::vector<std::shared_ptr<const Segment>> inputs;
  std::vector<ChunkedDocument> live;
  for (int i = 0; i < 3; ++i) {
    const auto documents = random_documents(random, 60);
    SegmentWriter writer;
    for (const ChunkedDocument& document : documents) REQUIRE(writer.add(document));
    const SegmentEntry entry = writer.write(*storage, cat("seg-00001", i)).value();
    auto segment = Segment::open(*storage, entry).value();
    Bitmap deleted(entry.chunks);
    for (std::uint32_t d = 0; d < documents.size(); ++d) {
      if (i > 0 && random() % 3 == 0)
        deleted.set_range(segment->first_chunks()[d], segment->first_chunks()[d + 1]);
      else
        live.push_back(documents[d]);
    }
    inputs.push_back(i > 0 ? segment->with_deletes(deleted) : segment);
  }
  const auto merged =
      Segment::open(*storage, merge_segments(inputs, *storage, "seg-000020").value()).value();
  check_equal(*merged, live);
  REQUIRE(merged->check());

  SegmentWriter writer;
  for (const ChunkedDocument& document : live) REQUIRE(writer.add(document));
  const auto direct = Segment::open(*storage, writer.write(*storage, "seg-000021").value()).value();
  CHECK(direct->postings().statistics() == merged->postings().statistics());
  CHECK(direct->postings().term_count() == merged->postings().term_count());
  CHECK(std::vector(direct->tie_rank().begin(), direct->tie_rank().end()) ==
        std::vector(merged->tie_rank().begin(), merged->tie_rank().end()));
}

TEST_CASE("columns and text of a million small documents would stay well below their text") {
  std::mt19937 random(11);
  std::vector<std::string> words(5000);
  for (std::string& word : words)
    for (std::size_t i = random() % 8 + 2; i > 0; --i)
      word += static_cast<char>('a' + random() % 26);
  auto storage = memory_storage();
  SegmentWriter writer;
  std::uint64_t text_bytes = 0;
  for (int d = 0; d < 2000; ++d) {
    std::string text;
    while (text.size() < 400)
      append(text,
             words[static_cast<std::size_t>(5000 * std::pow((random() % 1000 + 1) / 1001.0, 3))],
             ' ');
    text_bytes += text.size();
    REQUIRE(writer.add(sample::document(cat("doc-", 1'000'000 + d), {text})));
  }
  REQUIRE(writer.write(*storage, "seg-000001"));
  const auto files = sample::files(*storage);
  const double ratio = static_cast<double>(files.at("seg-000001/text").size() +
                                           files.at("seg-000001/documents").size()) /
                       static_cast<double>(text_bytes);
  INFO(ratio);
  CHECK(ratio < 0.6);
}

TEST_CASE("documents that cannot be kept as they are are refused by name") {
  SegmentWriter writer;
  auto message = [&](const ChunkedDocument& document) {
    const Status status = writer.add(document);
    REQUIRE_FALSE(status);
    CHECK(status.error().kind == ErrorKind::kData);
    CHECK(status.error().message.find("'d'") != std::string::npos);
    return status.error().message;
  };
  CHECK(message(sample::document("d", {})).find("no chunks") != std::string::npos);
  ChunkedDocument bad_time = sample::document("d", {"x"});
  bad_time.document.governance.effective_from = "yesterday";
  CHECK(message(bad_time).find("effective_from") != std::string::npos);
  ChunkedDocument other_label = sample::document("d", {"x"});
  other_label.chunks[0].governance.acl = std::vector<std::string>{"ann"};
  CHECK(message(other_label).find("another tenant, acl") != std::string::npos);
}

TEST_CASE("the language is the chunk's, the document's, the one given, or the one detected") {
  auto storage = memory_storage();
  SegmentWriter writer;
  writer.set_language("de");
  ChunkedDocument none = sample::document("a", {"text"});
  none.document.language.clear();
  none.chunks[0].language.clear();
  ChunkedDocument own = sample::document("b", {"text"});
  own.document.language = "fr";
  own.chunks[0].language = "it";
  REQUIRE(writer.add(none));
  REQUIRE(writer.add(own));
  const auto segment =
      Segment::open(*storage, writer.write(*storage, "seg-000001").value()).value();
  CHECK(segment->chunk(0).value().language == "de");
  CHECK(segment->document_record(0).value().language == "de");
  CHECK(segment->chunk(1).value().language == "it");
  CHECK(segment->document_record(1).value().language == "fr");
  CHECK(segment->postings().language(0) == Language::kGerman);
  CHECK(segment->postings().language(1) == Language::kItalian);
}
