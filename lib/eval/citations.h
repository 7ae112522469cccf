#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/answers.h"
#include "eval/corpus_text.h"
#include "eval/evidence_span.h"
#include "eval/support.h"

// Whether an answer's citations hold, as far as that shows without a model.
//
// Each citation, in order: does it resolve (a number within the context, or an evidence id), is its
// passage in the context that was shown, does it share text with the gold evidence, does its span
// exist in the corpus, and are the bytes there still those of its hash. Each sentence: does it cite
// anything that resolves, and do its numbers, dates, identifiers and quotes stand in what it cites.
namespace ragline {

struct CitedAnswer {
  std::string_view answer;
  std::vector<std::string> citations;  // the record's list: evidence ids
  // What was shown, in the order that [n] counts from 1. Without a context [n] counts `citations`.
  const std::vector<Passage>* context = nullptr;
  const std::vector<EvidenceSpan>* gold = nullptr;  // nullptr or empty: not known
  CorpusText* corpus = nullptr;                     // nullptr: not looked at
};

struct CheckedCitation {
  std::string text;  // the number or id as it was written
  EvidenceSpan span;
  bool resolved = false;
  std::optional<bool> in_context, in_gold;  // absent: there was nothing to compare with
  std::optional<SpanState> state;           // in the corpus
  std::vector<std::size_t> sentences;       // that it stands in; none for one of the list alone
  std::string passage;                      // the text; empty when it is not known
};

enum class SentenceVerdict {
  kSupported,     // cites, and nothing that can be checked is missing
  kUncited,       // no citation at all
  kUnresolved,    // none of its citations resolves
  kMissingFacts,  // a number, date, identifier or quote stands in no cited passage
  kUnchecked      // the text of what it cites is not known
};
const char* sentence_verdict_name(SentenceVerdict verdict);

struct CheckedSentence {
  std::string_view text;
  SentenceVerdict verdict = SentenceVerdict::kUncited;
  std::vector<Fact> missing;
  std::size_t facts = 0, quotes = 0;  // quotes are among the facts
  std::size_t facts_supported = 0, quotes_supported = 0;
  std::optional<double> lexical;       // lexical_support; where passages have text
  std::vector<std::size_t> citations;  // indices into CitationReport::citations
};

struct CitationReport {
  std::vector<CheckedCitation> citations;  // each place once, however often it is cited
  std::vector<CheckedSentence> sentences;  // none of a refusal
  std::size_t gold = 0, gold_cited = 0;    // pieces of gold evidence, and those that are cited
};

CitationReport check_citations(const CitedAnswer& answer);

// The report as measures, each from 0 to 1, those that apply: shares over the citations, facts and
// sentences of one answer.
std::vector<AnswerScore> citation_scores(const CitationReport& report);
const std::vector<AnswerMeasure>& citation_measures();

}  // namespace ragline
