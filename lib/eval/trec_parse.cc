#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "core/text.h"
#include "eval/measure.h"

// trec_eval's -m: a name or a nickname, and after a dot its parameters.
namespace ragline {

namespace {

using Names = std::vector<std::string_view>;

const Names kOfficial{"runid",  "num_q", "num_ret", "num_rel",    "num_rel_ret",     "map",
                      "gm_map", "Rprec", "bpref",   "recip_rank", "iprec_at_recall", "P"};
const Names kAll{"runid",
                 "num_q",
                 "num_ret",
                 "num_rel",
                 "num_rel_ret",
                 "map",
                 "gm_map",
                 "Rprec",
                 "bpref",
                 "recip_rank",
                 "iprec_at_recall",
                 "P",
                 "relstring",
                 "recall",
                 "infAP",
                 "gm_bpref",
                 "utility",
                 "11pt_avg",
                 "ndcg",
                 "relative_P",
                 "Rprec_mult",
                 "success",
                 "map_cut",
                 "ndcg_cut",
                 "ndcg_rel",
                 "Rndcg",
                 "binG",
                 "G",
                 "set_P",
                 "set_recall",
                 "set_relative_P",
                 "set_map",
                 "set_F",
                 "num_nonrel_judged_ret"};
const Names kNewInTen{"unj", "rbp", "rbp_resid"};
const Names kSet{"runid", "num_q",      "num_ret",        "num_rel", "num_rel_ret", "utility",
                 "set_P", "set_recall", "set_relative_P", "set_map", "set_F"};
const Names kPrefs{"runid",
                   "num_q",
                   "prefs_num_prefs_poss",
                   "prefs_num_prefs_ful",
                   "prefs_num_prefs_ful_ret",
                   "prefs_simp",
                   "prefs_pair",
                   "prefs_avgjg"};
const Names kAllPrefs{"runid",
                      "num_q",
                      "prefs_num_prefs_poss",
                      "prefs_num_prefs_ful",
                      "prefs_num_prefs_ful_ret",
                      "prefs_simp",
                      "prefs_pair",
                      "prefs_avgjg",
                      "prefs_avgjg_Rnonrel",
                      "prefs_simp_ret",
                      "prefs_pair_ret",
                      "prefs_avgjg_ret",
                      "prefs_avgjg_Rnonrel_ret",
                      "prefs_simp_imp",
                      "prefs_pair_imp",
                      "prefs_avgjg_imp"};
const Names kJudges{"runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"};

const Names* nickname(std::string_view name) {
  if (name == "official") return &kOfficial;
  if (name == "all_trec") return &kAll;
  if (name == "set") return &kSet;
  if (name == "prefs") return &kPrefs;
  if (name == "all_prefs") return &kAllPrefs;
  if (name == "qrels_jg") return &kJudges;
  return nullptr;
}

// Up to version 9 a measure that came with 10 is not known.
bool is_known(std::string_view name, Dialect dialect) {
  return std::ranges::any_of(trec_measures(),
                             [&](const MeasureInfo& info) { return info.name == name; }) &&
         (dialect != Dialect::kTrec9 || std::ranges::count(kNewInTen, name) == 0);
}

std::unexpected<Error> wrong(std::string_view measure, std::string_view what) {
  return fail(ErrorKind::kUsage, cat("-m ", measure, ": ", what));
}

double number(std::string_view text) { return std::atof(std::string(text).c_str()); }

// "%3.2f", in the locale of no country.
std::string two_decimals(double value) {
  char buffer[400];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 2);
  return {buffer, end.ptr};
}

Status take_numbers(const std::string& text, std::string_view parameters, Measure& measure) {
  auto& numbers = measure.arguments.numbers;
  numbers.clear();
  for (const std::string_view part : split(parameters, ',')) numbers.push_back(number(part));
  if (measure.info->trec_form == TrecForm::kCoefficients) {
    if (measure.info->name == "utility" && numbers.size() != 4)
      return wrong(text, "give four coefficients: utility.1,-1,0,0");
    return {};
  }
  if (measure.info->trec_form == TrecForm::kCutoffs)
    for (double& cutoff : numbers) cutoff = static_cast<double>(static_cast<long>(cutoff));
  std::ranges::sort(numbers);
  if (measure.info->trec_form == TrecForm::kCutoffs && numbers[0] <= 0)
    return wrong(text, "a cut-off must be at least 1");
  if (std::ranges::adjacent_find(numbers) != numbers.end())
    return wrong(text, "a cut-off is there twice");
  return {};
}

Status take_gains(const std::string& text, std::string_view parameters, Measure& measure) {
  for (const std::string_view part : split(parameters, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == part.npos || equals == 0)
      return wrong(text, cat("'", part, "' is no GRADE=GAIN: write it so, as in ndcg.1=3.5,2=9"));
    const std::string_view name = part.substr(0, equals);
    const double value = number(part.substr(equals + 1));
    if (name == "p")
      measure.arguments.p = value;
    else if (const auto grade = parse_integer(name.starts_with('+') ? name.substr(1) : name))
      measure.arguments.gains.emplace_back(static_cast<double>(*grade), value);
  }
  return {};
}

void set_names(std::string_view parameters, Measure& measure) {
  const std::string_view name = measure.info->name;
  switch (measure.info->trec_form) {
    case TrecForm::kCutoffs:
      for (const double cutoff : measure.arguments.numbers)
        measure.names.push_back(cat(name, "_", static_cast<std::int64_t>(cutoff)));
      return;
    case TrecForm::kShares:
      for (const double share : measure.arguments.numbers)
        measure.names.push_back(cat(name, "_", two_decimals(share)));
      return;
    case TrecForm::kPlain:
      measure.names.emplace_back(name);
      return;
    case TrecForm::kCoefficients:
    case TrecForm::kGains:
      break;
  }
  measure.names.push_back(parameters.empty() ? std::string(name) : cat(name, "_", parameters));
}

}  // namespace

bool is_trec_measure(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('.'));
  return nickname(name) || is_known(name, Dialect::kTrec10);
}

Result<std::vector<Measure>> parse_trec_measures(std::span<const std::string> texts,
                                                 Dialect dialect) {
  std::set<std::string_view> wanted;
  std::vector<std::pair<std::string_view, const std::string*>> parameters;
  const auto mark = [&](std::string_view name) {
    if (const Names* names = nickname(name)) {
      wanted.insert(names->begin(), names->end());
      if (name == "all_trec" && dialect != Dialect::kTrec9)
        wanted.insert(kNewInTen.begin(), kNewInTen.end());
      return true;
    }
    if (!is_known(name, dialect)) return false;
    wanted.insert(name);
    return true;
  };
  for (const std::string& text : texts) {
    const std::size_t dot = text.find('.');
    if (dot != text.npos && dot + 1 == text.size())
      return wrong(text, "nothing follows the dot: give parameters, as in P.5,10");
    if (!mark(std::string_view(text).substr(0, dot)))
      return wrong(text, "no measure of trec_eval: see rag-eval --list-measures");
    if (dot != text.npos) parameters.emplace_back(std::string_view(text).substr(0, dot), &text);
  }
  if (texts.empty()) mark("official");
  std::vector<Measure> measures;
  for (const MeasureInfo& info : trec_measures()) {
    if (!wanted.contains(info.name)) continue;
    Measure& measure = measures.emplace_back();
    measure.info = &info;
    measure.arguments.dialect = dialect;
    measure.arguments.p = 0.9;
    measure.arguments.numbers.assign(info.numbers.begin(), info.numbers.end());
    const auto given = std::ranges::find(parameters, info.name, [](auto& p) { return p.first; });
    std::string_view rest;
    if (given != parameters.end() && info.trec_form != TrecForm::kPlain) {
      rest = std::string_view(*given->second).substr(info.name.size() + 1);
      RAGLINE_CHECK(info.trec_form == TrecForm::kGains
                        ? take_gains(*given->second, rest, measure)
                        : take_numbers(*given->second, rest, measure));
    }
    set_names(rest, measure);
  }
  return measures;
}

}  // namespace ragline
