// qmd_and_faiss_untrusted_index_files: a byte that changed on disk gives an error that names the
// file, or right answers, never a crash; and `check` finds every one.
#include <random>

#include "catch.h"
#include "core/text.h"
#include "index/check.h"
#include "rounds.h"
#include "sample.h"

using namespace ragline;

namespace {

std::map<std::string, std::string> sample_index() {
  std::shared_ptr<Storage> storage = memory_storage();
  std::vector<ChunkedDocument> documents;
  for (int i = 0; i < 100; ++i) {
    ChunkedDocument one =
        sample::document(cat("d", i * 7 % 100), {cat("common text ", i, " rare", i % 17), "common"},
                         i % 5 ? "" : "v");
    if (i % 3 == 0) one.document.governance.tenant = cat("t", i % 6);
    if (i % 4 == 0) one.document.path = cat("p/", i);
    if (i % 6 == 0) one.document.governance.effective_from = "2026-01-01";
    for (Chunk& chunk : one.chunks) chunk.governance = one.document.governance;
    documents.push_back(std::move(one));
  }
  REQUIRE(sample::session(storage, std::move(documents), {}, 1));
  REQUIRE(sample::session(
      storage,
      {sample::document("d7", {"second version"}, "2"), sample::document("other", {"words"})},
      {"d14"}, 1));
  auto files = sample::files(*storage);
  REQUIRE(files.size() > 14);  // two segments, deletes, versions, manifest
  return files;
}

// Reads everything there is to read. Returns false when that met an error.
bool read_all(const Storage& storage) {
  const auto snapshot = open_snapshot(storage);
  if (!snapshot) return false;
  bool fine = true;
  for (const auto& segment : (*snapshot)->segments) {
    for (std::uint32_t chunk = 0; chunk < segment->chunk_count(); chunk += 13)
      fine &= segment->chunk(chunk).has_value();
    for (std::uint32_t document = 0; document < segment->document_count(); document += 7)
      fine &= segment->document_record(document).has_value();
    (void)segment->find_document("d7");
    fine &=
        segment->scan([](std::uint32_t, ChunkedDocument&&) -> Status { return {}; }).has_value();
    std::vector<std::uint32_t> positions;
    std::uint32_t docs[kBlock], tfs[kBlock];
    for (TermIterator at = segment->postings().seek(""); at.valid(); at.next()) {
      const PostingList list = segment->postings().list(at.info());
      for (std::uint32_t block = 0; block < list.block_count(); ++block) {
        const std::uint32_t count = list.decode(block, docs, tfs);
        if (at.key()[0] != 'f') (void)list.decode_positions(block, {tfs, count}, positions);
      }
    }
  }
  return fine;
}

}  // namespace

TEST_CASE("check finds a change of any byte, and reading survives it") {
  const auto files = sample_index();
  const auto expected = sample::contents(*sample::copy(files)).value();
  REQUIRE(check_index(*sample::copy(files)));
  std::mt19937 random(3);
  auto storage = sample::copy(files);
  for (const auto& [name, bytes] : files) {
    if (name == "LOCK") continue;
    // Every byte of the ends, where headers and directories are; a sample of the rest.
    for (std::size_t i = 0; i < bytes.size();
         i += i < 32 || i + 64 > bytes.size() ? 1 : 1 + random() % (testing::kSanitized ? 150 : 30)) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ (1 << random() % 8));
      sample::put(*storage, name, changed);
      INFO(name << " byte " << i);
      REQUIRE_FALSE(check_index(*storage));
      if (read_all(*storage)) REQUIRE(sample::contents(*storage).value() == expected);
    }
    sample::put(*storage, name, bytes);
  }
}

TEST_CASE("check and reading survive files that are cut short or missing") {
  const auto files = sample_index();
  for (const auto& [name, bytes] : files) {
    if (name == "LOCK") continue;
    INFO(name);
    auto storage = sample::copy(files);
    for (std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{20}, bytes.size() / 2, bytes.size() - 1}) {
      sample::put(*storage, name, std::string_view(bytes).substr(0, size));
      const Status status = check_index(*storage);
      REQUIRE_FALSE(status);
      CHECK(status.error().kind == ErrorKind::kCorrupt);
      CHECK(status.error().message.find(name.substr(0, name.find('/'))) != std::string::npos);
      CHECK_FALSE(read_all(*storage));
    }
    REQUIRE(storage->remove(name));
    CHECK_FALSE(check_index(*storage));
    CHECK_FALSE(open_snapshot(*storage));
  }
}

TEST_CASE("check names every damaged file, not the first alone") {
  auto files = sample_index();
  for (const char* name : {"seg-000001/text", "seg-000002/documents"}) files.at(name)[100] ^= 1;
  CheckReport report;
  const Status status = check_index(*sample::copy(files), &report);
  REQUIRE_FALSE(status);
  CHECK(report.problems.size() == 2);
  CHECK(status.error().message.find("1 more") != std::string::npos);
}
