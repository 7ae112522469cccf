#include "record/evidence.h"

#include "catch.h"
#include "core/hash.h"
#include "random_records.h"

using namespace ragline;

TEST_CASE("an evidence id is the span's bytes and their hash") {
  const std::string text = "hello";
  REQUIRE(evidence_hash(text) == hash64(text) >> 16);
  REQUIRE(format_evidence_id("src/order.cc", {1204, 1892}, 0x9f2c51aa03de) ==
          "src/order.cc#1204-1892@9f2c51aa03de");
  REQUIRE(format_evidence_id("a", {0, 0}, 0xab) == "a#0-0@0000000000ab");
}

TEST_CASE("evidence ids of hostile paths read back equal") {
  static const std::string kPieces[] = {"#",
                                        "@",
                                        "-",
                                        "1",
                                        "09",
                                        "\n",
                                        "\r",
                                        " ",
                                        "a/b",
                                        "..",
                                        "\xff",
                                        "\xc3",
                                        "é",
                                        "#1-2@0123456789ab",
                                        "@0123456789ab",
                                        "#0-",
                                        std::string(1, '\0'),
                                        "\"",
                                        "\\"};
  for (std::uint32_t seed = 0; seed < 20000; ++seed) {
    INFO("seed " << seed);
    RandomRecords random(seed);
    EvidenceId id;
    while (id.document_id.empty())
      for (auto n = random.below(8); n > 0; --n)
        id.document_id += kPieces[random.below(std::size(kPieces))];
    id.bytes.begin = random.count();
    id.bytes.end = id.bytes.begin + random.below(UINT64_MAX - id.bytes.begin);
    id.hash = evidence_hash(id.document_id);
    const std::string text = format_evidence_id(id.document_id, id.bytes, id.hash);
    const auto parsed = parse_evidence_id(text);
    REQUIRE(parsed);
    REQUIRE(*parsed == id);
  }
}

TEST_CASE("a malformed evidence id says what is wrong and what is right") {
  const std::pair<std::string, std::string> cases[] = {
      {"", "has no '@hash'"},
      {"a", "has no '@hash'"},
      {"a#1-2@0123456789a", "12 lower-case hex digits"},
      {"a#1-2@0123456789abc", "12 lower-case hex digits"},
      {"a#1-2@0123456789AB", "12 lower-case hex digits"},
      {"a@0123456789ab", "has no '#begin-end'"},
      {"a#12@0123456789ab", "two byte offsets"},
      {"a#-2@0123456789ab", "two byte offsets"},
      {"a#1-@0123456789ab", "two byte offsets"},
      {"a#01-2@0123456789ab", "two byte offsets"},
      {"a#+1-2@0123456789ab", "two byte offsets"},
      {"a#1-2-3@0123456789ab", "two byte offsets"},
      {"a#1-99999999999999999999@0123456789ab", "two byte offsets"},
      {"a#2-1@0123456789ab", "ends before it begins"},
      {"#1-2@0123456789ab", "names no document"},
  };
  for (const auto& [text, what] : cases) {
    INFO(text);
    const auto parsed = parse_evidence_id(text);
    REQUIRE(!parsed);
    CHECK(parsed.error().kind == ErrorKind::kData);
    CHECK(parsed.error().message.find(what) != std::string::npos);
    CHECK(parsed.error().message.find(": give document_id#begin-end@hash") != std::string::npos);
  }
}
