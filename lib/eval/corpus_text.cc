#include "eval/corpus_text.h"

#include <algorithm>

#include "core/files.h"
#include "core/text.h"
#include "corpus/document.h"
#include "corpus/media.h"
#include "record/evidence.h"

namespace ragline {

Result<CorpusText> CorpusText::open(const std::string& root) {
  if (!stat_file(root).is_directory)
    return fail(ErrorKind::kNotFound,
                cat("'", root, "' is no folder: give the one that document ids are relative to"));
  return CorpusText(absolute_path(root));
}

const std::string* CorpusText::document(const std::string& document_id) {
  const auto [entry, is_new] = texts_.try_emplace(document_id);
  if (!is_new) return entry->second.get();
  const bool absolute = document_id.starts_with('/');
  const std::string path = normal_path(absolute ? document_id : join_path(root_, document_id));
  if (path == relative_path(root_, path)) return nullptr;
  const FileStat stat = stat_file(path);
  if (!stat.is_regular) return nullptr;
  const auto file = read_file(path);
  if (!file) return nullptr;
  const std::string_view bytes = (*file)->bytes();
  auto parsed = parse_document(document_id, path, media_type_of(path, bytes), bytes, {});
  if (!parsed) return nullptr;
  entry->second = std::make_unique<std::string>(std::move(parsed->document.text));
  return entry->second.get();
}

SpanState CorpusText::state_of(const EvidenceSpan& span) {
  const std::string* const text = document(span.document_id);
  if (!text) return SpanState::kNoDocument;
  if (!span.bytes) return SpanState::kNoSpan;
  if (span.bytes->end > text->size() || span.bytes->begin > span.bytes->end)
    return SpanState::kTooShort;
  if (!span.hash || evidence_hash(text_of(span)) == *span.hash) return SpanState::kMatches;
  return SpanState::kChanged;
}

std::string_view CorpusText::text_of(const EvidenceSpan& span) {
  const std::string* const text = document(span.document_id);
  if (!text || !span.bytes || span.bytes->begin >= text->size()) return {};
  return std::string_view(*text).substr(span.bytes->begin, span.bytes->end - span.bytes->begin);
}

void CorpusText::locate(EvidenceSpan& span) {
  const std::string* const text = document(span.document_id);
  if (!text) return;
  if (span.bytes && !span.lines && span.bytes->end <= text->size()) {
    const auto line_at = [&](std::uint64_t offset) {
      return 1 + static_cast<std::uint64_t>(std::count(
                     text->begin(), text->begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    };
    // A span that ends with a newline does not reach into the next line.
    const std::uint64_t last =
        span.bytes->end > span.bytes->begin ? span.bytes->end - 1 : span.bytes->end;
    span.lines = LineSpan{line_at(span.bytes->begin), line_at(last)};
  } else if (span.lines && !span.bytes) {
    std::uint64_t line = 1, begin = text->size(), end = text->size();
    for (std::size_t at = 0; at < text->size(); ++line) {
      const std::size_t next = std::min(text->find('\n', at), text->size() - 1) + 1;
      if (line == span.lines->first) begin = at;
      if (line == span.lines->last) end = next;
      at = next;
    }
    span.bytes = ByteSpan{begin, std::max(begin, end)};
  }
}

}  // namespace ragline
