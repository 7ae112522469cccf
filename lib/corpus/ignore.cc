#include "corpus/ignore.h"

#include <sys/stat.h>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

namespace {

enum Family : std::size_t { kRagignore, kIgnore, kGitignore, kExclude };
constexpr std::uint64_t kMaxIgnoreFile = 100ull << 20;  // git's own limit

std::string_view without_trailing_spaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') continue;
    if (line[at] == '\\' && ++at == line.size()) return line;
    end = at + 1;
  }
  return line.substr(0, end);
}

std::string_view extension(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view{} : name.substr(dot);
}

bool is_regular_itself(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// The directory that holds the repository's info/exclude. ".git" is a file in a worktree or submodule, which names a folder,
// which may name the common one.
std::string repository_folder(const std::string& dot_git) {
  if (!stat_file(dot_git).is_regular) return dot_git;
  auto read_line = [](const std::string& path) {
    const auto file = read_file(path);
    return file ? std::string(trim((*file)->bytes())) : std::string();
  };
  constexpr std::string_view kKey = "gitdir: ";
  const std::string link = read_line(dot_git);
  if (!link.starts_with(kKey)) return dot_git;
  const std::string top = dot_git.substr(0, dot_git.rfind('/') + 1);
  const std::string folder = join_path(top, std::string_view(link).substr(kKey.size()));
  const std::string common = stat_file(folder + "/commondir").is_regular ? read_line(folder + "/commondir") : "";
  return common.empty() ? folder : join_path(folder, common);
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    std::string_view line = bytes.substr(0, newline);
    bytes.remove_prefix(newline == bytes.npos ? bytes.size() : newline + 1);
    if (line.starts_with('#')) continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_trailing_spaces(line.substr(0, line.find('\0')));
    if (!line.empty()) add(line);
  }
}

void IgnoreRules::add(std::string_view line) {
  const bool negated = line.starts_with('!');
  GlobPattern pattern(negated ? line.substr(1) : line);
  const auto index = static_cast<std::uint32_t>(rules_.size());
  switch (pattern.shape()) {
    case GlobPattern::Shape::kNever: return;
    case GlobPattern::Shape::kLiteral:
      (pattern.anchored() ? by_path_ : by_name_)[pattern.text()].push_back(index);
      break;
    case GlobPattern::Shape::kSuffix:
      if (const auto end = extension(pattern.text()); !end.empty()) {
        by_extension_[std::string(end)].push_back(index);
        break;
      }
      [[fallthrough]];
    case GlobPattern::Shape::kGeneral: others_.push_back(index); break;
  }
  rules_.push_back({std::move(pattern), negated});
}

IgnoreVerdict IgnoreRules::match(std::string_view path, std::string_view name, bool is_directory) const {
  std::int64_t last = -1;
  auto consider = [&](const std::vector<std::uint32_t>& candidates) {
    for (auto at = candidates.rbegin(); at != candidates.rend() && *at > last; ++at) {
      const GlobPattern& pattern = rules_[*at].pattern;
      if (pattern.directories_only() && !is_directory) continue;
      if (pattern.matches(path, name)) last = *at;
    }
  };
  auto look_up = [&](const Table& table, std::string_view key) {
    if (table.empty()) return;
    if (const auto found = table.find(key); found != table.end()) consider(found->second);
  };
  look_up(by_name_, name);
  look_up(by_path_, path);
  look_up(by_extension_, extension(name));
  consider(others_);
  if (last < 0) return IgnoreVerdict::kNone;
  return rules_[static_cast<std::size_t>(last)].negated ? IgnoreVerdict::kKeep : IgnoreVerdict::kIgnore;
}

void IgnoreScope::load(std::size_t family, const std::string& file, std::string_view directory,
                       const Unreadable& unreadable) {
  const FileStat info = stat_file(file);
  if (info.exists && (!info.is_regular || info.size > kMaxIgnoreFile)) {
    unreadable(file, info.is_regular ? "an ignore file of more than 100 MB" : "no regular file");
    return;
  }
  auto bytes = read_file(file);
  if (!bytes) {
    const std::string& message = bytes.error().message;  // "cannot open 'x': why"
    unreadable(file, message.substr(message.rfind(": ") + 2));
    return;
  }
  IgnoreRules rules((*bytes)->bytes());
  if (rules.empty()) return;
  families_[family] = std::make_shared<const Level>(std::move(rules), directory.size(), families_[family]);
}

IgnoreScope::Pointer IgnoreScope::enter(const Pointer& outer, std::string_view directory, std::string_view open_as,
                                        const IgnoreFilesPresent& present, bool require_git,
                                        const Unreadable& unreadable) {
  if (!present.git && !present.gitignore && !present.ignore && !present.ragignore) return outer;
  IgnoreScope scope = outer ? *outer : IgnoreScope();
  if (present.git) {
    scope.in_repository_ = true;
    scope.families_[kGitignore] = scope.families_[kExclude] = nullptr;
    const std::string exclude = repository_folder(cat(open_as, ".git")) + "/info/exclude";
    if (stat_file(exclude).exists) scope.load(kExclude, exclude, directory, unreadable);
  }
  if (present.gitignore && (scope.in_repository_ || !require_git))
    scope.load(kGitignore, cat(open_as, ".gitignore"), directory, unreadable);
  if (present.ignore) scope.load(kIgnore, cat(open_as, ".ignore"), directory, unreadable);
  if (present.ragignore) scope.load(kRagignore, cat(open_as, ".ragignore"), directory, unreadable);
  return std::make_shared<const IgnoreScope>(std::move(scope));
}

IgnoreScope::Pointer IgnoreScope::above(const std::string& root, const std::string& base, bool require_git,
                                        const Unreadable& unreadable) {
  std::vector<std::string> folders;  // innermost first, '/' at their ends
  std::size_t outermost = 0;         // how many of them count
  bool repository = stat_file(join_path(root, ".git")).exists;
  for (std::size_t slash = root.rfind('/'); !repository && root != "/"; slash = root.rfind('/', slash - 1)) {
    folders.push_back(root.substr(0, slash + 1));
    repository = stat_file(folders.back() + ".git").exists;
    if (repository || folders.back() == join_path(base, "")) outermost = folders.size();
    if (slash == 0) break;
  }
  Pointer scope;
  while (outermost-- > 0) {
    const std::string& folder = folders[outermost];
    auto regular = [&](std::string_view name) { return is_regular_itself(cat(folder, name)); };
    const IgnoreFilesPresent present{stat_file(folder + ".git").exists, regular(".gitignore"), regular(".ignore"),
                                     regular(".ragignore")};
    scope = enter(scope, folder, folder, present, require_git, unreadable);
  }
  return scope;
}

IgnoreVerdict IgnoreScope::match(std::string_view path, std::string_view name, bool is_directory) const {
  for (const auto& family : families_) {
    for (const Level* level = family.get(); level; level = level->outer.get()) {
      const auto verdict = level->rules.match(path.substr(level->base), name, is_directory);
      if (verdict != IgnoreVerdict::kNone) return verdict;
    }
  }
  return IgnoreVerdict::kNone;
}

}  // namespace ragline
