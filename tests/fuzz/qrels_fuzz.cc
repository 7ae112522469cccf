// Judgements in every form and dialect, measured against a small run: values are finite in ours.
#include <cmath>

#include "eval/evaluate.h"
#include "fuzz.h"

using ragline::fuzz::require;

namespace {

void measure_all(std::string_view input, ragline::Dialect dialect, ragline::QrelsFormat format) {
  // Cubic in the documents of a judge with several sets.
  const std::size_t most = format == ragline::QrelsFormat::kPrefs ? 2000 : input.size();
  const auto qrels = ragline::Qrels::parse(
      ragline::InputText("qrels", std::string(input.substr(0, most))), dialect, format);
  if (!qrels) {
    require(!qrels.error().message.empty());
    return;
  }
  std::string text;
  for (const ragline::JudgedQuery& query : qrels->queries()) {
    if (query.id.find_first_of(" \t\r\n\v\f") != query.id.npos) continue;
    text += std::string(query.id) + " Q0 d1 1 2 t\n" + std::string(query.id) + " Q0 d2 2 2 t\n";
  }
  const auto run = ragline::Run::parse(ragline::InputText("run", text),
                                       {.dialect = dialect, .gold = qrels->gold()});
  if (!run) return;
  const std::string ours[] = {
      "nDCG,AP,RR,P@2,Bpref,infAP,ERR,alpha_nDCG@5,ERR_IA@3,AP_IA,NRBP,EvidenceRecall,Compat,"
      "INST(max_rel=3),NERR9(max_rel=2)@5,all_trec"};
  const std::string judges[] = {"qrels_jg"}, preferences[] = {"all_prefs"};
  const bool plain = format == ragline::QrelsFormat::kQrels;
  const auto measures =
      ragline::parse_measures(plain                                      ? ours
                              : format == ragline::QrelsFormat::kQrelsJg ? judges
                                                                         : preferences);
  require(measures.has_value());
  ragline::EvaluationOptions options;
  options.ranking.dialect = dialect;
  options.ranking.aspects = true;
  options.format = format;
  const auto evaluation = ragline::evaluate(*qrels, *run, *measures, options);
  if (!evaluation || dialect != ragline::Dialect::kOurs) return;
  for (const double value : evaluation->values) require(!std::isnan(value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ragline::Dialect;
  using ragline::QrelsFormat;
  const std::string_view input = ragline::fuzz::text(data, size);
  for (const Dialect dialect : {Dialect::kOurs, Dialect::kTrec9, Dialect::kTrec10})
    for (const QrelsFormat format : {QrelsFormat::kQrels, QrelsFormat::kQrelsJg,
                                     QrelsFormat::kQrelsPrefs, QrelsFormat::kPrefs})
      measure_all(input, dialect, format);
  return 0;
}
