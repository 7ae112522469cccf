// FORMAT.md, followed to the letter by a reader that shares no code with lib/index but zstd
// (index/compress.h) and XXH3.
#include "catch.h"
#include "core/bytes.h"
#include "core/hash.h"
#include "core/text.h"
#include "index/compress.h"
#include "sample.h"

using namespace ragline;

namespace {

// The payload of a binary file, its envelope checked.
std::string_view payload(const std::string& bytes, std::string_view kind) {
  REQUIRE(bytes.size() >= 32);
  REQUIRE(bytes.substr(0, 8) == "RAGLINE\n");
  REQUIRE(bytes.substr(8, 4) == kind);
  REQUIRE(get_fixed<std::uint32_t>(bytes.data() + 12) == 1);
  const std::size_t n = bytes.size() - 32;
  REQUIRE(get_fixed<std::uint64_t>(bytes.data() + 16 + n) == n);
  REQUIRE(get_fixed<std::uint64_t>(bytes.data() + 24 + n) ==
          hash64(std::string_view(bytes).substr(0, 24 + n)));
  return std::string_view(bytes).substr(16, n);
}

// A column; value i is values[i].
struct Values {
  std::string_view bytes;
  std::uint32_t width = 0;
  std::uint64_t operator[](std::size_t i) const {
    switch (width) {
      case 1:
        return static_cast<unsigned char>(bytes[i]);
      case 2:
        return get_fixed<std::uint16_t>(bytes.data() + 2 * i);
      case 4:
        return get_fixed<std::uint32_t>(bytes.data() + 4 * i);
      default:
        return get_fixed<std::uint64_t>(bytes.data() + 8 * i);
    }
  }
};

std::vector<Values> columns(std::string_view documents) {
  ByteReader directory(documents.substr(documents.size() - 400));
  REQUIRE(hash64(documents.substr(documents.size() - 400, 392)) ==
          get_fixed<std::uint64_t>(documents.data() + documents.size() - 8));
  std::vector<Values> out(16);
  for (Values& column : out) {
    const auto offset = directory.fixed<std::uint64_t>(), size = directory.fixed<std::uint64_t>();
    column.width = directory.fixed<std::uint32_t>();
    CHECK(directory.fixed<std::uint32_t>() == 0);
    column.bytes = documents.substr(offset, size);
    CHECK((size == 0 || (16 + offset) % 64 == 0));
  }
  return out;
}

std::string_view text_at(const Values& offsets, const Values& bytes, std::size_t i) {
  return bytes.bytes.substr(offsets[i], offsets[i + 1] - offsets[i]);
}

std::map<std::string, std::string> example() {
  std::shared_ptr<Storage> storage = memory_storage();
  ChunkedDocument b = sample::document("b", {"Hello, ", "world"}, "2");
  b.document.path = "b";
  b.document.governance.tenant = "acme";
  b.document.governance.acl = std::vector<std::string>{};
  b.document.governance.effective_from = "1970-01-01T00:00:01Z";
  for (Chunk& chunk : b.chunks) chunk.governance = b.document.governance;
  b.chunks[1].lines = {3, 5};
  b.chunks[1].section_path = {"Top"};
  ChunkedDocument a = sample::document("a", {"first"});
  a.document.title = "Title";
  REQUIRE(sample::session(storage,
                          {b, a, sample::document("b", {"gone"}, "1"), sample::document("c", {"x"}),
                           sample::document("e", {"y"}), sample::document("f", {"z"})},
                          {}, 1));
  REQUIRE(sample::session(storage, {sample::document("a", {"another"}, "9")}, {"c"}, 1));
  return sample::files(*storage);
}

}  // namespace

TEST_CASE("the columns are where FORMAT.md says") {
  const auto files = example();
  const std::string_view documents = payload(files.at("seg-000001/documents"), "DOCS");
  const std::vector<Values> column = columns(documents);
  const char* tail = documents.data() + documents.size() - 16;
  REQUIRE(get_fixed<std::uint32_t>(tail) == 6);
  REQUIRE(get_fixed<std::uint32_t>(tail + 4) == 7);
  CHECK(text_at(column[0], column[1], 0) == "b");
  CHECK(text_at(column[0], column[1], 5) == "f");
  CHECK(column[2].bytes.empty());  // the only path is its id
  CHECK(text_at(column[5], column[6], column[4][0]) == "2");
  CHECK(text_at(column[5], column[6], column[4][1]) == "");
  CHECK(text_at(column[5], column[6], column[4][2]) == "1");
  CHECK(text_at(column[8], column[9], column[7][0]) == "acme");
  CHECK(column[10][0] == 1'000'000);
  CHECK(static_cast<std::int64_t>(column[10][1]) == INT64_MIN);
  CHECK(static_cast<std::int64_t>(column[11][0]) == INT64_MAX);
  CHECK(column[12][0] == 3);
  CHECK(column[12][1] == 0);
  CHECK(column[13][0] == 0);
  CHECK(column[13][1] == 2);
  CHECK(column[13][6] == 7);
  const std::uint64_t by_id[] = {1, 2, 0, 3, 4, 5}, tie_rank[] = {2, 3, 0, 1, 4, 5, 6};
  for (std::size_t i = 0; i < 6; ++i) CHECK(column[14][i] == by_id[i]);
  for (std::size_t i = 0; i < 7; ++i) CHECK(column[15][i] == tie_rank[i]);
}

TEST_CASE("the rows of text are where FORMAT.md says") {
  const auto files = example();
  const std::string_view text = payload(files.at("seg-000001/text"), "TEXT");
  ByteReader tail(text.substr(text.size() - 32));
  const auto table = tail.fixed<std::uint64_t>();
  REQUIRE(tail.fixed<std::uint32_t>() == 1);
  CHECK(tail.fixed<std::uint32_t>() == 6);
  CHECK(tail.fixed<std::uint32_t>() == 7);
  CHECK(tail.fixed<std::uint32_t>() == 0);
  CHECK(tail.fixed<std::uint64_t>() == hash64(text.substr(table, 32 + 24)));
  ByteReader entry(text.substr(table, 32));
  const auto offset = entry.fixed<std::uint64_t>();
  const auto size = entry.fixed<std::uint32_t>(), raw_size = entry.fixed<std::uint32_t>();
  CHECK(entry.fixed<std::uint32_t>() == 0);
  CHECK(entry.fixed<std::uint32_t>() == 0);
  CHECK(entry.fixed<std::uint32_t>() ==
        static_cast<std::uint32_t>(hash64(text.substr(offset, size))));
  std::string raw;
  REQUIRE(decompress_block(text.substr(offset, size), raw_size, raw));

  ByteReader rows(raw);
  std::uint64_t head = rows.varint();
  REQUIRE((head & 1) == 1);  // document b
  ByteReader b(rows.bytes(head >> 1));
  CHECK(b.varint() == ((1 << 2) | (1 << 3) | (1 << 4)));  // language, acl, effective_from
  std::string columns_of_b;
  for (const char* value : {"b", "2", "b", "acme"}) put_string(columns_of_b, value);
  put_fixed(columns_of_b, std::int64_t{1'000'000});
  put_fixed(columns_of_b, INT64_MAX);
  columns_of_b += '\1';
  CHECK(b.fixed<std::uint32_t>() == static_cast<std::uint32_t>(hash64(columns_of_b)));
  CHECK(b.string() == "en");
  CHECK(b.varint() == 0);  // nobody
  CHECK(b.string() == "1970-01-01T00:00:01Z");
  CHECK(b.at_end());

  head = rows.varint();
  REQUIRE((head & 1) == 0);
  CHECK(rows.bytes(head >> 1) ==
        std::string("\x09\x00\x00Hello, ", 10));  // bits 0 and 3; begin 0; paragraph
  head = rows.varint();
  ByteReader world(rows.bytes(head >> 1));
  CHECK(world.varint() == 0b1111);
  CHECK(world.varint() == 7);
  CHECK(world.varint() == 3);
  CHECK(world.varint() == 2);
  CHECK(world.varint() == 1);
  CHECK(world.string() == "Top");
  CHECK(world.fixed<std::uint8_t>() == 0);
  CHECK(world.bytes(world.left()) == "world");
}

TEST_CASE("the side files and the manifest are what FORMAT.md says") {
  const auto files = example();
  std::string deletes, versions;
  for (const auto& [name, bytes] : files) {
    if (name.find(".del-") != name.npos) deletes = bytes;
    if (name.starts_with("versions-")) versions = bytes;
  }
  const std::string_view words = payload(deletes, "DELS");
  REQUIRE(words.size() == 8);
  CHECK(get_fixed<std::uint64_t>(words.data()) == 1 << 4);  // document c is chunk 4
  ByteReader ids(payload(versions, "VERS"));
  CHECK(ids.string() == "a");
  CHECK(ids.string() == "b");
  CHECK(ids.at_end());

  const std::string& manifest = files.at("MANIFEST");
  const std::size_t line = manifest.find("  \"checksum\"");
  CHECK(manifest.substr(line) ==
        cat("  \"checksum\": \"", checksum_text(manifest.substr(0, line)), "\"\n}\n"));
  CHECK(manifest.starts_with("{\n  \"format\": 1,\n  \"generation\": 2,\n"));
}
