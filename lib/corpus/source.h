#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "corpus/chunk.h"
#include "corpus/document.h"
#include "corpus/walk.h"
#include "record/record.h"

// From a file or a stream of records to documents with their chunks: what rag-chunk prints and
// rag-index stores.
//
// A file is one document, or, when it is a file of rows (*.jsonl, *.ndjson whose first row is a
// document, a chunk or a BEIR row), one document a row. A stream may also bring chunks made before:
// consecutive chunks of one document are one document.
namespace ragline {

struct ChunkedDocument {
  Document document;  // text is the canonical text, empty when the stream brought chunks only
  std::string extractor;
  std::vector<Chunk> chunks;  // at least one
  // Of an index's embedder: a row of as many floats for each chunk, zeros for one that has no
  // vector; or empty. What records bring stays in Chunk::vector.
  std::vector<float> vectors;
  // Where it came from, for re-builds and for noticing stale hits. rows_of: the id, as a file, of
  // the file of rows; empty for a document that is a file. Size and mtime are the file's when it
  // was read; zero when unknown.
  std::string rows_of;
  std::uint64_t source_size = 0;
  std::int64_t source_mtime_ns = 0;
};

struct SourceOptions {
  ParseOptions parse;
  ChunkOptions chunk;
  // Of documents that do not state theirs: a code ("de"), or "auto" to detect it.
  std::string language = "auto";
  bool skip_bad = false;     // count bad rows and go on, instead of stopping
  bool pass_chunks = false;  // hand chunk records to `other` too, byte for byte
};

// What reading left out; added up by the caller.
struct SourceReport {
  std::uint64_t bad_rows = 0;
  std::string first_bad;  // "file:line: what: remedy" of the first bad row
  std::uint64_t first_bad_line = 0;
  std::vector<std::pair<std::string, SkipReason>> skipped;
};

using DocumentSink = std::function<Status(ChunkedDocument&&)>;

// True when `head` (the first bytes of the file, at least one line if it has one) says the file
// holds rows.
bool is_row_file(std::string_view path, std::string_view head);

// How a path spells in an id: bytes that are not UTF-8 become %XX, so that two files never share an
// id by repair. Other paths stay as they are.
std::string document_id_text(std::string_view path);

// One file that is not a row file. Binary, empty and unsupported files are reported, not errors; so
// is one whose trusted labels are malformed (kMalformed): it is left out rather than shown to the
// wrong people.
//   document_id and path are file.document_id; every chunk carries the document's language.
Status read_document_file(const FileEntry& file, std::string_view bytes,
                          const SourceOptions& options, const DocumentSink& sink,
                          SourceReport& report);

// Rows: records, BEIR rows, chunk records. Push lines in order; finish() flushes the last document
// of chunks. Memory: one document. A document without text and title is reported as kEmpty; one
// with a title only has one chunk without text. Other record types are handed to `other` (rag-chunk
// passes them through; rag-index counts them). A bad row is an error "name:number: what: remedy"
// unless options.skip_bad.
class RowReader {
 public:
  // `options` and `report` must outlive the reader.
  RowReader(std::string name, const SourceOptions& options, DocumentSink sink,
            std::function<Status(std::string_view line)> other, SourceReport& report);
  ~RowReader();
  Status push(std::string_view line, std::uint64_t number);
  Status finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ragline
