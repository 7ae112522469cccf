#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "corpus/source.h"
#include "corpus/walk.h"
#include "index/writer.h"

// Building an index from files: the first time all of them, afterwards what has changed.
//
// A file is known by its path. Same size and mtime as in the inventory: unchanged, not opened. Else its bytes are hashed; same
// checksum: unchanged (the inventory is brought up to date). A file that was skipped is remembered with its reason, so that it is not
// read again and again (skim #399). A file that vanished is deleted from the index only when it lies under a root that was read
// completely in this run, and more than a tenth of all documents only with allow_mass_delete.
//
// The inventory is sources.sqlite in the index directory. It belongs to the writer, is never read by a search, and is rebuilt by reading every
// file again when it is missing or does not fit the manifest's generation.
namespace ragline {

struct BuildOptions {
  WriterOptions writer;
  std::vector<std::string> globs;     // --path-glob: only these files of the roots, in this build
  SourceOptions source;               // chunk and language are set from the members below
  // Settings of the index: what is not given is taken from the index, and from the default for a new one. Given ones that differ from
  // the index's have every file read again.
  std::optional<std::uint32_t> chunk_size, chunk_overlap;
  std::optional<std::string> language;  // a code, or "auto": detected per document
  // Likewise, but no reason to read again what is read already.
  std::optional<bool> hidden, ignore_files, follow_links;
  std::optional<std::uint64_t> max_file_size;
  std::string root;                   // document ids are relative to it; empty: the index's own, else the current directory
  bool governed = false;              // declare the index governed; a later build cannot take that back
  std::string labels;                 // file of labels (index/labels.h); empty: that of the builds before, if any
  bool allow_mass_delete = false;     // more than a tenth of the documents (and more than ten)
  bool full = false;                  // read every file again
  // Gives chunks their vectors; null: none are stored. The index keeps its space; files of an index without vectors are read again.
  DocumentEmbedder* embedder = nullptr;
};

struct BuildReport {
  std::uint64_t added = 0, updated = 0, deleted = 0, unchanged = 0;   // documents
  std::uint64_t files = 0, bytes = 0, chunks = 0;                     // read in this run
  std::map<std::string, std::uint64_t> skipped;                       // reason -> files
  std::uint64_t unreadable = 0;                                       // of those, what was asked for and could not be read
  std::vector<std::string> unreadable_examples;                       // "path: reason", the first few
  std::uint64_t bad_rows = 0;
  std::string first_bad;
  std::uint64_t vectors_ignored = 0;                                  // records that brought one, in a build without an embedder
  std::uint32_t segments = 0;
};

// Progress for a bar: called for every file seen, from one thread, and after every file or slice of rows read, from any.
struct BuildProgress {
  std::function<void(std::uint64_t)> seen, done;
};

// Roots are files and directories; with none, those the index has recorded. "-" is a stream of records on standard input.
// Everything becomes visible at once, at the end; interrupted() before that leaves the old index.
Result<BuildReport> build_index(std::shared_ptr<Storage> storage, const std::vector<std::string>& roots, const BuildOptions& options,
                                const BuildProgress& progress = {});

}  // namespace ragline
