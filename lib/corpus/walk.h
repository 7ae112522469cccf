#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "corpus/ignore.h"

// Finding the files below some roots, as ripgrep does: .gitignore (nested, parents up to the repository, negation),
// .ignore and .ragignore, .git/info/exclude; hidden files left out; links followed only when asked, and never out of their root.
// What the rules mean exactly is in ignore.h.
//
//   Output   files in byte order of their absolute paths ("a-b" before "a/b"), each path once however the roots overlap
//   Paths    are bytes: no decoding, no case folding
//   Cost     one directory read and one stat a file; 50,000 files take about as long as `find -type f`. Memory: the entries of
//            the directories on the way down
//   Errors   a root that does not exist is kNotFound (before anything is visited), an empty one kUsage; everything else is
//            reported to `skip` and the walk goes on
namespace ragline {

enum class SkipReason {
  kIgnored,      // by an ignore file, a glob or the depth limit; a directory is reported once for all below it
  kHidden,       // the name begins with '.' and no '!' rule asks for it; ".git" always
  kBinary,       // NUL bytes in what is no UTF-16 text, or a known binary format (found on reading, not by the walk)
  kTooLarge,
  kUnreadable,   // permission, vanished, I/O error
  kLinkOutside,  // a link whose target leaves the root, is broken or loops
  kSpecial,      // socket, fifo, device
  kUnsupported,  // a document format this build has no parser for
  kEmpty,        // no text in it
  kMalformed,    // parsed as far as possible, or not at all
  kLink          // links are not followed
};
// The stable snake_case name: "ignored", "too_large", "link_outside", ...
const char* skip_reason_name(SkipReason reason);
// Ignored, hidden, binary, empty and the like are choices; kUnreadable and kMalformed mean that something asked for could not be
// read.
bool is_unreadable(SkipReason reason);

// A directory held open, so that the files in it are opened without looking up its path again.
class OpenDirectory {
 public:
  explicit OpenDirectory(int descriptor) : descriptor_(descriptor) {}
  ~OpenDirectory();
  OpenDirectory(const OpenDirectory&) = delete;
  OpenDirectory& operator=(const OpenDirectory&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

struct FileEntry {
  std::string path;         // as it can be opened: root + '/' + relative; the root is normal ("docs/../docs" is "docs")
  std::string document_id;  // relative to WalkOptions::base when below it, else the absolute path
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  // WalkOptions::keep_directories: `path` without what stands before its last '/' is the file's name in it. May be null all the same.
  std::shared_ptr<const OpenDirectory> directory{};
};

struct WalkOptions {
  std::string base;            // document ids are relative to this directory; empty: the current directory
  bool hidden = false;
  bool use_ignore_files = true;
  // A followed link is a path of its own, its target too when it lies in the walk. A directory is entered by links once.
  bool follow_links = false;
  std::uint64_t max_file_size = 256ull << 20;  // not for *.jsonl and *.ndjson: they are read row by row
  int max_depth = 0;                // 0: no limit; 1: only the files directly in a root
  std::vector<std::string> globs;   // --path-glob, on document ids: PathGlobs of glob.h

  // For a search that opens every file anyway:
  bool stat_files = true;           // false: size and time are 0, and max_file_size does not hold
  bool require_git = false;         // .gitignore holds inside a git repository only, as ripgrep has it
  bool keep_directories = false;    // files come with an open descriptor of their directory
  // Asked before the ignore rules, with the absolute path: kIgnore leaves out, kKeep takes in, whatever the rules and dots say.
  std::function<IgnoreVerdict(std::string_view path, bool is_directory)> verdict;
  // Opens a directory for reading instead of open(2), so that the walk can be confined: a descriptor, or -1 and errno.
  std::function<int(const std::string& path, bool follow_link)> open_directory;
};

// detail: the reason in words for unreadable things ("Permission denied") and for links, else empty.
using VisitFile = std::function<Status(FileEntry&&)>;
using VisitSkip = std::function<void(const std::string& path, SkipReason, const std::string& detail)>;

// A file to visit, or something skipped.
struct WalkItem {
  std::string key;  // absolute path, with a '/' after a directory's: the order of the stream
  bool is_file = false;
  bool is_root = false;  // named by the caller
  FileEntry file;
  std::string path;  // of what is skipped
  SkipReason reason{};
  std::string detail;
};

// The same walk as a stream: what walk() visits and skips, item by item.
class Walker {
 public:
  static Result<Walker> open(const std::vector<std::string>& roots, const WalkOptions& options);
  Walker(Walker&&) noexcept;
  Walker& operator=(Walker&&) noexcept;
  ~Walker();
  // False at the end.
  bool next(WalkItem& item);
  // After the end: for each root, whether everything below it could be read.
  const std::vector<bool>& complete() const;

 private:
  struct State;
  explicit Walker(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Roots may be files: they are visited whatever the ignore rules say (a named pipe too); globs and the size limit hold. A root
// that is a directory is walked even if it is ignored or hidden itself. A Status error from visit stops the walk.
// Returns, for each root, whether everything below it could be read (deletions may be concluded only then). A file that
// vanished meanwhile does not count against its root; a directory does.
Result<std::vector<bool>> walk(const std::vector<std::string>& roots, const WalkOptions& options,
                               const VisitFile& visit, const VisitSkip& skip);

}  // namespace ragline
