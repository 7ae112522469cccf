#include "corpus/ignore.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>

#include "catch.h"
#include "walk_tree.h"

using namespace ragline;

namespace {

IgnoreVerdict match(std::string_view rules, std::string_view path, bool is_directory = false) {
  const std::size_t slash = path.rfind('/');
  return IgnoreRules(rules).match(path, path.substr(slash == path.npos ? 0 : slash + 1), is_directory);
}

bool ignores(std::string_view rules, std::string_view path, bool is_directory = false) {
  return match(rules, path, is_directory) == IgnoreVerdict::kIgnore;
}

bool have_git() { return std::system("git --version >/dev/null 2>&1") == 0; }

// Of `paths`, NUL-separated, those that git ignores.
std::set<std::string> git_ignored(const Tree& tree, const Strings& paths) {
  std::string list;
  for (const auto& path : paths) (list += path) += '\0';
  Tree scratch;
  scratch.file("in", list);
  const std::string command = "git -C '" + tree.top() + "' -c core.excludesFile=/dev/null check-ignore --no-index -z --stdin <'" +
                              scratch.at("in") + "' >'" + scratch.at("out") + "'";
  REQUIRE(std::system(command.c_str()) != -1);
  std::set<std::string> out;
  std::ifstream answers(scratch.at("out"), std::ios::binary);
  for (std::string path; std::getline(answers, path, '\0');) out.insert(path);
  return out;
}

}  // namespace

TEST_CASE("lines of an ignore file") {
  CHECK(ignores("# comment\n\nfoo\n", "foo"));
  CHECK_FALSE(ignores("#foo", "#foo"));
  CHECK(ignores("\\#foo", "#foo"));
  CHECK(ignores("foo\r\nbar\r\n", "foo"));
  CHECK(ignores("foo   \n", "foo"));
  CHECK(ignores("foo\\ \n", "foo "));
  CHECK_FALSE(ignores("foo\\ \n", "foo"));
  CHECK(ignores("foo\t\n", "foo\t"));
  CHECK(ignores(" foo", " foo"));
  CHECK(ignores(std::string_view("foo\0bar\nx", 9), "foo"));
  CHECK(match("*.log\n!keep.log", "a/keep.log") == IgnoreVerdict::kKeep);
  CHECK(match("!keep.log\n*.log", "keep.log") == IgnoreVerdict::kIgnore);
  CHECK(ignores("\\!foo", "!foo"));
  CHECK(ignores("build/", "x/build", true));
  CHECK_FALSE(ignores("build/", "x/build", false));
  CHECK(match("!\n/\n\\", "a") == IgnoreVerdict::kNone);
  CHECK(IgnoreRules("# nothing\n").empty());
}

TEST_CASE("ripgrep_2177_a_byte_order_mark_is_no_part_of_the_first_rule") {
  CHECK(ignores("\xEF\xBB\xBF" "foo\n", "foo"));
}

TEST_CASE("ripgrep_2750_ten_thousand_rules_are_looked_up_not_tried") {
  std::string rules;
  for (int i = 0; i < 10000; ++i) {
    const std::string n = std::to_string(i);
    rules += "name" + n + "\n/path/to/" + n + "/\n*.ext" + n + "\n";
  }
  rules += "!name77\n";
  const IgnoreRules compiled(rules);
  CHECK(compiled.match("a/name9999", "name9999", false) == IgnoreVerdict::kIgnore);
  CHECK(compiled.match("a/name77", "name77", false) == IgnoreVerdict::kKeep);
  CHECK(compiled.match("path/to/5000", "5000", true) == IgnoreVerdict::kIgnore);
  CHECK(compiled.match("x.tar.ext123", "x.tar.ext123", false) == IgnoreVerdict::kIgnore);
  for (int i = 0; i < 100000; ++i) REQUIRE(compiled.match("a/b", "b", false) == IgnoreVerdict::kNone);
}

TEST_CASE("random rules on random trees agree with git check-ignore") {
  if (!have_git()) return;
  const unsigned seed = 20261130u;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const char* const names[] = {"a", "b", "ab", "a.o", "b.c", "a-b", "x y", "é", "[a]", "a ", "#c", "!d", "a\\b", ".h", "aab"};
  const char* const pieces[] = {"a", "b", "ab", ".o", "*", "**", "/", "/**/", "**/", "/**", "?", "[ab]", "[!a]", "[a", "\\", " ",
                                "\\ ", "[[:alpha:]]", "x y", "é", "*.c", "a-b", ".h", "\\[a]", "*a*", "aab", "\r"};
  auto pick = [&](const auto& list) { return std::string(list[random() % std::size(list)]); };
  auto rules = [&] {
    std::string out;
    for (auto lines = random() % 5 + 1; lines > 0; --lines) {
      if (random() % 4 == 0) out += '!';
      if (random() % 2 == 0) {
        out += pick(names);
      } else {
        for (auto n = random() % 4 + 1; n > 0; --n) out += pick(pieces);
      }
      if (random() % 5 == 0) out += '/';
      out += '\n';
    }
    return out;
  };
  std::size_t total = 0;
  for (int round = 0; round < 30; ++round) {
    Tree tree;
    tree.file(".git/HEAD", "ref: refs/heads/main\n");  // all that makes a repository, and quicker than git init
    tree.folder(".git/objects");
    tree.folder(".git/refs");
    Strings files, folders{""};
    for (int i = 0; i < 40; ++i) {
      const std::string parent = folders[random() % folders.size()], path = parent + pick(names);
      if (std::filesystem::exists(tree.at(path))) continue;
      if (random() % 3 == 0) {
        tree.folder(path);
        folders.push_back(path + "/");
      } else {
        tree.file(path);
        files.push_back(path);
      }
    }
    std::string shown;
    for (const auto& folder : folders) {
      if (!folder.empty() && random() % 3 != 0) continue;
      const std::string text = rules();
      tree.file(folder + ".gitignore", text);
      files.push_back(folder + ".gitignore");
      shown += "--- " + folder + ".gitignore\n" + text;
    }
    const std::string exclude = rules();
    tree.file(".git/info/exclude", exclude);
    INFO(shown << "--- exclude\n" << exclude);

    Strings asked = files;
    for (std::size_t i = 1; i < folders.size(); ++i) asked.push_back(folders[i].substr(0, folders[i].size() - 1));
    const auto ignored = git_ignored(tree, asked);
    total += ignored.size();
    WalkOptions options;
    options.hidden = true;
    // From the top and from a folder below it, whose parents' rules hold too.
    std::string root = folders[random() % folders.size()];
    if (!root.empty() && ignored.contains(root.substr(0, root.size() - 1))) root.clear();
    for (const std::string& below : {std::string(), root}) {
      Strings expected;
      for (const auto& file : files)
        if (file.starts_with(below) && !ignored.contains(file)) expected.push_back(file);
      std::ranges::sort(expected);
      INFO("from '" << below << "'");
      CHECK(walk_tree(tree, {below.substr(0, below.size() - !below.empty())}, options).files == expected);
    }
  }
  CHECK(total > 50);  // git was really asked
}

TEST_CASE("rules apply without a repository, the nearest first") {
  Tree tree;
  tree.file(".gitignore", "*.log\n/top\n");
  tree.file("top");
  tree.file("sub/top");
  tree.file("sub/.gitignore", "!keep.log\n");
  tree.file("sub/keep.log");
  tree.file("sub/drop.log");
  CHECK(walk_tree(tree, {""}).files == Strings{"sub/keep.log", "sub/top"});
  WalkOptions all;
  all.use_ignore_files = false;
  CHECK(walk_tree(tree, {""}, all).files == Strings{"sub/drop.log", "sub/keep.log", "sub/top", "top"});
}

TEST_CASE(".ragignore beats .ignore beats .gitignore") {
  Tree tree;
  tree.file("sub/.gitignore", "a\nb\nc\n");
  tree.file(".ignore", "!a\n!b\nd\n");
  tree.file(".ragignore", "a\n!d\n");
  for (const char* name : {"sub/a", "sub/b", "sub/c", "sub/d"}) tree.file(name);
  CHECK(walk_tree(tree, {""}).files == Strings{"sub/b", "sub/d"});
}

TEST_CASE("ripgrep_829_rules_of_parents_keep_their_anchor") {
  Tree tree;
  tree.folder(".git");
  tree.file(".gitignore", "/sub/x\n/y\nsub/deep/z\n");
  for (const char* name : {"sub/x", "sub/y", "sub/deep/x", "sub/deep/z", "y"}) tree.file(name);
  const Strings expected{"sub/deep/x", "sub/y"};
  CHECK(walk_tree(tree, {""}).files == expected);
  CHECK(walk_tree(tree, {"sub"}).files == expected);
  CHECK(walk_tree(tree, {"sub/deep", "sub"}).files == expected);
  CHECK(walk_tree(tree, {"sub/../sub/./deep"}).files == Strings{"sub/deep/x"});
}

TEST_CASE("rules above a root hold up to the repository, or else the base") {
  Tree tree;
  tree.file(".ragignore", "*.tmp\n");
  tree.file(".gitignore", "*.log\n");
  for (const char* name : {"repo/sub/a.log", "repo/sub/a.tmp", "repo/sub/a.txt"}) tree.file(name);
  CHECK(walk_tree(tree, {"repo/sub"}).files == Strings{"repo/sub/a.txt"});
  WalkOptions options;
  Strings found;
  auto collect = [&](FileEntry&& file) -> Status {
    found.push_back(file.path.substr(tree.top().size() + 1));
    return {};
  };
  // With the base elsewhere nothing above the root counts: no rule of a stranger's folder.
  options.base = tree.at("other");
  REQUIRE(walk({tree.at("repo/sub")}, options, collect, nullptr));
  CHECK(found == Strings{"repo/sub/a.log", "repo/sub/a.tmp", "repo/sub/a.txt"});
  // In a repository of its own the .gitignore files outside end, the other kinds do not.
  tree.folder("repo/.git");
  CHECK(walk_tree(tree, {""}).files == Strings{"repo/sub/a.log", "repo/sub/a.txt"});
  CHECK(walk_tree(tree, {"repo/sub"}).files == Strings{"repo/sub/a.log", "repo/sub/a.tmp", "repo/sub/a.txt"});
}

TEST_CASE("a worktree reads the exclude file of its repository") {
  Tree tree;
  tree.file("main/.git/info/exclude", "secret\n");
  tree.file("main/.git/worktrees/w/commondir", "../..\n");
  tree.file("work/.git", "gitdir: " + tree.at("main/.git/worktrees/w") + "\n");
  tree.file("work/secret");
  tree.file("work/open");
  tree.file("main/secret");
  CHECK(walk_tree(tree, {"work"}).files == Strings{"work/open"});
  CHECK(walk_tree(tree, {""}).files == Strings{"work/open"});
}
