#include "index/builders.h"

#include <algorithm>

#include "core/interrupt.h"

namespace ragline {

namespace {

// What a segment takes at least before it is written, however little memory there is: an empty
// writer's tables may be above its share already.
constexpr std::size_t kLeastGrowth = 1 << 20;

// Part of the memory is left to the queue and to what writing a segment needs for a moment.
std::uint64_t share(const BuildersOptions& options) {
  return options.memory / 8 * 7 / static_cast<std::uint64_t>(options.threads);
}

}  // namespace

Builders::Builders(Storage& storage, BuildersOptions options)
    : storage_(storage), options_(std::move(options)) {
  options_.threads = std::max(options_.threads, 1);
  for (int i = 0; i < options_.threads; ++i) {
    builders_.push_back(std::make_unique<Builder>());
    builders_.back()->writer.set_language(options_.language);
  }
}

Builders::~Builders() {
  if (!queue_) return;
  {
    std::lock_guard guard(mutex_);
    if (error_) error_ = fail(ErrorKind::kInterrupted, "the writer was given up");
  }
  stop();
}

Status Builders::push(std::vector<ChunkedDocument>&& documents, std::uint64_t sequence) {
  Task task;
  task.documents = std::move(documents);
  task.sequence = sequence;
  return hand_over(std::move(task));
}

Status Builders::submit(Work work, std::uint64_t sequence) {
  Task task;
  task.work = std::move(work);
  task.sequence = sequence;
  return hand_over(std::move(task));
}

Status Builders::hand_over(Task&& task) {
  RAGLINE_CHECK(error());
  if (!queue_) start();
  {
    std::lock_guard guard(mutex_);
    ++open_tasks_;
  }
  queue_->push(std::move(task));
  return {};
}

Status Builders::drain() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return open_tasks_ == 0; });
  return error_;
}

Result<std::vector<BuiltSegment>> Builders::finish() {
  if (queue_) stop();
  RAGLINE_CHECK(error());
  std::vector<BuiltSegment> built;
  for (auto& builder : builders_) {
    std::move(builder->built.begin(), builder->built.end(), std::back_inserter(built));
    builder->built.clear();
  }
  std::sort(built.begin(), built.end(), [](const BuiltSegment& a, const BuiltSegment& b) {
    return std::pair(a.entry.name.size(), a.entry.name) <
           std::pair(b.entry.name.size(), b.entry.name);
  });
  return built;
}

void Builders::start() {
  queue_ = std::make_unique<BoundedQueue<Task>>(static_cast<std::size_t>(options_.threads) + 1);
  for (auto& builder : builders_)
    builder->thread = std::thread([this, &builder = *builder] { run(builder); });
}

void Builders::stop() {
  queue_->close();
  for (auto& builder : builders_) builder->thread.join();
  queue_.reset();
}

void Builders::run(Builder& builder) {
  auto note = [&](Status status) {
    if (status) return;
    std::lock_guard guard(mutex_);
    if (error_) error_ = std::move(status);
  };
  while (std::optional<Task> task = queue_->pop()) {
    if (error()) note(perform(builder, *task));
    task.reset();  // what the work holds is gone before the task counts as done
    std::lock_guard guard(mutex_);
    if (--open_tasks_ == 0) done_.notify_all();
  }
  if (error()) note(write(builder));
}

Status Builders::perform(Builder& builder, Task& task) {
  if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted: the index is as it was");
  for (ChunkedDocument& document : task.documents)
    RAGLINE_CHECK(add(builder, document, task.sequence));
  if (!task.work) return {};
  return task.work([&](ChunkedDocument&& document) -> Status {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted: the index is as it was");
    return add(builder, document, task.sequence);
  });
}

Status Builders::add(Builder& builder, ChunkedDocument& document, std::uint64_t sequence) {
  if (options_.embedder) RAGLINE_CHECK(options_.embedder->embed(document));
  if (builder.name.empty()) {
    builder.name = options_.next_segment();
    builder.empty_memory = builder.writer.memory();
    RAGLINE_CHECK(builder.writer.begin(storage_, builder.name));
  }
  if (builder.runs.empty() || builder.runs.back().sequence != sequence)
    builder.runs.push_back({builder.writer.document_count(), sequence});
  RAGLINE_CHECK(builder.writer.add(document));
  const std::uint64_t limit =
      std::max<std::uint64_t>(share(options_), builder.empty_memory + kLeastGrowth);
  return builder.writer.memory() >= limit ? write(builder) : Status{};
}

Status Builders::write(Builder& builder) {
  if (builder.name.empty()) return {};
  BuiltSegment built;
  RAGLINE_TRY(built.entry, builder.writer.write(storage_, builder.name));
  built.runs = std::exchange(builder.runs, {});
  builder.built.push_back(std::move(built));
  builder.name.clear();
  return {};
}

Status Builders::error() {
  std::lock_guard guard(mutex_);
  return error_;
}

}  // namespace ragline
