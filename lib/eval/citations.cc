#include "eval/citations.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <unordered_map>

#include "core/text.h"
#include "eval/answer_text.h"
#include "eval/citation_marks.h"
#include "eval/overlap.h"
#include "eval/refusal.h"

namespace ragline {

namespace {

class Checker {
 public:
  explicit Checker(const CitedAnswer& input) : input_(input) {}

  CitationReport run() {
    const std::vector<CitationMark> marks = citation_marks(input_.answer);
    if (refusal_of(input_.answer) != Refusal::kRefused)
      for (const std::string_view text : sentences_of(input_.answer)) {
        report_.sentences.emplace_back();
        report_.sentences.back().text = text;
      }
    for (const CitationMark& mark : marks) {
      const std::size_t citation = mark.number ? add_number(*mark.number) : add_id(mark.id);
      attach(citation, mark.begin);
    }
    // The list alone cites for the whole answer; beside marks it only adds what they leave out.
    for (const std::string& id : input_.citations) {
      const std::size_t citation = add_id(id);
      if (!marks.empty()) continue;
      for (std::size_t sentence = 0; sentence < report_.sentences.size(); ++sentence)
        link(citation, sentence);
    }
    for (CheckedCitation& citation : report_.citations) {
      check(citation);
      const bool known = !citation.passage.empty();
      passages_.push_back(known ? std::make_unique<PassageFacts>(citation.passage) : nullptr);
    }
    for (CheckedSentence& sentence : report_.sentences) check(sentence);
    count_gold();
    return std::move(report_);
  }

 private:
  // What tells citations apart: the place that they name, or their text where they name none.
  static std::string key_of(const CheckedCitation& citation) {
    if (!citation.resolved) return cat("text\t", citation.text);
    const EvidenceSpan& span = citation.span;
    std::string key = cat("place\t", span.document_id);
    if (span.hash) append(key, "\thash ", *span.hash);
    if (span.bytes) append(key, "\tbytes ", span.bytes->begin, ' ', span.bytes->end);
    if (span.lines) append(key, "\tlines ", span.lines->first, ' ', span.lines->last);
    return key;
  }

  std::size_t add(CheckedCitation citation) {
    const auto [place, is_new] = places_.emplace(key_of(citation), report_.citations.size());
    if (is_new) report_.citations.push_back(std::move(citation));
    return place->second;
  }

  std::size_t add_number(std::uint64_t number) {
    CheckedCitation citation;
    citation.text = cat(number);
    if (number == 0) return add(std::move(citation));
    if (input_.context && number <= input_.context->size()) {
      const Passage& passage = (*input_.context)[number - 1];
      citation.span = passage.span;
      citation.passage = passage.text;
      citation.resolved = true;
    } else if (!input_.context && number <= input_.citations.size()) {
      return add_id(input_.citations[number - 1]);
    }
    return add(std::move(citation));
  }

  // An id is resolved when it names bytes or a passage of the context.
  std::size_t add_id(std::string_view id) {
    CheckedCitation citation;
    citation.text = id;
    citation.span = span_of_id(id);
    citation.resolved = citation.span.bytes.has_value();
    if (const Passage* passage = shown(citation.span)) {
      if (!citation.span.bytes) citation.span = passage->span;
      citation.passage = passage->text;
      citation.resolved = true;
    }
    return add(std::move(citation));
  }

  // The passage of the context with that id, else one that holds all of the span.
  const Passage* shown(const EvidenceSpan& span) const {
    if (!input_.context) return nullptr;
    const auto& context = *input_.context;
    const auto exact = std::ranges::find_if(
        context, [&](const Passage& p) { return p.span.evidence_id == span.evidence_id; });
    if (exact != context.end()) return &*exact;
    const auto within = std::ranges::find_if(context, [&](const Passage& p) {
      if (p.span.document_id != span.document_id) return false;
      if (!p.span.bytes || !span.bytes) return !span.bytes;
      return p.span.bytes->begin <= span.bytes->begin && span.bytes->end <= p.span.bytes->end;
    });
    return within == context.end() ? nullptr : &*within;
  }

  void link(std::size_t citation, std::size_t sentence) {
    if (!links_.emplace(citation, sentence).second) return;
    report_.sentences[sentence].citations.push_back(citation);
    report_.citations[citation].sentences.push_back(sentence);
  }

  // The sentence that the mark stands in, else the one before it.
  void attach(std::size_t citation, std::size_t place) {
    const char* const mark = input_.answer.data() + place;
    const auto behind = std::ranges::upper_bound(
        report_.sentences, mark, {}, [](const CheckedSentence& s) { return s.text.data(); });
    if (behind != report_.sentences.begin())
      link(citation, static_cast<std::size_t>(behind - report_.sentences.begin()) - 1);
  }

  void check(CheckedCitation& citation) {
    if (input_.context) citation.in_context = citation.resolved && shown(citation.span) != nullptr;
    if (input_.corpus && citation.resolved) {
      citation.state = input_.corpus->state_of(citation.span);
      if (citation.passage.empty()) citation.passage = input_.corpus->text_of(citation.span);
      input_.corpus->locate(citation.span);
    }
    if (has_gold())
      citation.in_gold =
          citation.resolved && std::ranges::any_of(*input_.gold, [&](const EvidenceSpan& gold) {
            return shares(citation, gold);
          });
  }

  bool has_gold() const { return input_.gold && !input_.gold->empty(); }

  bool shares(const CheckedCitation& citation, EvidenceSpan gold) {
    if (!gold.evidence_id.empty() && gold.evidence_id == citation.span.evidence_id) return true;
    if (overlap_of(citation.span, gold) == Overlap::kUnknown && input_.corpus)
      input_.corpus->locate(gold);
    return overlap_of(citation.span, gold) == Overlap::kYes;
  }

  void check(CheckedSentence& sentence) {
    std::vector<const PassageFacts*> passages;
    bool resolved = false;
    for (const std::size_t i : sentence.citations) {
      resolved = resolved || report_.citations[i].resolved;
      if (const auto& passage = passages_[i]) passages.push_back(passage.get());
    }
    const std::vector<Fact> facts = facts_of(sentence.text);
    sentence.facts = facts.size();
    sentence.quotes =
        static_cast<std::size_t>(std::ranges::count(facts, FactKind::kQuote, &Fact::kind));
    if (sentence.citations.empty()) return;
    sentence.verdict = SentenceVerdict::kUnresolved;
    if (!resolved) return;
    sentence.verdict = SentenceVerdict::kUnchecked;
    if (passages.empty()) return;
    for (const Fact& fact : facts) {
      if (std::ranges::any_of(passages,
                              [&](const PassageFacts* passage) { return passage->holds(fact); })) {
        ++sentence.facts_supported;
        sentence.quotes_supported += fact.kind == FactKind::kQuote;
      } else {
        sentence.missing.push_back(fact);
      }
    }
    sentence.lexical = lexical_support(sentence.text, passages);
    sentence.verdict =
        sentence.missing.empty() ? SentenceVerdict::kSupported : SentenceVerdict::kMissingFacts;
  }

  void count_gold() {
    if (!has_gold()) return;
    report_.gold = input_.gold->size();
    for (const EvidenceSpan& gold : *input_.gold)
      report_.gold_cited +=
          std::ranges::any_of(report_.citations, [&](const CheckedCitation& citation) {
            return citation.resolved && shares(citation, gold);
          });
  }

  const CitedAnswer& input_;
  CitationReport report_;
  std::unordered_map<std::string, std::size_t> places_;  // of citations, by key
  std::set<std::pair<std::size_t, std::size_t>> links_;  // of citations to sentences
  std::vector<std::unique_ptr<PassageFacts>> passages_;  // by citation; null where unknown
};

}  // namespace

const char* sentence_verdict_name(SentenceVerdict verdict) {
  constexpr std::array<const char*, 5> names = {"supported", "uncited", "unresolved",
                                                "missing_facts", "unchecked"};
  return names[static_cast<std::size_t>(verdict)];
}

CitationReport check_citations(const CitedAnswer& answer) { return Checker(answer).run(); }

const std::vector<AnswerMeasure>& citation_measures() {
  static const std::vector<AnswerMeasure> measures = {
      {"citations_resolved", "answers that cite", "share of citations that name a passage", ""},
      {"citations_in_context", "answers that cite, with a context",
       "share of citations whose passage was shown", ""},
      {"citation_precision", "cases with gold evidence",
       "share of citations that share text with gold evidence; 0 without citations", ""},
      {"citation_recall", "cases with gold evidence", "share of gold evidence that is cited", ""},
      {"citation_f1", "cases with gold evidence", "harmonic mean of the two", ""},
      {"spans_exist", "--corpus-root", "share of citations whose bytes exist in the corpus", ""},
      {"revisions_match", "--corpus-root", "share of those whose bytes are still the cited ones",
       ""},
      {"sentences_cited", "answers that do not refuse",
       "share of sentences with a citation that resolves", ""},
      {"sentences_supported", "cited texts are known",
       "share of sentences that cite and miss no fact", ""},
      {"facts_supported", "answers with facts",
       "share of numbers, dates, identifiers and quotes that stand in the passages that their "
       "sentence cites",
       ""},
      {"quotes_supported", "answers with quotes", "the same of quotes alone", ""},
      {"lexical_support", "cited texts are known",
       "mean share of a sentence's words that stand in what it cites; a weak proxy", ""},
  };
  return measures;
}

std::vector<AnswerScore> citation_scores(const CitationReport& report) {
  std::vector<AnswerScore> out;
  const auto add = [&](std::string_view measure, double part, double whole) {
    if (whole > 0) out.push_back({measure, part / whole});
  };
  const auto of_citations = [&](auto holds) {
    return static_cast<double>(std::ranges::count_if(report.citations, holds));
  };
  const auto all = static_cast<double>(report.citations.size());
  add("citations_resolved", of_citations([](const auto& c) { return c.resolved; }), all);
  add("citations_in_context",
      of_citations([](const auto& c) { return c.in_context.value_or(false); }),
      of_citations([](const auto& c) { return c.in_context.has_value(); }));
  if (report.gold > 0) {
    const double right = of_citations([](const auto& c) { return c.in_gold.value_or(false); });
    const PrecisionRecall fit{all > 0 ? right / all : 0, static_cast<double>(report.gold_cited) /
                                                             static_cast<double>(report.gold)};
    add("citation_precision", fit.precision, 1);
    add("citation_recall", fit.recall, 1);
    add("citation_f1", fit.f1(), 1);
  }
  const double looked_at = of_citations([](const auto& c) { return c.state.has_value(); });
  const double exist = of_citations([](const auto& c) {
    return c.state == SpanState::kMatches || c.state == SpanState::kChanged;
  });
  add("spans_exist", exist, looked_at);
  add("revisions_match", of_citations([](const auto& c) { return c.state == SpanState::kMatches; }),
      exist);

  double cited = 0, supported = 0, checked = 0, lexical = 0, lexical_sentences = 0;
  double facts = 0, facts_supported = 0, quotes = 0, quotes_supported = 0;
  for (const CheckedSentence& sentence : report.sentences) {
    cited += sentence.verdict != SentenceVerdict::kUncited &&
             sentence.verdict != SentenceVerdict::kUnresolved;
    supported += sentence.verdict == SentenceVerdict::kSupported;
    if (sentence.verdict == SentenceVerdict::kUnchecked) continue;
    ++checked;
    facts += static_cast<double>(sentence.facts);
    facts_supported += static_cast<double>(sentence.facts_supported);
    quotes += static_cast<double>(sentence.quotes);
    quotes_supported += static_cast<double>(sentence.quotes_supported);
    if (!sentence.lexical) continue;
    lexical += *sentence.lexical;
    ++lexical_sentences;
  }
  add("sentences_cited", cited, static_cast<double>(report.sentences.size()));
  add("sentences_supported", supported, checked);
  add("facts_supported", facts_supported, facts);
  add("quotes_supported", quotes_supported, quotes);
  add("lexical_support", lexical, lexical_sentences);
  return out;
}

}  // namespace ragline
