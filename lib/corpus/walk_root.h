#pragma once
#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/glob.h"
#include "corpus/ignore.h"
#include "corpus/walk.h"

// One root of a walk as an ordered stream, so that walk() can merge overlapping roots. Internal to lib/corpus.
namespace ragline {

// What a walk has settled once for all its roots.
struct WalkPlan {
  const WalkOptions& options;
  std::string base;  // absolute, normal
  PathGlobs globs;
};

class RootWalk {
 public:
  // `root` is normal, `absolute` the same made absolute; it exists, or did a moment ago.
  RootWalk(const WalkPlan& plan, std::string root, std::string absolute);
  // The next item in the order of keys; false at the end.
  bool next(WalkItem& item);
  // False once something below the root could not be read.
  bool complete() const { return complete_; }

 private:
  struct Entry {
    Entry(std::string its_name, unsigned char its_type) : name(std::move(its_name)), type(its_type) {}
    std::string name;
    unsigned char type;         // of readdir
    bool is_directory = false;  // sorts with a '/' behind its name
    bool skipped = false;
    bool linked = false;        // a link that is followed
    SkipReason reason{};
    std::string detail;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
  };
  struct Identity {
    dev_t device = 0;
    ino_t inode = 0;
    auto operator<=>(const Identity&) const = default;
  };
  struct Directory {
    std::string below;  // relative to the root, with a '/' at its end; empty for the root
    bool linked;        // a link, or below one
    IgnoreScope::Pointer scope;
    Identity identity{};  // only when links are followed
    std::shared_ptr<const OpenDirectory> open{};  // only when the caller wants it, and not at any depth
    std::vector<Entry> entries;
    std::size_t next = 0;
  };

  void start();
  void enter(std::string below, bool is_link, bool linked, IgnoreScope::Pointer scope);
  bool seen(const Directory& directory) const;
  void read_entries(int descriptor, Directory& directory);
  void classify(int descriptor, const Directory& directory, std::string& absolute, Entry& entry);
  void take_file(const std::string& absolute, const struct stat& info, Entry& entry);
  std::string link_problem(const std::string& path) const;
  void report(std::string_view below, SkipReason reason, std::string detail);
  void fill(WalkItem& item, std::string_view below, Entry& entry) const;
  IgnoreVerdict verdict_on(const Directory& directory, const Entry& entry, std::string_view absolute) const;

  const WalkPlan& plan_;
  std::string root_, prefix_;      // as opened, and what a path below it is appended to
  std::string absolute_, absolute_prefix_;
  std::string real_root_;          // with links resolved; only when links are followed
  std::vector<Directory> stack_;
  std::vector<WalkItem> pending_;  // what was skipped on entering a directory
  std::set<Identity> entered_by_link_;
  bool started_ = false, complete_ = true;
};

}  // namespace ragline
