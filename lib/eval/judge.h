#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/result.h"
#include "eval/citations.h"
#include "eval/claims.h"

// Questions to a judge, and what it said. A judge is any program that reads JSON Lines and writes
// JSON Lines:
//
//   in
//   {"type":"judge_task","key":"9f2c51aa03de8c41","task":"entailment","premise":"...","hypothesis":"..."}
//   out   {"key":"9f2c51aa03de8c41","label":true,"tokens":210,"cost":0.0003}
//
// in any order; tokens and cost may be absent. A task without an answer, or with one that cannot be
// understood, is a failure: counted, never taken for false. Answers are kept in a file, by a key
// that is a hash of the judge's name, the task and both texts, so that nothing is asked twice; a
// failure is asked again.
namespace ragline {

struct JudgeTask {
  std::string task;  // "entailment": does the premise say what the hypothesis says
  std::string premise, hypothesis;
};

struct JudgeLedger {
  std::uint64_t tasks = 0;     // different ones
  std::uint64_t cached = 0;    // of these, answered by the cache
  std::uint64_t failures = 0;  // of these, not answered
  std::uint64_t tokens = 0;    // of those that were asked now
  double cost = 0;
};

class Judge {
 public:
  // Sends lines to the judge and gives back its lines.
  using Exchange = std::function<Result<std::string>(const std::string& requests)>;

  // `name` is all that decides an answer besides the texts: the command, the model, the prompt.
  // `cache`: a file of JSON Lines, made when it is not there; empty: nothing is kept.
  // Errors: kIo, and kData "file:line: ..." for a cache that holds something else.
  static Result<Judge> open(std::string name, Exchange exchange, const std::string& cache);

  // The labels of the tasks, in their order; nullopt for a failure. One exchange at most.
  // Errors: those of the exchange and of writing the cache.
  Result<std::vector<std::optional<bool>>> ask(std::span<const JudgeTask> tasks);

  const JudgeLedger& ledger() const { return ledger_; }
  // 16 hex digits of the name's hash: what records call judge_hash.
  std::string hash() const;

 private:
  std::string key_of(const JudgeTask& task) const;
  // Takes answers to what was asked. Returns the lines worth keeping.
  std::string take(std::string_view replies);

  std::string name_, cache_;
  Exchange exchange_;
  std::unordered_map<std::string, bool> labels_;
  std::unordered_set<std::string> asked_;  // keys in the ledger
  JudgeLedger ledger_;
};

// ALCE's scores of checked answers, one each, nullopt for answers that cite nothing checkable or
// met a failure. Asks in three rounds, because later questions depend on earlier answers: whether
// all cited passages entail the sentence; where they do and are several, whether each alone does;
// and where it does not, whether the others do without it.
Result<std::vector<std::optional<AlceScore>>> judge_citations(
    std::span<const CitationReport> reports, Judge& judge);

}  // namespace ragline
