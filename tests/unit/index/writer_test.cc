#include "index/writer.h"

#include <random>
#include <set>

#include "analysis/analyzer.h"
#include "catch.h"
#include "core/files.h"
#include "core/text.h"
#include "index/check.h"
#include "index/leftovers.h"
#include "sample.h"

using namespace ragline;

namespace {

sample::Contents of(const std::shared_ptr<Storage>& storage) {
  return sample::contents(*storage).value();
}

void require_sound(const Storage& storage) {
  CheckReport report;
  const Status status = check_index(storage, &report);
  INFO((status ? std::string() : status.error().message));
  REQUIRE(status);
  REQUIRE(report.leftovers.empty());
}

}  // namespace

TEST_CASE("what is committed is there, what is not is not") {
  std::shared_ptr<Storage> storage = memory_storage();
  auto writer = IndexWriter::open(storage, sample::options()).value();
  REQUIRE(writer->add(sample::document("a", {"one ", "two"})));
  CHECK_FALSE(open_snapshot(*storage));
  const CommitReport report = writer->commit().value();
  CHECK(report.added == 1);
  CHECK(report.changed);
  CHECK(of(storage) == sample::Contents{{{"a", ""}, {"one ", "two"}}});
  CHECK(writer->before()->live_documents() == 1);

  REQUIRE(writer->add(sample::document("b", {"three"})));
  writer.reset();  // given up
  CHECK(of(storage).size() == 1);
  require_sound(*storage);
}

TEST_CASE("an empty index can be committed, and a commit without changes writes nothing") {
  std::shared_ptr<Storage> storage = memory_storage();
  CHECK(sample::session(storage, {}).value().changed);
  const auto before = sample::files(*storage);
  CHECK_FALSE(sample::session(storage, {}).value().changed);
  CHECK_FALSE(sample::session(storage, {}, {"nobody"}).value().changed);
  CHECK(sample::files(*storage) == before);
}

TEST_CASE("settings are committed") {
  std::shared_ptr<Storage> storage = memory_storage();
  auto writer = IndexWriter::open(storage, sample::options()).value();
  writer->manifest().roots = {"/x"};
  writer->manifest().governed = true;
  REQUIRE(writer->commit());
  const Manifest manifest = read_manifest(*storage).value();
  CHECK(manifest.roots == std::vector<std::string>{"/x"});
  CHECK(manifest.governed);
  CHECK(manifest.generation == 1);
  CHECK(manifest.analyzer_version == kAnalyzerVersion);
}

TEST_CASE("the same id and version replaces, another version stays beside it") {
  std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage,
                          {sample::document("a", {"old"}, "1"), sample::document("b", {"b"})}));
  const CommitReport report = sample::session(storage, {sample::document("a", {"new"}, "1"),
                                                        sample::document("a", {"second"}, "2")})
                                  .value();
  CHECK(report.replaced == 1);
  CHECK(report.added == 1);
  CHECK(of(storage) ==
        sample::Contents{{{"a", "1"}, {"new"}}, {{"a", "2"}, {"second"}}, {{"b", ""}, {"b"}}});
  CHECK(open_snapshot(*storage).value()->several_versions == std::vector<std::string>{"a"});
  require_sound(*storage);

  auto writer = IndexWriter::open(storage, sample::options()).value();
  CHECK(writer->remove("a", "1").value() == 1);
  CHECK(writer->remove("a", "1").value() == 0);
  CHECK(writer->commit().value().deleted == 1);
  CHECK(open_snapshot(*storage).value()->several_versions.empty());
  require_sound(*storage);
}

TEST_CASE("added twice in a session, the last one wins, whatever the number of threads") {
  for (int threads : {1, 4}) {
    std::shared_ptr<Storage> storage = memory_storage();
    auto writer = IndexWriter::open(storage, sample::options(threads)).value();
    for (int round = 0; round < 5; ++round)
      for (int i = 0; i < 400; ++i)
        REQUIRE(writer->add(sample::document(cat("d", i), {cat("round ", round)})));
    const CommitReport report = writer->commit().value();
    CHECK(report.added == 400);
    CHECK(report.replaced == 0);
    const sample::Contents contents = of(storage);
    CHECK(contents.size() == 400);
    for (const auto& [id, texts] : contents) REQUIRE(texts == std::vector<std::string>{"round 4"});
    require_sound(*storage);
  }
}

TEST_CASE("a removal takes what was added before it, and not what comes after") {
  std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage, {sample::document("a", {"committed"})}));
  auto writer = IndexWriter::open(storage, sample::options()).value();
  REQUIRE(writer->add(sample::document("a", {"x"}, "2")));
  REQUIRE(writer->add(sample::document("b", {"gone"})));
  CHECK(writer->remove("a").value() == 1);
  CHECK(writer->remove("b").value() == 0);
  REQUIRE(writer->add(sample::document("a", {"after"}, "3")));
  CHECK(writer->commit().value().deleted == 1);
  CHECK(of(storage) == sample::Contents{{{"a", "3"}, {"after"}}});
  require_sound(*storage);
}

TEST_CASE("work runs on the writer's threads, and its order decides between equals") {
  std::shared_ptr<Storage> storage = memory_storage();
  auto writer = IndexWriter::open(storage, sample::options(3)).value();
  for (int task = 0; task < 50; ++task)
    REQUIRE(writer->submit([task](const DocumentSink& sink) -> Status {
      RAGLINE_CHECK(sink(sample::document("shared", {cat("task ", task)})));
      return sink(sample::document(cat("own ", task), {"x"}));
    }));
  REQUIRE(writer->drain());
  REQUIRE(writer->commit());
  const sample::Contents contents = of(storage);
  CHECK(contents.size() == 51);
  CHECK(contents.at({"shared", ""}) == std::vector<std::string>{"task 49"});
}

TEST_CASE("the first error of any thread stops the writer and leaves the index as it was") {
  std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage, {sample::document("a", {"x"})}));
  const auto before = sample::files(*storage);
  {
    auto writer = IndexWriter::open(storage, sample::options()).value();
    REQUIRE(writer->add(sample::document("b", {"y"})));
    REQUIRE(writer->submit(
        [](const DocumentSink&) -> Status { return fail(ErrorKind::kData, "bad row"); }));
    const Status drained = writer->drain();
    REQUIRE_FALSE(drained);
    CHECK(drained.error().message == "bad row");
    const auto committed = writer->commit();
    REQUIRE_FALSE(committed);
    CHECK(committed.error().message == "bad row");
    CHECK_FALSE(writer->add(sample::document("c", {"z"})));
    CHECK_FALSE(writer->commit());
  }
  CHECK(sample::files(*storage) == before);
}

TEST_CASE("any history of sessions gives what a plain map gives") {
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::shared_ptr<Storage> storage = memory_storage();
  sample::Contents expected;
  for (int round = 0; round < 25; ++round) {
    auto writer = IndexWriter::open(storage, sample::options(random() % 2 ? 1 : 3)).value();
    for (std::size_t steps = random() % 30; steps > 0; --steps) {
      const std::string id = cat("d", random() % 20), version = cat("v", random() % 3);
      switch (random() % 5) {
        case 0:
          REQUIRE(writer->remove(id));
          std::erase_if(expected, [&](const auto& one) { return one.first.first == id; });
          break;
        case 1:
          REQUIRE(writer->remove(id, version));
          expected.erase({id, version});
          break;
        default: {
          std::vector<std::string> texts = {cat("round ", round, " step ", steps)};
          if (random() % 2) texts.push_back("second chunk");
          expected[{id, version}] = texts;
          REQUIRE(writer->add(sample::document(id, texts, version)));
        }
      }
    }
    if (random() % 5 == 0) writer->merge_all();
    if (random() % 8 == 0) {  // an unfinished session leaves no trace
      writer.reset();
      expected = sample::contents(*storage).value_or(sample::Contents());
      continue;
    }
    const CommitReport report = writer->commit().value();
    CHECK(report.segments == writer->before()->segments.size());
    REQUIRE(of(storage) == expected);
    require_sound(*storage);
    REQUIRE(sample::contents(*writer->before()).value() == expected);
  }
}

TEST_CASE("codanna_120_a_thousand_one_file_commits_leave_fewer_than_twenty_segments") {
  std::shared_ptr<Storage> storage = memory_storage();
  std::size_t most = 0;
  for (int i = 0; i < 1000; ++i) {
    const CommitReport report =
        sample::session(storage, {sample::document(cat("file ", i), {"some text"})}, {}, 1).value();
    most = std::max<std::size_t>(most, report.segments);
  }
  CHECK(most < 20);
  CHECK(of(storage).size() == 1000);
  require_sound(*storage);
}

TEST_CASE("deleting reclaims: a segment that lost more than a fifth is written anew") {
  std::shared_ptr<Storage> storage = memory_storage();
  std::vector<ChunkedDocument> documents;
  for (int i = 0; i < 100; ++i) documents.push_back(sample::document(cat("d", i), {"text"}));
  REQUIRE(sample::session(storage, std::move(documents), {}, 1));
  std::vector<std::string> few, many;
  for (int i = 0; i < 10; ++i) few.push_back(cat("d", i));
  for (int i = 10; i < 40; ++i) many.push_back(cat("d", i));

  REQUIRE(sample::session(storage, {}, few));
  Manifest manifest = read_manifest(*storage).value();
  REQUIRE(manifest.segments.size() == 1);
  CHECK(manifest.segments[0].deleted_documents == 10);
  CHECK_FALSE(manifest.segments[0].deletes.empty());
  REQUIRE(sample::session(storage, {}, many));
  manifest = read_manifest(*storage).value();
  REQUIRE(manifest.segments.size() == 1);
  CHECK(manifest.segments[0].documents == 60);
  CHECK(manifest.segments[0].deletes.empty());
  CHECK(of(storage).size() == 60);
  require_sound(*storage);
}

TEST_CASE("little memory makes several segments and loses nothing") {
  std::shared_ptr<Storage> storage = memory_storage();
  WriterOptions options = sample::options(2);
  options.memory = 1 << 20;
  auto writer = IndexWriter::open(storage, options).value();
  std::mt19937 random(5);
  for (int i = 0; i < 1500; ++i) {
    std::string text;
    for (int w = 0; w < 80; ++w) append(text, "w", random() % 50000, ' ');
    REQUIRE(writer->add(sample::document(cat("d", i), {text})));
  }
  REQUIRE(writer->commit());
  CHECK(read_manifest(*storage).value().next_segment >
        4);  // segments were begun that merges took in
  CHECK(of(storage).size() == 1500);
  require_sound(*storage);
}

TEST_CASE("tantivy_3079_what_dead_writers_left_is_removed_and_nothing_else") {
  std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage, {sample::document("a", {"x"})}));
  const auto before = sample::files(*storage);
  for (const char* name : {"seg-000077/text", "seg-000077/terms", "seg-000001.del-000078",
                           "versions-000079", "MANIFEST.tmp"})
    sample::put(*storage, name, "half");
  sample::put(*storage, "sources.sqlite", "inventory");
  sample::put(*storage, "seg-notes.txt", "a user's");
  REQUIRE(IndexWriter::open(storage, sample::options()));
  auto after = sample::files(*storage);
  CHECK(after.erase("sources.sqlite") == 1);
  CHECK(after.erase("seg-notes.txt") == 1);
  CHECK(after == before);
}

TEST_CASE("a folder that holds other things is not taken for an index") {
  std::shared_ptr<Storage> storage = memory_storage();
  sample::put(*storage, "thesis.tex", "years of work");
  const auto writer = IndexWriter::open(storage, sample::options());
  REQUIRE_FALSE(writer);
  CHECK(writer.error().kind == ErrorKind::kUsage);
  CHECK(writer.error().message.find("thesis.tex") != std::string::npos);
}

TEST_CASE("where none may be made, a missing index is an error") {
  std::shared_ptr<Storage> storage = memory_storage();
  WriterOptions options = sample::options();
  options.create = false;
  const auto writer = IndexWriter::open(storage, options);
  REQUIRE_FALSE(writer);
  CHECK(writer.error().kind == ErrorKind::kNotFound);
}

TEST_CASE("an index of another analyzer is not written to") {
  std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage, {sample::document("a", {"x"})}));
  Manifest manifest = read_manifest(*storage).value();
  manifest.analyzer_version = kAnalyzerVersion + 1;
  REQUIRE(write_manifest(*storage, manifest));
  const auto writer = IndexWriter::open(storage, sample::options());
  REQUIRE_FALSE(writer);
  CHECK(writer.error().kind == ErrorKind::kVersion);
}

TEST_CASE("xapian_a_second_writer_is_told_who_writes_and_readers_are_not_disturbed") {
  const std::string folder = cat(current_directory(), "/writer_test.idx");
  REQUIRE(make_directories(folder));
  std::shared_ptr<Storage> storage = disk_storage(folder);
  REQUIRE(sample::clear(*storage));
  REQUIRE(sample::session(storage, {sample::document("a", {"x"})}));
  auto first = IndexWriter::open(storage, sample::options()).value();
  const auto second = IndexWriter::open(disk_storage(folder), sample::options());
  REQUIRE_FALSE(second);
  CHECK(second.error().kind == ErrorKind::kLocked);
  CHECK(second.error().message.find("process ") != std::string::npos);
  CHECK(of(storage).size() == 1);
  first.reset();
  CHECK(IndexWriter::open(storage, sample::options()));
}
