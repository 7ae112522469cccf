// One writer and four readers on one index on disk, merges included. A reader never fails and never
// waits, and every snapshot is one commit: all documents of a generation say the same number.
//
// Three seconds; RAGLINE_HAMMER_SECONDS gives another time.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "catch.h"
#include "core/files.h"
#include "core/text.h"
#include "index/check.h"
#include "sample.h"

using namespace ragline;

namespace {

constexpr int kReaders = 4;
constexpr int kDocuments = 40;  // replaced, all of them, by every commit

std::chrono::seconds duration() {
  const char* text = std::getenv("RAGLINE_HAMMER_SECONDS");
  const auto seconds = text ? parse_integer(text) : std::nullopt;
  return std::chrono::seconds(seconds.value_or(3));
}

std::shared_ptr<Storage> fresh_folder(const std::string& name) {
  const std::string folder = cat(current_directory(), "/", name);
  REQUIRE(make_directories(folder));
  std::shared_ptr<Storage> storage = disk_storage(folder);
  REQUIRE(sample::clear(*storage));
  return storage;
}

// Commit number n: the same documents with n as their text, one more that stays, and one version
// more of another.
Result<CommitReport> commit(const std::shared_ptr<Storage>& storage, int n, std::mt19937& random) {
  WriterOptions options;
  options.threads = n % 2 + 1;
  RAGLINE_TRY(auto writer, IndexWriter::open(storage, options));
  for (int i = 0; i < kDocuments; ++i)
    RAGLINE_CHECK(writer->add(sample::document(cat("d", i), {cat("number ", n), "x"})));
  RAGLINE_CHECK(writer->add(sample::document(cat("stays ", n), {cat("number ", n)})));
  RAGLINE_CHECK(writer->add(sample::document("versions", {cat("number ", n)}, cat(n))));
  if (random() % 10 == 0) writer->merge_all();
  return writer->commit();
}

// What is wrong with the index as this reader finds it; empty when nothing is.
std::string look(const Storage& storage, std::uint64_t& last_generation) {
  const auto snapshot = open_snapshot(storage);
  if (!snapshot) return snapshot.error().message;
  if ((*snapshot)->manifest.generation < last_generation) return "an older state came back";
  last_generation = (*snapshot)->manifest.generation;
  const auto contents = sample::contents(**snapshot);
  if (!contents) return contents.error().message;
  std::set<std::string> numbers;
  std::size_t stays = 0, versions = 0;
  for (const auto& [id, texts] : *contents) {
    if (id.first == "versions")
      ++versions;
    else if (id.first.starts_with("stays "))
      ++stays;
    else
      numbers.insert(texts.at(0));
  }
  if (contents->size() - stays - versions != kDocuments)
    return "documents are missing, or there twice";
  if (numbers.size() != 1) return "a snapshot mixes two commits";
  const std::string newest = cat("number ", stays - 1);
  if (*numbers.begin() != newest || versions != stays)
    return cat("found ", *numbers.begin(), ", expected ", newest);
  if ((*snapshot)->several_versions.size() != (stays > 1 ? 1 : 0))
    return "the list of versions is of another commit";
  return {};
}

}  // namespace

TEST_CASE("one writer and four readers do not disturb each other") {
  const auto storage = fresh_folder("hammer_test.idx");
  std::mt19937 random(1);
  REQUIRE(commit(storage, 0, random));
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> looks = 0;
  std::mutex mutex;
  std::string problem;
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i)
    readers.emplace_back([&] {
      const auto own = disk_storage(storage->describe());
      std::uint64_t generation = 0;
      while (!stop) {
        const std::string found = look(*own, generation);
        ++looks;
        if (found.empty()) continue;
        std::lock_guard guard(mutex);
        problem = found;
        stop = true;
      }
    });
  const auto end = std::chrono::steady_clock::now() + duration();
  int commits = 1;
  std::string writer_problem;
  for (; std::chrono::steady_clock::now() < end && !stop; ++commits)
    if (const auto report = commit(storage, commits, random); !report) {
      writer_problem = report.error().message;
      break;
    }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(problem == "");
  CHECK(writer_problem == "");
  CHECK(commits > 3);
  CHECK(looks > kReaders);
  CheckReport report;
  CHECK(check_index(*storage, &report));
  CHECK(report.leftovers.empty());
  CHECK(report.segments < 20);
}
