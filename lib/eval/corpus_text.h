#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/result.h"
#include "eval/evidence_span.h"

// Canonical texts of documents below a folder, to check citations against. Each file is read and
// parsed once. One thread.
namespace ragline {

enum class SpanState {
  kMatches,     // the bytes are those that the id was made of
  kChanged,     // they are there, but others: another revision of the document
  kTooShort,    // the document ends before the span does
  kNoDocument,  // there is no such file below the root, or it is binary
  kNoSpan       // the id names no bytes to look at
};

class CorpusText {
 public:
  // `root`: a folder. kNotFound unless there is one.
  static Result<CorpusText> open(const std::string& root);

  // The text; nullptr when there is none. An id that leaves the root ("../x", an absolute path
  // elsewhere) has none.
  const std::string* document(const std::string& document_id);
  SpanState state_of(const EvidenceSpan& span);
  // The text of the span, whatever its revision; empty when there is none.
  std::string_view text_of(const EvidenceSpan& span);
  // Sets the lines of a span that has bytes only, and the bytes of one that has lines only.
  void locate(EvidenceSpan& span);

 private:
  explicit CorpusText(std::string root) : root_(std::move(root)) {}
  std::string root_;
  std::unordered_map<std::string, std::unique_ptr<std::string>> texts_;
};

}  // namespace ragline
