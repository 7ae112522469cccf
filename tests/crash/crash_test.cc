// Fault injection: every operation of a build, an update, a delete and a merge fails once, dies, or
// is the last before the power goes. Readers then see the old state or the new one and nothing
// else, and the next writer cleans up and works.
#include <cstdio>
#include <functional>
#include <map>

#include "catch.h"
#include "core/hash.h"
#include "core/text.h"
#include "faulty_storage.h"
#include "index/check.h"
#include "sample.h"

using namespace ragline;
using namespace ragline::crash;

namespace {

using Files = FaultyStorage::Files;
using Session = std::function<Status(const std::shared_ptr<Storage>&)>;

std::vector<ChunkedDocument> documents(int first, int last, const char* text,
                                       const char* version = "") {
  std::vector<ChunkedDocument> out;
  for (int i = first; i < last; ++i)
    out.push_back(sample::document(cat("d", i), {cat(text, " of ", i), "second chunk"}, version));
  return out;
}

Status run(const std::shared_ptr<Storage>& storage, std::vector<ChunkedDocument> add,
           const std::vector<std::string>& remove = {}, bool merge = false) {
  WriterOptions options;
  options.threads = 1;  // so that the n-th operation is the same every time
  RAGLINE_TRY(auto writer, IndexWriter::open(storage, options));
  for (const std::string& id : remove) RAGLINE_CHECK(writer->remove(id));
  for (ChunkedDocument& document : add) RAGLINE_CHECK(writer->add(std::move(document)));
  if (merge) writer->merge_all();
  const auto report = writer->commit();
  return report ? Status{} : std::unexpected(report.error());
}

// Nothing when there is no index.
sample::Contents state(const Storage& storage) {
  const auto contents = sample::contents(storage);
  if (contents) return *contents;
  REQUIRE(contents.error().kind == ErrorKind::kNotFound);
  return {};
}

Files healthy(const Files& start, const Session& session) {
  auto storage = std::make_shared<FaultyStorage>(start);
  REQUIRE(session(storage));
  return storage->after(PowerLoss::kNothingLost);
}

// The next writer finds its way, cleans up, and works.
void require_recovery(const Files& files) {
  auto storage = std::make_shared<FaultyStorage>(files);
  const sample::Contents before = state(*storage);
  REQUIRE(run(storage, {sample::document("after", {"the crash"})}));
  sample::Contents expected = before;
  expected[{"after", ""}] = {"the crash"};
  REQUIRE(state(*storage) == expected);
  CheckReport report;
  const Status status = check_index(*storage, &report);
  INFO((status ? std::string() : status.error().message));
  REQUIRE(status);
  REQUIRE(report.leftovers.empty());
}

std::uint64_t points = 0;  // over all tests of this program

std::uint64_t hash_of(const Files& files) {
  Hasher hasher;
  for (const auto& [name, bytes] : files) hasher.add(cat(name, ":", bytes.size(), ":", bytes));
  return hasher.value();
}

void try_every_point(const char* name, const Files& start, const Session& session) {
  const sample::Contents old_state = state(*std::make_shared<FaultyStorage>(start));
  const sample::Contents new_state =
      state(*std::make_shared<FaultyStorage>(healthy(start, session)));
  REQUIRE(old_state != new_state);

  auto counting = std::make_shared<FaultyStorage>(start);
  REQUIRE(session(counting));
  const std::uint64_t operations = counting->operations();
  // Many faults leave the same disk; what holds for it once holds again. Hash -> it shows the new
  // state.
  std::map<std::uint64_t, bool> seen;
  for (Fault fault : {Fault::kDies, Fault::kTorn, Fault::kNoSpace})
    for (std::uint64_t n = 1; n <= operations; ++n) {
      auto storage = std::make_shared<FaultyStorage>(start);
      storage->plan(fault, n);
      const bool reported = session(storage).has_value();
      for (PowerLoss loss : {PowerLoss::kNothingLost, PowerLoss::kLostUnsynced,
                             PowerLoss::kEmptyUnsynced, PowerLoss::kRenamesFirst}) {
        ++points;
        INFO(name << ": fault " << static_cast<int>(fault) << " at operation " << n << " of "
                  << operations << ", power loss " << static_cast<int>(loss));
        const Files files = storage->after(loss);
        auto [known, is_new_disk] = seen.try_emplace(hash_of(files));
        if (is_new_disk) {
          const sample::Contents found = state(*std::make_shared<FaultyStorage>(files));
          REQUIRE((found == old_state || found == new_state));
          known->second = found == new_state;
          require_recovery(files);
        }
        // What was reported as committed is there.
        if (reported) REQUIRE(known->second);
      }
    }
}

Files built() {
  return healthy({}, [](const auto& storage) { return run(storage, documents(0, 12, "first")); });
}

// Several segments, deletes, and documents with several versions.
Files grown() {
  Files files = built();
  for (int i = 0; i < 3; ++i)
    files = healthy(files, [&](const auto& storage) {
      return run(storage, documents(i, i + 2, "second", "2"), {cat("d", 10 + i)});
    });
  return files;
}

}  // namespace

TEST_CASE("a build that dies or fails at any operation leaves nothing or everything") {
  try_every_point("build", {},
                  [](const auto& storage) { return run(storage, documents(0, 5, "first")); });
}

TEST_CASE("an update that dies or fails at any operation leaves the old or the new index") {
  try_every_point("update", grown(), [](const auto& storage) {
    auto add = documents(3, 6, "changed");
    for (ChunkedDocument& one : documents(20, 22, "new", "7")) add.push_back(std::move(one));
    return run(storage, std::move(add));
  });
}

TEST_CASE("a delete that dies or fails at any operation leaves the old or the new index") {
  try_every_point("delete", grown(),
                  [](const auto& storage) { return run(storage, {}, {"d0", "d5"}); });
}

TEST_CASE("a merge that dies or fails at any operation leaves the old or the new index") {
  try_every_point("merge", grown(), [](const auto& storage) {
    return run(storage, documents(30, 31, "x"), {"d7"}, true);
  });
}

TEST_CASE("a second commit of one writer is as safe as the first") {
  try_every_point("two commits", built(), [](const auto& storage) -> Status {
    WriterOptions options;
    options.threads = 1;
    RAGLINE_TRY(auto writer, IndexWriter::open(storage, options));
    // The first changes settings only, so there are still two states to tell apart.
    writer->manifest().governed = true;
    if (auto first = writer->commit(); !first) return std::unexpected(first.error());
    RAGLINE_CHECK(writer->add(sample::document("late", {"text"})));
    const auto second = writer->commit();
    return second ? Status{} : std::unexpected(second.error());
  });
}

TEST_CASE("more than a thousand points were tried") {
  std::printf("%llu points\n", static_cast<unsigned long long>(points));
  // When this case is run alone, there is nothing to count.
  CHECK((points == 0 || points >= 1000));
}
