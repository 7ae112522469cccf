#include "eval/overlap.h"

#include <cmath>
#include <random>

#include "catch.h"
#include "core/text.h"

using namespace ragline;

namespace {

struct Row {
  std::string found, reference;
  double f1, chrf, rouge1, rouge2, rouge_l;
};

void check_near(double found, double expected) {
  INFO("found " << number_text(found) << ", expected " << number_text(expected));
  CHECK(std::fabs(found - expected) < 1e-12);
}

std::size_t slow_subsequence(const Tokens& a, const Tokens& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      best[i][j] =
          a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
  return best[a.size()][b.size()];
}

Tokens random_tokens(std::mt19937& random, std::size_t most, std::size_t vocabulary) {
  Tokens tokens;
  for (std::size_t n = random() % (most + 1); n > 0; --n)
    tokens.push_back(std::string(1, static_cast<char>('a' + random() % vocabulary)));
  return tokens;
}

}  // namespace

// F1 by SQuAD's official script, chrF by sacreBLEU 2, ROUGE by rouge_score without a stemmer.
TEST_CASE("overlaps are those of the reference programs") {
  const Row rows[] = {
      {"The cat sat on the mat.", "A cat was sitting on the mat", 2.0 / 3, 0.36051890639134243,
       0.6153846153846153, 0.3636363636363636, 0.6153846153846153},
      {"U.S. exports rose 3.2% in 2021, the highest level since 2008.",
       "In 2021, exports of the U.S. rose by 3.2 percent", 0.631578947368421, 0.35812164215240877,
       0.72, 0.2608695652173913, 0.4},
      {"state-of-the-art results", "state of the art", 0, 0.35878959184157483, 0.888888888888889,
       0.8571428571428571, 0.888888888888889},
      {"Paris", "Paris, France", 2.0 / 3, 0.3331054883150861, 2.0 / 3, 0, 2.0 / 3},
      {"the the the cat", "the cat", 1, 0.7263646255213685, 2.0 / 3, 0.5, 2.0 / 3},
      {"", "", 1, 0, 0, 0, 0},
      {"a", "the", 1, 0, 0, 0, 0},
      {"x", "", 0, 0, 0, 0, 0},
  };
  for (const Row& row : rows) {
    INFO(row.found << " / " << row.reference);
    check_near(token_overlap(answer_tokens(row.found), answer_tokens(row.reference)).f1(), row.f1);
    check_near(chrf(row.found, row.reference), row.chrf);
    const Tokens a = word_tokens(row.found), b = word_tokens(row.reference);
    check_near(rouge_n(a, b, 1).f1(), row.rouge1);
    check_near(rouge_n(a, b, 2).f1(), row.rouge2);
    check_near(rouge_l(a, b).f1(), row.rouge_l);
  }
}

TEST_CASE("precision is of what was found, recall of the reference") {
  const PrecisionRecall overlap = token_overlap({"a", "b", "b"}, {"b", "c"});
  check_near(overlap.precision, 1.0 / 3);
  check_near(overlap.recall, 0.5);
  check_near(rouge_l({"a", "x", "b"}, {"a", "b"}).recall, 1);
}

TEST_CASE("Chinese overlaps by characters") {
  check_near(token_overlap(answer_tokens("北京市"), answer_tokens("北京")).f1(), 0.8);
  check_near(rouge_n(word_tokens("我在北京"), word_tokens("他在北京"), 2).f1(), 2.0 / 3);
  CHECK(chrf("北京欢迎你", "北京欢迎你") > 0.999999);
}

TEST_CASE("a needle of whole tokens") {
  const Tokens text = answer_tokens("It was 1976 in New York, N.Y.");
  CHECK(contains_tokens(text, answer_tokens("new york")));
  CHECK(contains_tokens(text, answer_tokens("NY")));
  CHECK_FALSE(contains_tokens(text, answer_tokens("7")));
  CHECK_FALSE(contains_tokens(text, answer_tokens("York New")));
  CHECK_FALSE(contains_tokens(text, answer_tokens("the")));
  CHECK(contains_tokens(answer_tokens("中国的首都北京"), answer_tokens("首都")));
}

TEST_CASE("the fast subsequence is the textbook's") {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    const Tokens a = random_tokens(random, 200, 1 + random() % 6);
    const Tokens b = random_tokens(random, 90, 1 + random() % 6);
    CHECK(longest_common_subsequence(a, b) == slow_subsequence(a, b));
  }
  CHECK(longest_common_subsequence({}, {"a"}) == 0);
}
