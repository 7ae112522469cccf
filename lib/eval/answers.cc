#include "eval/answers.h"

#include <algorithm>
#include <array>

#include "core/text.h"
#include "eval/date.h"
#include "eval/overlap.h"
#include "eval/quantity.h"

namespace ragline {

namespace {

constexpr std::string_view kOneItem = "one item is asked for";

// The best value over the aliases of an item.
template <class Measure>
double best(const Aliases& aliases, Measure measure) {
  double most = 0;
  for (const std::string& alias : aliases) most = std::max(most, measure(alias));
  return most;
}

bool holds(const Tokens& answer, const Aliases& aliases) {
  return std::ranges::any_of(aliases, [&](const std::string& alias) {
    return contains_tokens(answer, answer_tokens(alias));
  });
}

// The items of an answer that came as text: at line breaks, commas, semicolons, their CJK forms and
// a last "and"; list markers vanish.
std::vector<std::string> listed(std::string_view text) {
  std::string cut;
  for (std::size_t at = 0; at < text.size();) {
    static constexpr std::array<std::string_view, 11> kBorders = {"\n",
                                                                  ",",
                                                                  ";",
                                                                  "\xE3\x80\x81",
                                                                  "\xEF\xBC\x8C",
                                                                  "\xEF\xBC\x9B",
                                                                  " and ",
                                                                  " und ",
                                                                  "\xE5\x92\x8C",
                                                                  "\xE2\x80\xA2",
                                                                  "* "};
    const auto border = std::ranges::find_if(
        kBorders, [&](std::string_view b) { return text.substr(at).starts_with(b); });
    if (border == kBorders.end()) {
      cut += text[at++];
    } else {
      cut += '\n';
      at += border->size();
    }
  }
  std::vector<std::string> items;
  for (std::string_view item : split(cut, '\n')) {
    item = trim(item);
    const std::size_t digits = item.find_first_not_of("0123456789");
    if (digits != item.npos && digits > 0 && digits < 4 && item.substr(digits, 2) == ". ")
      item.remove_prefix(digits + 2);
    if (item.starts_with("- ")) item.remove_prefix(2);
    if (item.starts_with("and ") || item.starts_with("und ")) item.remove_prefix(4);
    if (!answer_tokens(item).empty()) items.emplace_back(item);
  }
  return items;
}

// Items by exact match, each gold item credited once, and each answer item as right once.
PrecisionRecall list_overlap(const std::vector<std::string>& found,
                             const std::vector<Aliases>& gold) {
  std::vector<bool> credited(gold.size());
  std::size_t right = 0;
  std::vector<std::string> seen;
  for (const std::string& text : found) {
    const std::string normal = normal_answer(text);
    if (std::ranges::find(seen, normal) != seen.end()) continue;
    seen.push_back(normal);
    for (std::size_t item = 0; item < gold.size(); ++item) {
      const bool equal = std::ranges::any_of(
          gold[item], [&](const std::string& alias) { return normal_answer(alias) == normal; });
      if (!equal) continue;
      ++right;
      credited[item] = true;
      break;
    }
  }
  const auto share = [](std::size_t part, std::size_t whole) {
    return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  };
  return {share(right, seen.size()),
          share(static_cast<std::size_t>(std::ranges::count(credited, true)), gold.size())};
}

class Scorer {
 public:
  Scorer(std::string_view answer, std::vector<AnswerScore>& out)
      : answer_(answer), tokens_(answer_tokens(answer)), words_(word_tokens(answer)), out_(out) {}

  void add(std::string_view measure, double value) { out_.push_back({measure, value}); }

  void one_item(const Aliases& aliases, double tolerance) {
    add("exact_match", best(aliases, [&](const std::string& alias) {
          return answer_tokens(alias) == tokens_ ? 1.0 : 0.0;
        }));
    add("f1", best(aliases, [&](const std::string& alias) {
          return token_overlap(tokens_, answer_tokens(alias)).f1();
        }));
    add("rouge1", best(aliases, [&](const std::string& alias) {
          return rouge_n(words_, word_tokens(alias), 1).f1();
        }));
    add("rouge2", best(aliases, [&](const std::string& alias) {
          return rouge_n(words_, word_tokens(alias), 2).f1();
        }));
    add("rougeL", best(aliases, [&](const std::string& alias) {
          return rouge_l(words_, word_tokens(alias)).f1();
        }));
    add("chrf", best(aliases, [&](const std::string& alias) { return chrf(answer_, alias); }));
    facts(aliases, tolerance);
  }

  void contained(const std::vector<Aliases>& items) {
    std::size_t held = 0;
    for (const Aliases& item : items) held += holds(tokens_, item);
    add("contains", held == items.size() ? 1 : 0);
    if (items.size() > 1)
      add("items_contained", static_cast<double>(held) / static_cast<double>(items.size()));
  }

 private:
  // Numbers and dates, where some alias is one.
  void facts(const Aliases& aliases, double tolerance) {
    std::optional<double> date, number;
    for (const std::string& alias : aliases) {
      if (const auto expected = date_of(alias)) {
        const bool said = std::ranges::any_of(dates_in(answer_), [&](const FoundDate& found) {
          return agrees(found.date, *expected);
        });
        date = std::max(date.value_or(0), said ? 1.0 : 0.0);
      } else if (const auto quantity = quantity_of(alias)) {
        const bool said = std::ranges::any_of(quantities_in(answer_), [&](const Quantity& found) {
          return same_quantity(found, *quantity, tolerance);
        });
        number = std::max(number.value_or(0), said ? 1.0 : 0.0);
      }
    }
    if (number) add("numeric", *number);
    if (date) add("date", *date);
  }

  std::string_view answer_;
  Tokens tokens_, words_;
  std::vector<AnswerScore>& out_;
};

}  // namespace

const std::vector<AnswerMeasure>& answer_measures() {
  static const std::vector<AnswerMeasure> measures = {
      {"exact_match", kOneItem, "equal to an alias after SQuAD's normalisation",
       "Rajpurkar et al. 2016"},
      {"f1", kOneItem, "harmonic mean of token precision and recall; a CJK character is a token",
       "Rajpurkar et al. 2016; Lewis et al. 2020"},
      {"rouge1", kOneItem, "F of unigrams", "Lin 2004"},
      {"rouge2", kOneItem, "F of bigrams", "Lin 2004"},
      {"rougeL", kOneItem, "F of the longest common subsequence", "Lin 2004"},
      {"chrf", kOneItem, "chrF2 of character n-grams", "Popovic 2015; Post 2018"},
      {"numeric", "the gold answer is a number",
       "the number is said, within --tolerance and in any unit", ""},
      {"date", "the gold answer is a date", "the date is said, in any form, at least as precisely",
       ""},
      {"contains", "gold answers",
       "every item has an alias that stands in the answer as whole tokens", "Asai et al. 2023"},
      {"items_contained", "several items", "share of items that stand in the answer (STR-EM)",
       "Stelmakh et al. 2022; Gao et al. 2023"},
      {"list_precision", "several items", "share of listed items that equal a gold item",
       "Amouyal et al. 2023 (QAMPARI)"},
      {"list_recall", "several items", "share of gold items that are listed",
       "Amouyal et al. 2023 (QAMPARI)"},
      {"list_f1", "several items", "harmonic mean of the two", "Amouyal et al. 2023 (QAMPARI)"},
      {"refusal_right", "all", "refused when unanswerable, answered otherwise", ""},
      {"crag", "gold answers", "correct 1, missing 0, wrong -1", "Yang et al. 2024"},
  };
  return measures;
}

CragVerdict crag_verdict(const AnswerCase& gold, const GivenAnswer* given) {
  const std::string answer = ascii_lower(given ? trim(given->answer) : std::string_view());
  // The first 75 words, as bytes of the answer; a CJK text without blanks is cut by characters.
  std::string cut;
  std::size_t words = 0;
  for (const std::string_view word : split(answer, ' ')) {
    if (word.empty()) continue;
    if (++words > 75) break;
    append(cut, cut.empty() ? "" : " ", word);
  }
  if (cut.empty()) return CragVerdict::kMissing;
  for (const Aliases& item : gold.items)
    for (const std::string& alias : item) {
      const std::string wanted = ascii_lower(trim(alias));
      const bool invalid = wanted.find("invalid") != wanted.npos && cut.find("invalid") != cut.npos;
      if (cut == wanted || invalid) return CragVerdict::kCorrect;
    }
  if (cut.find("i don't know") != cut.npos || cut.find("i don\xE2\x80\x99t know") != cut.npos)
    return CragVerdict::kMissing;
  if (!given->correct) return CragVerdict::kOpen;
  return *given->correct ? CragVerdict::kCorrect : CragVerdict::kWrong;
}

double crag_value(CragVerdict verdict) {
  if (verdict == CragVerdict::kCorrect) return 1;
  return verdict == CragVerdict::kMissing ? 0 : -1;
}

ScoredAnswer score_answer(const AnswerCase& gold, const GivenAnswer* given,
                          const AnswerOptions& options) {
  ScoredAnswer out;
  out.query_id = gold.query_id;
  out.missing = given == nullptr;
  const std::string_view answer = given ? std::string_view(given->answer) : std::string_view();
  out.refusal = given && given->refused ? (*given->refused ? Refusal::kRefused : Refusal::kAnswered)
                                        : refusal_of(answer);
  Scorer scorer(answer, out.scores);
  if (!gold.unanswerable && gold.items.size() == 1)
    scorer.one_item(gold.items[0], options.tolerance);
  if (!gold.unanswerable && !gold.items.empty()) scorer.contained(gold.items);
  if (!gold.unanswerable && gold.items.size() > 1) {
    const PrecisionRecall list =
        list_overlap(given && !given->items.empty() ? given->items : listed(answer), gold.items);
    scorer.add("list_precision", list.precision);
    scorer.add("list_recall", list.recall);
    scorer.add("list_f1", list.f1());
  }
  scorer.add("refusal_right", (out.refusal == Refusal::kRefused) == gold.unanswerable ? 1 : 0);
  if (!gold.items.empty()) scorer.add("crag", crag_value(crag_verdict(gold, given)));
  return out;
}

}  // namespace ragline
