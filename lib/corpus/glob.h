#pragma once
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Globs over '/'-separated bytes: the pattern of one gitignore line, the same with {a,b}, and the lists of --path-glob.
// No matching is exponential: at most O(pattern · path) for one component and O(pattern · path · '/' in it) in all.
namespace ragline {

// One gitignore pattern without its '!', as git reads it:
//   *  ?  [a-z]  [!a]  [[:alpha:]]   never match a '/'
//   **/  /**  /**/                   any number of directories; other runs of '*' are one '*'
//   \x                               the byte x
//   trailing '/'                     directories only: stripped here, the caller knows what the path is
//   a '/' before that                anchored: the whole path, from the base; else the last component at any depth
// Git's oddity is kept: a '**' that ends the literal head of an anchored pattern counts as whole, so 'foo**/x' is
// 'foo' + '**/x'. A malformed pattern (an open '[', a '\' at the end) matches nothing, as in git.
class GlobPattern {
 public:
  // For an index over many patterns: kLiteral is text(), kSuffix is '*' and text(), kNever cannot match.
  enum class Shape : std::uint8_t { kLiteral, kSuffix, kGeneral, kNever };

  explicit GlobPattern(std::string_view pattern);
  // `path` is relative to the base, without '/' at either end.
  bool matches(std::string_view path) const;
  // The same with the last component of `path` at hand.
  bool matches(std::string_view path, std::string_view name) const;
  bool directories_only() const { return directories_only_; }
  bool anchored() const { return anchored_; }
  Shape shape() const { return shape_; }
  const std::string& text() const { return text_; }

 private:
  enum class Kind : std::uint8_t { kByte, kAny, kSet, kStar, kDirectories, kDeeper, kRest };
  struct Element {
    Kind kind;
    unsigned char byte = 0;
    std::uint32_t set = 0;
  };
  bool compile(std::string_view pattern);
  bool compile_set(std::string_view pattern, std::size_t& at);
  bool accepts(const Element& element, unsigned char byte) const;
  bool run(std::string_view text) const;

  std::string text_;
  std::vector<Element> elements_;
  std::vector<std::bitset<256>> sets_;
  Shape shape_ = Shape::kGeneral;
  bool anchored_ = false, directories_only_ = false;
};

// A pattern with {a,b}: the braces are written out first, as a shell does ({a/b,c} is the patterns a/b and c; {a} is a;
// an unmatched brace is itself). At most 1,000 patterns come of it: braces past that stay literal.
class Glob {
 public:
  // Never fails.
  explicit Glob(std::string_view pattern);
  bool matches(std::string_view path) const;
  bool directories_only() const;
  // The file `path`, or a directory above it, matches: 'docs/' takes everything below docs.
  bool covers(std::string_view path) const;

 private:
  std::vector<GlobPattern> patterns_;
};

// --path-glob, wherever a tool has it: a file is kept when a glob covers it (or there are none but "!globs") and no
// "!glob" does; their order does not matter. A path is a document id; the '/' of an absolute one is left out, so that
// '/home/me/notes/*.md' is anchored at the root of the file system.
class PathGlobs {
 public:
  PathGlobs() = default;
  explicit PathGlobs(const std::vector<std::string>& globs);
  bool empty() const { return keep_.empty() && drop_.empty(); }
  bool keeps(std::string_view path) const;
  // Nothing below this directory can be kept.
  bool drops_directory(std::string_view path) const;

 private:
  std::vector<Glob> keep_, drop_;
};

}  // namespace ragline
