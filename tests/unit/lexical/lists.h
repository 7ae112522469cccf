#pragma once
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "core/storage.h"
#include "lexical/postings.h"
#include "lexical/postings_writer.h"

// Made-up segments for the tests of lexical: terms with random postings, and what was put in, to compare with.
namespace ragline_test {

using namespace ragline;

using Postings = std::map<std::uint32_t, std::vector<std::uint32_t>>;  // chunk -> positions

struct MadeSegment {
  std::map<std::string, Postings> terms;  // by key
  ChunkColumns columns;
  std::unique_ptr<Storage> storage = memory_storage();
  std::unique_ptr<SegmentPostings> postings;

  std::uint32_t chunks() const { return static_cast<std::uint32_t>(columns.languages.size()); }
  void write(const std::string& folder = "seg") {
    REQUIRE(storage->make_folder(folder));
    auto writer = PostingsWriter::create(*storage, folder, columns);
    REQUIRE(writer);
    for (const auto& [key, list] : terms) {
      writer->begin(key);
      for (const auto& [chunk, positions] : list) writer->add(chunk, positions);
      REQUIRE(writer->end());
    }
    REQUIRE(writer->finish());
    auto opened = SegmentPostings::open(*storage, folder, chunks());
    REQUIRE(opened);
    postings = std::move(*opened);
  }
};

inline std::string content_key(const std::string& term) { return term_key(Field::kContent, Language::kEnglish, term); }

// term_count terms "t0", "t1", ... each in a share of the chunks between one posting and nearly all.
inline MadeSegment random_segment(std::mt19937& random, std::uint32_t chunks, int term_count) {
  MadeSegment made;
  for (auto& column : made.columns.lengths) column.resize(chunks);
  made.columns.languages.assign(chunks, Language::kEnglish);
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
    made.columns.lengths[0][chunk] = 1 + static_cast<std::uint32_t>(random()) % (random() % 10 == 0 ? 70'000 : 300);
  for (int t = 0; t < term_count; ++t) {
    Postings& list = made.terms[content_key("t" + std::to_string(t))];
    const double share = std::pow(0.95 * std::uniform_real_distribution<>(0, 1)(random), 3);
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      if (std::uniform_real_distribution<>(0, 1)(random) >= share) continue;
      const std::uint32_t tf = random() % 4 ? 1 : 1 + static_cast<std::uint32_t>(random()) % 12;
      std::uint32_t position = 0;
      for (std::uint32_t i = 0; i < tf; ++i) list[chunk].push_back(position += 1 + static_cast<std::uint32_t>(random()) % 50);
    }
    if (list.empty()) list[static_cast<std::uint32_t>(random()) % chunks] = {3};
  }
  return made;
}

}  // namespace ragline_test
