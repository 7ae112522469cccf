#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/dialect.h"
#include "eval/input.h"

// Judgements: which documents answer which query, and how well.
//
// Read from, told apart by their first bytes:
//   TREC        query iteration document grade         fields between blanks
//   BEIR TSV    query<TAB>document<TAB>grade           with or without its header line
//   ranx JSON   {"query": {"document": grade, ...}, ...}
//   case records and MultiHop-RAG's rows: gold evidence (gold.h)
//   and packed forms of these (input.h).
namespace ragline {

struct Judgement {
  std::string_view document;
  double grade = 0;           // 0 is not relevant; below 0: in the pool, but not judged
  std::string_view group;     // second field: the iteration, judge or subtopic; empty in TSV, JSON
  std::string_view subgroup;  // preference files only
};

struct JudgedQuery {
  std::string_view id;
  std::span<const Judgement> judgements;  // by group (where it matters), then document
  // Gold records have pieces of evidence instead, and say how many of them have to be joined.
  std::uint32_t evidence = 0, hops = 0;
};

// How a TREC file is meant, as trec_eval's -R has it.
enum class QrelsFormat {
  kQrels,       // one judge; the second field tells subtopics apart where a document comes twice
  kQrelsJg,     // the second field names the judge
  kQrelsPrefs,  // the same, read as preferences (prefs.h)
  kPrefs        // query judge set document level
};

class Gold;

class Qrels {
 public:
  // Errors: those of InputText::open, and kData "file:line: what: remedy" for a line that is short,
  // a grade that is no number (in trec_eval's dialects: what atol makes of it), a document that is
  // judged twice, a run in the place of judgements, a file without a judgement.
  static Result<Qrels> read(const std::string& path, Dialect dialect = Dialect::kOurs,
                            QrelsFormat format = QrelsFormat::kQrels, BadRows* bad = nullptr);
  static Result<Qrels> parse(InputText text, Dialect dialect = Dialect::kOurs,
                             QrelsFormat format = QrelsFormat::kQrels, BadRows* bad = nullptr);

  std::span<const JudgedQuery> queries() const { return queries_; }  // by id, bytewise
  // nullptr when nothing was judged for it.
  const JudgedQuery* find(std::string_view id) const;
  const std::string& name() const { return text_.name(); }
  // The evidence behind the queries; nullptr for judgements of documents.
  const Gold* gold() const { return gold_.get(); }
  // Whether judgements are of spans, named by evidence ids.
  bool names_evidence() const;
  // The first document that is judged twice. Ours is an error at once, unless the second field
  // differs; trec_eval's dialects look only at queries that are measured, but at that field never.
  static const Judgement* duplicate(const JudgedQuery& query);

  Qrels(Qrels&&) = default;
  Qrels& operator=(Qrels&&) = default;

 private:
  struct Row {
    std::string_view query;
    Judgement judgement;
  };
  friend class QrelsReader;
  explicit Qrels(InputText text) : text_(std::move(text)) {}
  Status group(std::vector<Row> rows, Dialect dialect, QrelsFormat format, BadRows* bad);
  Status leave_out_duplicates(std::vector<Row>& rows, BadRows* bad) const;

  InputText text_;
  std::deque<std::string> strings_;  // what is not in the text as it is
  std::vector<Judgement> judgements_;
  std::vector<JudgedQuery> queries_;
  std::shared_ptr<const Gold> gold_;
};

}  // namespace ragline
