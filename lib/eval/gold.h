#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/evidence_span.h"
#include "eval/input.h"
#include "record/record.h"

// Gold evidence: for each query the pieces that an answer needs, to be found once each.
//
// Read from `case` records (gold_evidence, required_hops) and from rows in MultiHop-RAG's form,
// whose evidence_list holds facts: sentences to be found in the text of a hit. A gold_evidence
// object may hold a `fact` too. Cases without evidence have nothing to be found and are left out.
namespace ragline {

struct GoldPiece {
  EvidenceSpan span;  // document_id is empty where only the fact is known
  std::string fact;   // without blanks; empty where there is none
};

struct GoldQuery {
  std::string id;
  std::vector<GoldPiece> pieces;
  std::uint32_t hops = 0;  // required_hops, else the number of pieces
};

// A hit as gold evidence sees it.
struct HitPlace {
  EvidenceSpan span;
  std::string text;
};

// Of a hit record's chunk.
HitPlace place_of(const Chunk& chunk);

class Gold {
 public:
  // Whether the text is of cases, and not a table of judgements.
  static bool is_gold(std::string_view text);
  // kData "file:line: ..." for a fault; kData when no case has evidence.
  static Result<Gold> parse(const InputText& text, BadRows* bad = nullptr);

  std::span<const GoldQuery> queries() const { return queries_; }  // by id
  std::uint64_t without_evidence() const { return without_evidence_; }

  // The pieces that a hit holds, ascending: a fact that its text contains once blanks are taken out
  // of both, or a place that it overlaps. Empty for a query without gold evidence.
  std::vector<std::uint32_t> pieces_in(std::string_view query, const HitPlace& hit) const;

 private:
  std::vector<GoldQuery> queries_;
  std::uint64_t without_evidence_ = 0;
};

}  // namespace ragline
