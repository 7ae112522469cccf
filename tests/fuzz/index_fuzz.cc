// Index files with bytes changed: opening, reading, checking and merging end with an error or an
// answer, never a crash.
//
// An input is one file's number, flags, and changes of three bytes: a place in the file (16 bits,
// scaled) and the new byte. Flag 1 repairs the checksums afterwards, so that the changes reach what
// stands behind them; flag 2 counts places from the end, where the directories are.
#include <map>
#include <memory>
#include <utility>

#include "core/bytes.h"
#include "core/hash.h"
#include "core/text.h"
#include "fuzz.h"
#include "index/check.h"
#include "index/writer.h"

using namespace ragline;

namespace {

using Files = std::map<std::string, std::string>;

void put(Storage& storage, const std::string& name, std::string_view bytes) {
  const auto file = storage.create(name);
  fuzz::require(file && (*file)->append(bytes) && (*file)->close());
}

ChunkedDocument document(int number) {
  ChunkedDocument one;
  one.document.document_id = cat("d", number * 7 % 40);
  one.document.version = number % 3 ? "" : "v";
  one.document.language = "en";
  one.document.governance.tenant = number % 4 ? "" : cat("t", number);
  one.document.metadata = R"({"year":2020})";
  for (std::uint64_t i = 0; i < 1 + static_cast<std::uint64_t>(number) % 3; ++i) {
    Chunk& chunk = one.chunks.emplace_back();
    chunk.ordinal = i;
    chunk.text = cat("common words, and number ", number, " in part ", i);
    chunk.bytes = {100 * i, 100 * i + chunk.text.size()};
    chunk.lines = {i + 1, i + 2};
  }
  return one;
}

// Two segments, deletes, several versions.
std::shared_ptr<Storage> make_index() {
  std::shared_ptr<Storage> storage = memory_storage();
  for (int session = 0; session < 2; ++session) {
    auto writer = IndexWriter::open(storage, WriterOptions{64 << 20, 1, 0, true});
    fuzz::require(writer.has_value());
    for (int i = 0; i < 30; ++i)
      fuzz::require((*writer)->add(document(session * 28 + i)).has_value());
    fuzz::require((*writer)->commit().has_value());
  }
  return storage;
}

Files files_of(const Storage& storage) {
  Files files;
  const auto root = storage.list("");
  for (const std::string& name : *root) {
    if (!name.ends_with('/')) {
      files[name] = (*storage.map(name))->bytes();
      continue;
    }
    const auto inside = storage.list(name.substr(0, name.size() - 1));
    for (const std::string& file : *inside)
      files[name + file] = (*storage.map(name + file))->bytes();
  }
  return files;
}

void put_hash(std::string& bytes, std::size_t begin, std::size_t end) {
  const std::uint64_t hash = hash64(std::string_view(bytes).substr(begin, end - begin));
  std::memcpy(bytes.data() + end, &hash, sizeof hash);
}

// The inner hash of "documents" covers its directory; that of "text" its table, which says where it
// begins.
void repair(const std::string& name, std::string& bytes) {
  const std::size_t payload_end = bytes.size() - 16;
  if (name.ends_with("/documents") && payload_end > 16 + 400)
    put_hash(bytes, payload_end - 400 + 0, payload_end - 8);
  if (name.ends_with("/text")) {
    const auto table = get_fixed<std::uint64_t>(bytes.data() + payload_end - 32);
    if (table <= payload_end - 16 - 32)
      put_hash(bytes, 16 + static_cast<std::size_t>(table), payload_end - 8);
  }
  if (name == "MANIFEST") {
    const std::string_view line = "  \"checksum\": \"";
    const std::size_t at = bytes.rfind(line);
    if (at != bytes.npos && at + line.size() + 16 <= bytes.size())
      bytes.replace(at + line.size(), 16, checksum_text(std::string_view(bytes).substr(0, at)));
    return;
  }
  put_hash(bytes, 0, bytes.size() - 8);
}

void read_everything(Storage& storage) {
  (void)check_index(storage);
  const auto snapshot = open_snapshot(storage);
  if (!snapshot) return;
  for (const auto& segment : (*snapshot)->segments) {
    for (std::uint32_t chunk = 0; chunk < segment->chunk_count(); chunk += 5)
      (void)segment->chunk(chunk);
    for (std::uint32_t d = 0; d < segment->document_count(); ++d) {
      (void)segment->document(d);
      (void)segment->document_record(d);
    }
    for (const char* id : {"", "d1", "d7", "zzz"}) (void)segment->find_document(id);
    std::uint32_t docs[kBlock], tfs[kBlock];
    std::vector<std::uint32_t> positions;
    std::size_t terms = 0;
    for (TermIterator at = segment->postings().seek(""); at.valid() && ++terms < 10'000;
         at.next()) {
      const PostingList list = segment->postings().list(at.info());
      for (std::uint32_t block = 0; block < list.block_count(); ++block) {
        const std::uint32_t count = list.decode(block, docs, tfs);
        if (!list.decode_positions(block, {tfs, count}, positions)) break;
      }
    }
  }
  const auto target = memory_storage();
  (void)merge_segments((*snapshot)->segments, *target, "seg-000099");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<Storage> storage = make_index();
  static const Files files = files_of(*storage);
  if (size < 2) return 0;
  const auto& [name, original] = *std::next(files.begin(), data[0] % files.size());
  const bool repaired = data[1] & 1, from_end = data[1] & 2;
  std::string changed = original;
  for (std::size_t at = 2; at + 3 <= size && !changed.empty(); at += 3) {
    const std::size_t place = (data[at] * 256u + data[at + 1]) % changed.size();
    changed[from_end ? changed.size() - 1 - place : place] = static_cast<char>(data[at + 2]);
  }
  if (repaired && changed.size() > 48) repair(name, changed);
  put(*storage, name, changed);
  read_everything(*storage);
  put(*storage, name, original);
  return 0;
}
