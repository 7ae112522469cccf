#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/storage.h"

// MANIFEST: the one file that says what an index is. Replaced by rename; JSON with its own
// checksum, so that a person can read it and a torn one is noticed. FORMAT.md has its fields.
namespace ragline {

inline constexpr std::uint32_t kFormatVersion = 1;

struct SegmentEntry {
  std::string name;  // "seg-000001"
  std::uint32_t chunks = 0, documents = 0;
  std::uint64_t bytes = 0;  // on disk
  std::uint32_t vectors = 0;  // chunks that have one
  std::string
      deletes;  // file of the deleted-chunks bitmap ("seg-000001.del-000004"), empty when none
  std::uint32_t deleted_chunks = 0, deleted_documents = 0;
  bool operator==(const SegmentEntry&) const = default;
};

struct Manifest {
  std::uint64_t generation = 0;  // counts commits
  std::uint32_t analyzer_version = 0;
  std::string created_by;          // "ragline 0.1.0"
  std::string base;                // absolute directory that file ids are relative to (--root)
  std::vector<std::string> roots;  // absolute
  bool governed = false;
  bool tenants = false;  // some document has a tenant
  bool labels = false;   // some document has an acl
  std::string labels_file;    // of build --labels, absolute; empty: none. Later builds use it too
  bool trust_labels = false;  // labels are taken from front matter
  std::uint32_t chunk_size = 400, chunk_overlap = 0;
  std::string language;            // given by --language, empty: detected per document
  // The space of the vectors (vectors.h): fingerprint of the embedder, empty without vectors; how queries open it; length of a vector.
  std::string embedder, model;
  std::uint32_t dimensions = 0;
  // What of its roots a build reads, as it was last told (corpus/walk.h).
  bool hidden = false, ignore_files = true, follow_links = false;
  std::uint64_t max_file_size = 256ull << 20;
  std::uint64_t next_segment = 1;  // number of the next segment or side file
  std::string
      versions;  // file listing ids of documents with more than one live version, empty when none
  std::vector<SegmentEntry> segments;
  bool operator==(const Manifest&) const = default;
};

// The bytes of the file; the same manifest always gives the same.
std::string manifest_text(const Manifest& manifest);
// kNotFound "'x' is no ragline index: ..." when there is no MANIFEST; kVersion for a newer format;
// kCorrupt otherwise.
Result<Manifest> read_manifest(const Storage& storage);
// Writes MANIFEST.tmp, syncs, renames over MANIFEST, syncs the folder: the commit point.
Status write_manifest(Storage& storage, const Manifest& manifest);

}  // namespace ragline
