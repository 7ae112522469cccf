#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.h"

namespace ragline {

// What the writer knows of the files it has read: sources.sqlite in the index directory, two tables:
//
//   meta(key TEXT PRIMARY KEY, value TEXT)                "generation", "labels"
//   sources(path BLOB PRIMARY KEY, size, mtime_ns, checksum INTEGER, skip TEXT, rows INTEGER)
//
// A cache: when it is missing, damaged, or of another generation than the manifest, it is empty and the files are hashed again.
// One thread. Errors of SQLite are swallowed on load (see above) and kIo on save.
struct SourceEntry {
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t checksum = 0;  // XXH3 of the bytes
  std::string skip;            // why it is not in the index; empty when it is
  bool rows = false;           // a file of rows
};

class Inventory {
 public:
  // folder: the index directory; empty for an index in memory, which has no inventory.
  static Inventory load(const std::string& folder, std::uint64_t generation, const std::string& labels);

  // By path as walked (bytes).
  const SourceEntry* find(const std::string& path) const;
  const std::unordered_map<std::string, SourceEntry>& entries() const { return entries_; }
  void put(const std::string& path, SourceEntry entry);
  void erase(const std::string& path);
  // The labels file's checksum, as given to load, differs from the one the index was built with.
  bool labels_changed() const { return labels_changed_; }
  // Writes what was put and erased since load, for this generation. Does nothing when nothing changed.
  Status save(const std::string& folder, std::uint64_t generation, const std::string& labels);
  // For a commit that read no files: what is known stays so for the next generation, but for the paths in `gone` and what lies
  // below them. Does nothing when there is no inventory of generation `from`.
  static Status carry(const std::string& folder, std::uint64_t from, std::uint64_t to, const std::vector<std::string>& gone);

 private:
  std::unordered_map<std::string, SourceEntry> entries_;
  std::map<std::string, bool> changed_;  // path -> still there
  bool loaded_ = false;                  // from a file that fits
  bool labels_changed_ = false;
  std::uint64_t generation_ = 0;
};

}  // namespace ragline
