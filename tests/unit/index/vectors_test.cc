#include "index/vectors.h"

#include <random>

#include "catch.h"
#include "core/storage.h"
#include "index/segment.h"
#include "sample.h"

using namespace ragline;

namespace {

// Two chunks of the first document have a vector, the second document has none, the third one again.
std::vector<ChunkedDocument> documents() {
  std::vector<ChunkedDocument> out{sample::document("a", {"one", "two", "three"}), sample::document("b", {"four"}), sample::document("c", {"five"})};
  out[0].vectors = {1, 0, 0, 0, 0, 0, 0, -0.5, 0.25};
  out[2].vectors = {0, 1, 0};
  return out;
}

std::shared_ptr<const Segment> build(Storage& storage, const std::string& name, const std::vector<ChunkedDocument>& documents) {
  SegmentWriter writer;
  for (const ChunkedDocument& document : documents) REQUIRE(writer.add(document));
  const auto entry = writer.write(storage, name);
  REQUIRE(entry);
  auto segment = Segment::open(storage, *entry);
  REQUIRE(segment);
  return *segment;
}

std::vector<float> row(const VectorTable& table, std::uint32_t chunk) {
  std::vector<float> out(table.rows().dimensions);
  dequantise(table.codes(chunk), table.rows().scales[chunk].scale, out);
  return out;
}

void check_first_segment(const VectorTable& table) {
  CHECK(table.rows().dimensions == 3);
  REQUIRE(table.rows().size() == 5);
  const std::vector<bool> has{true, false, true, false, true};
  for (std::uint32_t chunk = 0; chunk < 5; ++chunk) CHECK(table.has(chunk) == has[chunk]);
  CHECK(table.present()[0] == 0b10101);
  CHECK(row(table, 0)[0] == Approx(1).margin(0.005));
  CHECK(row(table, 2)[1] == Approx(-0.5).margin(0.005));
  CHECK(row(table, 4)[1] == Approx(1).margin(0.005));
}

}  // namespace

TEST_CASE("a segment keeps the vectors of its chunks, and knows which have none") {
  const auto storage = memory_storage();
  const auto segment = build(*storage, "seg-000001", documents());
  REQUIRE(segment->vectors() != nullptr);
  check_first_segment(*segment->vectors());
  CHECK(segment->check());
}

TEST_CASE("a segment without vectors has no file of them") {
  const auto storage = memory_storage();
  const auto segment = build(*storage, "seg-000001", {sample::document("a", {"one"})});
  CHECK(segment->vectors() == nullptr);
  CHECK_FALSE(storage->exists("seg-000001/vectors"));
}

TEST_CASE("a merge carries vectors along and drops those of deleted documents") {
  const auto storage = memory_storage();
  const auto plain = build(*storage, "seg-000001", {sample::document("x", {"none", "none"})});
  auto with = build(*storage, "seg-000002", documents());
  Bitmap deleted(5);
  deleted.set_range(3, 4);  // document b
  with = with->with_deletes(deleted);
  const std::vector<std::shared_ptr<const Segment>> inputs{plain, with};
  const auto entry = merge_segments(inputs, *storage, "seg-000003");
  REQUIRE(entry);
  CHECK(entry->vectors == 3);
  const auto merged = Segment::open(*storage, *entry);
  REQUIRE(merged);
  const VectorTable& table = *(*merged)->vectors();
  CHECK(table.present()[0] == 0b110100);
  CHECK(row(table, 2)[0] == Approx(1).margin(0.005));
  CHECK(row(table, 5)[1] == Approx(1).margin(0.005));
  CHECK((*merged)->check());
}

TEST_CASE("a damaged file of vectors is noticed when it is opened or checked") {
  const auto storage = memory_storage();
  SegmentWriter writer;
  for (const ChunkedDocument& document : documents()) REQUIRE(writer.add(document));
  const auto entry = writer.write(*storage, "seg-000001");
  REQUIRE(entry);
  const auto map = storage->map("seg-000001/vectors");
  REQUIRE(map);
  const std::string whole((*map)->bytes());
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    if (round % 3 == 0) {
      bytes.resize(random() % bytes.size());
    } else {
      bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
    }
    const auto file = storage->create("seg-000001/vectors");
    REQUIRE(file);
    REQUIRE((*file)->append(bytes));
    REQUIRE((*file)->close());
    const auto segment = Segment::open(*storage, *entry);
    INFO("round " << round);
    CHECK((!segment || !(*segment)->check()));
  }
}
