#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "corpus/glob.h"
#include "corpus/ignore.h"

namespace ragline {

// Named sets of globs over file names: "py" is *.py and *.pyi. ripgrep's names; the common ones are built in.
class FileTypes {
 public:
  FileTypes();
  // --type-add NAME:GLOB, or NAME:include:OTHER,OTHER. kUsage.
  Status add(std::string_view definition);
  // The globs of a type. kUsage for an unknown name, with the nearest one.
  Result<std::vector<std::string>> globs(std::string_view name) const;
  // --type-list: "py: *.py, *.pyi" a line, by name.
  std::string list() const;

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> types_;  // by name
};

// -g, --iglob, -t and -T as ripgrep has them: of the globs the last that matches decides; with any glob that takes in, all files
// that none matches are left out; a taken-in file is searched whatever the ignore rules say. Types then narrow the files.
class PathFilter {
 public:
  // `base` (absolute, normal) is what globs with a '/' in them start from.
  explicit PathFilter(std::string base) : base_(std::move(base)) {}
  void add_glob(std::string_view glob, bool ignore_case);
  void add_type(const std::vector<std::string>& globs, bool negated);
  bool empty() const { return globs_.empty() && wanted_types_.empty() && unwanted_types_.empty(); }
  // For WalkOptions::verdict. `path` is absolute.
  IgnoreVerdict verdict(std::string_view path, bool is_directory) const;

 private:
  struct Override {
    Glob glob;
    bool negated, ignore_case;
  };
  std::string base_;
  std::vector<Override> globs_;
  bool takes_in_ = false;
  std::vector<Glob> wanted_types_, unwanted_types_;
};

}  // namespace ragline
