#include "eval/judged.h"

#include <algorithm>

#include "core/text.h"
#include "eval/claims.h"
#include "eval/json_rows.h"
#include "record/object.h"

namespace ragline {

namespace {

// nullopt for null; kData for what is no label.
Result<std::optional<bool>> read_label(std::string_view json) {
  if (json == "null") return std::optional<bool>();
  const std::string text = ascii_lower(json_scalar_text(json).value_or("?"));
  if (text == "true" || text == "1" || text == "entailment") return std::optional(true);
  if (text == "false" || text == "0" || text == "neutral" || text == "contradiction")
    return std::optional(false);
  return fail(
      ErrorKind::kData,
      cat("'", json,
          "' is no label: give true or false, 1 or 0, or Entailment, Neutral, Contradiction"));
}

class RowReader {
 public:
  RowReader(const JsonMembers& members, JudgedRow& out) : members_(members), out_(out) {}

  Status read() {
    RAGLINE_CHECK(members_.id({"query_id", "id", "_id", "qid"}, out_.query_id));
    if (out_.query_id.empty())
      return fail(ErrorKind::kData, "no query_id: give each row the id of its query");
    RAGLINE_CHECK(ragas());
    for (const char* name : {"context_relevance", "answer_faithfulness", "answer_relevance"})
      RAGLINE_CHECK(flag(name, name));
    RAGLINE_CHECK(claims());
    RAGLINE_CHECK(alce());
    RAGLINE_CHECK(unanswerable());
    return human();
  }

 private:
  void add(std::string_view measure, std::optional<double> value) {
    if (value) out_.scores.push_back({measure, *value});
  }

  // The labels of a list, nulls left out. With `keep_places` a null makes the whole list useless.
  Result<std::optional<Verdicts>> labels(std::string_view json, bool keep_places) {
    RAGLINE_TRY(const auto values, json_elements(json));
    Verdicts out;
    bool whole = true;
    for (const std::string_view value : values) {
      RAGLINE_TRY(const std::optional<bool> label, read_label(value));
      if (label) out.push_back(*label);
      out_.failures += !label;
      whole = whole && label.has_value();
    }
    return whole || !keep_places ? std::optional(std::move(out)) : std::nullopt;
  }

  Result<std::optional<Verdicts>> member(std::string_view name, bool keep_places) {
    const Field* field = members_.find(name);
    if (!field) return std::optional<Verdicts>();
    return labels(field->raw, keep_places);
  }

  Status share(std::string_view name, std::string_view measure) {
    RAGLINE_TRY(const std::optional<Verdicts> verdicts, member(name, false));
    if (!verdicts || verdicts->empty()) return {};
    add(measure, static_cast<double>(std::ranges::count(*verdicts, true)) /
                     static_cast<double>(verdicts->size()));
    return {};
  }

  Status flag(std::string_view name, std::string_view measure) {
    if (!stands(members_, name)) return {};
    RAGLINE_TRY(const std::optional<bool> label, one_label(members_, name));
    if (label) add(measure, *label ? 1 : 0);
    return {};
  }

  // Whether there is such a member, null or not.
  static bool stands(const JsonMembers& members, std::string_view name) {
    return std::ranges::find(members.fields(), name, &Field::key) != members.fields().end();
  }

  Result<std::optional<bool>> one_label(const JsonMembers& members, std::string_view name) {
    const Field* field = members.find(name);
    RAGLINE_TRY(const std::optional<bool> label, read_label(field ? field->raw : "null"));
    out_.failures += !label;
    return label;
  }

  Status ragas() {
    RAGLINE_CHECK(share("claims", "faithfulness"));
    RAGLINE_TRY(const std::optional<Verdicts> ranks, member("context_relevant", true));
    if (ranks && !ranks->empty()) add("context_precision", context_precision(*ranks));
    RAGLINE_CHECK(share("reference_claims", "context_recall"));
    const Field* field = members_.find("similarities");
    if (!field) return {};
    RAGLINE_TRY(const auto values, json_elements(field->raw));
    double sum = 0;
    for (const std::string_view value : values) {
      const auto number = parse_double(value);
      if (!number)
        return fail(ErrorKind::kData,
                    cat("field 'similarities' holds '", value, "': give numbers"));
      sum += *number;
    }
    std::optional<bool> evades;
    RAGLINE_CHECK(members_.flag("noncommittal", evades));
    if (!values.empty())
      add("question_similarity",
          evades.value_or(false) ? 0 : sum / static_cast<double>(values.size()));
    return {};
  }

  Result<std::vector<Verdicts>> matrix(std::string_view name, bool& whole) {
    std::vector<Verdicts> out;
    const Field* field = members_.find(name);
    if (!field) return out;
    RAGLINE_TRY(const auto rows, json_elements(field->raw));
    for (const std::string_view row : rows) {
      RAGLINE_TRY(std::optional<Verdicts> verdicts, labels(row, true));
      whole = whole && verdicts.has_value();
      out.push_back(std::move(verdicts).value_or(Verdicts()));
    }
    return out;
  }

  // Of lists in which every label was understood: those of the same claims are of one length, and
  // rows of a matrix have a label for each chunk.
  static Status check_shapes(const ClaimChecks& checks, bool whole) {
    const auto check = [&](std::string_view name, const std::vector<Verdicts>& matrix,
                           std::string_view list, std::size_t claims) -> Status {
      if (!whole || matrix.empty()) return {};
      if (claims > 0 && claims != matrix.size())
        return fail(ErrorKind::kData, cat("field '", name, "' has ", matrix.size(), " claims, '",
                                          list, "' has ", claims, ": give both for each claim"));
      for (const Verdicts& row : matrix)
        if (row.size() != matrix.front().size())
          return fail(ErrorKind::kData, cat("field '", name,
                                            "' has rows of different length: give a label for "
                                            "each chunk"));
      return {};
    };
    const auto chunks = [](const std::vector<Verdicts>& matrix) { return matrix.front().size(); };
    if (whole && !checks.chunks_entail_gold.empty() && !checks.chunks_entail_response.empty() &&
        chunks(checks.chunks_entail_gold) != chunks(checks.chunks_entail_response))
      return fail(ErrorKind::kData,
                  "fields 'retrieved2answer' and 'retrieved2response' are of different numbers of "
                  "chunks: give a label for each chunk");
    RAGLINE_CHECK(check("retrieved2answer", checks.chunks_entail_gold, "response2answer",
                        checks.response_entails_gold.size()));
    return check("retrieved2response", checks.chunks_entail_response, "answer2response",
                 checks.gold_entails_response.size());
  }

  Status claims() {
    ClaimChecks checks;
    bool whole = true;
    for (auto [name, target] : {std::pair("answer2response", &checks.gold_entails_response),
                                std::pair("response2answer", &checks.response_entails_gold)}) {
      RAGLINE_TRY(std::optional<Verdicts> verdicts, member(name, true));
      if (members_.find(name)) whole = whole && verdicts.has_value();
      *target = std::move(verdicts).value_or(Verdicts());
    }
    RAGLINE_TRY(checks.chunks_entail_gold, matrix("retrieved2answer", whole));
    RAGLINE_TRY(checks.chunks_entail_response, matrix("retrieved2response", whole));
    RAGLINE_CHECK(check_shapes(checks, whole));
    if (!whole) return {};
    const ClaimScores scores = score_claims(checks);
    add("claim_precision", scores.precision);
    add("claim_recall", scores.recall);
    add("claim_f1", scores.f1);
    add("retrieved_claim_recall", scores.claim_recall);
    add("chunk_precision", scores.context_precision);
    add("context_utilization", scores.context_utilization);
    add("noise_sensitivity_relevant", scores.noise_sensitivity_relevant);
    add("noise_sensitivity_irrelevant", scores.noise_sensitivity_irrelevant);
    add("hallucination", scores.hallucination);
    add("self_knowledge", scores.self_knowledge);
    add("claim_faithfulness", scores.faithfulness);
    std::optional<double> similarity;
    RAGLINE_CHECK(members_.number("answer_similarity", similarity));
    if (similarity) add("answer_correctness", answer_correctness(checks, *similarity));
    return {};
  }

  Status alce() {
    const Field* field = members_.find("sentences");
    if (!field) return {};
    RAGLINE_TRY(const auto rows, json_elements(field->raw));
    std::vector<CitedSentence> sentences;
    bool whole = true;
    for (const std::string_view row : rows) {
      RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row));
      CitedSentence& sentence = sentences.emplace_back();
      std::optional<std::uint64_t> citations;
      std::optional<bool> in_range;
      RAGLINE_CHECK(members.count("citations", citations));
      RAGLINE_CHECK(members.flag("in_range", in_range));
      sentence.citations = citations.value_or(0);
      sentence.in_range = in_range.value_or(true);
      for (auto [name, target] :
           {std::pair("alone", &sentence.alone), std::pair("without", &sentence.without)}) {
        const Field* list = members.find(name);
        if (!list) continue;
        RAGLINE_TRY(std::optional<Verdicts> verdicts, labels(list->raw, true));
        whole = whole && verdicts.has_value();
        *target = std::move(verdicts).value_or(Verdicts());
      }
      if (!stands(members, "all")) continue;
      RAGLINE_TRY(const std::optional<bool> label, one_label(members, "all"));
      whole = whole && label.has_value();
      sentence.all_entail = label.value_or(false);
    }
    if (!whole || sentences.empty()) return {};
    const AlceScore score = score_alce(sentences);
    add("alce_recall", score.recall);
    add("alce_precision", score.precision);
    return {};
  }

  Status unanswerable() {
    if (const Field* field = members_.find("verdict")) {
      const std::string verdict = json_scalar_text(field->raw).value_or("?");
      const bool refused = verdict == "refuse" || verdict == "-1",
                 asks = verdict == "clarify" || verdict == "0";
      if (!refused && !asks && verdict != "answer" && verdict != "1")
        return fail(ErrorKind::kData,
                    cat("field 'verdict' is ", field->raw, ": give refuse, clarify or answer"));
      add("unanswered", refused || asks ? 1 : 0);
    }
    return flag("acceptable", "acceptable");
  }

  Status human() {
    const Field* field = members_.find("human");
    if (!field) return {};
    RAGLINE_TRY(const JsonMembers labels, JsonMembers::parse(field->raw));
    for (const Field& label : labels.fields()) {
      const auto measure = std::ranges::find(judged_measures(), label.key, &AnswerMeasure::name);
      if (measure == judged_measures().end())
        return fail(ErrorKind::kData,
                    cat("human label '", label.key,
                        "' is no measure: give one of the table, such as answer_faithfulness"));
      if (label.raw == "null") continue;
      const auto text = json_scalar_text(label.raw).value_or("?");
      const std::optional<double> number = text == "true"    ? 1.0
                                           : text == "false" ? std::optional(0.0)
                                                             : parse_double(text);
      if (!number)
        return fail(ErrorKind::kData, cat("human label '", label.key, "' is ", label.raw,
                                          ": give a number, true or false"));
      out_.human.push_back({measure->name, *number});
    }
    return {};
  }

  const JsonMembers& members_;
  JudgedRow& out_;
};

}  // namespace

Result<std::vector<JudgedRow>> parse_judged(const InputText& text, BadRows* bad) {
  std::vector<JudgedRow> out;
  const auto take = [&](std::string_view row, RowFault&) -> Status {
    RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(row));
    JudgedRow judged;
    RAGLINE_CHECK(RowReader(members, judged).read());
    judged.row = row;
    out.push_back(std::move(judged));
    return {};
  };
  RAGLINE_CHECK(each_json_row(text, bad, take));
  if (out.empty())
    return BadRows::stop(
        bad, RowFault::kEmpty,
        {ErrorKind::kData,
         cat(text.name(), ": no row in it: give JSON rows with a query_id and labels")});
  return out;
}

Result<std::vector<JudgedRow>> read_judged(const std::string& path, BadRows* bad) {
  RAGLINE_TRY(const InputText text, InputText::open(path));
  return parse_judged(text, bad);
}

const std::vector<AnswerMeasure>& judged_measures() {
  static const std::vector<AnswerMeasure> measures = {
      {"faithfulness", "claims", "share of the response's claims that the context supports",
       "RAGAS"},
      {"context_precision", "context_relevant",
       "mean of precision@k over the ranks of relevant passages", "RAGAS"},
      {"context_recall", "reference_claims",
       "share of the gold answer's claims that the context supports", "RAGAS"},
      {"answer_correctness", "answer2response, response2answer, answer_similarity",
       "3/4 F1 of the claims and 1/4 similarity of the answers", "RAGAS"},
      {"question_similarity", "similarities",
       "mean similarity of the question to questions made from the answer, RAGAS' answer "
       "relevancy; 0 for one that evades",
       "RAGAS"},
      {"context_relevance", "context_relevance", "the context is about the question", "ARES"},
      {"answer_faithfulness", "answer_faithfulness", "the answer rests on the context", "ARES"},
      {"answer_relevance", "answer_relevance", "the answer answers the question", "ARES"},
      {"claim_precision", "answer2response",
       "share of the response's claims that the gold answer entails", "RAGChecker"},
      {"claim_recall", "response2answer",
       "share of the gold answer's claims that the response entails", "RAGChecker"},
      {"claim_f1", "both of these", "harmonic mean of the two", "RAGChecker"},
      {"retrieved_claim_recall", "retrieved2answer",
       "share of the gold answer's claims that some chunk entails", "RAGChecker"},
      {"chunk_precision", "retrieved2answer", "share of chunks that entail some gold claim",
       "RAGChecker"},
      {"context_utilization", "retrieved2answer, response2answer",
       "of the gold claims that some chunk entails, the share in the response", "RAGChecker"},
      {"noise_sensitivity_relevant", "retrieved2response, retrieved2answer, answer2response",
       "share of claims that are wrong and come from a relevant chunk; lower is better",
       "RAGChecker, RAGAS"},
      {"noise_sensitivity_irrelevant", "retrieved2response, retrieved2answer, answer2response",
       "share of claims that are wrong and come from irrelevant chunks only; lower is better",
       "RAGChecker, RAGAS"},
      {"hallucination", "retrieved2response, answer2response",
       "share of claims that are wrong and in no chunk; lower is better", "RAGChecker"},
      {"self_knowledge", "retrieved2response, answer2response",
       "share of claims that are right and in no chunk", "RAGChecker"},
      {"claim_faithfulness", "retrieved2response", "share of claims that some chunk entails",
       "RAGChecker"},
      {"alce_recall", "sentences", "share of sentences that their citations entail", "ALCE"},
      {"alce_precision", "sentences", "share of citations that their sentence needs", "ALCE"},
      {"unanswered", "verdict", "share of unanswerable questions that were refused or asked back",
       "UAEval4RAG"},
      {"acceptable", "acceptable", "share of responses that suit the kind of unanswerable question",
       "UAEval4RAG"},
  };
  return measures;
}

}  // namespace ragline
