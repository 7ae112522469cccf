#include "lexical/builder.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "lexical/postings.h"

using namespace ragline;

namespace {

using Postings = std::map<std::uint32_t, std::vector<std::uint32_t>>;

// The definition, without cache, arenas or blocks.
struct SlowIndex {
  Analyzer analyzer;
  std::map<std::string, Postings> terms;
  std::vector<std::array<std::uint32_t, kTextFieldCount>> lengths;

  std::uint32_t add_text(Field field, Language language, std::string_view text, std::uint32_t chunk, std::uint32_t position) {
    std::vector<RawWord> words;
    Expansion expansion;
    analyzer.split_words(text, words);
    for (const RawWord& word : words) {
      analyzer.expand(text.substr(word.begin, word.end - word.begin), language, expansion);
      for (const Term& term : expansion.terms) {
        auto& positions = terms[term_key(field, language, term.text)][chunk];
        if (positions.empty() || positions.back() != position + term.position) positions.push_back(position + term.position);
      }
      position += expansion.positions;
      lengths[chunk][field_index(field)] += expansion.length;
    }
    return position;
  }
  void add(const ChunkText& chunk) {
    const auto ordinal = static_cast<std::uint32_t>(lengths.size());
    lengths.emplace_back();
    std::uint32_t position = 0;
    if (chunk.title_in_content && !chunk.title.empty()) position = add_text(Field::kContent, chunk.language, chunk.title, ordinal, position) + 100;
    if (!chunk.context.empty()) position = add_text(Field::kContent, chunk.language, chunk.context, ordinal, position) + 100;
    add_text(Field::kContent, chunk.language, chunk.text, ordinal, position);
    add_text(Field::kTitle, chunk.language, chunk.title, ordinal, 0);
    add_text(Field::kSection, chunk.language, chunk.section, ordinal, 0);
    add_text(Field::kPath, chunk.language, chunk.path, ordinal, 0);
  }
};

std::string random_text(std::mt19937& random, int words) {
  static const char* const kParts[] = {"the",  "refund",  "orderStatus", "foo_bar", "1.0.21", "Über",   "straße", "猫が好き", "running", "a@b.example",
                                       "C++",  "don't",   "state-of-the-art", "x",   "été",    "中文字", "naïve",  "Order",    "ship's",  "sha256"};
  std::string text;
  for (int i = 0; i < words; ++i) {
    if (random() % 3) {
      text += kParts[random() % std::size(kParts)];
    } else {
      for (unsigned n = 1 + random() % 9; n > 0; --n) text += static_cast<char>('a' + random() % 26);
    }
    text += random() % 9 ? " " : ". ";
  }
  return text;
}

}  // namespace

TEST_CASE("a builder's segment equals the slow index of the same chunks") {
  std::mt19937 random(31);
  for (int round = 0; round < 4; ++round) {
    PostingsBuilder builder;
    SlowIndex slow;
    auto storage = memory_storage();
    REQUIRE(storage->make_folder("seg"));
    const Language languages[] = {Language::kEnglish, Language::kGerman, Language::kChinese};
    for (int chunk = 0; chunk < 150; ++chunk) {
      const std::string title = random_text(random, random() % 3), text = random_text(random, random() % 200), path = "src/order_status.cc",
                        section = random_text(random, random() % 4), context = random_text(random, random() % 3);
      ChunkText input{languages[random() % 3], title, section, path, context, text, random() % 2 == 0};
      slow.add(input);
      REQUIRE(builder.add(input) == static_cast<std::uint32_t>(chunk));
      builder.add_filter("tenant", chunk % 2 ? "a" : "b");
      slow.terms[filter_key("tenant", chunk % 2 ? "a" : "b")][static_cast<std::uint32_t>(chunk)] = {};
    }
    REQUIRE(builder.memory() > 0);
    REQUIRE(builder.write(*storage, "seg"));
    REQUIRE(builder.chunk_count() == 0);
    auto segment = SegmentPostings::open(*storage, "seg", 150);
    REQUIRE(segment);
    REQUIRE((*segment)->check());
    REQUIRE((*segment)->term_count() == slow.terms.size());
    std::uint32_t docs[kBlock], tfs[kBlock];
    std::vector<std::uint32_t> positions;
    for (const auto& [key, expected] : slow.terms) {
      INFO("round " << round << " key " << key.substr(2));
      const PostingList list = (*segment)->list(key);
      REQUIRE(list.size() == expected.size());
      Postings got;
      for (std::uint32_t block = 0; block < list.block_count(); ++block) {
        const std::uint32_t count = list.decode(block, docs, tfs);
        const bool filter = key[0] == static_cast<char>(Field::kFilter);
        if (!filter) REQUIRE(list.decode_positions(block, {tfs, count}, positions));
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
          auto& out = got[docs[i]];
          for (std::uint32_t t = 0; !filter && t < tfs[i]; ++t) out.push_back(positions[at++]);
        }
      }
      REQUIRE(got == expected);
    }
    for (std::uint32_t chunk = 0; chunk < 150; ++chunk)
      for (Field field : kTextFields) REQUIRE((*segment)->lengths(field)[chunk] == slow.lengths[chunk][field_index(field)]);
  }
}
