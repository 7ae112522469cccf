#include "eval/citations.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "catch.h"
#include "temporary_folder.h"
#include "record/evidence.h"

using namespace ragline;

namespace {

Passage passage(const std::string& document, std::uint64_t begin, std::string text) {
  Passage out;
  const ByteSpan bytes{begin, begin + text.size()};
  out.span = span_of_id(format_evidence_id(document, bytes, evidence_hash(text)));
  out.text = std::move(text);
  return out;
}

double value(const CitationReport& report, std::string_view measure) {
  for (const AnswerScore& score : citation_scores(report))
    if (score.measure == measure) return score.value;
  return -9;
}

CitationReport check(std::string_view answer, const std::vector<Passage>& context,
                     const std::vector<EvidenceSpan>& gold = {},
                     std::vector<std::string> citations = {}) {
  CitedAnswer input;
  input.answer = answer;
  input.context = &context;
  input.gold = &gold;
  input.citations = std::move(citations);
  return check_citations(input);
}

const std::vector<Passage> kContext = {passage("a.md", 0, "Refunds take 30 days."),
                                       passage("b.md", 100, "Shipping costs 5 dollars.")};

}  // namespace

TEST_CASE("thousands of citations in one answer take no quadratic time") {
  std::string text;
  for (int i = 1; i <= 6000; ++i) text += "x [" + std::to_string(i) + "] Y. ";
  CitedAnswer answer;
  answer.answer = text;
  const CitationReport report = check_citations(answer);
  CHECK(report.citations.size() == 6000);
  answer.answer = text = std::string(200000, '[');
  CHECK(check_citations(answer).citations.empty());
}

TEST_CASE("numbers resolve to the context, and facts are looked for in what a sentence cites") {
  const CitationReport report = check(
      "Refunds take 30 days [1]. Shipping costs 5 dollars [1]. It is fast. See [7].", kContext);
  REQUIRE(report.citations.size() == 2);
  CHECK(report.citations[0].resolved);
  CHECK(report.citations[0].span.document_id == "a.md");
  CHECK(report.citations[0].sentences == std::vector<std::size_t>{0, 1});
  CHECK_FALSE(report.citations[1].resolved);
  REQUIRE(report.sentences.size() == 4);
  CHECK(report.sentences[0].verdict == SentenceVerdict::kSupported);
  CHECK(report.sentences[1].verdict == SentenceVerdict::kMissingFacts);
  CHECK(report.sentences[1].missing[0].text == "5 dollars");
  CHECK(report.sentences[2].verdict == SentenceVerdict::kUncited);
  CHECK(report.sentences[3].verdict == SentenceVerdict::kUnresolved);
  CHECK(value(report, "citations_resolved") == 0.5);
  CHECK(value(report, "citations_in_context") == 0.5);
  CHECK(value(report, "sentences_cited") == 0.5);
  CHECK(value(report, "sentences_supported") == 0.25);
  CHECK(value(report, "facts_supported") == 0.5);
  CHECK(value(report, "citation_precision") == -9);
}

TEST_CASE("evidence ids resolve, in the context or not") {
  const std::string shown = kContext[0].span.evidence_id;
  const std::string inside = format_evidence_id("a.md", {8, 12}, evidence_hash("take"));
  const std::string other = format_evidence_id("c.md", {0, 3}, 7);
  const CitationReport report =
      check("A [" + shown + "]. B [" + inside + "]. C [" + other + "].", kContext);
  REQUIRE(report.citations.size() == 3);
  CHECK(report.citations[0].in_context == true);
  CHECK(report.citations[1].in_context == true);
  CHECK(report.citations[2].in_context == false);
  CHECK(report.citations[2].resolved);
  CHECK(report.sentences[2].verdict == SentenceVerdict::kUnchecked);
}

TEST_CASE("precision and recall against the gold evidence, each place once") {
  const std::vector<EvidenceSpan> gold = {kContext[0].span,
                                          *read_evidence_span(R"({"path":"z.md","lines":[1,2]})")};
  const CitationReport report = check("A [1]. B [1]. C [2]. D [9].", kContext, gold);
  CHECK(report.citations.size() == 3);
  CHECK(value(report, "citation_precision") == 1.0 / 3);
  CHECK(value(report, "citation_recall") == 0.5);
  CHECK(value(check("A.", kContext, gold), "citation_precision") == 0);
  CHECK(value(check("A.", kContext, gold), "citation_f1") == 0);
}

TEST_CASE("a list of citations speaks for the whole answer, unless the text has marks") {
  const std::string first = kContext[0].span.evidence_id, second = kContext[1].span.evidence_id;
  const CitationReport whole =
      check("Refunds take 30 days. It costs 5 dollars.", kContext, {}, {first, second});
  CHECK(value(whole, "sentences_supported") == 1);
  const CitationReport mixed =
      check("Refunds take 30 days [1]. It costs 5 dollars.", kContext, {}, {first, second});
  CHECK(mixed.citations.size() == 2);
  CHECK(mixed.citations[1].sentences.empty());
  CHECK(mixed.sentences[1].verdict == SentenceVerdict::kUncited);

  CitedAnswer without;
  without.answer = "Refunds take 30 days [2].";
  without.citations = {second, first};
  const CitationReport numbered = check_citations(without);
  CHECK(numbered.citations[0].span.document_id == "a.md");
  CHECK_FALSE(numbered.citations[0].in_context);
}

TEST_CASE("a refusal has no sentences to support") {
  const CitationReport report = check("I don't know.", kContext);
  CHECK(report.sentences.empty());
  CHECK(citation_scores(report).empty());
}

TEST_CASE("the corpus says whether a span exists and is still what was cited") {
  testing::TemporaryFolder folder;
  folder.write("a.md", "Refunds take 30 days.\nAnd more.\n");
  folder.write("b.md", "short");
  auto corpus = CorpusText::open(folder.path());
  REQUIRE(corpus);
  const std::string good =
      format_evidence_id("a.md", {0, 21}, evidence_hash("Refunds take 30 days."));
  const std::string old =
      format_evidence_id("a.md", {0, 21}, evidence_hash("Refunds take 60 days."));
  const std::string beyond = format_evidence_id("b.md", {0, 21}, 1);
  const std::string gone = format_evidence_id("c.md", {0, 21}, 1);
  const std::string outside =
      format_evidence_id("../" + std::filesystem::path(folder.path()).filename().string() + "/a.md", {0, 21}, 1);
  const std::string escaped = format_evidence_id("../../etc/passwd", {0, 2}, 1);
  CitedAnswer input;
  const std::string answer = "Refunds take 30 days [" + good + "]. X [" + old + "]. Y [" + beyond +
                             "]. Z [" + gone + "]. P [" + outside + "]. Q [" + escaped + "].";
  input.answer = answer;
  input.corpus = &*corpus;
  const std::vector<EvidenceSpan> gold = {*read_evidence_span(R"({"path":"a.md","lines":[1,1]})")};
  input.gold = &gold;
  const CitationReport report = check_citations(input);
  REQUIRE(report.citations.size() == 6);
  CHECK(report.citations[0].state == SpanState::kMatches);
  CHECK(report.citations[0].passage == "Refunds take 30 days.");
  CHECK(report.citations[0].span.lines == LineSpan{1, 1});
  CHECK(report.citations[0].in_gold == true);
  CHECK(report.citations[1].state == SpanState::kChanged);
  CHECK(report.citations[2].state == SpanState::kTooShort);
  CHECK(report.citations[3].state == SpanState::kNoDocument);
  CHECK(report.citations[5].state == SpanState::kNoDocument);
  CHECK(report.sentences[0].verdict == SentenceVerdict::kSupported);
  CHECK(value(report, "citation_recall") == 1);
  CHECK(CorpusText::open(folder.path() + "/none").error().kind == ErrorKind::kNotFound);
}

TEST_CASE("lines and bytes are told from each other by the corpus") {
  testing::TemporaryFolder folder;
  folder.write("a.txt", "one\ntwo\nthree");
  auto corpus = CorpusText::open(folder.path());
  EvidenceSpan lines = *read_evidence_span(R"({"path":"a.txt","lines":[2,3]})");
  corpus->locate(lines);
  CHECK(lines.bytes == ByteSpan{4, 13});
  EvidenceSpan bytes = *read_evidence_span(R"({"path":"a.txt","bytes":[0,4]})");
  corpus->locate(bytes);
  CHECK(bytes.lines == LineSpan{1, 1});
  EvidenceSpan beyond = *read_evidence_span(R"({"path":"a.txt","lines":[7,9]})");
  corpus->locate(beyond);
  CHECK(beyond.bytes == ByteSpan{13, 13});
}

TEST_CASE("every citation score is in the table") {
  const std::vector<EvidenceSpan> gold = {kContext[0].span};
  for (const AnswerScore& score :
       citation_scores(check("Refunds [1] say \"take 30 days\".", kContext, gold))) {
    INFO(score.measure);
    CHECK(std::ranges::count(citation_measures(), score.measure, &AnswerMeasure::name) == 1);
    CHECK(score.value >= 0);
    CHECK(score.value <= 1);
  }
}
