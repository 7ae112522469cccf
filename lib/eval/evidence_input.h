#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.h"
#include "eval/bad_rows.h"
#include "eval/evidence_span.h"
#include "eval/input.h"

// What was shown for each query, and the gold evidence of each case.
namespace ragline {

// Passages by query, in the order in which they were shown.
using Contexts = std::unordered_map<std::string, std::vector<Passage>>;

// From `context` records (their `evidence`), or from `hit` records in their order; other types are
// passed over. JSON rows without a type: query_id and `evidence`, `contexts` or `passages`, lists
// of strings (texts without a place) or objects. Where a query has both, its context counts.
// Errors: those of InputText::open; kData "file:line: what: remedy"; kData when nothing is there.
Result<Contexts> read_contexts(const std::string& path, BadRows* bad = nullptr);
Result<Contexts> parse_contexts(const InputText& text, BadRows* bad = nullptr);

// The gold_evidence of a case's row (AnswerCase::row); empty where it has none.
Result<std::vector<EvidenceSpan>> gold_evidence_of(std::string_view row);

}  // namespace ragline
