#include "corpus/glob.h"

#include <random>

#include "catch.h"

using ragline::Glob;
using ragline::GlobPattern;
using ragline::PathGlobs;

namespace {

bool matches(std::string_view pattern, std::string_view path) { return GlobPattern(pattern).matches(path); }

// The slow twin: git's recursion over the text of the pattern, exponential. Sets are single ranges or lists of bytes.
bool slow(std::string_view p, std::string_view t, bool start) {
  if (p.empty()) return t.empty();
  if (p[0] == '*') {
    std::size_t run = 0;
    while (run < p.size() && p[run] == '*') ++run;
    const std::string_view rest = p.substr(run);
    if (run > 1 && start && rest.empty()) return true;
    if (run > 1 && start && rest[0] == '/') {
      if (slow(rest.substr(1), t, true)) return true;
      for (std::size_t i = 0; i < t.size(); ++i)
        if (t[i] == '/' && slow(rest.substr(1), t.substr(i + 1), true)) return true;
      return false;
    }
    for (std::size_t i = 0;; ++i) {
      if (slow(rest, t.substr(i), false)) return true;
      if (i == t.size() || t[i] == '/') return false;
    }
  }
  if (t.empty()) return false;
  if (p[0] == '?') return t[0] != '/' && slow(p.substr(1), t.substr(1), false);
  if (p[0] == '[') {
    const std::size_t close = p.find(']');
    std::string_view set = p.substr(1, close - 1);
    const bool negated = set[0] == '!';
    if (negated) set.remove_prefix(1);
    const bool in = set.size() == 3 && set[1] == '-' ? t[0] >= set[0] && t[0] <= set[2] : set.find(t[0]) != set.npos;
    return in != negated && t[0] != '/' && slow(p.substr(close + 1), t.substr(1), false);
  }
  return p[0] == t[0] && slow(p.substr(1), t.substr(1), p[0] == '/');
}

bool slow_match(std::string_view pattern, std::string_view path) {
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  if (pattern.empty()) return false;
  if (pattern.find('/') == pattern.npos) {
    const std::size_t slash = path.rfind('/');
    return slow(pattern, slash == path.npos ? path : path.substr(slash + 1), true);
  }
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  const std::size_t head = std::min(pattern.find_first_of("*?["), pattern.size());
  if (!path.starts_with(pattern.substr(0, head)) || pattern.empty()) return false;
  return slow(pattern.substr(head), path.substr(head), true);  // git's oddity: '**' here counts as whole
}

}  // namespace

TEST_CASE("gitignore patterns") {
  const struct {
    const char *pattern, *path;
    bool expected;
  } cases[] = {
      {"foo", "foo", true}, {"foo", "a/foo", true}, {"foo", "a/foob", false}, {"foo", "foo/a", false},
      {"/foo", "foo", true}, {"/foo", "a/foo", false}, {"a/foo", "a/foo", true}, {"a/foo", "b/a/foo", false},
      {"foo/", "foo", true}, {"*.o", "a/b.o", true}, {"*.o", ".o", true}, {"*", "x/y", true},
      {"a/*", "a/b", true}, {"a/*", "a/b/c", false}, {"a/?", "a/b", true}, {"a?b", "a/b", false},
      {"**/foo", "foo", true}, {"**/foo", "x/y/foo", true}, {"foo/**", "foo/a/b", true}, {"foo/**", "foo", false},
      {"a/**/b", "a/b", true}, {"a/**/b", "a/x/y/b", true}, {"a/**/b", "ab", false}, {"a/**/**/b", "a/b", true},
      {"a/x**y/b", "a/x-y/b", true}, {"a/x**y/b", "a/x/y/b", false}, {"a**/b", "a/b", true}, {"a**/b", "a/x/b", true},
      {"a/**\\/b", "a/b", false}, {"a/**\\/b", "a/x/b", true},
      {"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false}, {"[^a-c]x", "dx", true}, {"[]x]", "]", true},
      {"[a-]", "-", true}, {"[\\]]", "]", true}, {"[[:digit:]_]", "7", true}, {"[[:digit:]_]", "_", true},
      {"[[:upper:]]", "a", false}, {"[[:wrong:]]", "w", false}, {"[[:]", "[", true}, {"[[:]", ":", true},
      {"a/[!x]b", "a//b", false}, {"\\*", "*", true}, {"\\*", "a", false}, {"\\!a", "!a", true},
      {"a\\b", "ab", true}, {"a[b", "a[b", false}, {"a\\", "a\\", false}, {"", "", false}, {"/", "a", false},
      {"a//b", "a/b", false}, {"*a*b*", "xaxbx", true}, {"*/b", "a/b", true}, {"*/b", "b", false},
      {"\xFF*", "\xFF\xFE", true}, {"é?", "éa", true},
  };
  for (const auto& one : cases) {
    INFO(one.pattern << " on " << one.path);
    CHECK(matches(one.pattern, one.path) == one.expected);
  }
  CHECK(GlobPattern("a/").directories_only());
  CHECK_FALSE(GlobPattern("a/").anchored());
  CHECK(GlobPattern("a/b/").anchored());
}

TEST_CASE("random patterns match as the recursive twin says") {
  const unsigned seed = 20261130u;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const char* const pieces[] = {"a", "b", "/", "*", "**", "/**/", "**/", "/**", "?", "[ab]", "[!a]", "[a-b]"};
  const char* const bytes[] = {"a", "b", "c", "a/b", "b/a", "/a/a/", "b/b"};
  auto some = [&](const auto& list, unsigned most) {
    std::string out;
    for (auto n = random() % most + 1; n > 0; --n) out += list[random() % std::size(list)];
    return out;
  };
  for (int round = 0; round < 200000; ++round) {
    const std::string pattern = some(pieces, 7);
    std::string path = some(bytes, 6);
    while (path.starts_with('/')) path.erase(0, 1);
    while (path.ends_with('/')) path.pop_back();
    while (path.find("//") != path.npos) path.erase(path.find("//"), 1);
    if (path.empty() || matches(pattern, path) == slow_match(pattern, path)) continue;
    INFO(pattern << " on " << path << ": the twin says " << slow_match(pattern, path));
    CHECK(false);
  }
}

// Exponential time would never end.
TEST_CASE("many stars take no exponential time") {
  const std::string text(4000, 'a');
  std::string stars, directories, path;
  for (int i = 0; i < 200; ++i) stars += "a*";
  for (int i = 0; i < 200; ++i) directories += "**/a*a*/";
  for (int i = 0; i < 1000; ++i) path += "aaa/";
  CHECK_FALSE(matches(stars + "b", text));
  CHECK(matches(stars, text));
  CHECK_FALSE(matches("**/" + stars + "b", "x/" + text));
  CHECK_FALSE(matches(directories + "b", path + "a"));
  CHECK(matches(directories + "a", path + "a"));
}

TEST_CASE("qmd_557_braces_and_commas_match") {
  const Glob sources("*.{cc,h}");
  CHECK(sources.matches("lib/a.cc"));
  CHECK(sources.matches("a.h"));
  CHECK_FALSE(sources.matches("a.hh"));
  CHECK(Glob("{src,lib/core}/**").matches("lib/core/x/y"));
  CHECK(Glob("{a,b{c,d}}e").matches("bde"));
  CHECK(Glob("{a}").matches("a"));
  CHECK(Glob("{a").matches("{a"));
  CHECK(Glob("a}").matches("a}"));
  CHECK(Glob("{{a,b}").matches("{a"));
  CHECK(Glob("a{,b}").matches("a"));
  CHECK(Glob("\\{a,b\\}").matches("{a,b}"));
  CHECK(Glob("{a/,b/}").directories_only());
  CHECK_FALSE(Glob("{a/,b}").directories_only());
}

TEST_CASE("braces are written out within a bound") {
  std::string many;
  for (int i = 0; i < 40; ++i) many += "{a,b}";
  CHECK_FALSE(Glob(many).matches("a"));
  CHECK(Glob("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}").matches("abbaba"));
}

TEST_CASE("path globs keep and drop") {
  const PathGlobs docs({"docs/", "*.md", "!draft*", "!/old/"});
  CHECK(docs.keeps("docs/a/b.txt"));
  CHECK(docs.keeps("x/readme.md"));
  CHECK_FALSE(docs.keeps("x/readme.txt"));
  CHECK_FALSE(docs.keeps("docs"));
  CHECK_FALSE(docs.keeps("docs/draft2/b.txt"));
  CHECK_FALSE(docs.keeps("old/a.md"));
  CHECK(docs.keeps("x/old/a.md"));
  CHECK(docs.drops_directory("old"));
  CHECK_FALSE(docs.drops_directory("x/old"));

  const PathGlobs drops({"!*.log"});
  CHECK(drops.keeps("a"));
  CHECK_FALSE(drops.keeps("a.log"));
  CHECK(PathGlobs({"/home/me/*.md"}).keeps("/home/me/a.md"));
  CHECK(PathGlobs().keeps("anything"));
  CHECK(PathGlobs().empty());
}
