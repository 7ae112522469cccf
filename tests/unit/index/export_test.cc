#include "index/export.h"

#include <random>

#include "catch.h"
#include "core/text.h"
#include "corpus/source.h"
#include "index/lookup.h"
#include "record/reader.h"
#include "sample.h"

using namespace ragline;

namespace {

std::shared_ptr<const Snapshot> index_of(std::vector<ChunkedDocument> documents) {
  std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage, std::move(documents)));
  return open_snapshot(*storage).value();
}

std::string exported(const Snapshot& snapshot) {
  std::string lines;
  const auto report = export_records(snapshot, [&](std::string_view more) -> Status {
    lines += more;
    return {};
  });
  REQUIRE(report);
  CHECK(report->documents == snapshot.live_documents());
  CHECK(report->chunks == snapshot.live_chunks());
  return lines;
}

// As build reads a stream.
std::vector<ChunkedDocument> imported(const std::string& lines) {
  std::vector<ChunkedDocument> documents;
  const SourceOptions options;
  SourceReport report;
  auto sink = [&](ChunkedDocument&& document) -> Status {
    documents.push_back(std::move(document));
    return {};
  };
  RowReader reader("export", options, sink, [](std::string_view) { return Status{}; }, report);
  LineReader rows("export", lines);
  Line line;
  while (rows.next(line).value()) REQUIRE(reader.push(line.bytes, line.number));
  REQUIRE(reader.finish());
  return documents;
}

ChunkedDocument random_document(std::mt19937& random, int number) {
  const char* words[] = {"refund ", "order\n", "Über ", "x", "\t", "日本 ", "# "};
  std::vector<std::string> texts;
  for (unsigned i = 0, count = 1 + random() % 4; i < count; ++i) {
    std::string& text = texts.emplace_back();
    for (unsigned w = 0, length = 1 + random() % 30; w < length; ++w) text += words[random() % 7];
  }
  ChunkedDocument document = sample::document("d#" + std::to_string(number) + "@x", texts, random() % 2 ? "1" : "");
  Document& shared = document.document;
  if (random() % 2) shared.path = "dir/d" + std::to_string(number);
  if (random() % 3 == 0) shared.path = "bad\xff";
  if (random() % 2) shared.title = "refund";
  if (random() % 2) shared.metadata = "{\"n\":" + std::to_string(random() % 5) + "}";
  if (random() % 2) shared.checksum = "0123456789abcdef";
  if (random() % 2) shared.media_type = "text/html", document.extractor = "html";
  if (random() % 3 == 0) shared.governance.tenant = "t";
  if (random() % 2) shared.governance.acl = std::vector<std::string>(random() % 3, "ann");
  if (random() % 3 == 0) shared.governance.effective_from = "2026-01-01";
  for (Chunk& chunk : document.chunks) {
    chunk.path = shared.path;
    chunk.title = shared.title;
    chunk.metadata = shared.metadata;
    chunk.checksum = shared.checksum;
    chunk.media_type = shared.media_type;
    chunk.extractor = document.extractor;
    chunk.governance = shared.governance;
    if (random() % 2) chunk.section_path = {"One", "Two"};
    if (random() % 3 == 0) chunk.context = "head";
    if (random() % 3 == 0) chunk.page = random() % 9;
    if (random() % 3 == 0) chunk.lines = {1 + random() % 5, 9};
    if (chunk.ordinal > 0 && random() % 5 == 0) chunk.language = "de";  // the document's is that of its first chunk
  }
  return document;
}

}  // namespace

TEST_CASE("what is exported and built again is the same index, byte for byte") {
  const unsigned seed = std::random_device()();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::vector<ChunkedDocument> documents;
  for (int i = 0; i < 60; ++i) documents.push_back(random_document(random, i));
  std::shared_ptr<Storage> one = memory_storage(), two = memory_storage();
  REQUIRE(sample::session(one, std::move(documents), {}, 1));
  const std::string lines = exported(*open_snapshot(*one).value());
  REQUIRE(sample::session(two, imported(lines), {}, 1));
  CHECK(sample::files(*one) == sample::files(*two));
  CHECK(exported(*open_snapshot(*two).value()) == lines);
}

TEST_CASE("deleted documents are not exported") {
  std::shared_ptr<Storage> storage = memory_storage();
  std::vector<ChunkedDocument> documents;
  for (int i = 0; i < 20; ++i) documents.push_back(sample::document("d" + std::to_string(i), {"words"}));
  REQUIRE(sample::session(storage, std::move(documents), {}, 1));
  REQUIRE(sample::session(storage, {}, {"d3"}));
  const std::string lines = exported(*open_snapshot(*storage).value());
  CHECK(lines.find("\"d3\"") == lines.npos);
  CHECK(lines.find("\"d4\"") != lines.npos);
}

TEST_CASE("every span of a document is found by its evidence id, and no other") {
  const unsigned seed = std::random_device()();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::vector<std::string> texts;
  std::string whole;
  for (int i = 0; i < 12; ++i) {
    texts.push_back(std::string(1 + random() % 9, static_cast<char>('a' + i)) + (random() % 2 ? "\n" : ""));
    whole += texts.back();
  }
  const auto snapshot = index_of({sample::document("d", texts), sample::document("e", {"other"})});
  const Lookup lookup = Lookup::open(*snapshot, {}).value();
  for (std::size_t begin = 0; begin < whole.size(); ++begin)
    for (std::size_t end = begin + 1; end <= whole.size(); ++end) {
      const std::string span = whole.substr(begin, end - begin);
      const std::string id = format_evidence_id("d", {begin, end}, evidence_hash(span));
      const auto found = lookup.find(id);
      REQUIRE(found);
      REQUIRE(found->size() == 1);
      CHECK(found->front().text == span);
      CHECK(found->front().evidence_id == id);
      CHECK_FALSE(lookup.find(format_evidence_id("d", {begin, end}, evidence_hash(span + "x"))));
    }
  const std::string past = format_evidence_id("d", {0, whole.size() + 1}, evidence_hash(whole));
  CHECK(lookup.find(past).error().message.find("has changed since") != std::string::npos);
  CHECK(lookup.find("d")->size() == texts.size());
}

TEST_CASE("lines are counted for spans that are no chunks") {
  ChunkedDocument document = sample::document("d", {"one\ntwo\n", "three\nfour\n"});
  document.chunks[0].lines = {1, 2};
  document.chunks[1].lines = {3, 4};
  const auto snapshot = index_of({std::move(document)});
  const Lookup lookup = Lookup::open(*snapshot, {}).value();
  const std::string text = "two\nthree\nfo";
  const Chunk chunk = lookup.find(format_evidence_id("d", {4, 16}, evidence_hash(text))).value().front();
  CHECK(chunk.text == text);
  CHECK(chunk.lines == LineSpan{2, 4});
}

TEST_CASE("of several versions the one in force is looked up first") {
  auto version = [](const char* name, const char* from, const char* to, const char* text) {
    ChunkedDocument document = sample::document("d", {text}, name);
    document.document.governance.effective_from = from;
    document.document.governance.effective_to = to;
    document.chunks[0].governance = document.document.governance;
    return document;
  };
  const auto snapshot = index_of({version("1", "", "2020-01-01", "same"), version("2", "2020-01-01", "", "same"), version("3", "2990-01-01", "", "later")});
  Scope scope;
  const std::string same = format_evidence_id("d", {0, 4}, evidence_hash("same")), later = format_evidence_id("d", {0, 5}, evidence_hash("later"));
  CHECK(Lookup::open(*snapshot, scope)->find(same)->front().version == "2");
  CHECK(Lookup::open(*snapshot, scope)->find(later)->front().version == "3");
  CHECK(Lookup::open(*snapshot, scope)->find("d")->front().version == "2");
  scope.as_of = parse_time("2019-01-01").value();
  CHECK(Lookup::open(*snapshot, scope)->find(same)->front().version == "1");
  CHECK_FALSE(Lookup::open(*snapshot, scope)->find(later));
}
