#include "corpus/source.h"

#include "analysis/language.h"
#include "core/text.h"
#include "core/utf8.h"
#include "corpus/decode.h"
#include "corpus/html.h"
#include "corpus/lines.h"
#include "record/evidence.h"
#include "record/reader.h"
#include "record/time.h"

namespace ragline {

namespace {

std::string language_of(std::string_view text, const SourceOptions& options) {
  if (options.language != "auto") return options.language;
  return language_code(detect_language(text));
}

ChunkedDocument chunked(ParsedDocument&& parsed, const SourceOptions& options) {
  if (parsed.document.language.empty())
    parsed.document.language = language_of(parsed.document.text, options);
  ChunkedDocument out;
  out.chunks = cut_chunks(parsed, options.chunk);
  out.document = std::move(parsed.document);
  out.extractor = std::move(parsed.extractor);
  return out;
}

bool has_valid_labels(const Governance& governance) {
  for (const std::string& time : {governance.effective_from, governance.effective_to})
    if (!time.empty() && !parse_time(time)) return false;
  return true;
}

}  // namespace

bool is_row_file(std::string_view path, std::string_view head) {
  if (media_type_of(path, head) != "application/jsonl") return false;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  for (std::size_t at = 0; at < head.size();) {
    const TextLine line = line_at(head, at);
    at = line.end;
    if (is_blank(line.content(head))) continue;
    const auto record = RecordParser().parse(line.content(head));
    return record &&
           (std::holds_alternative<Document>(*record) || std::holds_alternative<Chunk>(*record));
  }
  return false;
}

std::string document_id_text(std::string_view path) {
  if (is_valid_utf8(path)) return std::string(path);
  std::string id;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t begin = at;
    next_code_point(path, at);
    const std::string_view character = path.substr(begin, at - begin);
    if (is_valid_utf8(character))
      id += character;
    else
      append(id, '%', hex(static_cast<unsigned char>(path[begin]), 2));
  }
  return id;
}

Status read_document_file(const FileEntry& file, std::string_view bytes,
                          const SourceOptions& options, const DocumentSink& sink,
                          SourceReport& report) {
  auto skip = [&](SkipReason reason) -> Status {
    report.skipped.emplace_back(file.path, reason);
    return {};
  };
  if (bytes.empty()) return skip(SkipReason::kEmpty);
  const std::string_view type = media_type_of(file.path, bytes.substr(0, 4096));
  if (type == "application/octet-stream") return skip(SkipReason::kBinary);
  if (!has_parser(type)) return skip(SkipReason::kUnsupported);
  if (type == "text/html" && bytes.size() > kMaxHtml) return skip(SkipReason::kTooLarge);

  auto parsed = parse_document(document_id_text(file.document_id), file.document_id, type, bytes,
                               options.parse);
  if (!parsed) return skip(SkipReason::kBinary);
  if (parsed->blocks.empty()) return skip(SkipReason::kEmpty);
  if (options.parse.trust_labels && !has_valid_labels(parsed->document.governance))
    return skip(SkipReason::kMalformed);
  ChunkedDocument document = chunked(std::move(*parsed), options);
  document.source_size = file.size;
  document.source_mtime_ns = file.mtime_ns;
  return sink(std::move(document));
}

struct RowReader::State {
  std::string name;
  const SourceOptions& options;
  DocumentSink sink;
  std::function<Status(std::string_view line)> other;
  SourceReport& report;
  RecordParser parser{};
  ChunkedDocument pending{};  // of chunks; empty when there is none

  Status bad(const Error& error, std::uint64_t number) {
    Error placed = at_line(error, name, number);
    if (!options.skip_bad) return std::unexpected(std::move(placed));
    if (report.bad_rows++ == 0) {
      report.first_bad = std::move(placed.message);
      report.first_bad_line = number;
    }
    return {};
  }

  Status flush() {
    if (pending.chunks.empty()) return {};
    ChunkedDocument done = std::move(pending);
    pending = {};
    std::string sample;
    for (const Chunk& chunk : done.chunks)
      if (sample.size() < 4096) append(sample, chunk.text, '\n');
    if (done.document.language.empty()) done.document.language = language_of(sample, options);
    for (Chunk& chunk : done.chunks)
      if (chunk.language.empty()) chunk.language = done.document.language;
    return sink(std::move(done));
  }

  Status take(Document&& document) {
    RAGLINE_CHECK(flush());
    if (document.title.empty() && is_blank(document.text)) {
      report.skipped.emplace_back(document.document_id, SkipReason::kEmpty);
      return {};
    }
    return sink(chunked(parse_document(std::move(document)), options));
  }

  Status take(Chunk&& chunk) {
    const bool same = !pending.chunks.empty() &&
                      pending.document.document_id == chunk.document_id &&
                      pending.document.version == chunk.version;
    if (!same) {
      RAGLINE_CHECK(flush());
      Document& document = pending.document;
      document.document_id = chunk.document_id;
      document.version = chunk.version;
      document.path = chunk.path;
      document.title = chunk.title;
      document.media_type = chunk.media_type;
      document.language = chunk.language;
      document.governance = chunk.governance;
      document.checksum = chunk.checksum;
      document.metadata = chunk.metadata;
      pending.extractor = chunk.extractor;
    }
    pending.chunks.push_back(std::move(chunk));
    return {};
  }
};

namespace {

// What a record needs beyond being one.
Status check_record(const Document& document) {
  if (document.document_id.empty())
    return fail(ErrorKind::kData, "a document without document_id: give it one");
  return {};
}

Status complete(Chunk& chunk) {
  if (chunk.document_id.empty())
    return fail(ErrorKind::kData, "a chunk without document_id: give it that of its document");
  if (chunk.evidence_id.empty() && chunk.bytes) {
    chunk.evidence_id =
        format_evidence_id(chunk.document_id, *chunk.bytes, evidence_hash(chunk.text));
    return {};
  }
  if (chunk.evidence_id.empty())
    return fail(
        ErrorKind::kData,
        "a chunk without evidence_id and bytes: give one of them, or documents instead of chunks");
  if (auto id = parse_evidence_id(chunk.evidence_id); !id)
    return std::unexpected(std::move(id).error());
  return {};
}

}  // namespace

RowReader::RowReader(std::string name, const SourceOptions& options, DocumentSink sink,
                     std::function<Status(std::string_view line)> other, SourceReport& report)
    : state_(std::make_unique<State>(std::move(name), options, std::move(sink), std::move(other),
                                     report)) {}

RowReader::~RowReader() = default;

Status RowReader::push(std::string_view line, std::uint64_t number) {
  State& state = *state_;
  auto record = state.parser.parse(line);
  if (!record) return state.bad(record.error(), number);
  if (auto* document = std::get_if<Document>(&*record)) {
    if (auto sound = check_record(*document); !sound) return state.bad(sound.error(), number);
    return state.take(std::move(*document));
  }
  if (auto* chunk = std::get_if<Chunk>(&*record); chunk && !state.options.pass_chunks) {
    if (auto sound = complete(*chunk); !sound) return state.bad(sound.error(), number);
    return state.take(std::move(*chunk));
  }
  return state.other(line);
}

Status RowReader::finish() { return state_->flush(); }

}  // namespace ragline
