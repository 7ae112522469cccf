#include "lexical/expand.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "catch.h"
#include "core/storage.h"
#include "core/utf8.h"
#include "lexical/builder.h"
#include "lexical/edit_distance.h"
#include "rounds.h"

using namespace ragline;

namespace {

// The definition: the best of all last steps.
std::uint32_t slow_distance(const std::u32string& a, const std::u32string& b) {
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> best;
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      auto& here = best[{i, j}] = static_cast<std::uint32_t>(std::max(i, j));
      if (i > 0) here = std::min(here, best[{i - 1, j}] + 1);
      if (j > 0) here = std::min(here, best[{i, j - 1}] + 1);
      if (i > 0 && j > 0) here = std::min(here, best[{i - 1, j - 1}] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        here = std::min(here, best[{i - 2, j - 2}] + 1);
    }
  }
  return best[{a.size(), b.size()}];
}
std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) out += next_code_point(text, at);
  return out;
}
std::uint32_t slow_distance(std::string_view a, std::string_view b) {
  return slow_distance(code_points(a), code_points(b));
}

// A dictionary of these words, the i-th in i % 3 + 1 chunks. Language kNone: a word is its own
// term.
struct Dictionary {
  std::unique_ptr<Storage> storage = memory_storage();
  std::unique_ptr<SegmentPostings> postings;
  std::map<std::string, std::uint32_t> doc_freq;

  explicit Dictionary(const std::vector<std::string>& words) {
    PostingsBuilder builder;
    std::uint32_t chunks = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::size_t copy = 0; copy <= i % 3; ++copy) {
        ChunkText chunk;
        chunk.language = Language::kNone;
        chunk.text = words[i];
        builder.add(chunk);
        ++chunks;
      }
      doc_freq[words[i]] += static_cast<std::uint32_t>(i % 3 + 1);
    }
    REQUIRE(storage->make_folder("s").has_value());
    REQUIRE(builder.write(*storage, "s").has_value());
    auto opened = SegmentPostings::open(*storage, "s", chunks);
    REQUIRE(opened.has_value());
    postings = std::move(*opened);
  }
  ExpandedTerms fuzzy(std::string_view word, std::uint32_t edits, std::size_t limit = 1000) const {
    return expand_fuzzy(*postings, Field::kContent, Language::kNone, word, edits, limit);
  }
  ExpandedTerms prefix(std::string_view word, std::size_t limit = 1000) const {
    return expand_prefix(*postings, Field::kContent, Language::kNone, word, limit);
  }
  std::vector<std::string> slow_fuzzy(std::string_view word, std::uint32_t edits) const {
    std::vector<std::tuple<std::uint32_t, std::int64_t, std::string>> found;
    for (const auto& [term, count] : doc_freq)
      if (const auto distance = slow_distance(word, term); distance <= edits)
        found.emplace_back(distance, -std::int64_t{count}, term);
    std::sort(found.begin(), found.end());
    std::vector<std::string> terms;
    for (auto& entry : found) terms.push_back(std::get<2>(entry));
    return terms;
  }
};

// Over few letters, so that words are near each other; some of them take two bytes.
std::string random_word(std::mt19937& random, std::size_t longest) {
  static const char* kLetters[] = {"a", "b", "c", "д", "ж"};
  std::string word;
  for (auto n = 1 + random() % longest; n > 0; --n) word += kLetters[random() % 5];
  return word;
}

}  // namespace

TEST_CASE("edit distance equals its definition") {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const std::string a = random_word(random, 6), b = random_word(random, 6);
    const std::uint32_t most = random() % 4, exact = slow_distance(a, b);
    INFO(a << " " << b);
    REQUIRE(edit_distance(a, b, most) == std::min(exact, most + 1));
  }
  CHECK(edit_distance("order", "odrer", 2) == 1);
  CHECK(edit_distance("ca", "abc", 3) == 3);  // no character is changed twice
  CHECK(edit_distance("", "ab", 2) == 2);
  CHECK(edit_distance("ab", "", 1) == 2);
}

TEST_CASE("fuzzy terms are those within the edits, nearest and most frequent first") {
  std::mt19937 random(11);
  std::set<std::string> words;
  while (words.size() < 800) words.insert(random_word(random, 9));
  const Dictionary dictionary({words.begin(), words.end()});
  for (std::size_t i = 0; i < testing::rounds(25, 4); ++i) {
    const std::string word = random_word(random, 9);
    for (std::uint32_t edits : {1u, 2u}) {
      const auto slow = dictionary.slow_fuzzy(word, edits);
      const ExpandedTerms all = dictionary.fuzzy(word, edits, 5000);
      INFO(word << " ~" << edits);
      REQUIRE(all.terms == slow);
      CHECK(!all.cut);
      const ExpandedTerms some = dictionary.fuzzy(word, edits, 3);
      CHECK(some.cut == (slow.size() > 3));
      CHECK(some.terms ==
            std::vector<std::string>(
                slow.begin(),
                slow.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, slow.size()))));
    }
  }
}

TEST_CASE("prefixes in byte order, with a limit") {
  const Dictionary dictionary({"order", "orders", "ordinal", "orb", "more", "ord"});
  CHECK(dictionary.prefix("ord").terms ==
        std::vector<std::string>{"ord", "order", "orders", "ordinal"});
  CHECK(!dictionary.prefix("ord", 4).cut);
  CHECK(dictionary.prefix("ord", 3).cut);
  CHECK(dictionary.prefix("ord", 3).terms.size() == 3);
  CHECK(dictionary.prefix("x").terms.empty());
  CHECK(dictionary.prefix("").terms.size() == 6);
}

TEST_CASE("exact forms and other languages are no expansions") {
  const Dictionary dictionary({"größe", "grosse"});
  for (const std::string& term : dictionary.prefix("").terms) CHECK(term[0] != '=');
  for (const std::string& term : dictionary.fuzzy("größe", 2).terms) CHECK(term[0] != '=');
  CHECK(expand_prefix(*dictionary.postings, Field::kContent, Language::kGerman, "gr", 10)
            .terms.empty());
  CHECK(expand_fuzzy(*dictionary.postings, Field::kTitle, Language::kNone, "grosse", 2, 10)
            .terms.empty());
}
