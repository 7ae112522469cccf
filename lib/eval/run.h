#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/dialect.h"
#include "eval/input.h"

// A run: for each query, what was found, with scores.
//
// Read from, told apart by their first bytes:
//   TREC        query iteration document rank score tag     fields between blanks
//   ranx JSON   {"query": {"document": score, ...}, ...}
//   records     query, hit and end records of rag-search and what follows it (hit_run.cc)
//   and packed forms of these (input.h).
//
// A TREC file is not taken apart when it is opened: one pass notes where each query's lines stand,
// and read() takes apart those of one query. So ten million lines cost the mapped file and some
// kilobytes, and each line is looked at twice.
namespace ragline {

struct RunHit {
  std::string_view document;
  double score = 0;
  std::string_view rank;  // as in the file; empty where it has none
  // Positions in the gold evidence of the query that the hit holds; gold records only (gold.h).
  std::span<const std::uint32_t> evidence;
};

class Gold;

struct RunOptions {
  Dialect dialect = Dialect::kOurs;
  const Gold* gold = nullptr;   // hits get the pieces of evidence that they hold
  bool by_evidence_id = false;  // hit records go by evidence_id instead of document_id
  bool no_end = false;          // records need not be closed by end records
  BadRows* bad = nullptr;       // must outlive the run, whose lines are read later
};

class Run {
 public:
  // Errors: those of InputText::open; kData for a file without a query, or of records or JSON with
  // a fault, or records that stop without an end. Faults in a TREC line are found by read().
  static Result<Run> read(const std::string& path, const RunOptions& options = {});
  static Result<Run> parse(InputText text, const RunOptions& options = {});

  struct Query {
    std::string_view id;
    std::uint32_t first_part = 0, last_part = 0;
  };
  std::span<const Query> queries() const { return queries_; }  // by id, bytewise
  const Query* find(std::string_view id) const;

  // The hits of a query in the order of the file. kData "file:line: what: remedy" for a short line
  // or a score that is no finite number, unless bad rows are skipped.
  Status read(const Query& query, std::vector<RunHit>& hits) const;

  // The first fault of read(), over all queries.
  Status check() const;

  // The tag of the last line; empty where there is none.
  std::string_view tag() const { return tag_; }
  const std::string& name() const { return text_.name(); }
  // A fault of a hit that read() gave: nothing when it is to be skipped.
  Status fault(RowFault fault, const RunHit& hit, std::string_view message) const;

  Run(Run&&) = default;
  Run& operator=(Run&&) = default;

 private:
  // Neighbouring lines of one query: bytes of the text, or hits.
  struct Part {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t next = 0;  // 0: none
  };
  friend class RunBuilder;
  Run(InputText text, const RunOptions& options)
      : text_(std::move(text)), dialect_(options.dialect), bad_(options.bad) {}
  Status read_line(std::string_view line, std::vector<RunHit>& hits) const;
  Status fault_at(RowFault fault, const char* at, std::string_view message) const;

  InputText text_;
  Dialect dialect_;
  BadRows* bad_ = nullptr;
  bool holds_hits_ = false;
  std::vector<Query> queries_;
  std::vector<Part> parts_;
  std::vector<RunHit> hits_;         // of records and JSON
  std::deque<std::string> strings_;  // ids with escapes
  std::deque<std::vector<std::uint32_t>> evidence_;
  std::string_view tag_;
};

}  // namespace ragline
