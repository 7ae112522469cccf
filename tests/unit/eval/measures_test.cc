#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "cases.h"
#include "core/text.h"

using namespace ragline;

// The slow twin: every measure once more from its definition, over a list of grades.
namespace {

struct Case {
  std::vector<double> list;    // by rank; -1 is unjudged
  std::vector<double> judged;  // all grades from 0 up
};

double relevant(const Case& c, double level) {
  return std::ranges::count_if(c.judged, [&](double g) { return g >= level; });
}
double found(const Case& c, std::size_t k, double level) {
  double n = 0;
  for (std::size_t i = 0; i < c.list.size() && i < k; ++i) n += c.list[i] >= level;
  return n;
}
double ap(const Case& c, std::size_t k, double level) {
  double sum = 0;
  for (std::size_t i = 0; i < c.list.size() && i < k; ++i)
    if (c.list[i] >= level) sum += found(c, i + 1, level) / (i + 1);
  return relevant(c, level) > 0 ? sum / relevant(c, level) : 0;
}
double dcg(std::vector<double> list, std::size_t k, bool exponential) {
  double sum = 0;
  for (std::size_t i = 0; i < list.size() && i < k; ++i)
    if (list[i] > 0) sum += (exponential ? std::pow(2, list[i]) - 1 : list[i]) / std::log2(i + 2.0);
  return sum;
}
double ndcg(const Case& c, std::size_t k, bool exponential) {
  std::vector<double> ideal = c.judged;
  std::ranges::sort(ideal, std::greater());
  const double best = dcg(ideal, k, exponential);
  return best > 0 ? dcg(c.list, k, exponential) / best : 0;
}
double rr(const Case& c, std::size_t k, double level) {
  for (std::size_t i = 0; i < c.list.size() && i < k; ++i)
    if (c.list[i] >= level) return 1.0 / (i + 1);
  return 0;
}
double bpref(const Case& c, double level) {
  const double r = relevant(c, level), n = c.judged.size() - r;
  double sum = 0;
  for (std::size_t i = 0; i < c.list.size(); ++i) {
    if (c.list[i] < level) continue;
    double above = 0;
    for (std::size_t j = 0; j < i; ++j) above += c.list[j] >= 0 && c.list[j] < level;
    sum += above == 0 ? 1 : 1 - std::min(above, r) / std::min(n, r);
  }
  return r > 0 ? sum / r : 0;
}
double rbp(const Case& c, double p, double level) {
  double sum = 0;
  for (std::size_t i = 0; i < c.list.size(); ++i)
    if (c.list[i] >= level) sum += std::pow(p, i);
  return (1 - p) * sum;
}
double err(const Case& c, std::size_t k) {
  double sum = 0;
  for (std::size_t i = 0; i < c.list.size() && i < k; ++i) {
    double reach = 1;
    for (std::size_t j = 0; j < i; ++j)
      reach *= 1 - (std::pow(2, std::max(c.list[j], 0.0)) - 1) / 16;
    sum += reach * (std::pow(2, std::max(c.list[i], 0.0)) - 1) / 16 / (i + 1);
  }
  return sum;
}
double iprec(const Case& c, double share) {
  const double wanted = std::round(share * relevant(c, 1));
  double best = 0;
  for (std::size_t k = 1; k <= c.list.size(); ++k)
    if (found(c, k, 1) >= wanted) best = std::max(best, found(c, k, 1) / k);
  return best;
}
double judged_at(const Case& c, std::size_t k) {
  const double n = std::min(k, c.list.size());
  return n > 0 ? found(c, k, 0) / n : 0;
}

const std::vector<std::pair<std::string, std::function<double(const Case&)>>> kTwins{
    {"nDCG@5", [](const Case& c) { return ndcg(c, 5, false); }},
    {"nDCG", [](const Case& c) { return ndcg(c, 99, false); }},
    {"nDCG(dcg=exp-log2)@5", [](const Case& c) { return ndcg(c, 5, true); }},
    {"DCG@5", [](const Case& c) { return dcg(c.list, 5, false); }},
    {"ndcg", [](const Case& c) { return ndcg(c, 99, false); }},
    {"ndcg_cut.5", [](const Case& c) { return ndcg(c, 5, false); }},
    {"AP", [](const Case& c) { return ap(c, 99, 1); }},
    {"AP(rel=2)@5", [](const Case& c) { return ap(c, 5, 2); }},
    {"map", [](const Case& c) { return ap(c, 99, 1); }},
    {"map_cut.5", [](const Case& c) { return ap(c, 5, 1); }},
    {"RR", [](const Case& c) { return rr(c, 99, 1); }},
    {"RR(rel=3)@4", [](const Case& c) { return rr(c, 4, 3); }},
    {"recip_rank", [](const Case& c) { return rr(c, 99, 1); }},
    {"P@5", [](const Case& c) { return found(c, 5, 1) / 5; }},
    {"P(rel=2)@3", [](const Case& c) { return found(c, 3, 2) / 3; }},
    {"P.5", [](const Case& c) { return found(c, 5, 1) / 5; }},
    {"R@5", [](const Case& c) { return relevant(c, 1) ? found(c, 5, 1) / relevant(c, 1) : 0; }},
    {"recall.5",
     [](const Case& c) { return relevant(c, 1) ? found(c, 5, 1) / relevant(c, 1) : 0; }},
    {"Success@3", [](const Case& c) { return found(c, 3, 1) > 0 ? 1.0 : 0.0; }},
    {"success.3", [](const Case& c) { return found(c, 3, 1) > 0 ? 1.0 : 0.0; }},
    {"Rprec",
     [](const Case& c) {
       const double r = relevant(c, 1);
       return r ? found(c, static_cast<std::size_t>(r), 1) / r : 0;
     }},
    {"Bpref", [](const Case& c) { return bpref(c, 1); }},
    {"bpref", [](const Case& c) { return bpref(c, 1); }},
    {"Bpref(rel=2)", [](const Case& c) { return bpref(c, 2); }},
    {"RBP(p=0.6)", [](const Case& c) { return rbp(c, 0.6, 1); }},
    {"ERR@5", [](const Case& c) { return err(c, 5); }},
    {"IPrec@0.4", [](const Case& c) { return iprec(c, 0.4); }},
    {"iprec_at_recall.0.4", [](const Case& c) { return iprec(c, 0.4); }},
    {"Judged@5", [](const Case& c) { return judged_at(c, 5); }},
    {"Unjudged@5", [](const Case& c) { return c.list.empty() ? 0 : 1 - judged_at(c, 5); }},
    {"SetP", [](const Case& c) { return c.list.empty() ? 0 : found(c, 99, 1) / c.list.size(); }},
    {"NumRelRet", [](const Case& c) { return found(c, 99, 1); }},
    {"NumRel(rel=2)", [](const Case& c) { return relevant(c, 2); }},
};

// A query as files, in an order that scores undo.
std::pair<std::string, std::string> files_of(const Case& c, std::mt19937& random) {
  std::string qrels;
  std::vector<std::string> run;
  std::vector<double> left = c.judged;
  for (std::size_t i = 0; i < c.list.size(); ++i) {
    run.push_back(cat("q Q0 d", i, " 0 ", 1000 - i, " t\n"));
    if (c.list[i] < 0) continue;
    append(qrels, "q 0 d", i, " ", number_text(c.list[i]), "\n");
    left.erase(std::ranges::find(left, c.list[i]));
  }
  for (std::size_t i = 0; i < left.size(); ++i)
    append(qrels, "q 0 other", i, " ", number_text(left[i]), "\n");
  std::ranges::shuffle(run, random);
  std::string text;
  for (const std::string& line : run) text += line;
  return {qrels, text};
}

}  // namespace

TEST_CASE("measures agree with their slow twins") {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    INFO("seed 11, round " << round);
    Case c;
    for (int i = 1 + random() % 12; i > 0; --i) {
      c.list.push_back(random() % 3 == 0 ? -1.0 : static_cast<double>(random() % 4));
      if (c.list.back() >= 0) c.judged.push_back(c.list.back());
    }
    for (int i = 1 + random() % 5; i > 0; --i) c.judged.push_back(random() % 4);
    const auto [qrels, run] = files_of(c, random);
    for (const auto& [name, twin] : kTwins) {
      INFO(name);
      CHECK(mean_value(qrels, run, name) == Approx(twin(c)).margin(1e-12));
    }
  }
}

TEST_CASE("spiceai_12277_the_ideal_list_is_of_all_judged_documents") {
  CHECK(mean_value("q 0 a 1\nq 0 b 3\n", "q Q0 a 1 1 t\n", "nDCG@10") ==
        Approx(1 / (3 + 1 / std::log2(3))));
}

TEST_CASE("spiceai_12277_unanswered_queries_count") {
  CHECK(mean_value("q 0 a 1\nr 0 a 1\n", "q Q0 a 1 1 t\n", "AP") == 0.5);
  EvaluationOptions both;
  both.complete = false;
  CHECK(mean_value("q 0 a 1\nr 0 a 1\n", "q Q0 a 1 1 t\n", "AP", both) == 1);
}

TEST_CASE("trectools_18_24_25_51_nothing_relevant_is_0_and_no_nan") {
  for (const auto& table : {our_measures(), trec_measures()})
    for (const MeasureInfo& info : table) {
      if (!info.value || info.name.ends_with("_avgjg") || info.name == "yaap") continue;
      INFO(info.name);
      const bool is_ours = &table.front() == &our_measures().front();
      const std::string name =
          is_ours ? written(info, info.name == "IPrec" ? "@0.5" : "@5") : std::string(info.name);
      for (const Measure& measure : measures_of({name})) {
        const Qrels qrels = qrels_of("q 0 a 0\nr 0 a 0\n");
        const Run run = run_of("q Q0 a 1 2 t\nq Q0 b 2 1 t\n");
        EvaluationOptions options;
        options.ranking.aspects = true;
        const auto evaluation = evaluate(qrels, run, {measure}, options);
        REQUIRE(evaluation);
        for (const double mean : evaluation->means) CHECK(std::isfinite(mean));
        for (const double value : evaluation->values) CHECK(std::isfinite(value));
      }
    }
}

TEST_CASE("pytrec_eval_57_ndcg_is_never_above_1") {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    std::string qrels, run;
    for (int i = 0; i < 8; ++i) {
      append(qrels, "q 0 d", i, " ", random() % 4, "\n");
      append(run, "q Q0 d", i, " 0 ", random() % 3, " t\n");
    }
    for (const char* name : {"nDCG@5", "ndcg", "ndcg_cut.5", "nDCG(dcg=exp-log2)"}) {
      const double value = mean_value(qrels, run, name);
      CHECK(value <= 1 + 1e-12);
      CHECK(value == mean_value(qrels, run, name));
    }
  }
}

TEST_CASE("beir_105_map_and_mrr_agree_where_one_document_is_relevant") {
  const std::string qrels = "q 0 b 1\n", run = "q Q0 a 1 1 t\nq Q0 b 2 1 t\nq Q0 c 3 1 t\n";
  for (const Ties ties : {Ties::kDocidDesc, Ties::kRank, Ties::kInput, Ties::kExpected}) {
    EvaluationOptions options;
    options.ranking.ties = ties;
    CHECK(mean_value(qrels, run, "AP", options) == Approx(mean_value(qrels, run, "RR", options)));
  }
}

TEST_CASE("gains may be chosen") {
  const std::string qrels = "q 0 a 1\nq 0 b 2\n", run = "q Q0 a 1 2 t\nq Q0 b 2 1 t\n";
  CHECK(mean_value(qrels, run, "ndcg.1=3,2=9") ==
        Approx((3 + 9 / std::log2(3)) / (9 + 3 / std::log2(3))));
  CHECK(mean_value(qrels, run, "nDCG(gains={1: 3, 2: 9})") ==
        Approx((3 + 9 / std::log2(3)) / (9 + 3 / std::log2(3))));
}

TEST_CASE("the first subtopics count most in alpha-nDCG") {
  const std::string qrels = "q 1 a 1\nq 1 b 1\nq 2 c 1\n";
  const double ideal = 1 + 1 / std::log2(3) + 0.5 / 2;
  CHECK(mean_value(qrels, "q Q0 a 1 3 t\nq Q0 c 2 2 t\nq Q0 b 3 1 t\n", "alpha_nDCG@3") ==
        Approx(1));
  CHECK(mean_value(qrels, "q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\n", "alpha_nDCG@3") ==
        Approx((1 + 0.5 / std::log2(3) + 1.0 / 2) / ideal));
  CHECK(mean_value(qrels, "q Q0 a 1 3 t\nq Q0 b 2 2 t\n", "StRecall@2") == 0.5);
  CHECK(mean_value(qrels, "q Q0 a 1 3 t\nq Q0 b 2 2 t\n", "P_IA@2") == 0.5);
}
