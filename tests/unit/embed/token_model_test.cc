#include "embed/token_model.h"

#include <algorithm>

#include "catch.h"
#include "core/utf8.h"
#include "rounds.h"

using namespace ragline;

namespace {

using Ids = std::vector<std::uint32_t>;

std::string random_text(std::mt19937& random, std::size_t most,
                        const std::vector<std::string>& letters) {
  std::string out;
  for (std::size_t i = random() % most + 1; i > 0; --i) out += letters[random() % letters.size()];
  return out;
}

const std::vector<std::string> kLetters{"a", "b", "c", "é", "水"};

// Distinct random tokens; the letters themselves first, but for the last, which no vocabulary has.
Vocabulary random_vocabulary(std::mt19937& random, const std::string& prefix) {
  Vocabulary out;
  std::uint32_t id = 0;
  out.add("[UNK]", id++);
  for (std::size_t i = 0; i + 1 < kLetters.size(); ++i) out.add(kLetters[i], id++);
  for (int i = 0; i < 40; ++i) {
    const std::string token = (random() % 2 ? prefix : "") + random_text(random, 4, kLetters);
    if (!out.find(token) && token.find("水") == token.npos) out.add(token, id++);
  }
  return out;
}

// The slow twin of WordPiece, in the words of its definition.
Ids slow_word_piece(const Vocabulary& vocabulary, std::string_view word) {
  Ids out;
  for (std::size_t at = 0; at < word.size();) {
    std::size_t size = word.size() - at;
    std::optional<std::uint32_t> id;
    for (; size > 0; --size)
      if ((id = vocabulary.find((at ? "##" : "") + std::string(word.substr(at, size))))) break;
    if (!id) return {0};
    out.push_back(*id);
    at += size;
  }
  return out;
}

// The best pair is looked for anew after every merge.
Ids slow_byte_pair(const Vocabulary& vocabulary, const BpeOptions& options,
                   std::string_view piece) {
  Ids ids;
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t begin = at;
    next_code_point(piece, at);
    const auto id = vocabulary.find(piece.substr(begin, at - begin));
    ids.push_back(id ? *id : *options.unknown);
  }
  while (true) {
    std::size_t best = options.merges.size(), place = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i)
      for (std::size_t rank = 0; rank < best; ++rank)
        if (options.merges[rank] == std::pair(ids[i], ids[i + 1])) best = rank, place = i;
    if (best == options.merges.size()) return ids;
    ids[place] = options.merged[best];
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

// The score of the best cut, by trying every cut.
double slow_unigram(const Vocabulary& vocabulary, const std::vector<double>& scores,
                    std::string_view text, double unknown) {
  if (text.empty()) return 0;
  double best = -1e300;
  for (std::size_t size = 1; size <= text.size(); ++size)
    if (const auto id = vocabulary.find(text.substr(0, size)))
      best = std::max(best,
                      scores[*id] + slow_unigram(vocabulary, scores, text.substr(size), unknown));
  std::size_t one = 0;
  next_code_point(text, one);
  if (!vocabulary.find(text.substr(0, one)))
    best = std::max(best, unknown + slow_unigram(vocabulary, scores, text.substr(one), unknown));
  return best;
}

}  // namespace

TEST_CASE("WordPiece takes the longest token at each step") {
  std::mt19937 random(20261130);
  for (std::size_t round = 0; round < testing::rounds(50); ++round) {
    const Vocabulary vocabulary = random_vocabulary(random, "##");
    const auto model = word_piece(vocabulary, {});
    for (int i = 0; i < 50; ++i) {
      const std::string word = random_text(random, 12, kLetters);
      Ids ids;
      model->encode(word, ids);
      INFO("round " << round << ": " << word);
      REQUIRE(ids == slow_word_piece(vocabulary, word));
    }
  }
}

TEST_CASE("WordPiece gives up on words of more than a hundred characters") {
  Vocabulary vocabulary;
  vocabulary.add("[UNK]", 0);
  vocabulary.add("é", 1);
  vocabulary.add("##é", 2);
  const auto model = word_piece(vocabulary, {});
  std::string word;
  for (int i = 0; i < 100; ++i) word += "é";
  Ids ids;
  model->encode(word, ids);
  CHECK(ids.size() == 100);
  ids.clear();
  model->encode(word + "é", ids);
  CHECK(ids == Ids{0});
}

TEST_CASE("byte-pair merges come in the order of their ranks, and of their places") {
  std::mt19937 random(20261130);
  for (std::size_t round = 0; round < testing::rounds(50); ++round) {
    Vocabulary vocabulary = random_vocabulary(random, "");
    BpeOptions options{.merges = {}, .merged = {}, .unknown = 0};
    for (int i = 0; i < 60; ++i) {
      const auto a = static_cast<std::uint32_t>(1 + random() % (vocabulary.size() - 1));
      const auto b = static_cast<std::uint32_t>(1 + random() % (vocabulary.size() - 1));
      const std::string both = std::string(vocabulary.token(a)) + std::string(vocabulary.token(b));
      if (both.size() > 12 ||
          std::count(options.merges.begin(), options.merges.end(), std::pair(a, b)))
        continue;
      if (!vocabulary.find(both))
        vocabulary.add(both, static_cast<std::uint32_t>(vocabulary.size()));
      options.merges.emplace_back(a, b);
      options.merged.push_back(*vocabulary.find(both));
    }
    const auto model = byte_pair(vocabulary, options);
    for (int i = 0; i < 50; ++i) {
      const std::string piece = random_text(random, 30, kLetters);
      Ids ids;
      model->encode(piece, ids);
      INFO("round " << round << ": " << piece);
      REQUIRE(ids == slow_byte_pair(vocabulary, options, piece));
    }
  }
}

TEST_CASE("a character without a token becomes its bytes, or one unknown for several") {
  Vocabulary vocabulary;
  vocabulary.add("<unk>", 0);
  vocabulary.add("a", 1);
  std::uint32_t id = 2;
  for (const unsigned char byte : {0xE6, 0xB0, 0xB4}) vocabulary.add(byte_token(byte), id++);
  const auto encode = [&](BpeOptions options, std::string_view piece) {
    options.unknown = 0;
    Ids ids;
    byte_pair(vocabulary, options)->encode(piece, ids);
    return ids;
  };
  CHECK(byte_token(0x0A) == "<0x0A>");
  BpeOptions bytes, fused;
  bytes.byte_fallback = true;
  fused.fuse_unknown = true;
  CHECK(encode(bytes, "a水é") == Ids{1, 2, 3, 4, 0});
  CHECK(encode(fused, "水éa水") == Ids{0, 1, 0});
  CHECK(encode({}, "水éa") == Ids{0, 0, 1});
}

TEST_CASE("Unigram finds the cut with the largest sum of scores") {
  std::mt19937 random(20261130);
  for (std::size_t round = 0; round < testing::rounds(50); ++round) {
    const Vocabulary vocabulary = random_vocabulary(random, "");
    UnigramOptions options;
    options.unknown = 0;
    for (std::size_t i = 0; i < vocabulary.size(); ++i)
      options.scores.push_back(-1.0 - random() % 1000 / 100.0);
    const double unknown = *std::min_element(options.scores.begin(), options.scores.end()) - 10;
    const auto model = unigram(vocabulary, options);
    for (int i = 0; i < 20; ++i) {
      const std::string piece = random_text(random, 8, kLetters);
      Ids ids;
      model->encode(piece, ids);
      // Neighbouring unknown characters are one id, so the text is followed to count them.
      double score = 0;
      std::string_view rest = piece;
      for (const std::uint32_t id : ids) {
        if (id != 0) {
          REQUIRE(rest.starts_with(vocabulary.token(id)));
          rest.remove_prefix(vocabulary.token(id).size());
          score += options.scores[id];
          continue;
        }
        while (rest.starts_with("水"))
          rest.remove_prefix(std::string_view("水").size()), score += unknown;
      }
      INFO("round " << round << ": " << piece);
      REQUIRE(rest.empty());
      REQUIRE(std::abs(score - slow_unigram(vocabulary, options.scores, piece, unknown)) < 1e-9);
    }
  }
}

// A model without a pre-tokenizer has the whole text for one piece: no step may be quadratic in it.
TEST_CASE("a text of a megabyte is one piece") {
  Vocabulary vocabulary;
  vocabulary.add("a", 0);
  vocabulary.add("aa", 1);
  vocabulary.add("aaaa", 2);
  const std::string text(testing::rounds(1 << 20), 'a');
  Ids ids;
  byte_pair(vocabulary, {.merges = {{0, 0}, {1, 1}}, .merged = {1, 2}, .unknown = {}})
      ->encode(text, ids);
  CHECK(ids.size() == (text.size() + 3) / 4 + (text.size() % 4 == 3));
  ids.clear();
  unigram(vocabulary, {.scores = {-3, -2, -1}, .unknown = {}})->encode(text, ids);
  CHECK(ids.size() >= text.size() / 4);
}
