#pragma once
#include <string>
#include <vector>

#include "core/result.h"
#include "core/storage.h"
#include "index/manifest.h"

// Files of an index that its manifest does not name: what a writer leaves that died before, or
// right after, its commit.
namespace ragline {

// Names in the index's folder, folders with a trailing '/'. Only names that a writer gives; a
// user's files are none of ours.
Result<std::vector<std::string>> find_leftovers(const Storage& storage, const Manifest& manifest);
Status remove_leftovers(Storage& storage, const Manifest& manifest);
// A name that belongs in an index folder, so that nobody's documents are taken for one.
bool is_index_name(std::string_view name);

}  // namespace ragline
