#include "cases.h"

using namespace ragline;

namespace {

std::vector<std::string> names(const std::vector<std::string>& texts,
                               Dialect dialect = Dialect::kOurs) {
  std::vector<std::string> out;
  for (const Measure& measure : measures_of(texts, dialect))
    out.insert(out.end(), measure.names.begin(), measure.names.end());
  return out;
}

std::string fault(const std::string& text, Dialect dialect = Dialect::kOurs) {
  const std::vector<std::string> texts{text};
  const auto measures =
      dialect == Dialect::kOurs ? parse_measures(texts) : parse_trec_measures(texts, dialect);
  if (measures) return "";
  CHECK(measures.error().kind == ErrorKind::kUsage);
  return measures.error().message;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("measures as ir_measures writes them") {
  CHECK(names({"nDCG@10,R@100, RR ,P(rel=2)@5"}) == Names{"nDCG@10", "R@100", "RR", "P(rel=2)@5"});
  const Measure measure = measures_of({"nDCG(dcg='exp-log2', judged_only=True)@20"})[0];
  CHECK(measure.arguments.exponential);
  CHECK(measure.arguments.judged_only);
  CHECK(measure.arguments.cutoff == 20);
  CHECK(measures_of({"MRR@10"})[0].info->name == "RR");
  CHECK(measures_of({"SetF(beta=2)"})[0].arguments.beta == 2);
  CHECK(measures_of({"nDCG(gains={0: 1, 2: 5.5})"})[0].arguments.gains ==
        std::vector<std::pair<double, double>>{{0, 1}, {2, 5.5}});
  CHECK(measures_of({"IPrec@0.1"})[0].arguments.numbers == std::vector<double>{0.1});
}

TEST_CASE("measures as trec_eval writes them") {
  CHECK(names({"map"}) == Names{"map"});
  CHECK(names({"P.5,10,nDCG@10"}) == Names{"P_5", "P_10", "nDCG@10"});
  CHECK(names({"P.10,5"}, Dialect::kTrec10) == Names{"P_5", "P_10"});
  CHECK(names({"iprec_at_recall.0,.25"}, Dialect::kTrec9) ==
        Names{"iprec_at_recall_0.00", "iprec_at_recall_0.25"});
  CHECK(names({"ndcg.1=3.5,2=9"}, Dialect::kTrec9) == Names{"ndcg_1=3.5,2=9"});
  CHECK(names({"P.5", "map", "runid"}, Dialect::kTrec10) == Names{"runid", "map", "P_5"});
  CHECK(names({}, Dialect::kTrec10).size() == 30);
  CHECK(names({"all_trec"}, Dialect::kTrec10).size() == 100);
  CHECK(names({"all_trec"}, Dialect::kTrec9).size() == 95);
}

TEST_CASE("what is wrong with a measure") {
  CHECK(fault("nDGC@10") == "-m nDGC@10: no such measure: see rag-eval --list-measures");
  CHECK(fault("setf") == "-m setf: no such measure: did you mean SetF?");
  CHECK(fault("P()") == "-m P(): needs a cut-off: P(rel=1, judged_only=False)@k");
  CHECK(fault("P@0") == "-m P@0: the cut-off '0' is no whole number from 1 to 100000000");
  CHECK(fault("P@x") == "-m P@x: the cut-off 'x' is no whole number from 1 to 100000000");
  CHECK(fault("P(relevance=2)@5") ==
        "-m P(relevance=2)@5: no parameter 'relevance': it is P(rel=1, judged_only=False)@k");
  CHECK(fault("P(rel=two)@5") == "-m P(rel=two)@5: rel=two: give a number");
  CHECK(fault("nDCG(dcg=log)") == "-m nDCG(dcg=log): dcg is log2 or exp-log2");
  CHECK(fault("P(rel=2@5").find("a parenthesis is missing") != std::string::npos);
  CHECK(fault("RBP(p=2)") == "-m RBP(p=2): p is between 0 and 1");
  CHECK(fault("Bpref@5") == "-m Bpref@5: takes no cut-off: it is Bpref(rel=1)");
  CHECK(fault("IPrec@2") == "-m IPrec@2: a recall is between 0 and 1");
  CHECK(fault("P.", Dialect::kTrec10).find("nothing follows the dot") != std::string::npos);
  CHECK(fault("P.0,5", Dialect::kTrec10) == "-m P.0,5: a cut-off must be at least 1");
  CHECK(fault("P.5,5", Dialect::kTrec10) == "-m P.5,5: a cut-off is there twice");
  CHECK(fault("ndcg.1", Dialect::kTrec10).find("no GRADE=GAIN") != std::string::npos);
  CHECK(fault("utility.1,2", Dialect::kTrec10).find("four coefficients") != std::string::npos);
  CHECK(fault("rbp", Dialect::kTrec9).find("no measure of trec_eval") != std::string::npos);
}

TEST_CASE("parameters that leave no finite sum are refused") {
  for (const char* text :
       {"alpha_DCG(alpha=0)@1000000000", "NRBP(beta=2)", "NRBP(alpha=0,beta=1)",
        "nNRBP(alpha=0.1,beta=2)", "SetF(beta=-1)", "SetF(beta=1e9)", "DCG(gains={1:1e300})"}) {
    INFO(text);
    const auto measures = parse_measures(std::vector<std::string>{text});
    REQUIRE_FALSE(measures);
    CHECK(measures.error().kind == ErrorKind::kUsage);
  }
}

TEST_CASE("the table of measures is complete") {
  for (const auto& table : {our_measures(), trec_measures()})
    for (const MeasureInfo& info : table) {
      INFO(info.name);
      CHECK_FALSE(info.form.empty());
      CHECK_FALSE(info.formula.empty());
      CHECK_FALSE(info.source.empty());
      CHECK_FALSE(info.range.empty());
      CHECK(info.form.starts_with(info.name));
    }
  for (const MeasureInfo& info : our_measures()) {
    INFO(info.name);
    CHECK(info.value != nullptr);
    const std::string text = written(info, info.name == "IPrec" ? "@0.5" : "@10");
    CHECK(measures_of({text})[0].info == &info);
  }
}
