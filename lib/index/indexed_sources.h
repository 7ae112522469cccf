#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "index/snapshot.h"

// What an index itself says of the files that its documents came from: for builds whose inventory
// is gone.
namespace ragline {

// Whether any version of the document is there.
bool has_document(const Snapshot& snapshot, std::string_view document_id);
// Whether it is there with these source bytes (checksum_text).
bool has_document(const Snapshot& snapshot, std::string_view document_id, std::string_view checksum);
// Appends the ids of the documents that a file of rows brought; `file` is its id.
void append_documents_of_rows(const Snapshot& snapshot, std::string_view file, std::vector<std::string>& out);
// The files of rows that brought documents, as ids.
std::set<std::string> files_of_rows(const Snapshot& snapshot);

}  // namespace ragline
