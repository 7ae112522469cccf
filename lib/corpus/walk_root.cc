#include "corpus/walk_root.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

namespace {

std::string with_slash(const std::string& folder) {
  return folder == "." ? "" : folder.ends_with('/') ? folder : folder + '/';
}

std::string reason_text(int error) { return std::strerror(error); }

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  return resolved ? resolved.get() : "";
}

unsigned char type_of(const struct stat& info) {
  return S_ISREG(info.st_mode) ? DT_REG : S_ISDIR(info.st_mode) ? DT_DIR : S_ISLNK(info.st_mode) ? DT_LNK : DT_FIFO;
}

}  // namespace

RootWalk::RootWalk(const WalkPlan& plan, std::string root, std::string absolute)
    : plan_(plan),
      root_(std::move(root)),
      prefix_(with_slash(root_)),
      absolute_(std::move(absolute)),
      absolute_prefix_(with_slash(absolute_)) {}

bool RootWalk::next(WalkItem& item) {
  if (!started_) start();
  while (true) {
    if (!pending_.empty()) {
      item = std::move(pending_.back());
      pending_.pop_back();
      return true;
    }
    if (stack_.empty()) return false;
    Directory& top = stack_.back();
    if (top.next == top.entries.size()) {
      stack_.pop_back();
      continue;
    }
    Entry& entry = top.entries[top.next++];
    if (entry.is_directory && !entry.skipped) {
      enter(cat(top.below, entry.name, "/"), entry.linked, entry.linked || top.linked, top.scope);
      continue;
    }
    fill(item, top.below, entry);
    item.file.directory = top.open;
    return true;
  }
}

void RootWalk::start() {
  started_ = true;
  struct stat info {};
  if (::stat(root_.c_str(), &info) != 0) {
    report("", SkipReason::kUnreadable, reason_text(errno));
    complete_ = false;
    return;
  }
  if (plan_.options.follow_links) real_root_ = real_path(root_);
  if (S_ISDIR(info.st_mode)) {
    auto unreadable = [&](const std::string& path, const std::string& detail) {
      pending_.push_back(
          {.key = absolute_prefix_, .file = {}, .path = path, .reason = SkipReason::kUnreadable, .detail = detail});
    };
    enter("", true, false,
          plan_.options.use_ignore_files
              ? IgnoreScope::above(absolute_, plan_.base, plan_.options.require_git, unreadable)
              : nullptr);
    return;
  }
  Entry entry("", DT_REG);
  if (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode)) {
    take_file(absolute_, info, entry);
  } else {
    entry.skipped = true;
    entry.reason = SkipReason::kSpecial;
  }
  WalkItem& item = pending_.emplace_back();
  fill(item, "", entry);
  item.is_root = true;
}

// Reads the whole directory, so that its entries can be sorted and its ignore files apply to all of them. A link is
// opened as one only where it was followed on purpose.
void RootWalk::enter(std::string below, bool is_link, bool linked, IgnoreScope::Pointer scope) {
  const std::string path = below.empty() ? root_ : cat(prefix_, std::string_view(below).substr(0, below.size() - 1));
  const int descriptor =
      plan_.options.open_directory
          ? plan_.options.open_directory(path, is_link)
          : ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (is_link ? 0 : O_NOFOLLOW));
  if (descriptor < 0) {
    report(below, SkipReason::kUnreadable, reason_text(errno));
    complete_ = false;
    return;
  }
  Directory directory{.below = std::move(below), .linked = linked, .scope = std::move(scope), .entries = {}};
  if (plan_.options.follow_links) {
    struct stat info {};
    if (::fstat(descriptor, &info) == 0) directory.identity = {info.st_dev, info.st_ino};
    if (linked && (seen(directory) || !entered_by_link_.insert(directory.identity).second)) {
      ::close(descriptor);
      report(directory.below, SkipReason::kLinkOutside, "its target was entered already");
      return;
    }
  }
  // Deep trees must not use up the descriptors.
  constexpr std::size_t kMostOpen = 64;
  if (plan_.options.keep_directories && stack_.size() < kMostOpen) {
    const int kept = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (kept >= 0) directory.open = std::make_shared<const OpenDirectory>(kept);
  }
  read_entries(descriptor, directory);
  stack_.push_back(std::move(directory));
}

bool RootWalk::seen(const Directory& directory) const {
  return std::ranges::any_of(stack_, [&](const Directory& above) { return above.identity == directory.identity; });
}

void RootWalk::read_entries(int descriptor, Directory& directory) {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(descriptor), &::closedir);
  if (!stream) {
    report(directory.below, SkipReason::kUnreadable, reason_text(errno));
    complete_ = false;
    ::close(descriptor);
    return;
  }
  IgnoreFilesPresent present;
  while (true) {
    errno = 0;
    const dirent* found = ::readdir(stream.get());
    if (!found) break;
    const std::string_view name = found->d_name;
    if (name == "." || name == "..") continue;
    Entry& entry = directory.entries.emplace_back(std::string(name), found->d_type);
    struct stat info {};
    if (entry.type == DT_UNKNOWN && ::fstatat(descriptor, found->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0)
      entry.type = type_of(info);
    if (!name.starts_with('.')) continue;
    present.git |= name == ".git";
    present.gitignore |= name == ".gitignore" && entry.type == DT_REG;
    present.ignore |= name == ".ignore" && entry.type == DT_REG;
    present.ragignore |= name == ".ragignore" && entry.type == DT_REG;
  }
  if (errno != 0) {
    report(directory.below, SkipReason::kUnreadable, reason_text(errno));
    complete_ = false;
  }
  if (plan_.options.use_ignore_files)
    directory.scope = IgnoreScope::enter(
        directory.scope, absolute_prefix_ + directory.below, prefix_ + directory.below, present, plan_.options.require_git,
        [&](const std::string& path, const std::string& detail) {
          pending_.push_back({.key = absolute_prefix_ + directory.below,
                              .file = {},
                              .path = path,
                              .reason = SkipReason::kUnreadable,
                              .detail = detail});
        });
  std::string absolute = absolute_prefix_ + directory.below;
  for (Entry& entry : directory.entries) classify(descriptor, directory, absolute, entry);
  auto before = [](const Entry& a, const Entry& b) {
    const std::size_t common = std::min(a.name.size(), b.name.size());
    if (const int order = std::memcmp(a.name.data(), b.name.data(), common)) return order < 0;
    auto after = [common](const Entry& entry) {
      return common < entry.name.size() ? static_cast<unsigned char>(entry.name[common]) : entry.is_directory ? '/' : 0;
    };
    return after(a) < after(b);
  };
  std::ranges::sort(directory.entries, before);
}

IgnoreVerdict RootWalk::verdict_on(const Directory& directory, const Entry& entry, std::string_view absolute) const {
  if (plan_.options.verdict) {
    const auto verdict = plan_.options.verdict(absolute, entry.is_directory);
    if (verdict != IgnoreVerdict::kNone) return verdict;
  }
  return directory.scope ? directory.scope->match(absolute, entry.name, entry.is_directory) : IgnoreVerdict::kNone;
}

// Decides what becomes of an entry. Rules come first: a '!' rule brings in hidden names.
void RootWalk::classify(int descriptor, const Directory& directory, std::string& absolute, Entry& entry) {
  const WalkOptions& options = plan_.options;
  absolute.resize(absolute_prefix_.size() + directory.below.size());
  absolute += entry.name;
  auto skip = [&](SkipReason reason, std::string detail = "") {
    entry.skipped = true;
    entry.reason = reason;
    entry.detail = std::move(detail);
  };
  struct stat info {};
  bool known = false;
  const bool is_link = entry.type == DT_LNK;
  if (is_link && options.follow_links) {
    known = ::fstatat(descriptor, entry.name.c_str(), &info, 0) == 0;
    if (known) entry.type = type_of(info);
  }
  entry.is_directory = entry.type == DT_DIR;
  if (entry.name == ".git") return skip(SkipReason::kHidden);
  const auto verdict = verdict_on(directory, entry, absolute);
  if (verdict == IgnoreVerdict::kIgnore) return skip(SkipReason::kIgnored);
  if (verdict == IgnoreVerdict::kNone && !options.hidden && entry.name.starts_with('.'))
    return skip(SkipReason::kHidden);
  if (is_link) {
    if (!options.follow_links) return skip(SkipReason::kLink);
    const std::string problem = known ? link_problem(cat(prefix_, directory.below, entry.name)) : "its target is missing";
    if (!problem.empty()) return skip(SkipReason::kLinkOutside, problem);
    entry.linked = true;
  }
  if (entry.is_directory) {
    if (options.max_depth == 0 && plan_.globs.empty()) return;
    const auto depth = static_cast<std::size_t>(std::ranges::count(directory.below, '/')) + 1;
    const bool too_deep = options.max_depth > 0 && depth >= static_cast<std::size_t>(options.max_depth);
    if (too_deep || plan_.globs.drops_directory(relative_path(plan_.base, absolute))) skip(SkipReason::kIgnored);
    return;
  }
  if (entry.type != DT_REG) return skip(SkipReason::kSpecial);
  if (!options.stat_files) {
    if (!plan_.globs.empty() && !plan_.globs.keeps(relative_path(plan_.base, absolute))) skip(SkipReason::kIgnored);
    return;
  }
  if (!known && ::fstatat(descriptor, entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno != ENOENT) complete_ = false;
    return skip(SkipReason::kUnreadable, reason_text(errno));
  }
  take_file(absolute, info, entry);
}

void RootWalk::take_file(const std::string& absolute, const struct stat& info, Entry& entry) {
  entry.size = static_cast<std::uint64_t>(info.st_size);
  entry.mtime_ns = static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
  const bool kept = plan_.globs.empty() || plan_.globs.keeps(relative_path(plan_.base, absolute));
  const bool rows = absolute.ends_with(".jsonl") || absolute.ends_with(".ndjson");
  const bool too_large = plan_.options.stat_files && entry.size > plan_.options.max_file_size && !rows;
  entry.skipped = !kept || too_large;
  entry.reason = kept ? SkipReason::kTooLarge : SkipReason::kIgnored;
}

std::string RootWalk::link_problem(const std::string& path) const {
  const std::string target = real_path(path);
  if (target.empty()) return "its target is missing";
  if (target == real_root_ || target.starts_with(with_slash(real_root_))) return "";
  return "its target is outside the root";
}

void RootWalk::report(std::string_view below, SkipReason reason, std::string detail) {
  const std::string_view inside = below.substr(0, below.size() - (below.empty() ? 0 : 1));
  pending_.push_back({.key = absolute_prefix_ + std::string(below),
                      .file = {},
                      .path = below.empty() ? root_ : cat(prefix_, inside),
                      .reason = reason,
                      .detail = std::move(detail)});
}

void RootWalk::fill(WalkItem& item, std::string_view below, Entry& entry) const {
  const bool is_root = below.empty() && entry.name.empty();
  item.key = is_root ? absolute_ : cat(absolute_prefix_, below, entry.name);
  item.path = is_root ? root_ : cat(prefix_, below, entry.name);
  item.is_file = !entry.skipped;
  item.is_root = false;
  if (item.is_file) {
    item.file = {std::move(item.path), relative_path(plan_.base, item.key), entry.size, entry.mtime_ns};
  } else {
    item.reason = entry.reason;
    item.detail = std::move(entry.detail);
    if (entry.is_directory) item.key += '/';
  }
}

}  // namespace ragline
