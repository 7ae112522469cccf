#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/storage.h"

namespace ragline {

struct CheckReport {
  std::vector<std::string> problems;  // one line each, naming the file
  std::uint64_t segments = 0, documents = 0, chunks = 0, bytes = 0;
  std::vector<std::string>
      leftovers;  // files that the manifest does not name: no problem, the next writer removes them
};

// Reads a whole index: every checksum, offset, order and count, every row of text against its
// document's columns, every list of postings, the deletes, and the list of documents with several
// versions.
//   Errors  kCorrupt with the first problem and how many more there are; `report`, when given, has
//   all of them.
//           kNotFound and kVersion when there is nothing to check.
Status check_index(const Storage& storage, CheckReport* report = nullptr);

}  // namespace ragline
