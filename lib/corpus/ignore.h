#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus/glob.h"

// Ignore rules: what .ragignore, .ignore, .gitignore and .git/info/exclude say of a path. Each file is read as git reads
// .gitignore; the walk does what git does about directories (below an ignored one nothing is asked any more).
namespace ragline {

// kKeep: a '!' rule matched last, so that lesser files, and the rule on hidden names, have no say.
enum class IgnoreVerdict : std::uint8_t { kNone, kIgnore, kKeep };

// The rules of one file. The last rule that matches decides. Plain names, '*.ext' and plain paths are looked up by hash,
// so that thousands of rules cost what a few do; only the others are tried one by one.
class IgnoreRules {
 public:
  // The bytes of an ignore file: a byte-order mark and CR LF are allowed, '#' comments, '!' negates, trailing spaces go
  // unless escaped, a line ends at a NUL.
  explicit IgnoreRules(std::string_view bytes);
  bool empty() const { return rules_.empty(); }
  // `path` is relative to the ignore file's directory, `name` its last component.
  IgnoreVerdict match(std::string_view path, std::string_view name, bool is_directory) const;

 private:
  struct Rule {
    GlobPattern pattern;
    bool negated;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Table = std::unordered_map<std::string, std::vector<std::uint32_t>, Hash, std::equal_to<>>;
  void add(std::string_view line);

  std::vector<Rule> rules_;
  Table by_name_, by_extension_, by_path_;
  std::vector<std::uint32_t> others_;
};

// The ignore files that a directory has, as its listing says: regular files only (git follows no link here, and a fifo
// would block).
struct IgnoreFilesPresent {
  bool git = false;  // ".git": a repository begins here
  bool gitignore = false, ignore = false, ragignore = false;
};

// All rules in force in one directory. Immutable; a directory without ignore files shares its parent's.
//   Precedence   .ragignore, .ignore, .gitignore, .git/info/exclude; within each the deepest directory first, as ripgrep has it
//   Repository   .gitignore works without one (rg --no-require-git) unless `require_git`; where one begins, the .gitignore files
//                above it end
//   Not read     the user's own core.excludesFile: two people get the same files from the same tree
class IgnoreScope {
 public:
  using Pointer = std::shared_ptr<const IgnoreScope>;
  // `path` could not be read, and why: the walk goes on without its rules.
  using Unreadable = std::function<void(const std::string& path, const std::string& detail)>;

  // What holds in `root` (absolute, normal) from the directories above it: from the top of the repository that it is in; without
  // one from `base` when that is above; else nothing.
  static Pointer above(const std::string& root, const std::string& base, bool require_git, const Unreadable& unreadable);
  // `outer` and the ignore files of `directory`, which is absolute and ends with '/'; it is opened as `open_as`.
  static Pointer enter(const Pointer& outer, std::string_view directory, std::string_view open_as,
                       const IgnoreFilesPresent& present, bool require_git, const Unreadable& unreadable);

  // `path` is absolute, below every directory entered; `name` its last component.
  IgnoreVerdict match(std::string_view path, std::string_view name, bool is_directory) const;

 private:
  struct Level {
    IgnoreRules rules;
    std::size_t base;  // length of its directory's path, '/' included
    std::shared_ptr<const Level> outer;
  };
  void load(std::size_t family, const std::string& file, std::string_view directory, const Unreadable& unreadable);

  std::array<std::shared_ptr<const Level>, 4> families_;  // by precedence, deepest level first
  bool in_repository_ = false;
};

}  // namespace ragline
