#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/text.h"
#include "eval/measure.h"

// name [ "(" parameter "=" value { "," parameter "=" value } ")" ] [ "@" cut-off ]
// Blanks do not matter, and values may stand in quotes, as in Python.
namespace ragline {

namespace {

// Some measures add something for every rank down to the cut-off, hits or not.
constexpr std::int64_t kMostCutoff = 100'000'000;
constexpr double kMostGain = 1e9;  // as of grades: no sum overflows

std::unexpected<Error> wrong(std::string_view text, std::string_view what) {
  return fail(ErrorKind::kUsage, cat("-m ", text, ": ", what));
}

// At commas outside of parentheses and braces.
std::vector<std::string_view> top_level_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (i < text.size() && (c != ',' || depth > 0)) continue;
    parts.push_back(trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

std::string_view unquoted(std::string_view value) {
  if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') &&
      value.back() == value.front())
    return value.substr(1, value.size() - 2);
  return value;
}

bool is_number_list_part(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789.=+-") == part.npos;
}

const MeasureInfo* find_measure(std::string_view name) {
  if (name == "MRR") name = "RR";
  if (name == "MAP") name = "AP";
  if (name == "NDCG") name = "nDCG";
  if (name == "Recall") name = "R";
  if (name == "Precision") name = "P";
  const auto found = std::ranges::find(our_measures(), name, &MeasureInfo::name);
  return found == our_measures().end() ? nullptr : &*found;
}

std::string near_name(std::string_view name) {
  for (const MeasureInfo& info : our_measures())
    if (ascii_lower(info.name) == ascii_lower(name)) return std::string(info.name);
  return "";
}

// {0: 0, 1: 2.5}
Status take_gain_table(std::string_view text, std::string_view value, MeasureArguments& arguments) {
  if (!value.starts_with('{') || !value.ends_with('}'))
    return wrong(text, "gains: give {grade: gain, ...}");
  for (const std::string_view pair : top_level_parts(value.substr(1, value.size() - 2))) {
    const auto sides = split(pair, ':');
    const auto grade = sides.size() == 2 ? parse_double(trim(sides[0])) : std::nullopt;
    const auto gain = sides.size() == 2 ? parse_double(trim(sides[1])) : std::nullopt;
    if (!grade || !gain) return wrong(text, "gains: give {grade: gain, ...}");
    if (std::abs(*gain) > kMostGain) return wrong(text, "a gain is at most a billion");
    arguments.gains.emplace_back(*grade, *gain);
  }
  return {};
}

Status take_parameter(std::string_view text, std::string_view name, std::string_view value,
                      Measure& measure) {
  MeasureArguments& arguments = measure.arguments;
  const auto known = split(measure.info->parameters, ' ');
  if (std::ranges::count(known, name) == 0)
    return wrong(text, cat("no parameter '", name, "': it is ", measure.info->form));
  if (name == "gains") return take_gain_table(text, value, arguments);
  if (name == "dcg") {
    if (value != "log2" && value != "exp-log2") return wrong(text, "dcg is log2 or exp-log2");
    arguments.exponential = value == "exp-log2";
    return {};
  }
  if (name == "judged_only" || name == "normalize") {
    const std::string flag = ascii_lower(value);
    if (flag != "true" && flag != "false") return wrong(text, cat(name, " is True or False"));
    (name == "normalize" ? arguments.normalize : arguments.judged_only) = flag == "true";
    return {};
  }
  const auto number = parse_double(value);
  if (!number || !std::isfinite(*number))
    return wrong(text, cat(name, "=", value, ": give a number"));
  if (name == "rel") arguments.level = *number;
  if (name == "p") arguments.p = *number;
  if (name == "alpha") arguments.alpha = *number;
  if (name == "beta") arguments.beta = *number;
  if (name == "max") arguments.max = *number;
  if (name == "T") arguments.target = *number;
  if (name == "min_rel") arguments.min_rel = *number;
  if (name == "max_rel") arguments.max_rel = *number;
  if (name == "beta" && (*number < 0 || *number > 1e6))
    return wrong(text, "beta is between 0 and 1000000");
  if (name == "T" && *number <= 0) return wrong(text, "T is above 0");
  if (name == "min_rel" && *number < 0) return wrong(text, "min_rel is 0 or more");
  if ((name == "p" || name == "alpha") && (*number < 0 || *number > 1))
    return wrong(text, cat(name, " is between 0 and 1"));
  if (name == "max" && (*number < 1 || *number > 60)) return wrong(text, "max is between 1 and 60");
  return {};
}

Status take_cutoff(std::string_view text, std::string_view value, Measure& measure) {
  if (measure.info->name == "IPrec") {
    const auto recall = parse_double(value);
    if (!recall || *recall < 0 || *recall > 1) return wrong(text, "a recall is between 0 and 1");
    measure.arguments.numbers = {*recall};
    return {};
  }
  if (measure.info->form.find('@') == std::string_view::npos)
    return wrong(text, cat("takes no cut-off: it is ", measure.info->form));
  const auto cutoff = parse_integer(value);
  if (!cutoff || *cutoff < 1 || *cutoff > kMostCutoff)
    return wrong(text, cat("the cut-off '", value, "' is no whole number from 1 to ", kMostCutoff));
  measure.arguments.cutoff = static_cast<std::size_t>(*cutoff);
  return {};
}

// The canonical way to write it: no blanks.
std::string canonical(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ') out += c;
  return out;
}

Result<Measure> parse_measure(std::string_view text) {
  const std::size_t open = text.find('('), close = text.rfind(')');
  const std::size_t at = text.find('@', close == text.npos ? 0 : close);
  const std::string_view name = trim(text.substr(0, std::min(open, at)));
  Measure measure;
  measure.info = find_measure(name);
  if (!measure.info) {
    const std::string near = near_name(name);
    return wrong(text, near.empty() ? "no such measure: see rag-eval --list-measures"
                                    : cat("no such measure: did you mean ", near, "?"));
  }
  measure.arguments.p = measure.info->p;
  measure.arguments.alpha = 0.5;
  measure.arguments.beta = measure.info->beta;
  measure.arguments.max = 4;
  if ((open == text.npos) != (close == text.npos) || (open != text.npos && close < open))
    return wrong(text, cat("a parenthesis is missing: it is ", measure.info->form));
  const std::size_t name_end = close == text.npos ? std::min(at, text.size()) : close + 1;
  if (close != text.npos && name_end < text.size() && trim(text.substr(name_end)).front() != '@')
    return wrong(text, "only @ and a cut-off may follow the parenthesis");
  if (open != text.npos)
    for (const std::string_view part : top_level_parts(text.substr(open + 1, close - open - 1))) {
      if (part.empty()) continue;
      const std::size_t equals = part.find('=');
      if (equals == part.npos) return wrong(text, cat("'", part, "': give name=value"));
      RAGLINE_CHECK(take_parameter(text, trim(part.substr(0, equals)),
                                   unquoted(trim(part.substr(equals + 1))), measure));
    }
  if (at != text.npos) RAGLINE_CHECK(take_cutoff(text, trim(text.substr(at + 1)), measure));
  if (at == text.npos && measure.info->needs_cutoff)
    return wrong(text, cat("needs a cut-off: ", measure.info->form));
  if (measure.info->parameters.find("max_rel") != std::string_view::npos &&
      measure.arguments.max_rel <= measure.arguments.min_rel)
    return wrong(text, cat("needs max_rel, the greatest grade: ", measure.info->form));
  if (measure.info->name.ends_with("NRBP") &&
      (1 - measure.arguments.alpha) * measure.arguments.beta >= 1)
    return wrong(text, "(1 - alpha) beta is below 1, or the sum has no end");
  measure.names = {canonical(text)};
  return measure;
}

}  // namespace

Result<std::vector<Measure>> parse_measures(std::span<const std::string> texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts)
    for (const std::string_view part : top_level_parts(text)) {
      // P.5,10 is one measure of trec_eval.
      if (!parts.empty() && is_number_list_part(part) && is_trec_measure(parts.back()) &&
          parts.back().find('.') != std::string::npos)
        append(parts.back(), ",", part);
      else if (!part.empty())
        parts.emplace_back(part);
    }
  std::vector<Measure> measures;
  for (const std::string& part : parts) {
    const MeasureInfo* own = find_measure(part.substr(0, part.find_first_of("(@")));
    const bool is_plain = part.find_first_of("(@") == std::string::npos;
    if (is_plain && is_trec_measure(part) && (!own || own->needs_cutoff)) {
      RAGLINE_TRY(auto several, parse_trec_measures(std::span(&part, 1), Dialect::kOurs));
      std::ranges::move(several, std::back_inserter(measures));
      continue;
    }
    RAGLINE_TRY(Measure measure, parse_measure(part));
    measures.push_back(std::move(measure));
  }
  return measures;
}

}  // namespace ragline
