#include "eval/prefs.h"

#include <random>

#include "cases.h"
#include "core/text.h"

using namespace ragline;

namespace {

PreferenceCounts counted(const std::string& qrels, const std::string& run,
                         QrelsFormat format = QrelsFormat::kPrefs) {
  const Qrels judged = qrels_of(qrels, Dialect::kOurs, format);
  const Run hits = run_of(run);
  std::vector<RunHit> list;
  REQUIRE(hits.read(*hits.find("q"), list));
  auto counts = count_preferences(judged.queries()[0], list, UINT64_MAX);
  REQUIRE(counts);
  return *counts;
}

std::string fault(const std::string& qrels) {
  const Qrels judged = qrels_of(qrels, Dialect::kOurs, QrelsFormat::kPrefs);
  const auto counts = count_preferences(judged.queries()[0], {}, UINT64_MAX);
  return counts ? "" : counts.error().message;
}

}  // namespace

// The examples of trec_eval's description of the format.
TEST_CASE("levels within a set are preferences") {
  const std::string qrels =
      "q j s d1 3\nq j s d2 2\nq j s d3 0\nq j s d4 6\nq j s d5 0\nq j s d6 2\n";
  CHECK(preference_value("prefs_num_prefs_poss", counted(qrels, "q Q0 d1 1 1 t\n")) == 13);
}

TEST_CASE("sets of one judge are closed under transitivity") {
  const std::string qrels = "q j a d1 3\nq j a d2 2\nq j a d3 1\nq j b d2 5\nq j b d4 4\n";
  CHECK(preference_value("prefs_num_prefs_poss", counted(qrels, "q Q0 d1 1 1 t\n")) == 5);
}

TEST_CASE("judges may disagree") {
  const std::string qrels =
      "q j s d1 1\nq j s d2 0\nq k s d1 0\nq k s d2 1\nq l s d1 1\nq l s d2 0\n";
  const PreferenceCounts counts = counted(qrels, "q Q0 d1 1 2 t\nq Q0 d2 2 1 t\n");
  CHECK(preference_value("prefs_simp", counts) == Approx(2.0 / 3));
  CHECK(preference_value("prefs_pair", counts) == Approx(2.0 / 3));
  CHECK(preference_value("prefs_avgjg", counts) == Approx(2.0 / 3));
}

TEST_CASE("a set of its own and the same judge in one set count alike") {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    INFO("seed 2, round " << round);
    // The same total order, once as one set, once as a chain of pairs.
    std::string one, chain, run;
    for (int i = 0; i < 6; ++i) append(one, "q j s d", i, " ", 10 - i, "\n");
    for (int i = 0; i + 1 < 6; ++i)
      append(chain, "q j s", i, " d", i, " 2\nq j s", i, " d", i + 1, " 1\n");
    for (int i = 0; i < 6; ++i)
      if (random() % 3) append(run, "q Q0 d", i, " 0 ", random() % 100, " t\n");
    run += "q Q0 x 0 0 t\n";
    const PreferenceCounts a = counted(one, run), b = counted(chain, run);
    for (const char* name : {"prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_simp",
                             "prefs_pair", "prefs_simp_ret", "prefs_pair_imp", "prefs_avgjg_imp"}) {
      INFO(name);
      CHECK(preference_value(name, a) == Approx(preference_value(name, b)));
    }
  }
}

TEST_CASE("what is not retrieved comes last") {
  const std::string qrels = "q j s a 2\nq j s b 1\n";
  CHECK(preference_value("prefs_simp", counted(qrels, "q Q0 a 1 1 t\n")) == 1);
  CHECK(preference_value("prefs_simp", counted(qrels, "q Q0 b 1 1 t\n")) == 0);
  CHECK(preference_value("prefs_simp", counted(qrels, "q Q0 x 1 1 t\n")) == 0);
  CHECK(preference_value("prefs_simp_ret", counted(qrels, "q Q0 a 1 1 t\n")) == 0);
}

TEST_CASE("a judge who contradicts himself") {
  CHECK(fault("q j a d1 2\nq j a d2 1\nq j b d1 1\nq j b d2 2\n")
            .find("judge 'j' contradicts itself") == 0);
  CHECK(fault("q j a d1 2\nq j a d1 1\n").find("judge 'j' contradicts itself about 'd1'") == 0);
  CHECK(fault("q j a d1 0\nq j a d2 1\nq j b d1 1\nq j b d3 2\n")
            .find("document 'd1' has both level 0 and another") == 0);
}
