// Phrases against all choices of positions.
#include "search/phrase.h"

#include <random>
#include <set>

#include "../lexical/lists.h"
#include "catch.h"

using namespace ragline;
using namespace ragline_test;

namespace {

using Match = std::pair<std::int64_t, std::size_t>;  // the leftmost place, and whose it is

// Every choice of one place a slot (a position moved back by the slot's offset), no position twice for one word; the leftmost
// of those that fit.
void choose(const std::vector<Leaf::Slot>& slots, const std::vector<std::set<std::int64_t>>& places, std::vector<std::int64_t>& chosen,
            std::uint32_t slop, std::set<Match>& matches) {
  if (chosen.size() == slots.size()) {
    const auto least = std::min_element(chosen.begin(), chosen.end());
    if (*std::max_element(chosen.begin(), chosen.end()) - *least <= slop) matches.emplace(*least, std::size_t(least - chosen.begin()));
    return;
  }
  const std::size_t slot = chosen.size();
  for (std::int64_t place : places[slot]) {
    bool taken = false;
    for (std::size_t other = 0; other < slot; ++other)
      taken = taken || (slots[other].keys == slots[slot].keys && chosen[other] + slots[other].offset == place + slots[slot].offset);
    if (taken) continue;
    chosen.push_back(place);
    choose(slots, places, chosen, slop, matches);
    chosen.pop_back();
  }
}

std::map<std::uint32_t, std::uint32_t> slow(const MadeSegment& made, const std::vector<Leaf::Slot>& slots, std::uint32_t slop) {
  std::map<std::uint32_t, std::uint32_t> out;
  for (std::uint32_t chunk = 0; chunk < made.chunks(); ++chunk) {
    std::vector<std::set<std::int64_t>> places;
    for (const Leaf::Slot& slot : slots) {
      auto& entry = places.emplace_back();
      for (const std::string& key : slot.keys) {
        const auto term = made.terms.find(key);
        if (term == made.terms.end()) continue;
        const auto list = term->second.find(chunk);
        if (list == term->second.end()) continue;
        for (std::uint32_t position : list->second) entry.insert(std::int64_t{position} - slot.offset);
      }
    }
    std::set<Match> matches;
    std::vector<std::int64_t> chosen;
    choose(slots, places, chosen, slop, matches);
    if (!matches.empty()) out[chunk] = std::uint32_t(matches.size());
  }
  return out;
}

std::map<std::uint32_t, std::uint32_t> read(const PostingList& list) {
  std::map<std::uint32_t, std::uint32_t> out;
  std::uint32_t docs[kBlock], tfs[kBlock];
  for (std::uint32_t block = 0; block < list.block_count(); ++block) {
    const std::uint32_t count = list.decode(block, docs, tfs);
    for (std::uint32_t i = 0; i < count; ++i) out[docs[i]] = tfs[i];
  }
  return out;
}

// Texts over a handful of words, so that they stand near each other.
MadeSegment dense_segment(std::mt19937& random, std::uint32_t chunks) {
  MadeSegment made;
  for (auto& column : made.columns.lengths) column.resize(chunks);
  made.columns.languages.assign(chunks, Language::kEnglish);
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    const std::uint32_t length = 1 + std::uint32_t(random() % 25);
    made.columns.lengths[0][chunk] = length;
    for (std::uint32_t position = 0; position < length; ++position)
      made.terms[content_key(std::string(1, char('a' + random() % (1 + random() % 7))))][chunk].push_back(position);
  }
  return made;
}

Leaf::Slot slot(std::uint32_t offset, std::vector<std::string> words) {
  Leaf::Slot out{offset, {}};
  for (const std::string& word : words) out.keys.push_back(content_key(word));
  return out;
}

}  // namespace

TEST_CASE("a phrase matches where all choices of positions say") {
  const std::uint32_t seed = 20261130u;
  std::mt19937 random(seed);
  INFO("seed " << seed);
  std::size_t found = 0;
  for (int round = 0; round < 8; ++round) {
    MadeSegment made = dense_segment(random, round ? 100 + std::uint32_t(random() % 300) : 1);
    made.write();
    for (int i = 0; i < 40; ++i) {
      std::vector<Leaf::Slot> slots;
      std::uint32_t offset = 0;
      for (int n = 2 + int(random() % 3); n > 0; --n) {
        std::vector<std::string> words;  // synonyms, and words that are nowhere; repeated words come by themselves
        for (int m = 1 + int(random() % 3 == 0); m > 0; --m) words.push_back(std::string(1, char('a' + random() % (i % 2 ? 8 : 2))));
        slots.push_back(slot(offset, words));
        offset += 1 + random() % 2;
      }
      const std::uint32_t slop = random() % 2 ? 0 : std::uint32_t(random() % 8);
      const auto fast = read(match_phrase(*made.postings, slots, slop));
      REQUIRE(fast == slow(made, slots, slop));
      found += fast.size();
    }
    REQUIRE(!made.postings->corrupted());
  }
  CHECK(found > 500);
}

TEST_CASE("in place, moved, swapped") {
  MadeSegment made;
  for (auto& column : made.columns.lengths) column.resize(3, 4);
  made.columns.languages.assign(3, Language::kEnglish);
  made.terms[content_key("order")] = {{0, {0}}, {1, {0}}, {2, {1}}};
  made.terms[content_key("status")] = {{0, {1}}, {1, {2}}, {2, {0}}};
  made.write();
  const std::vector<Leaf::Slot> phrase = {slot(0, {"order"}), slot(1, {"status"})};
  CHECK(read(match_phrase(*made.postings, phrase, 0)) == std::map<std::uint32_t, std::uint32_t>{{0, 1}});
  CHECK(read(match_phrase(*made.postings, phrase, 1)) == std::map<std::uint32_t, std::uint32_t>{{0, 1}, {1, 1}});
  CHECK(read(match_phrase(*made.postings, phrase, 2)) == std::map<std::uint32_t, std::uint32_t>{{0, 1}, {1, 1}, {2, 1}});
  CHECK(match_phrase(*made.postings, {slot(0, {"order"}), slot(1, {"nowhere"})}, 9).size() == 0);
}

TEST_CASE("a repeated word has a position for each of its slots") {
  MadeSegment made;
  for (auto& column : made.columns.lengths) column.resize(3, 4);
  made.columns.languages.assign(3, Language::kEnglish);
  made.terms[content_key("a")] = {{0, {3}}, {1, {0, 3}}, {2, {1, 2, 3}}};
  made.write();
  const std::vector<Leaf::Slot> twice = {slot(0, {"a"}), slot(1, {"a"})};
  const std::vector<Leaf::Slot> thrice = {slot(0, {"a"}), slot(1, {"a"}), slot(2, {"a"})};
  CHECK(read(match_phrase(*made.postings, twice, 0)) == std::map<std::uint32_t, std::uint32_t>{{2, 2}});
  CHECK(read(match_phrase(*made.postings, twice, 1)).count(0) == 0);
  CHECK(read(match_phrase(*made.postings, twice, 2)).count(1) == 1);
  CHECK(read(match_phrase(*made.postings, thrice, 9)).size() == 1);
}
