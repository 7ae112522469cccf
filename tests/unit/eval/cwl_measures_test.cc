#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "cases.h"
#include "core/text.h"

using namespace ragline;

namespace {

// The slow twin, from the framework's definition: the chance to look at each of 1000 ranks, then
// the weights, then the gain of a look. Gains are in 0..1, c(i) is by rank from 1.
double gain_of_a_look(std::vector<double> gains, const std::function<double(int)>& c) {
  gains.resize(1000);
  std::vector<double> looks(1000, 1);
  for (int i = 1; i < 1000; ++i) looks[i] = looks[i - 1] * c(i);
  double all = 0, sum = 0;
  for (int i = 0; i < 1000; ++i) {
    all += looks[i];
    sum += looks[i] * gains[i];
  }
  return sum / all;
}

// Clarke's definition, list by list.
double overlap_of(const std::vector<std::string>& a, const std::vector<std::string>& b, double p,
                  std::size_t depth) {
  double sum = 0;
  for (std::size_t i = 1; i <= depth; ++i) {
    const std::set<std::string> above(a.begin(), a.begin() + std::min(i, a.size()));
    double both = 0;
    for (std::size_t j = 0; j < std::min(i, b.size()); ++j) both += above.contains(b[j]);
    sum += std::pow(p, i - 1) * both / i;
  }
  return sum;
}

struct Example {
  std::string qrels = "q 0 other 2\n", run;
  std::vector<double> gains;  // grade / 3
  std::vector<std::string> list, ideal;
};

Example example(std::mt19937& random) {
  Example out;
  std::vector<std::pair<int, std::string>> judged{{2, "other"}};
  for (int i = 0; i < 12; ++i) {
    const int grade = static_cast<int>(random() % 5) - 1;
    out.list.push_back(cat("d", i));
    append(out.run, "q Q0 d", i, " 0 ", 50 - i, " t\n");
    if (grade >= 0) append(out.qrels, "q 0 d", i, " ", grade, "\n");
    out.gains.push_back(std::max(grade, 0) / 3.0);
    if (grade > 0) judged.emplace_back(grade, out.list.back());
  }
  // "other" is not in the run: behind the others of its grade.
  std::ranges::rotate(judged, judged.begin() + 1);
  std::ranges::stable_sort(judged, std::greater(), [](const auto& j) { return j.first; });
  for (const auto& [grade, name] : judged) out.ideal.push_back(name);
  return out;
}

}  // namespace

TEST_CASE("measures by the chance to go on are the framework's sums") {
  std::mt19937 random(6);
  for (int round = 0; round < 4; ++round) {
    INFO("seed 6, round " << round);
    const Example e = example(random);
    const auto g = [&](int rank) { return rank <= 12 ? e.gains[rank - 1] : 0.0; };
    const auto so_far = [&](int rank) {
      double sum = 0;
      for (int i = 1; i <= std::min(rank, 12); ++i) sum += g(i);
      return sum;
    };
    const std::vector<std::pair<const char*, std::function<double(int)>>> all = {
        {"BPM(T=1.5,max_rel=3)@6", [&](int i) { return so_far(i) < 1.5 && i < 6 ? 1.0 : 0.0; }},
        {"SDCG(max_rel=3)@5",
         [&](int i) { return i < 5 ? std::log(i + 1) / std::log(i + 2) : 0.0; }},
        {"INST(T=2,max_rel=3)",
         [&](int i) {
           const double left = 2 - so_far(i);
           return std::pow((i + 2 + left - 1) / (i + 2 + left), 2);
         }},
        {"INSQ(T=2,max_rel=3)", [&](int i) { return std::pow((i + 3.0) / (i + 4.0), 2); }},
        {"NERR8(max_rel=3)@5", [&](int i) { return i < 5 ? 1 - g(i) : 0.0; }},
        {"NERR9(max_rel=3)@5", [&](int i) { return i < 5 ? i / (i + 1.0) * (1 - g(i)) : 0.0; }},
        {"NERR10(max_rel=3)", [&](int i) { return 0.9 * (1 - g(i)); }},
        {"NERR11(max_rel=3)",
         [&](int i) { return std::pow((i + 1.0) / (i + 2.0), 2) * (1 - g(i)); }},
    };
    for (const auto& [name, c] : all) {
      INFO(name);
      CHECK(mean_value(e.qrels, e.run, name) == Approx(gain_of_a_look(e.gains, c)).margin(1e-12));
    }
  }
}

TEST_CASE("compatibility is the overlap with the nearest ideal list") {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    INFO("seed 7, round " << round);
    const Example e = example(random);
    const std::size_t depth = std::max(e.list.size(), e.ideal.size());
    const double found = overlap_of(e.list, e.ideal, 0.9, depth),
                 best = overlap_of(e.ideal, e.ideal, 0.9, depth);
    double weights = 0;
    for (std::size_t i = 0; i < depth; ++i) weights += std::pow(0.9, i);
    CHECK(mean_value(e.qrels, e.run, "Compat(p=0.9)") == Approx(found / best));
    CHECK(mean_value(e.qrels, e.run, "Compat(p=0.9,normalize=False)") == Approx(found / weights));
  }
}

TEST_CASE("gains between min_rel and max_rel") {
  const std::string qrels = "q 0 a 1\nq 0 b 9\n", run = "q Q0 a 1 2 t\nq Q0 b 2 1 t\n";
  CHECK(mean_value(qrels, run, "BPM(T=9,min_rel=1,max_rel=3)@2") == 0.5);  // gains 0 and 1
  CHECK(mean_value(qrels, run, "BPM(T=9,max_rel=4)@2") == 0.625);          // 1/4 and 1
}

TEST_CASE("max_rel has to be given, and more than min_rel") {
  for (const char* text : {"BPM@5", "INST", "NERR8(min_rel=3,max_rel=3)@5"}) {
    const auto measures = parse_measures(std::vector<std::string>{text});
    REQUIRE_FALSE(measures);
    CHECK(measures.error().kind == ErrorKind::kUsage);
    CHECK(measures.error().message.find("needs max_rel") != std::string::npos);
  }
  CHECK_FALSE(parse_measures(std::vector<std::string>{"INST(T=0,max_rel=1)"}));
  CHECK_FALSE(parse_measures(std::vector<std::string>{"INST(min_rel=-1,max_rel=1)"}));
  CHECK_FALSE(parse_measures(std::vector<std::string>{"Compat(normalize=2)"}));
}

TEST_CASE("the values of ndeval") {  // by pyndeval 0.0.8
  const std::string qrels = "q 1 a 1\nq 1 b 1\nq 2 b 1\nq 2 d 1\n",
                    run = "q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\n";
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, double>>{{"ERR_IA@2", 0.7},
                                                   {"ERR_IA@5", 0.6354009077155826},
                                                   {"nERR_IA@5", 0.7241379310344829},
                                                   {"AP_IA", 0.625},
                                                   {"alpha_DCG@5", 0.6409032447812858},
                                                   {"alpha_nDCG@5", 0.7586908119341803},
                                                   {"NRBP", 0.65625},
                                                   {"nNRBP", 0.7368421052631579},
                                                   {"P_IA@5", 0.3},
                                                   {"StRecall@5", 1}}) {
    INFO(name);
    CHECK(mean_value(qrels, run, name) == Approx(value));
  }
}
