#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/storage.h"
#include "index/snapshot.h"

namespace ragline {

// What there is to say of an index besides its manifest. Reads directories only, no documents.
struct IndexInfo {
  struct LanguageInfo {
    std::string code;
    std::uint64_t chunks = 0;     // deleted ones included until a merge drops them
    double average_length = 0;    // terms in a chunk's text
  };
  std::uint64_t documents = 0, chunks = 0;     // live
  std::uint64_t several_versions = 0;          // documents with more than one live version
  std::vector<LanguageInfo> languages;         // most chunks first
  std::map<std::string, std::uint64_t> files;  // kind -> bytes: "text", "postings", "deletes", ...; sources.sqlite included
  std::uint64_t bytes = 0;                     // of all files but the inventory, which no search needs
  std::uint64_t text_bytes = 0;                // rows of text with their fields, before compression
};

Result<IndexInfo> describe_index(const Storage& storage, const Snapshot& snapshot);

}  // namespace ragline
