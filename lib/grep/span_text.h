#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "record/evidence.h"
#include "record/record.h"

// Reading spans of documents: from what names one to its bytes, and what lies around.
namespace ragline {

// "path", "path:12", "path:12-40", "path:-20" (the last 20 lines), or an evidence id. What is both is an id: its '#', '@' and twelve
// digits are hard to write by chance.
struct SpanRequest {
  std::string path;
  std::optional<LineSpan> lines;    // last UINT64_MAX: to the end
  std::uint64_t last_lines = 0;     // that many from the end
  std::optional<EvidenceId> id;
  std::string text;                 // as given, for messages
};
// kUsage for "path:0", "path:9-3".
Result<SpanRequest> parse_span(std::string_view text);

// A document's canonical text with its lines. Holds the whole: documents of more than `most` bytes are kLimit.
class SpanText {
 public:
  // Takes the text of a file's bytes: as they are, unless a byte-order mark or UTF-16 says otherwise; `id` settles which of the
  // readings (raw, or decode_text's) it was made from. kData when it is binary.
  static Result<SpanText> of(std::string bytes, const std::optional<EvidenceId>& id);

  std::string_view text() const { return text_; }
  const std::string& extractor() const { return extractor_; }
  std::uint64_t line_count() const { return starts_.size(); }
  // Bytes of lines [first, last], the last line's end (LF or CR LF) left out; the span is cut to what there is. kNotFound when the
  // text has no line `first`.
  Result<ByteSpan> bytes_of(LineSpan lines) const;
  LineSpan lines_of(ByteSpan bytes) const;
  // `bytes` and `lines` more on both sides, as whole lines.
  ByteSpan with_context(ByteSpan bytes, std::uint64_t lines) const;
  // The smallest block (paragraph, list, function-like run of code ...) or section that holds the span and, for a section, more.
  ByteSpan enclosing_block(ByteSpan bytes, std::string_view path) const;
  ByteSpan enclosing_section(ByteSpan bytes, std::string_view path) const;

  bool holds(const EvidenceId& id) const;
  // Where the bytes of `id` are now: the first line that begins with them. nullopt when they are nowhere, or the search would cost
  // more than some hundred megabytes of hashing.
  std::optional<ByteSpan> find_moved(const EvidenceId& id) const;

 private:
  SpanText(std::string text, std::string extractor);
  std::string text_, extractor_;
  std::vector<std::uint64_t> starts_;  // of lines
};

// Spans in order, those that touch or overlap joined.
std::vector<ByteSpan> merge_spans(std::vector<ByteSpan> spans);

}  // namespace ragline
