#include "corpus/glob.h"

#include <algorithm>

namespace ragline {

namespace {

constexpr std::size_t kMaxAlternatives = 1000;

// The braces of `text` that open first and close: their positions, with every top-level comma between.
std::vector<std::size_t> find_braces(std::string_view text) {
  std::vector<std::vector<std::size_t>> open;
  std::vector<std::size_t> first;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '{') {
      open.push_back({at});
    } else if (text[at] == ',' && !open.empty()) {
      open.back().push_back(at);
    } else if (text[at] == '}' && !open.empty()) {
      open.back().push_back(at);
      if (first.empty() || open.back().front() < first.front()) first = std::move(open.back());
      open.pop_back();
      if (open.empty()) break;
    }
  }
  return first;
}

std::vector<std::string> expand_braces(std::string_view pattern) {
  std::vector<std::string> done, waiting{std::string(pattern)};
  while (!waiting.empty()) {
    const std::string text = std::move(waiting.back());
    waiting.pop_back();
    const auto marks = find_braces(text);
    if (marks.empty() || done.size() + waiting.size() + marks.size() > kMaxAlternatives) {
      done.push_back(text);
      continue;
    }
    for (std::size_t i = marks.size() - 1; i-- > 0;)
      waiting.push_back(text.substr(0, marks.front()) +
                        text.substr(marks[i] + 1, marks[i + 1] - marks[i] - 1) +
                        text.substr(marks.back() + 1));
  }
  return done;
}

std::string_view without_root(std::string_view path) {
  return path.starts_with('/') ? path.substr(1) : path;
}

}  // namespace

Glob::Glob(std::string_view pattern) {
  for (const std::string& alternative : expand_braces(pattern)) patterns_.emplace_back(alternative);
}

bool Glob::matches(std::string_view path) const {
  return std::ranges::any_of(patterns_, [&](const GlobPattern& p) { return p.matches(path); });
}

bool Glob::directories_only() const {
  return std::ranges::all_of(patterns_, [](const GlobPattern& p) { return p.directories_only(); });
}

bool Glob::covers(std::string_view path) const {
  for (const GlobPattern& pattern : patterns_) {
    for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
      if (pattern.matches(path.substr(0, slash))) return true;
    if (!pattern.directories_only() && pattern.matches(path)) return true;
  }
  return false;
}

PathGlobs::PathGlobs(const std::vector<std::string>& globs) {
  for (std::string_view glob : globs) {
    if (glob.starts_with('!')) {
      drop_.emplace_back(glob.substr(1));
    } else {
      keep_.emplace_back(glob);
    }
  }
}

bool PathGlobs::keeps(std::string_view path) const {
  path = without_root(path);
  auto covers = [&](const Glob& glob) { return glob.covers(path); };
  return (keep_.empty() || std::ranges::any_of(keep_, covers)) && std::ranges::none_of(drop_, covers);
}

bool PathGlobs::drops_directory(std::string_view path) const {
  path = without_root(path);
  return std::ranges::any_of(drop_, [&](const Glob& glob) { return glob.matches(path); });
}

}  // namespace ragline
