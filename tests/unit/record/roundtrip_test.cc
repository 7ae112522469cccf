#include "catch.h"
#include "random_records.h"
#include "record/reader.h"
#include "rounds.h"

using namespace ragline;

TEST_CASE("what is written reads back equal, and writes the same bytes again") {
  for (std::uint32_t seed = 0; seed < 6000; ++seed) {
    INFO("seed " << seed);
    const Record record = RandomRecords(seed).record();
    std::string line;
    write_record(line, record);
    INFO(line);
    REQUIRE(line.ends_with('\n'));
    REQUIRE(line.find('\n') == line.size() - 1);
    line.pop_back();
    REQUIRE(check_json(line));
    RecordParser parser;
    const auto parsed = parser.parse(line);
    if (!parsed) FAIL(parsed.error().message);
    REQUIRE((*parsed == record));
    std::string again;
    write_record(again, *parsed);
    REQUIRE(again == line + "\n");
  }
}

TEST_CASE("one parser reads records of all sizes in any order") {
  RecordParser parser;
  for (std::size_t size : {0, 10, 5000, 100, 300000, 3, 64, 1}) {
    Chunk chunk;
    chunk.document_id = "d";
    chunk.text = std::string(size, 'x');
    std::string line;
    write_record(line, chunk);
    line.pop_back();
    REQUIRE(std::get<Chunk>(*parser.parse(line)) == chunk);
  }
}

TEST_CASE("mutilated lines are refused or read back equal, never crash") {
  for (std::uint32_t seed = 0; seed < testing::rounds(20000, 4); ++seed) {
    RandomRecords random(seed);
    std::string line;
    write_record(line, random.record());
    line.pop_back();
    for (auto n = 1 + random.below(3); n > 0 && !line.empty(); --n) {
      const auto at = random.below(line.size());
      static constexpr char kBytes[] = "{}[]\",:\\0e-.n \x80\xff\x01u";
      const char byte = kBytes[random.below(sizeof kBytes - 1)];
      switch (random.below(3)) {
        case 0:
          line[at] = byte;
          break;
        case 1:
          line.insert(at, 1, byte);
          break;
        default:
          line.erase(at, 1 + random.below(4));
      }
    }
    INFO("seed " << seed << ": " << line);
    RecordParser parser;
    const auto parsed = parser.parse(line);
    // The twin: the scanner alone judges the same bytes.
    if (parsed) REQUIRE(check_json(line));
    if (!check_json(line)) REQUIRE(!parsed);
    if (!parsed) {
      REQUIRE(parsed.error().kind == ErrorKind::kData);
      REQUIRE(parsed.error().message.find(": ") != std::string::npos);
      continue;
    }
    std::string written;
    write_record(written, *parsed);
    written.pop_back();
    const auto again = parser.parse(written);
    REQUIRE(again);
    REQUIRE((*again == *parsed));
  }
}
