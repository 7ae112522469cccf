#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/answers.h"
#include "eval/evidence_input.h"

// Where a pipeline lost the evidence: the first stage behind which some gold evidence is missing.
namespace ragline {

enum class Failure {
  kNone,              // answered rightly, and citing gold evidence where citations are looked at
  kRetrieval,         // gold evidence was not retrieved
  kSelection,         // it was, but reranking or selection dropped it
  kContextTruncated,  // packing dropped it: no room
  kContextDuplicate,  // packing dropped it as a duplicate of other evidence
  kContextOther,      // it is not in the context, and no reason is recorded
  kContextOrder,  // it was shown in the middle third of five passages or more, and the answer is
                  // wrong: a suspicion ("lost in the middle")
  kGeneration,    // it was shown, and the answer is wrong
  kCitation,      // the answer is right, and cites no gold evidence
  kRefusal,       // it was shown, and the answer refuses
  kMadeUp         // there is nothing to find, and the answer does not refuse
};
const char* failure_name(Failure failure);

// What the stages held of one query; absent: the stage was not recorded and is not asked.
struct PipelineStages {
  std::vector<EvidenceSpan> gold;
  const std::vector<Passage>* retrieved = nullptr;
  const std::vector<Passage>* selected = nullptr;
  const std::vector<Passage>* context = nullptr;
  // Evidence ids that packing dropped, with the reason, from the context record.
  const std::map<std::string, std::string>* dropped = nullptr;
  const AnswerCase* gold_case = nullptr;
  const GivenAnswer* given = nullptr;
};

struct Diagnosis {
  Failure failure = Failure::kNone;
  std::optional<EvidenceSpan> lost;  // the first piece of gold evidence that is missing there
};

// An answer is right when every item of the gold answer stands in it (`contains`); a case without a
// gold answer is taken for right where the answer does not refuse. A stage of which a query has no
// record held nothing.
Diagnosis diagnose(const PipelineStages& stages);

// The reasons by evidence id of each query's context record.
using DropReasons = std::map<std::string, std::map<std::string, std::string>, std::less<>>;
Result<DropReasons> parse_drop_reasons(const InputText& text, BadRows* bad = nullptr);

}  // namespace ragline
