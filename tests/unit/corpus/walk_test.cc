#include "corpus/walk.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "catch.h"
#include "core/files.h"
#include "walk_tree.h"

using namespace ragline;

namespace {

// Permissions bind everybody but root: tests that run as root become nobody for a while.
class Unprivileged {
 public:
  Unprivileged() {
    if (::geteuid() == 0) changed_ = ::seteuid(65534) == 0;
  }
  ~Unprivileged() {
    if (changed_) (void)!::seteuid(0);
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  bool changed_ = false;
};

Error walk_error(const Strings& roots) {
  auto result = walk(roots, {}, [](FileEntry&&) -> Status { return {}; }, nullptr);
  REQUIRE_FALSE(result);
  return result.error();
}

}  // namespace

TEST_CASE("files come in byte order of their paths") {
  Tree tree;
  for (const char* name : {"a/b", "a-b", "a.b", "a", "a0", "B", "é", "a/b-c/d", "a/b/c"}) {
    if (std::filesystem::is_directory(tree.at(name)) || std::string(name) == "a" || std::string(name) == "a/b") continue;
    tree.file(name);
  }
  CHECK(walk_tree(tree, {""}).files == Strings{"B", "a-b", "a.b", "a/b-c/d", "a/b/c", "a0", "é"});
}

TEST_CASE("random trees are walked in the order of the sorted list") {
  const unsigned seed = 20261130u;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const char* const names[] = {"a", "a-", "a0", "b", "a.b", "A", "\xFF", "a "};
  Tree tree;
  Strings folders{""}, files;
  for (int i = 0; i < 150; ++i) {
    const std::string path = folders[random() % folders.size()] + names[random() % std::size(names)];
    if (std::filesystem::exists(tree.at(path))) continue;
    if (random() % 3 == 0) {
      tree.folder(path);
      folders.push_back(path + "/");
    } else {
      tree.file(path);
      files.push_back(path);
    }
  }
  std::ranges::sort(files);
  CHECK(walk_tree(tree, {""}).files == files);
  // However the roots overlap, each file comes once and in the same order.
  Strings roots{"", ""};
  for (int i = 0; i < 10; ++i) {
    roots.push_back(folders[random() % folders.size()]);
    if (!files.empty()) roots.push_back(files[random() % files.size()]);
  }
  CHECK(walk_tree(tree, roots).files == files);
}

TEST_CASE("qmd_717_paths_are_bytes") {
  Tree tree;
  const Strings names{"a\nb", "a b", "cafe\xCC\x81", "caf\xC3\xA9", "caf\xE9", "x\"y'z", "~\\"};
  for (const auto& name : names) tree.file(name);
  CHECK(walk_tree(tree, {""}).files == names);
}

TEST_CASE("an entry says how to open the file, what to call it, and its size and time") {
  Tree tree;
  tree.file("docs/a.txt", "12345");
  std::vector<FileEntry> found;
  WalkOptions options;
  auto collect = [&](FileEntry&& file) -> Status {
    found.push_back(std::move(file));
    return {};
  };
  options.base = tree.at("docs");
  REQUIRE(walk({tree.at("docs/../docs/")}, options, collect, nullptr));
  options.base = tree.at("other");
  REQUIRE(walk({tree.at("docs")}, options, collect, nullptr));
  REQUIRE(found.size() == 2);
  CHECK(found[0].path == tree.at("docs/a.txt"));
  CHECK(found[0].document_id == "a.txt");
  CHECK(found[0].size == 5);
  CHECK(found[0].mtime_ns == stat_file(tree.at("docs/a.txt")).mtime_ns);
  CHECK(found[1].document_id == tree.at("docs/a.txt"));
}

TEST_CASE("relative roots are taken from the current directory") {
  Tree tree;
  tree.file("docs/a.txt");
  const std::string before = current_directory();
  REQUIRE(::chdir(tree.at("docs").c_str()) == 0);
  Strings found;
  auto collect = [&](FileEntry&& file) -> Status {
    found.push_back(file.path + " " + file.document_id);
    return {};
  };
  const bool walked = walk({".", "../docs", "a.txt"}, {}, collect, nullptr).has_value() &&
                      walk({".."}, {}, collect, nullptr).has_value();
  const auto missing = walk({"nowhere"}, {}, collect, nullptr);
  REQUIRE(::chdir(before.c_str()) == 0);
  REQUIRE(walked);
  CHECK(found == Strings{"a.txt a.txt", "../docs/a.txt a.txt"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "cannot read 'nowhere': No such file or directory: check the path, which is taken from '" +
                                       tree.at("docs") + "'");
}

TEST_CASE("a root that has vanished is an error before anything is visited") {
  Tree tree;
  tree.file("a");
  const Error error = walk_error({tree.at("a"), tree.at("gone")});
  CHECK(error.kind == ErrorKind::kNotFound);
  CHECK(error.message == "cannot read '" + tree.at("gone") + "': No such file or directory: check the path");
  CHECK(walk_error({tree.at("a/b")}).message == "cannot read '" + tree.at("a/b") + "': Not a directory: check the path");
}

TEST_CASE("qmd_684_an_empty_path_is_not_the_current_directory") {
  const Error error = walk_error({""});
  CHECK(error.kind == ErrorKind::kUsage);
  CHECK(error.message == "cannot walk '': the path is empty: name a file or a directory ('.' is the current one)");
}

TEST_CASE("hidden, ignored, large and special files are left out and named") {
  Tree tree;
  tree.file(".ignore", "skipped/\n!.kept\n");
  for (const char* name : {".hidden", ".kept", ".git/config", "skipped/a", "b"}) tree.file(name);
  tree.file("large", std::string(100, 'x'));
  REQUIRE(::mkfifo(tree.at("pipe").c_str(), 0600) == 0);
  WalkOptions options;
  options.max_file_size = 99;
  auto walked = walk_tree(tree, {""}, options);
  CHECK(walked.files == Strings{".kept", "b"});
  CHECK(walked.skipped == Strings{".git: hidden", ".hidden: hidden", ".ignore: hidden", "large: too_large",
                                  "pipe: special", "skipped: ignored"});
  CHECK(walked.complete == std::vector<bool>{true});
  options.hidden = true;
  CHECK(walk_tree(tree, {""}, options).files == Strings{".hidden", ".ignore", ".kept", "b"});
}

TEST_CASE("opencode_31994_an_explicit_path_is_not_ignored") {
  Tree tree;
  tree.file(".gitignore", "secret\nbuild/\n");
  for (const char* name : {"secret", "build/docs/a", "build/b", "c"}) tree.file(name);
  REQUIRE(::mkfifo(tree.at("pipe").c_str(), 0600) == 0);
  const auto walked = walk_tree(tree, {"", "secret", "build/docs", "pipe"});
  CHECK(walked.files == Strings{"build/docs/a", "c", "pipe", "secret"});
  CHECK(walked.skipped == Strings{".gitignore: hidden", "build: ignored"});
  CHECK(walk_tree(tree, {"", "build"}).skipped == Strings{".gitignore: hidden", "pipe: special", "secret: ignored"});
  CHECK(walk_tree(tree, {"build"}).files == Strings{"build/b", "build/docs/a"});
}

TEST_CASE("depth and globs") {
  Tree tree;
  for (const char* name : {"a.md", "b.txt", "docs/c.md", "docs/d.txt", "docs/deep/e.md", "old/f.md"}) tree.file(name);
  WalkOptions options;
  options.max_depth = 1;
  CHECK(walk_tree(tree, {""}, options).files == Strings{"a.md", "b.txt"});
  options.max_depth = 2;
  CHECK(walk_tree(tree, {""}, options).files == Strings{"a.md", "b.txt", "docs/c.md", "docs/d.txt", "old/f.md"});
  options.max_depth = 0;
  options.globs = {"*.md", "!old"};
  const auto walked = walk_tree(tree, {""}, options);
  CHECK(walked.files == Strings{"a.md", "docs/c.md", "docs/deep/e.md"});
  CHECK(walked.skipped == Strings{"b.txt: ignored", "docs/d.txt: ignored", "old: ignored"});
  options.globs = {"docs/*.{md,txt}"};
  CHECK(walk_tree(tree, {"docs", "a.md"}, options).files == Strings{"docs/c.md", "docs/d.txt"});
}

TEST_CASE("qmd_460_what_cannot_be_read_is_reported_and_its_root_incomplete") {
  Tree tree;
  for (const char* name : {"open/a", "shut/b", "shut/deep/c", "unlisted/d", "z"}) tree.file(name);
  tree.file("open/.gitignore", "*.o");
  REQUIRE(::chmod(tree.top().c_str(), 0755) == 0);
  REQUIRE(::chmod(tree.at("shut").c_str(), 0) == 0);
  REQUIRE(::chmod(tree.at("unlisted").c_str(), 0744) == 0);  // names, but no stat
  REQUIRE(::chmod(tree.at("open/.gitignore").c_str(), 0) == 0);
  Walked walked, shut;
  {
    const Unprivileged nobody;
    walked = walk_tree(tree, {"", "open", "z"});
    shut = walk_tree(tree, {"shut", "shut/deep"});
  }
  REQUIRE(::chmod(tree.at("shut").c_str(), 0755) == 0);
  REQUIRE(::chmod(tree.at("unlisted").c_str(), 0755) == 0);
  const std::string why = ": unreadable: Permission denied";
  CHECK(walked.files == Strings{"open/a", "z"});
  CHECK(std::ranges::count(walked.skipped, "shut" + why) == 1);
  CHECK(std::ranges::count(walked.skipped, "unlisted/d" + why) == 1);
  CHECK(std::ranges::count(walked.skipped, "open/.gitignore" + why) >= 1);
  CHECK(walked.complete == std::vector<bool>{false, true, true});
  CHECK(shut.skipped == Strings{"shut" + why, "shut/deep" + why});
  CHECK(shut.complete == std::vector<bool>{false, false});
}

TEST_CASE("ck_112_links_are_not_followed_unless_asked_and_never_out_of_the_root") {
  Tree tree;
  tree.file("outside/secret");
  tree.file("root/real/a");
  tree.link("../outside", "root/escape");
  tree.link("../outside/secret", "root/file-escape");
  tree.link("real/a", "root/inside");
  tree.link("real", "root/folder");
  tree.link("nowhere", "root/broken");
  tree.link("/", "root/slash");
  auto walked = walk_tree(tree, {"root"});
  CHECK(walked.files == Strings{"root/real/a"});
  CHECK(walked.skipped == Strings{"root/broken: link", "root/escape: link", "root/file-escape: link", "root/folder: link",
                                  "root/inside: link", "root/slash: link"});
  WalkOptions options;
  options.follow_links = true;
  walked = walk_tree(tree, {"root"}, options);
  CHECK(walked.files == Strings{"root/folder/a", "root/inside", "root/real/a"});
  CHECK(walked.skipped == Strings{"root/broken: link_outside: its target is missing",
                                  "root/escape: link_outside: its target is outside the root",
                                  "root/file-escape: link_outside: its target is outside the root",
                                  "root/slash: link_outside: its target is outside the root"});
  CHECK(walked.complete == std::vector<bool>{true});
  // A root that is a link itself was named on purpose.
  CHECK(walk_tree(tree, {"root/escape"}).files == Strings{"root/escape/secret"});
}

TEST_CASE("ripgrep_1353_links_that_point_at_each_other_end") {
  Tree tree;
  WalkOptions options;
  options.follow_links = true;
  for (int i = 0; i < 8; ++i) {
    const std::string folder = "d" + std::to_string(i);
    tree.file(folder + "/file");
    tree.link(".", folder + "/self");
    tree.link("..", folder + "/up");
    for (int j = 0; j < 8; ++j) tree.link("../d" + std::to_string(j), folder + "/to" + std::to_string(j));
  }
  const auto walked = walk_tree(tree, {""}, options);
  // Each of the eight once as itself and once by the first link to it.
  CHECK(walked.files.size() == 16);
  CHECK(std::ranges::count(walked.skipped, "d0/self: link_outside: its target was entered already") == 1);
}

TEST_CASE("an error of the visitor stops the walk") {
  Tree tree;
  for (const char* name : {"a", "b", "c"}) tree.file(name);
  int visited = 0;
  auto stop = [&](FileEntry&&) -> Status {
    if (++visited == 2) return fail(ErrorKind::kInterrupted, "enough");
    return {};
  };
  const auto result = walk({tree.top()}, {}, stop, nullptr);
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "enough");
  CHECK(visited == 2);
}

TEST_CASE("semble_135_deep_trees_need_no_deep_stack") {
  Tree tree;
  std::string path;
  for (int i = 0; i < 300; ++i) path += "d/";
  tree.file(path + "leaf");
  CHECK(walk_tree(tree, {""}).files == Strings{path + "leaf"});
}

TEST_CASE("no roots, empty folders and the names of reasons") {
  Tree tree;
  tree.folder("empty/deep");
  CHECK(walk_tree(tree, {}).complete.empty());
  CHECK(walk_tree(tree, {"empty"}).files.empty());
  CHECK(skip_reason_name(SkipReason::kTooLarge) == std::string("too_large"));
  CHECK(is_unreadable(SkipReason::kUnreadable));
  CHECK_FALSE(is_unreadable(SkipReason::kBinary));
}
