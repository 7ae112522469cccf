// From documents to the files of a segment.
#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/language.h"
#include "core/text.h"
#include "core/utf8.h"
#include "index/filter_terms.h"
#include "index/rows.h"
#include "index/segment.h"
#include "index/segment_output.h"
#include "lexical/builder.h"

namespace ragline {

namespace {

constexpr std::size_t kTitleWithin =
    512;  // a title that the text shows this early is not indexed twice
constexpr std::size_t kLanguageSample = 4096;

// The beginning of the text, from the chunks: the same whether they were cut here or came as
// records.
std::string head_text(const ChunkedDocument& document, std::size_t size) {
  std::string head;
  for (const Chunk& chunk : document.chunks) {
    head.append(chunk.text, 0, size - head.size());
    if (head.size() == size) break;
  }
  return head;
}

bool shows_title(const ChunkedDocument& document) {
  return head_text(document, kTitleWithin).find(document.document.title) != std::string::npos;
}

std::string language_of(const ChunkedDocument& document, const std::string& given) {
  if (!document.document.language.empty()) return document.document.language;
  if (!given.empty()) return given;
  std::string text = head_text(document, kLanguageSample + 4);
  text.resize(utf8_floor(text, std::min(text.size(), kLanguageSample)));
  return language_code(detect_language(text));
}

Language language_number(std::string_view code) {
  return language_from_code(code).value_or(Language::kNone);
}

// A bound of a document's validity, or `unbounded`.
Result<TimePoint> bound(const Document& document, std::string_view name, std::string_view text,
                        TimePoint unbounded) {
  if (text.empty()) return unbounded;
  Result<TimePoint> time = parse_time(text);
  if (time) return time;
  return fail(ErrorKind::kData,
              cat("document '", document.document_id, "': ", name, ": ", time.error().message));
}

// Who may see a chunk is decided by its document's columns, so a chunk that says otherwise cannot
// be kept as it is.
Status check_chunks(const ChunkedDocument& document) {
  const Document& shared = document.document;
  if (document.chunks.empty())
    return fail(ErrorKind::kData,
                cat("document '", shared.document_id, "' has no chunks: leave it out"));
  for (const Chunk& chunk : document.chunks)
    if (chunk.governance != shared.governance && chunk.governance != Governance())
      return fail(ErrorKind::kData,
                  cat("chunk ", chunk.ordinal, " of document '", shared.document_id,
                      "' has another tenant, acl or effective time than its document: give all "
                      "chunks of a document the same"));
  return {};
}

}  // namespace

struct SegmentWriter::State {
  PostingsBuilder postings;
  DocumentWriter documents;
  TextWriter text;
  VectorWriter vectors;
  std::optional<CheckedWriter> file;  // "text", since begin()
  std::string language;

  // Scratch that keeps its room from one document to the next.
  std::string row, section;
  std::vector<FilterTerm> document_filters;
  Chunk filtered;

  void add_chunk(const Chunk& chunk, const ChunkedDocument& document,
                 std::string_view document_language, bool title_in_content, std::uint32_t place);
};

SegmentWriter::SegmentWriter() : state_(std::make_unique<State>()) {}
SegmentWriter::~SegmentWriter() = default;
SegmentWriter::SegmentWriter(SegmentWriter&&) noexcept = default;
SegmentWriter& SegmentWriter::operator=(SegmentWriter&&) noexcept = default;

void SegmentWriter::set_language(std::string code) { state_->language = std::move(code); }
std::uint32_t SegmentWriter::chunk_count() const { return state_->documents.chunk_count(); }
std::uint32_t SegmentWriter::document_count() const { return state_->documents.size(); }
std::size_t SegmentWriter::memory() const {
  return state_->postings.memory() + state_->documents.memory() + state_->text.memory() + state_->vectors.memory();
}

Status SegmentWriter::begin(Storage& storage, const std::string& name) {
  RAGLINE_TRY(state_->file, create_text(storage, name));
  return {};
}

Status SegmentWriter::add(const ChunkedDocument& document) {
  State& state = *state_;
  const Document& shared = document.document;
  RAGLINE_CHECK(check_chunks(document));
  DocumentEntry entry;
  entry.document_id = shared.document_id;
  entry.version = shared.version;
  entry.path = shared.path;
  entry.tenant = shared.governance.tenant;
  entry.labelled = shared.governance.acl.has_value();
  entry.chunks = static_cast<std::uint32_t>(document.chunks.size());
  RAGLINE_TRY(entry.effective_from,
              bound(shared, "effective_from", shared.governance.effective_from, kMinTime));
  RAGLINE_TRY(entry.effective_to,
              bound(shared, "effective_to", shared.governance.effective_to, kMaxTime));

  const std::string language = language_of(document, state.language);
  encode_document_row(state.row, shared, language, document.extractor, columns_hash(entry),
                      {document.source_size, document.source_mtime_ns});
  state.text.add(StoredRow::kDocumentRow, state.row);
  state.documents.add(entry);
  state.document_filters = document_filter_terms(shared, document.rows_of);
  // A row's title is part of what it says, as in BEIR's collections; a file's is, when its text
  // does not say it.
  const bool title_in_content =
      !shared.title.empty() && (shared.path.empty() || !shows_title(document));
  state.vectors.add(document.vectors, entry.chunks);
  std::uint32_t place = 0;
  for (const Chunk& chunk : document.chunks)
    state.add_chunk(chunk, document, language, title_in_content, place++);
  return state.file ? state.text.drain(*state.file) : Status{};
}

void SegmentWriter::State::add_chunk(const Chunk& chunk, const ChunkedDocument& document,
                                     std::string_view document_language, bool title_in_content,
                                     std::uint32_t place) {
  const Document& shared = document.document;
  encode_chunk_row(row, chunk, shared, document_language, document.extractor, place);
  text.add(StoredRow::kChunkRow, row);

  section.clear();
  for (const std::string& heading : chunk.section_path) {
    if (!section.empty()) section += ' ';
    section += heading;
  }
  const std::string_view chunk_language =
      chunk.language.empty() ? document_language : chunk.language;
  ChunkText searched;
  searched.language = language_number(chunk_language);
  searched.title = chunk.title.empty() ? shared.title : chunk.title;
  searched.section = section;
  searched.path = shared.path;
  searched.context = chunk.context;
  searched.text = chunk.text;
  searched.title_in_content = title_in_content;
  postings.add(searched);

  filtered.language = chunk_language;
  filtered.block_type = chunk.block_type;
  for (const FilterTerm& term : document_filters) postings.add_filter(term.name, term.value);
  for (const FilterTerm& term : chunk_filter_terms(filtered))
    postings.add_filter(term.name, term.value);
}

Result<SegmentEntry> SegmentWriter::write(Storage& storage, const std::string& name) {
  State& state = *state_;
  if (!state.file) RAGLINE_CHECK(begin(storage, name));
  SegmentEntry entry;
  entry.name = name;
  entry.documents = state.documents.size();
  entry.chunks = state.documents.chunk_count();
  RAGLINE_CHECK(write_documents(storage, name, *state.file, state.text, state.documents));
  state.file.reset();
  RAGLINE_CHECK(state.postings.write(storage, name));
  entry.vectors = state.vectors.count();
  RAGLINE_CHECK(state.vectors.write(storage, name));
  RAGLINE_CHECK(storage.sync_folder(name));
  RAGLINE_TRY(entry.bytes, segment_bytes(storage, name));
  return entry;
}

}  // namespace ragline
