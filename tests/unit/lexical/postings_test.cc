#include "lexical/postings.h"

#include <cmath>
#include <random>

#include "catch.h"
#include "lexical/merge.h"
#include "unit/lexical/lists.h"

using namespace ragline_test;

namespace {

Postings read_list(const PostingList& list) {
  Postings out;
  std::uint32_t docs[kBlock], tfs[kBlock];
  std::vector<std::uint32_t> positions;
  for (std::uint32_t block = 0; block < list.block_count(); ++block) {
    const std::uint32_t count = list.decode(block, docs, tfs);
    REQUIRE(count > 0);
    REQUIRE(list.block_last_doc(block) == docs[count - 1]);
    REQUIRE(list.decode_positions(block, {tfs, count}, positions));
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      out[docs[i]].assign(positions.begin() + static_cast<std::ptrdiff_t>(at), positions.begin() + static_cast<std::ptrdiff_t>(at + tfs[i]));
      at += tfs[i];
    }
  }
  return out;
}

std::map<std::string, Postings> read_all(const SegmentPostings& segment) {
  std::map<std::string, Postings> out;
  for (TermIterator at = segment.seek(""); at.valid(); at.next()) out[at.key()] = read_list(segment.list(at.info()));
  return out;
}

}  // namespace

TEST_CASE("what was written is read: terms, postings, positions, lengths, statistics") {
  std::mt19937 random(11);
  for (std::uint32_t chunks : {1u, 5u, 127u, 128u, 129u, 3000u}) {
    MadeSegment made = random_segment(random, chunks, 40);
    made.write();
    INFO("chunks " << chunks);
    REQUIRE(made.postings->check());
    REQUIRE(read_all(*made.postings) == made.terms);
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
      REQUIRE(made.postings->lengths(Field::kContent)[chunk] == made.columns.lengths[0][chunk]);
    REQUIRE(made.postings->statistics().at(Language::kEnglish).chunks == chunks);
    REQUIRE_FALSE(made.postings->find(content_key("absent")));
    REQUIRE_FALSE(made.postings->find(""));
    REQUIRE_FALSE(made.postings->find("\xff\xff"));
    for (const auto& [key, list] : made.terms) {
      REQUIRE(made.postings->find(key)->doc_freq == list.size());
      REQUIRE(made.postings->seek(key).key() == key);
    }
  }
}

TEST_CASE("find_block is the first block that reaches the chunk") {
  std::mt19937 random(12);
  MadeSegment made = random_segment(random, 4000, 6);
  made.write();
  for (const auto& [key, postings] : made.terms) {
    const PostingList list = made.postings->list(key);
    for (int round = 0; round < 200; ++round) {
      const auto doc = static_cast<std::uint32_t>(random()) % 4100, from = static_cast<std::uint32_t>(random()) % (list.block_count() + 1);
      std::uint32_t expected = from;
      while (expected < list.block_count() && list.block_last_doc(expected) < doc) ++expected;
      REQUIRE(list.find_block(doc, from) == expected);
    }
  }
}

TEST_CASE("an empty segment opens, checks and finds nothing") {
  MadeSegment made;
  made.write();
  REQUIRE(made.postings->check());
  REQUIRE_FALSE(made.postings->find(content_key("a")));
}

TEST_CASE("a merge equals a segment built at once from the live chunks") {
  std::mt19937 random(13);
  for (int round = 0; round < 10; ++round) {
    std::vector<MadeSegment> parts;
    for (int i = 0; i < 3; ++i) parts.push_back(random_segment(random, 1 + static_cast<std::uint32_t>(random()) % 700, 12));
    parts[1].columns.languages.assign(parts[1].chunks(), Language::kGerman);  // columns with and without a language each
    std::vector<Bitmap> deleted;
    std::vector<MergeInput> inputs;
    MadeSegment expected;
    for (MadeSegment& part : parts) {
      part.write();
      Bitmap& gone = deleted.emplace_back(part.chunks());
      for (std::uint32_t chunk = 0; chunk < part.chunks(); ++chunk)
        if (random() % 3 == 0) gone.set(chunk);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      inputs.push_back({parts[i].postings.get(), i == 2 ? nullptr : &deleted[i]});
      std::map<std::uint32_t, std::uint32_t> moved;
      for (std::uint32_t chunk = 0; chunk < parts[i].chunks(); ++chunk) {
        if (i != 2 && deleted[i].test(chunk)) continue;
        moved[chunk] = expected.chunks();
        for (std::size_t f = 0; f < kTextFieldCount; ++f) expected.columns.lengths[f].push_back(parts[i].columns.lengths[f][chunk]);
        expected.columns.languages.push_back(parts[i].columns.languages[chunk]);
      }
      for (const auto& [key, list] : parts[i].terms)
        for (const auto& [chunk, positions] : list)
          if (moved.contains(chunk)) expected.terms[key][moved[chunk]] = positions;
    }
    expected.write();
    REQUIRE(expected.storage->make_folder("merged"));
    REQUIRE(merge_postings(inputs, *expected.storage, "merged"));
    for (const char* name : {"terms", "postings", "positions", "lengths"}) {
      INFO("round " << round << " file " << name);
      const auto one = expected.storage->map(std::string("seg/") + name), two = expected.storage->map(std::string("merged/") + name);
      REQUIRE((*one)->bytes() == (*two)->bytes());
    }
  }
}

TEST_CASE("faiss_28_untrusted_index_bytes: any changed byte is noticed by check and never crashes a reader") {
  std::mt19937 random(14);
  MadeSegment made = random_segment(random, 600, 10);
  made.write();
  for (const char* name : {"terms", "postings", "positions", "lengths"}) {
    const std::string path = std::string("seg/") + name;
    const std::string good((*made.storage->map(path))->bytes());
    for (int round = 0; round < 300; ++round) {
      std::string bad = good;
      bad[random() % bad.size()] ^= static_cast<char>(1 + random() % 255);
      auto storage = memory_storage();
      for (const char* other : {"terms", "postings", "positions", "lengths"}) {
        const std::string file = std::string("seg/") + other;
        auto out = storage->create(file);
        REQUIRE((*out)->append(file == path ? std::string_view(bad) : (*made.storage->map(file))->bytes()));
      }
      auto segment = SegmentPostings::open(*storage, "seg", made.chunks());
      if (!segment) continue;
      REQUIRE_FALSE((*segment)->check());
      std::uint32_t docs[kBlock], tfs[kBlock];
      std::vector<std::uint32_t> positions;
      for (TermIterator at = (*segment)->seek(""); at.valid(); at.next()) {
        const PostingList list = (*segment)->list(at.info());
        for (std::uint32_t block = 0; block < list.block_count(); ++block) {
          const std::uint32_t count = list.decode(block, docs, tfs);
          (void)list.decode_positions(block, {tfs, count}, positions);
        }
      }
    }
  }
}
