#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "corpus/walk.h"

// A directory tree in a temporary folder, gone with the object, and what a walk of it finds.
namespace ragline {

class Tree {
 public:
  Tree() {
    std::string name = (std::filesystem::temp_directory_path() / "ragline-walk-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()));
    top_ = std::filesystem::canonical(name).string();
  }
  ~Tree() { std::filesystem::remove_all(top_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const std::string& top() const { return top_; }
  std::string at(const std::string& path) const { return path.empty() ? top_ : top_ + "/" + path; }
  void folder(const std::string& path) { std::filesystem::create_directories(at(path)); }
  void file(const std::string& path, const std::string& bytes = "x") {
    std::filesystem::create_directories(std::filesystem::path(at(path)).parent_path());
    std::ofstream(at(path), std::ios::binary) << bytes;
  }
  void link(const std::string& target, const std::string& path) {
    std::filesystem::create_directories(std::filesystem::path(at(path)).parent_path());
    std::filesystem::create_symlink(target, at(path));
  }

 private:
  std::string top_;
};

struct Walked {
  std::vector<std::string> files;    // document ids, in order
  std::vector<std::string> skipped;  // "path: reason[: detail]"
  std::vector<bool> complete;
};

// Walks roots given below the tree's top, with ids relative to the top.
inline Walked walk_tree(const Tree& tree, const std::vector<std::string>& roots, WalkOptions options = {}) {
  options.base = tree.top();
  std::vector<std::string> paths;
  for (const auto& root : roots) paths.push_back(tree.at(root));
  Walked out;
  auto result = walk(
      paths, options,
      [&](FileEntry&& file) -> Status {
        out.files.push_back(file.document_id);
        return {};
      },
      [&](const std::string& path, SkipReason reason, const std::string& detail) {
        const std::string name = path.starts_with(tree.top() + "/") ? path.substr(tree.top().size() + 1) : path;
        out.skipped.push_back(name + ": " + skip_reason_name(reason) + (detail.empty() ? "" : ": " + detail));
      });
  REQUIRE(result);
  out.complete = *result;
  return out;
}

using Strings = std::vector<std::string>;

}  // namespace ragline
