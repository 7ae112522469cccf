#pragma once
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "eval/answer_text.h"
#include "eval/date.h"
#include "eval/quantity.h"

// What of a sentence can be checked against a passage without understanding it: numbers, dates,
// identifiers and quotes. Their absence is a fault for sure; their presence is no proof.
namespace ragline {

enum class FactKind { kNumber, kDate, kIdentifier, kQuote };
const char* fact_kind_name(FactKind kind);

struct Fact {
  FactKind kind;
  std::string text;  // as it stands in the sentence
};

// Identifiers are words with letters and digits, inner capitals, low lines, "::" or inner points
// and dashes with digits: order_status, updateOrder, std::vector, CVE-2024-1, 1.0.21, RFC9110.
// Quotes are what stands in double, typographic, angle or CJK quotation marks and has three words
// or four CJK characters or more; what a quote holds is no fact of its own. Citation marks are no
// facts.
std::vector<Fact> facts_of(std::string_view sentence);

// A passage, taken apart once for any number of questions.
class PassageFacts {
 public:
  explicit PassageFacts(std::string_view text);

  // Whether the fact stands there: a number by value and unit (1,500 m is 1.5 km), a date in any
  // form, an identifier case-insensitively as a whole word, a quote as the same words in the same
  // order (case, punctuation and white space aside; "..." inside it leaves words out).
  bool holds(const Fact& fact) const;
  bool has_word(const std::string& word) const { return different_.contains(word); }

 private:
  std::string lower_;
  std::vector<Quantity> numbers_;
  std::vector<FoundDate> dates_;
  Tokens words_;
  std::unordered_set<std::string> different_;
};

// The share of the sentence's different words (word_tokens without English stop words) that stand
// in one of the passages: a weak proxy of support. 1 for a sentence without such words.
double lexical_support(std::string_view sentence, std::span<const PassageFacts* const> passages);

}  // namespace ragline
