#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "record/record.h"

// How a document and a chunk are written as rows of the file "text". A row leaves out what the columns say (ids, version,
// tenant, path), and a chunk's row what its document's row says: a chunk field that is empty is its document's.
//
// Decoding is bounds-checked: false for bytes that no encoder wrote.
namespace ragline {

// The file that a document came from, as it was when it was read. Zero when unknown, or when it was no file.
struct SourceStamp {
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  bool operator==(const SourceStamp&) const = default;
};

// The fields that a document's chunks share; a Document's text has no place here.
struct DocumentRow {
  std::string title, media_type, language;
  Governance governance;      // tenant is in the columns and stays empty
  std::string checksum, extractor;
  RawJson metadata;
  std::string extra;
  SourceStamp source;
  std::uint32_t columns_hash = 0;  // of the document's columns (documents.h): every answer is checked against it
};

// `row` is cleared first. `language` stands for document.language.
void encode_document_row(std::string& row, const Document& document, std::string_view language,
                         std::string_view extractor, std::uint32_t columns_hash, const SourceStamp& source = {});
bool decode_document_row(std::string_view row, DocumentRow& out);

// `place` is the chunk's place in its document's run, `path` its document's path. The vector is not stored. An evidence id that follows from
// the document's id, the span and the text is not stored either.
void encode_chunk_row(std::string& row, const Chunk& chunk, const Document& document, std::string_view language,
                      std::string_view extractor, std::uint32_t place);
// Requires that `out` is a new Chunk with document_id, version, path and governance.tenant set from the columns.
bool decode_chunk_row(std::string_view row, const DocumentRow& document, std::uint32_t place, Chunk& out);

}  // namespace ragline
