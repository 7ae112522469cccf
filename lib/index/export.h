#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "index/snapshot.h"

// Everything an index holds, written out again. These are the operator's: no scope narrows them, and what they write is to
// be kept from others as the index itself is.
namespace ragline {

struct ExportReport {
  std::uint64_t documents = 0, chunks = 0;
};

// Live documents as `chunk` records, those of a document together and in order; deleted ones are left out. Built into
// another index, they give the results of this one when it is merged: ids, titles, context, languages, metadata, labels and versions
// are all on the chunks. What stays behind: fields of document records that ragline does not know, the sizes and times of files (the copy
// cannot tell that one has changed since), and that the index is governed, which the copy must be told again.
//   Order   of segments: fast, and the same for the same files, but not after a merge
//   sink    takes whole lines; its error stops the export
Result<ExportReport> export_records(const Snapshot& snapshot, const std::function<Status(std::string_view lines)>& sink);

// The same as a new SQLite database with the tables
//
//   documents(id INTEGER PRIMARY KEY, document_id, version, path, media_type, language, tenant, acl, effective_from,
//             effective_to, checksum, title, metadata)      acl and metadata are JSON; absent fields are NULL
//   chunks(evidence_id, document INTEGER REFERENCES documents(id), ordinal, parent_id, section_path, page, block_type, first_line,
//          last_line, begin, end, text, context)            section_path is JSON; begin and end are bytes
//
// and indexes on documents.document_id, chunks.document and chunks.evidence_id. Text columns are TEXT; a path that is not UTF-8 is a BLOB.
// The file appears when it is complete.
//   Errors  kUsage when the file exists, kIo
Result<ExportReport> export_sqlite(const Snapshot& snapshot, const std::string& file);

}  // namespace ragline
