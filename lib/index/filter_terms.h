#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "record/record.h"

// The filter terms of a document and its chunks: what a SegmentWriter adds with
// PostingsBuilder::add_filter, and what filters look up (lexical/field.h, filter_key). Both sides
// take names and values from here.
//
//   name          value
//   version, media_type, tenant, title   the document's own
//   language, block_type                 the chunk's own
//   acl           each principal of the list
//   labelled      "", when the document has an acl, be it an empty one
//   rows_of       the file of rows that brought the document, as an id
//   timed         "", when the document has effective_from or effective_to
//   m.<path>      each scalar of the metadata: {"a": {"b": [1, "x"]}} gives m.a.b = "1" and "x"
//
// Empty values are not added, but empty strings in metadata are. Numbers are as written in the
// JSON, true and false are words, null is no value. Metadata paths above 256 bytes, or with a byte
// 0x1F in them, are left out.
namespace ragline {

struct FilterTerm {
  std::string name, value;
  bool operator==(const FilterTerm&) const = default;
};

// Once a document; its metadata must be valid JSON or empty (the reader sees to it), else nothing
// of it is taken.
// `rows_of` as in ChunkedDocument.
std::vector<FilterTerm> document_filter_terms(const Document& document,
                                              std::string_view rows_of = {});
// Once a chunk.
std::vector<FilterTerm> chunk_filter_terms(const Chunk& chunk);

// The form in which a value stands in a term: itself up to 256 bytes; of a longer one the first 240
// bytes (a whole code point less, where they would split one) and 16 hex digits of its XXH3, so
// that equality stays exact and keys stay short.
std::string filter_value(std::string_view value);

// Term names that are no field of a record.
inline constexpr std::string_view kLabelled = "labelled", kTimed = "timed", kRowsOf = "rows_of",
                                  kMetadataPrefix = "m.";

}  // namespace ragline
