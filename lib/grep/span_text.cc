#include "grep/span_text.h"

#include <algorithm>

#include "core/text.h"
#include "corpus/decode.h"
#include "corpus/document.h"
#include "corpus/media.h"

namespace ragline {

namespace {

constexpr std::uint64_t kMostHashed = 512 << 20;

std::optional<std::uint64_t> line_number(std::string_view text) {
  const auto number = parse_integer(text);
  if (!number || *number < 0 || text.starts_with('+')) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

}  // namespace

Result<SpanRequest> parse_span(std::string_view text) {
  SpanRequest request;
  request.text = text;
  if (auto id = parse_evidence_id(text)) {
    request.path = id->document_id;
    request.id = std::move(*id);
    return request;
  }
  request.path = text;
  const auto colon = text.rfind(':');
  if (colon == text.npos || colon == 0) return request;
  const std::string_view lines = text.substr(colon + 1);
  const auto dash = lines.find('-');
  const auto first = line_number(lines.substr(0, dash));
  auto wrong = [&](std::string_view why) { return fail(ErrorKind::kUsage, cat("'", text, "': ", why)); };
  if (dash == 0 && lines.size() > 1) {
    const auto last = line_number(lines.substr(1));
    if (!last) return request;
    if (*last == 0) return wrong("no lines: give path:-20 for the last 20");
    request.path = text.substr(0, colon);
    request.last_lines = *last;
    return request;
  }
  if (!first) return request;  // a colon of the path's own
  std::uint64_t last = *first;
  if (dash != lines.npos) {
    const auto given = line_number(lines.substr(dash + 1));
    if (!given && dash + 1 < lines.size()) return request;
    last = given ? *given : UINT64_MAX;
  }
  if (*first == 0) return wrong("lines count from 1");
  if (last < *first) return wrong("the last line comes before the first: give path:FIRST-LAST");
  request.path = text.substr(0, colon);
  request.lines = LineSpan{*first, last};
  return request;
}

SpanText::SpanText(std::string text, std::string extractor) : text_(std::move(text)), extractor_(std::move(extractor)) {
  for (std::size_t begin = 0; begin < text_.size();) {
    starts_.push_back(begin);
    const std::size_t newline = text_.find('\n', begin);
    if (newline == text_.npos) break;
    begin = newline + 1;
  }
}

Result<SpanText> SpanText::of(std::string bytes, const std::optional<EvidenceId>& id) {
  Decoded decoded = decode_text(bytes);
  const bool is_marked = decoded.changed && std::string_view(decoded.encoding) != "utf-8" && std::string_view(decoded.encoding) != "windows-1252";
  if (is_marked) return SpanText(std::move(decoded.converted), decoded.encoding);
  SpanText raw(std::move(bytes), "");
  if (decoded.binary && raw.text_.substr(0, 8192).find('\0') != std::string::npos && !(id && raw.holds(*id)))
    return fail(ErrorKind::kData, "it is binary");
  if (id && decoded.changed && !raw.holds(*id)) {
    SpanText repaired(std::move(decoded.converted), decoded.encoding);
    if (repaired.holds(*id)) return repaired;
  }
  return raw;
}

Result<ByteSpan> SpanText::bytes_of(LineSpan lines) const {
  if (lines.first > starts_.size())
    return fail(ErrorKind::kNotFound, cat("it has ", starts_.size(), " lines, no line ", lines.first));
  const std::uint64_t begin = starts_[lines.first - 1];
  std::uint64_t end = lines.last < starts_.size() ? starts_[lines.last] : text_.size();
  if (end > begin && text_[end - 1] == '\n') --end;
  if (end > begin && text_[end - 1] == '\r') --end;
  return ByteSpan{begin, end};
}

LineSpan SpanText::lines_of(ByteSpan bytes) const {
  auto line = [&](std::uint64_t at) {
    return static_cast<std::uint64_t>(std::ranges::upper_bound(starts_, at) - starts_.begin());
  };
  const std::uint64_t last = bytes.end > bytes.begin ? bytes.end - 1 : bytes.begin;
  return {std::max<std::uint64_t>(line(bytes.begin), 1), std::max<std::uint64_t>(line(last), 1)};
}

ByteSpan SpanText::with_context(ByteSpan bytes, std::uint64_t lines) const {
  if (lines == 0 || starts_.empty()) return bytes;
  const LineSpan span = lines_of(bytes);
  const LineSpan wider{span.first > lines ? span.first - lines : 1, span.last > UINT64_MAX - lines ? UINT64_MAX : span.last + lines};
  return bytes_of(wider).value_or(bytes);
}

namespace {

ParsedDocument parse(std::string_view path, const std::string& text) {
  const std::string_view media = media_type_of(path, std::string_view(text).substr(0, 4096));
  auto parsed = parse_document(path, path, media == "text/html" ? "text/plain" : media, text, {});
  return parsed ? std::move(*parsed) : ParsedDocument{};
}

// Without the blank lines that a block ends with.
ByteSpan trimmed(ByteSpan span, std::string_view text) {
  while (span.end > span.begin && (text[span.end - 1] == '\n' || text[span.end - 1] == '\r')) --span.end;
  return span;
}

}  // namespace

ByteSpan SpanText::enclosing_block(ByteSpan bytes, std::string_view path) const {
  const ParsedDocument parsed = parse(path, text_);
  ByteSpan out = bytes;
  for (const Block& block : parsed.blocks) {
    if (block.bytes.end <= bytes.begin || block.bytes.begin >= std::max(bytes.end, bytes.begin + 1)) continue;
    out.begin = std::min(out.begin, block.bytes.begin);
    out.end = std::max(out.end, trimmed(block.bytes, text_).end);
  }
  return out;
}

ByteSpan SpanText::enclosing_section(ByteSpan bytes, std::string_view path) const {
  const ParsedDocument parsed = parse(path, text_);
  ByteSpan best{0, text_.size()};
  for (const Section& section : parsed.sections) {
    const ByteSpan span = trimmed(section.bytes, text_);
    const bool holds_it = span.begin <= bytes.begin && span.end >= bytes.end && (span.begin < bytes.begin || span.end > bytes.end);
    if (holds_it && span.end - span.begin < best.end - best.begin) best = span;
  }
  return trimmed(best, text_);
}

bool SpanText::holds(const EvidenceId& id) const {
  return id.bytes.end <= text_.size() &&
         evidence_hash(std::string_view(text_).substr(id.bytes.begin, id.bytes.end - id.bytes.begin)) == id.hash;
}

std::optional<ByteSpan> SpanText::find_moved(const EvidenceId& id) const {
  const std::uint64_t size = id.bytes.end - id.bytes.begin;
  if (size == 0 || size > text_.size()) return std::nullopt;
  // Where in its line the span began is not known; line starts first, then, for short texts, everywhere.
  std::uint64_t hashed = 0;
  auto is_at = [&](std::uint64_t at) {
    hashed += size;
    return at + size <= text_.size() && evidence_hash(std::string_view(text_).substr(at, size)) == id.hash;
  };
  for (const std::uint64_t start : starts_) {
    if (hashed > kMostHashed) return std::nullopt;
    if (is_at(start)) return ByteSpan{start, start + size};
  }
  if (text_.size() * size > kMostHashed - std::min(hashed, kMostHashed)) return std::nullopt;
  for (std::uint64_t at = 0; at + size <= text_.size(); ++at)
    if (is_at(at)) return ByteSpan{at, at + size};
  return std::nullopt;
}

std::vector<ByteSpan> merge_spans(std::vector<ByteSpan> spans) {
  std::ranges::sort(spans, {}, [](const ByteSpan& span) { return std::pair(span.begin, span.end); });
  std::vector<ByteSpan> merged;
  for (const ByteSpan& span : spans) {
    if (!merged.empty() && span.begin <= merged.back().end + 1) {
      merged.back().end = std::max(merged.back().end, span.end);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

}  // namespace ragline
