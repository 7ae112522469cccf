#include "index/manifest.h"

#include "catch.h"
#include "core/hash.h"
#include "core/text.h"
#include "sample.h"

using namespace ragline;

namespace {

Manifest full_manifest() {
  Manifest manifest;
  manifest.generation = 7;
  manifest.analyzer_version = 1;
  manifest.created_by = "ragline 0.1.0";
  manifest.base = "/srv/\"notes\"\n";
  manifest.roots = {"/srv/notes", "/srv/caf\xC3\xA9", "/srv/not utf-8 \xFF\xFE"};
  manifest.governed = manifest.tenants = manifest.labels = true;
  manifest.chunk_size = 200;
  manifest.chunk_overlap = 20;
  manifest.language = "de";
  manifest.next_segment = 12345678901ull;
  manifest.versions = "versions-000009";
  manifest.segments = {{"seg-000001", 10, 3, 1234, 7, "seg-000001.del-000004", 4, 1},
                       {"seg-000005", 1, 1, 99, 0, "", 0, 0}};
  return manifest;
}

std::string with_checksum(std::string text) {
  return cat(text, "  \"checksum\": \"", checksum_text(text), "\"\n}\n");
}

}  // namespace

TEST_CASE("a manifest is read back as it was written, paths that are not UTF-8 included") {
  auto storage = memory_storage();
  for (const Manifest& manifest : {full_manifest(), Manifest()}) {
    REQUIRE(write_manifest(*storage, manifest));
    CHECK(read_manifest(*storage).value() == manifest);
    CHECK_FALSE(storage->exists("MANIFEST.tmp"));
  }
}

TEST_CASE("a folder without a manifest is no index") {
  auto storage = memory_storage();
  const auto result = read_manifest(*storage);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::kNotFound);
  CHECK(result.error().message.find("is no ragline index") != std::string::npos);
}

TEST_CASE("a manifest with any byte changed, or cut anywhere, is corrupt") {
  auto storage = memory_storage();
  const std::string text = manifest_text(full_manifest());
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 0x11);
    sample::put(*storage, "MANIFEST", changed);
    const auto result = read_manifest(*storage);
    REQUIRE_FALSE(result);
    REQUIRE(result.error().kind == ErrorKind::kCorrupt);
    sample::put(*storage, "MANIFEST", text.substr(0, i));
    REQUIRE_FALSE(read_manifest(*storage));
  }
}

TEST_CASE("a newer format is refused with the remedy, unknown members are passed over") {
  auto storage = memory_storage();
  sample::put(*storage, "MANIFEST",
              with_checksum("{\n  \"format\": 2,\n  \"everything\": [\"else\"],\n"));
  const auto newer = read_manifest(*storage);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().kind == ErrorKind::kVersion);
  CHECK(newer.error().message.find("update ragline") != std::string::npos);

  sample::put(*storage, "MANIFEST",
              with_checksum("{\n  \"format\": 1,\n  \"later\": {\"a\": [1, {\"b\": null}]},\n  "
                            "\"generation\": 3,\n"));
  CHECK(read_manifest(*storage).value().generation == 3);
}

TEST_CASE("names that lead out of the index are refused") {
  auto storage = memory_storage();
  for (const char* name : {"../seg-000001", "seg-000001/../..", "/etc", "seg-a\\u0000b"}) {
    sample::put(*storage, "MANIFEST",
                with_checksum(cat("{\n  \"format\": 1,\n  \"segments\": [{\"name\": \"", name,
                                  "\", \"chunks\": 1, \"documents\": 1}],\n")));
    const auto result = read_manifest(*storage);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::kCorrupt);
  }
}
