#include "grep/targets.h"

#include <optional>
#include <unordered_set>

#include "core/files.h"

namespace ragline {

namespace {

constexpr std::size_t kBatchFiles = 64, kBatchDirectories = 16, kReadyBatches = 4;

class WalkStream : public TargetStream {
 public:
  WalkStream(std::optional<Walker> walker, bool standard_input) : walker_(std::move(walker)), standard_input_(standard_input) {}

  bool next(Target& target) override {
    if (standard_input_) {
      standard_input_ = false;
      target = {};
      target.path = target.document_id = "<stdin>";
      target.named = target.standard_input = true;
      return true;
    }
    if (!walker_ || !walker_->next(item_)) return false;
    target.is_file = item_.is_file;
    target.named = item_.is_root;
    target.standard_input = false;
    if (item_.is_file) {
      std::swap(target.path, item_.file.path);
      std::swap(target.document_id, item_.file.document_id);
      target.directory = std::move(item_.file.directory);
    } else {
      target.path = std::move(item_.path);
      target.reason = item_.reason;
      target.detail = std::move(item_.detail);
      target.directory = nullptr;
    }
    return true;
  }

 private:
  std::optional<Walker> walker_;
  bool standard_input_;
  WalkItem item_;
};

class ListStream : public TargetStream {
 public:
  ListStream(std::vector<std::string> paths, std::string base) : paths_(std::move(paths)), base_(absolute_path(base)) {}

  bool next(Target& target) override {
    while (at_ < paths_.size()) {
      const std::string& given = paths_[at_++];
      const std::string absolute = absolute_path(join_path(base_, given));
      if (!seen_.insert(absolute).second) continue;
      target = {};
      target.path = normal_path(given);
      target.document_id = relative_path(base_, absolute);
      target.named = true;
      return true;
    }
    return false;
  }

 private:
  std::vector<std::string> paths_;
  std::string base_;
  std::size_t at_ = 0;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Result<std::unique_ptr<TargetStream>> walk_targets(const std::vector<std::string>& paths, const WalkOptions& options) {
  std::vector<std::string> roots;
  for (const std::string& path : paths)
    if (path != "-") roots.push_back(path);
  std::optional<Walker> walker;
  if (!roots.empty()) {
    RAGLINE_TRY(walker, Walker::open(roots, options));
  }
  return std::make_unique<WalkStream>(std::move(walker), roots.size() < paths.size());
}

std::unique_ptr<TargetStream> list_targets(std::vector<std::string> paths, std::string base) {
  return std::make_unique<ListStream>(std::move(paths), std::move(base));
}

TargetQueue::TargetQueue(std::unique_ptr<TargetStream> stream, std::string skip_to)
    : stream_(std::move(stream)), skip_to_(std::move(skip_to)) {}

// False when the stream has ended.
bool TargetQueue::fill(std::vector<Target>& targets) {
  const OpenDirectory* directory = nullptr;
  std::size_t directories = 0;
  Target target;
  while (targets.size() < kBatchFiles && directories < kBatchDirectories) {
    if (!stream_->next(target)) return false;
    if (!skip_to_.empty()) {
      if (target.path != skip_to_) continue;
      skip_to_.clear();
    }
    directories += target.directory.get() != directory;
    directory = target.directory.get();
    targets.push_back(std::move(target));
  }
  return true;
}

bool TargetQueue::next(TargetBatch& batch) {
  std::unique_lock guard(lock_);
  while (!stopped_) {
    if (!ready_.empty() && (walking_ || ended_ || ready_.size() >= kReadyBatches)) {
      batch = std::move(ready_.front());
      ready_.pop_front();
      return true;
    }
    if (walking_) {
      change_.wait(guard);
      continue;
    }
    if (ended_) return false;
    walking_ = true;
    guard.unlock();
    TargetBatch made;
    const bool more = fill(made.targets);
    guard.lock();
    walking_ = false;
    ended_ = !more;
    if (!made.targets.empty()) {
      made.sequence = sequence_++;
      ready_.push_back(std::move(made));
    }
    change_.notify_all();
  }
  return false;
}

void TargetQueue::stop_if(bool stop) {
  if (!stop) return;
  const std::lock_guard guard(lock_);
  stopped_ = true;
  change_.notify_all();
}

}  // namespace ragline
