// What reads the text of answers: any bytes end, ranges stay within the text and in order, and what
// was found once is found in its own text.
#include "eval/citation_marks.h"
#include "eval/date.h"
#include "eval/overlap.h"
#include "eval/quantity.h"
#include "eval/refusal.h"
#include "eval/support.h"
#include "fuzz.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ragline::fuzz::text(data, size);
  std::size_t at = 0;
  for (const ragline::FoundDate& date : ragline::dates_in(text)) {
    require(at <= date.begin && date.begin < date.end && date.end <= text.size());
    require(date.date.month >= 1 && date.date.month <= 12 && date.date.day >= 0 &&
            date.date.day <= 31);
    at = date.end;
  }
  for (const ragline::Quantity& number : ragline::quantities_in(text))
    require(number.begin < number.end && number.end <= text.size());
  at = 0;
  for (const ragline::CitationMark& mark : ragline::citation_marks(text)) {
    require(at <= mark.begin && mark.begin < mark.end && mark.end <= text.size());
    require(mark.number.has_value() != !mark.id.empty());
    at = mark.begin;
  }
  const char* begin = text.data();
  for (const std::string_view sentence : ragline::sentences_of(text)) {
    require(!sentence.empty() && sentence.data() >= begin);
    begin = sentence.data() + sentence.size();
    require(begin <= text.data() + text.size());
  }
  const ragline::PassageFacts passage(text);
  for (const ragline::Fact& fact : ragline::facts_of(text)) {
    require(!fact.text.empty());
    (void)passage.holds(fact);
  }
  const ragline::PassageFacts* const passages[] = {&passage};
  require(ragline::lexical_support(text, passages) <= 1);
  (void)ragline::refusal_of(text);
  const ragline::Tokens words = ragline::word_tokens(text), answer = ragline::answer_tokens(text);
  require(ragline::token_overlap(answer, answer).f1() == 1);
  require(ragline::longest_common_subsequence(words, words) == words.size());
  require(ragline::chrf(text, text) <= 1.0000001);
  return 0;
}
