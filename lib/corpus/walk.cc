#include "corpus/walk.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <numeric>
#include <queue>
#include <string_view>
#include <utility>

#include "core/files.h"
#include "core/text.h"
#include "corpus/walk_root.h"

namespace ragline {

namespace {

struct Root {
  std::string path, absolute;
};

struct Stream {
  RootWalk walk;
  std::size_t root;  // in the caller's order
  WalkItem item;
};

// A smaller key first; of equal ones a stream that would visit the file, then the root that was named first.
struct Later {
  bool operator()(const std::unique_ptr<Stream>& a, const std::unique_ptr<Stream>& b) const {
    const int order = a->item.key.compare(b->item.key);
    if (order != 0) return order > 0;
    return a->item.is_file != b->item.is_file ? b->item.is_file : a->root > b->root;
  }
};

class Queue : public std::priority_queue<std::unique_ptr<Stream>, std::vector<std::unique_ptr<Stream>>, Later> {
 public:
  std::unique_ptr<Stream> take() {
    std::ranges::pop_heap(c, comp);
    auto first = std::move(c.back());
    c.pop_back();
    return first;
  }
};

Result<Root> check_root(const std::string& given) {
  if (given.empty())
    return fail(ErrorKind::kUsage, "cannot walk '': the path is empty: name a file or a directory ('.' is the current one)");
  Root root{normal_path(given), absolute_path(given)};
  struct stat info {};
  if (::stat(root.path.c_str(), &info) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
    std::string message = errno_text("cannot read", given);
    append(message, ": check the path");
    if (!given.starts_with('/')) append(message, ", which is taken from '", current_directory(), "'");
    return fail(ErrorKind::kNotFound, std::move(message));
  }
  return root;
}

bool is_choice(SkipReason reason) {
  return reason == SkipReason::kIgnored || reason == SkipReason::kHidden || reason == SkipReason::kLink;
}

}  // namespace

const char* skip_reason_name(SkipReason reason) {
  switch (reason) {
    case SkipReason::kIgnored: return "ignored";
    case SkipReason::kHidden: return "hidden";
    case SkipReason::kBinary: return "binary";
    case SkipReason::kTooLarge: return "too_large";
    case SkipReason::kUnreadable: return "unreadable";
    case SkipReason::kLinkOutside: return "link_outside";
    case SkipReason::kSpecial: return "special";
    case SkipReason::kUnsupported: return "unsupported";
    case SkipReason::kEmpty: return "empty";
    case SkipReason::kMalformed: return "malformed";
    case SkipReason::kLink: return "link";
  }
  return "unknown";
}

bool is_unreadable(SkipReason reason) {
  return reason == SkipReason::kUnreadable || reason == SkipReason::kMalformed;
}

OpenDirectory::~OpenDirectory() { ::close(descriptor_); }

// Each root is a stream in the order of absolute paths, and the streams are merged: a path that several roots reach is
// visited once, and visited if any of them would. A stream is started when the merge comes to its root, since all its keys
// begin with the root's path; so ten thousand files as roots are one open stream at a time.
struct Walker::State {
  WalkOptions options;
  WalkPlan plan;
  std::vector<Root> roots;
  std::vector<std::size_t> order;  // of the roots' absolute paths
  std::size_t started = 0;         // in `order`
  std::vector<bool> complete;
  Queue streams;
  std::unique_ptr<Stream> current;  // its item was given out: it is advanced next

  State(std::vector<Root> its_roots, const WalkOptions& its_options)
      : options(its_options),
        plan{options, absolute_path(options.base), PathGlobs(options.globs)},
        roots(std::move(its_roots)),
        order(roots.size()),
        complete(roots.size(), true) {
    std::iota(order.begin(), order.end(), 0);
    using Place = std::pair<std::string_view, std::size_t>;
    std::ranges::sort(order, {}, [&](std::size_t i) { return Place(roots[i].absolute, i); });
  }

  bool is_root(std::string_view path) const {
    auto absolute = [&](std::size_t i) -> std::string_view { return roots[i].absolute; };
    return std::ranges::binary_search(order, path.substr(0, path.size() - path.ends_with('/')), {}, absolute);
  }

  void advance(std::unique_ptr<Stream> stream) {
    if (stream->walk.next(stream->item)) {
      streams.push(std::move(stream));
    } else {
      complete[stream->root] = stream->walk.complete();
    }
  }

  bool next(WalkItem& item) {
    while (true) {
      if (current) {
        // The only stream needs no comparing.
        if (streams.empty() && started == order.size()) {
          if (!current->walk.next(current->item)) {
            complete[current->root] = current->walk.complete();
            current = nullptr;
            return false;
          }
          if (give(item)) return true;
          continue;
        }
        advance(std::move(current));
      }
      while (started < order.size() && (streams.empty() || roots[order[started]].absolute <= streams.top()->item.key)) {
        Root& root = roots[order[started]];
        advance(std::make_unique<Stream>(RootWalk(plan, root.path, root.absolute), order[started++]));
      }
      if (streams.empty()) return false;
      current = streams.take();
      while (!streams.empty() && streams.top()->item.key == current->item.key) advance(streams.take());
      if (give(item)) return true;
    }
  }

  // False for what another root decides.
  bool give(WalkItem& item) {
    if (!current->item.is_file && is_choice(current->item.reason) && is_root(current->item.key)) return false;
    std::swap(item, current->item);
    return true;
  }
};

Walker::Walker(std::unique_ptr<State> state) : state_(std::move(state)) {}
Walker::Walker(Walker&&) noexcept = default;
Walker& Walker::operator=(Walker&&) noexcept = default;
Walker::~Walker() = default;

Result<Walker> Walker::open(const std::vector<std::string>& roots, const WalkOptions& options) {
  std::vector<Root> checked;
  for (const std::string& given : roots) {
    RAGLINE_TRY(Root root, check_root(given));
    checked.push_back(std::move(root));
  }
  return Walker(std::make_unique<State>(std::move(checked), options));
}

bool Walker::next(WalkItem& item) { return state_->next(item); }
const std::vector<bool>& Walker::complete() const { return state_->complete; }

Result<std::vector<bool>> walk(const std::vector<std::string>& roots, const WalkOptions& options, const VisitFile& visit,
                               const VisitSkip& skip) {
  RAGLINE_TRY(Walker walker, Walker::open(roots, options));
  WalkItem item;
  while (walker.next(item)) {
    if (item.is_file) {
      RAGLINE_CHECK(visit(std::move(item.file)));
    } else if (skip) {
      skip(item.path, item.reason, item.detail);
    }
  }
  return walker.complete();
}

}  // namespace ragline
