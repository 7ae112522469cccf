#include "index/build.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "catch.h"
#include "core/files.h"
#include "index/check.h"
#include "index/delete.h"
#include "index/info.h"
#include "index/list.h"
#include "sample.h"

using namespace ragline;

namespace fs = std::filesystem;

namespace {

// A tree of files and an index beside it, both gone with the object.
class Tree {
 public:
  Tree() {
    std::string pattern = (fs::temp_directory_path() / "ragline-build-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    fs::create_directories(fs::path(folder_) / "index");
    fs::create_directories(fs::path(folder_) / "files");
    storage = disk_storage(folder_ + "/index");
  }
  ~Tree() { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/files/" + name; }
  void write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    // Two writes within one tick of the clock must differ, as a user's do.
    fs::last_write_time(path(name), fs::file_time_type::clock::now() + std::chrono::seconds(++ticks_));
  }
  void remove(const std::string& name) { fs::remove(path(name)); }

  BuildOptions options() const {
    BuildOptions options;
    options.root = folder_ + "/files";
    options.allow_mass_delete = true;
    return options;
  }
  Result<BuildReport> build() { return build(options()); }
  Result<BuildReport> build(const BuildOptions& options) { return build_index(storage, {folder_ + "/files"}, options); }

  // id -> text, over all chunks.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    const sample::Contents stored = sample::contents(*storage).value();
    for (const auto& [key, texts] : stored)
      for (const std::string& text : texts) all[key.first] += text;
    return all;
  }

  std::shared_ptr<Storage> storage;

 private:
  std::string folder_;
  int ticks_ = 0;
};

void require_sound(const Storage& storage) {
  const Status status = check_index(storage);
  INFO((status ? std::string() : status.error().message));
  REQUIRE(status);
}

}  // namespace

TEST_CASE("an incremental build gives what a build of everything gives") {
  const unsigned seed = 20261130u;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Tree tree;
  std::map<std::string, std::string> files;  // the slow twin: what is on disk
  for (int round = 0; round < 12; ++round) {
    for (int change = 0; change < 8; ++change) {
      const std::string name = "d" + std::to_string(random() % 3) + "/f" + std::to_string(random() % 12) + ".txt";
      switch (random() % 4) {
        case 0:
          files.erase(name);
          tree.remove(name);
          break;
        case 1:
          if (files.contains(name)) tree.write(name, files[name]);  // touched
          break;
        default:
          files[name] = "words " + std::to_string(random()) + "\n";
          tree.write(name, files[name]);
      }
    }
    BuildOptions options = tree.options();
    options.full = random() % 5 == 0;
    if (random() % 4 == 0) fs::remove(tree.storage->folder() + "/sources.sqlite");
    const auto before = round ? tree.contents() : std::map<std::string, std::string>();
    const auto report = tree.build(options);
    REQUIRE(report);
    REQUIRE(tree.contents() == files);
    std::uint64_t added = 0, deleted = 0;
    for (const auto& [name, text] : files) added += !before.contains(name);
    for (const auto& [name, text] : before) deleted += !files.contains(name);
    CHECK(report->added == added);
    CHECK(report->deleted == deleted);
    CHECK(report->added + report->updated + report->unchanged == files.size());
    if (random() % 3 == 0) REQUIRE(merge_index(tree.storage, sample::options()));
  }
  require_sound(*tree.storage);
}

TEST_CASE("files of rows that change are the rows they hold now") {
  const unsigned seed = 20261130u;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Tree tree;
  for (int round = 0; round < 10; ++round) {
    std::map<std::string, std::string> rows;
    std::string file;
    for (unsigned i = 0, count = 1 + random() % 40; i < count; ++i) {
      const std::string id = "r" + std::to_string(random() % 60), text = "text " + std::to_string(random() % 4);
      if (!rows.emplace(id, text).second) continue;
      file += "{\"_id\": \"" + id + "\", \"text\": \"" + text + "\"}\n";
    }
    tree.write("rows.jsonl", file);
    REQUIRE(tree.build());
    REQUIRE(tree.contents() == rows);
    if (random() % 3 == 0) REQUIRE(merge_index(tree.storage, sample::options()));
    if (random() % 3 == 0) fs::remove(tree.storage->folder() + "/sources.sqlite");
  }
  require_sound(*tree.storage);
}

TEST_CASE("the size and time of a file outlive merges") {
  Tree tree;
  tree.write("a.txt", "first\n");
  tree.write("rows.jsonl", "{\"_id\": \"r\", \"text\": \"row\"}\n");
  REQUIRE(tree.build());
  tree.write("b.txt", "second\n");
  REQUIRE(tree.build());
  for (int merged = 0; merged < 2; ++merged) {
    const auto snapshot = open_snapshot(*tree.storage).value();
    std::set<std::string> seen;
    for (const auto& segment : snapshot->segments)
      for (std::uint32_t document = 0; document < segment->document_count(); ++document) {
        const std::string id(segment->document(document).document_id);
        const FileStat file = stat_file(tree.path(id == "r" ? "rows.jsonl" : id));
        CHECK(segment->source(document).value() == SourceStamp{file.size, file.mtime_ns});
        seen.insert(id);
      }
    CHECK(seen == std::set<std::string>{"a.txt", "b.txt", "r"});
    REQUIRE(merge_index(tree.storage, sample::options()));
  }
}

TEST_CASE("many skipped files are no mass delete") {
  Tree tree;
  BuildOptions options = tree.options();
  options.allow_mass_delete = false;
  for (int i = 0; i < 30; ++i) tree.write(std::to_string(i) + ".bin", std::string("\0\1\2\3", 4));
  tree.write("a.txt", "text\n");
  const auto report = tree.build(options);
  REQUIRE(report);
  CHECK(report->added == 1);
  CHECK(report->skipped.at("binary") == 30);
}

TEST_CASE("a build that is refused leaves no trace") {
  Tree tree;
  for (int i = 0; i < 30; ++i) tree.write(std::to_string(i) + ".txt", "text\n");
  REQUIRE(tree.build());
  const auto before = sample::files(*tree.storage);
  for (int i = 0; i < 11; ++i) tree.remove(std::to_string(i) + ".txt");
  BuildOptions options = tree.options();
  options.allow_mass_delete = false;
  const auto report = tree.build(options);
  REQUIRE_FALSE(report);
  CHECK(report.error().kind == ErrorKind::kDenied);
  CHECK(report.error().message.find("11 of 30 documents have vanished: nothing was changed") == 0);
  CHECK(sample::files(*tree.storage) == before);
}

TEST_CASE("delete keeps what the writer knows of the other files") {
  Tree tree;
  for (const char* name : {"a/1.txt", "a/2.txt", "b/3.txt", "a.txt"}) tree.write(name, "text\n");
  REQUIRE(tree.build());
  SECTION("by id") {
    const DeleteReport report = delete_documents(tree.storage, {{"a/1.txt", "none"}, {}, {}}, sample::options()).value();
    CHECK(report.documents == 1);
    CHECK(report.unknown == std::vector<std::string>{"none"});
    const BuildReport again = tree.build().value();
    CHECK(again.added == 1);
    CHECK(again.files == 1);
  }
  SECTION("by folder, which is not a prefix of names") {
    CHECK(delete_documents(tree.storage, {{}, {}, {tree.path("a")}}, sample::options())->documents == 2);
    CHECK(tree.contents().size() == 2);
    CHECK(tree.build()->files == 2);
  }
  SECTION("what was deleted before is not there to be deleted") {
    REQUIRE(delete_documents(tree.storage, {{"a.txt"}, {}, {}}, sample::options()));
    const DeleteReport report = delete_documents(tree.storage, {{"a.txt"}, {}, {}}, sample::options()).value();
    CHECK(report.documents == 0);
    CHECK(report.unknown == std::vector<std::string>{"a.txt"});
  }
  SECTION("merge") {
    REQUIRE(delete_documents(tree.storage, {{}, {}, {tree.path("a")}}, sample::options()));
    REQUIRE(merge_index(tree.storage, sample::options()));
    CHECK(tree.build()->files == 2);
  }
  SECTION("there is no index") {
    const std::shared_ptr<Storage> empty = memory_storage();
    CHECK(delete_documents(empty, {{"a"}, {}, {}}, sample::options()).error().kind == ErrorKind::kNotFound);
    CHECK(merge_index(empty, sample::options()).error().kind == ErrorKind::kNotFound);
  }
  require_sound(*tree.storage);
}

TEST_CASE("documents are listed by id and version, whatever the segments") {
  std::shared_ptr<Storage> storage = memory_storage();
  std::set<std::pair<std::string, std::string>> expected;
  std::mt19937 random(7);
  for (int session = 0; session < 5; ++session) {
    std::vector<ChunkedDocument> documents;
    for (int i = 0; i < 20; ++i) {
      const std::string id = "d" + std::to_string(random() % 50), version = std::to_string(random() % 3);
      if (!expected.emplace(id, version).second) continue;
      documents.push_back(sample::document(id, {"one", "two"}, version));
    }
    REQUIRE(sample::session(storage, std::move(documents)));
  }
  const auto snapshot = open_snapshot(*storage).value();
  Scope scope;
  scope.all_versions = true;
  std::vector<std::pair<std::string, std::string>> listed;
  REQUIRE(list_documents(*snapshot, apply_scope(*snapshot, scope).value(), [&](const Document& document) -> Status {
    listed.emplace_back(document.document_id, document.version);
    return {};
  }));
  CHECK(listed == std::vector(expected.begin(), expected.end()));
}

TEST_CASE("an index is described") {
  std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage, {sample::document("a", {"one two", "three four"}), sample::document("b", {"five"})}));
  const auto snapshot = open_snapshot(*storage).value();
  const IndexInfo info = describe_index(*storage, *snapshot).value();
  CHECK(info.documents == 2);
  CHECK(info.chunks == 3);
  REQUIRE(info.languages.size() == 1);
  CHECK(info.languages[0].code == "en");
  CHECK(info.languages[0].chunks == 3);
  std::uint64_t bytes = 0;
  for (const auto& [name, content] : sample::files(*storage)) bytes += content.size();
  CHECK(info.bytes == bytes);
  CHECK(info.text_bytes > 20);
}
