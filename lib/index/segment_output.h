#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/checked_file.h"
#include "core/result.h"
#include "core/storage.h"
#include "index/documents.h"
#include "index/text_store.h"

// The last steps that a build and a merge share.
namespace ragline {

// Makes the segment's folder and opens its file "text" for a TextWriter.
Result<CheckedWriter> create_text(Storage& storage, std::string_view segment);
// Finishes "text" and writes "documents"; both are synced, and the writers empty.
Status write_documents(Storage& storage, std::string_view segment, CheckedWriter& file,
                       TextWriter& text, DocumentWriter& documents);
// The size of all files of a segment.
Result<std::uint64_t> segment_bytes(const Storage& storage, std::string_view segment);

}  // namespace ragline
