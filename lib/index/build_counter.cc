#include "index/build_counter.h"

#include <utility>

#include "core/text.h"

namespace ragline {

namespace {
constexpr std::size_t kExamples = 5;
}

void BuildCounter::read(std::uint64_t bytes, std::uint64_t files) {
  std::lock_guard lock(mutex_);
  report_.bytes += bytes;
  report_.files += files;
}

void BuildCounter::chunks(const std::vector<Chunk>& chunks) {
  std::uint64_t vectors = 0;
  for (const Chunk& chunk : chunks) vectors += !chunk.vector.empty();
  std::lock_guard lock(mutex_);
  report_.chunks += chunks.size();
  report_.vectors_ignored += vectors;
}

void BuildCounter::skip(const std::string& path, SkipReason reason, const std::string& detail) {
  skip(path, skip_reason_name(reason), is_unreadable(reason), detail);
}

void BuildCounter::skip_again(const std::string& path, const std::string& reason) {
  skip(path, reason, reason == skip_reason_name(SkipReason::kMalformed), "");
}

void BuildCounter::skip(const std::string& path, const std::string& reason, bool unreadable,
                        const std::string& detail) {
  std::lock_guard lock(mutex_);
  ++report_.skipped[reason];
  if (!unreadable) return;
  ++report_.unreadable;
  unreadable_.insert(cat(path, ": ", detail.empty() ? reason : detail));
  if (unreadable_.size() > kExamples) unreadable_.erase(std::prev(unreadable_.end()));
}

void BuildCounter::add(const SourceReport& report) {
  for (const auto& [path, reason] : report.skipped) skip(path, reason, "");
  if (report.bad_rows == 0) return;
  std::lock_guard lock(mutex_);
  if (report_.bad_rows == 0 ||
      std::pair(report.first_bad_line, report.first_bad) < std::pair(first_bad_line_, report_.first_bad)) {
    report_.first_bad = report.first_bad;
    first_bad_line_ = report.first_bad_line;
  }
  report_.bad_rows += report.bad_rows;
}

BuildReport BuildCounter::take() {
  report_.unreadable_examples.assign(unreadable_.begin(), unreadable_.end());
  return std::move(report_);
}

}  // namespace ragline
