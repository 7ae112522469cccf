#include "grep/collector.h"

#include <algorithm>

#include "core/text.h"
#include "corpus/tokens.h"

namespace ragline {

namespace {
constexpr std::size_t kMostUnreadable = 100, kMostBinaryNamed = 10;
}

Collector::Collector(const EngineOptions& options, const Write& write, const Write& spill, std::size_t terms)
    : options_(options), write_(write), spill_(spill) {
  report_.pattern_hit.resize(terms);
}

void Collector::await_turn(std::uint64_t sequence) {
  std::unique_lock guard(lock_);
  turn_.wait(guard, [&] { return next_ == sequence || stopped(); });
}

void Collector::take(std::uint64_t sequence, const std::vector<FilePart>& parts, const Page& page, bool last) {
  std::unique_lock guard(lock_);
  turn_.wait(guard, [&] { return next_ == sequence || stopped(); });
  if (stopped()) return;
  std::size_t bytes_begin = 0, marks_begin = 0;
  for (const FilePart& part : parts) {
    take_part(part, page, bytes_begin, marks_begin);
    if (stopped()) break;
    bytes_begin = part.bytes_end;
    marks_begin = part.marks_end;
  }
  for (std::size_t i = 0; i < page.hits.size(); ++i)
    if (page.hits[i]) report_.pattern_hit[i] = true;
  if (last) ++next_;
  turn_.notify_all();
}

void Collector::stop(std::string reason, const Target& target, std::uint64_t offset) {
  report_.stop_reason = std::move(reason);
  report_.next = cursor_text({options_.search_hash, offset, target.path});
  stopped_ = true;
}

void Collector::skip(const FilePart& part) {
  ++report_.seen;
  note_skip(part);
}

void Collector::note_skip(const FilePart& part) {
  ++skips_[static_cast<std::size_t>(part.reason)];
  if (is_unreadable(part.reason) && report_.unreadable.size() < kMostUnreadable)
    report_.unreadable.push_back({part.target->path, part.reason, part.detail});
  if (part.reason == SkipReason::kBinary && part.target->named && report_.binary_named.size() < kMostBinaryNamed)
    report_.binary_named.push_back(part.target->path);
}

// Budgets that are about whole files. False: stopped.
bool Collector::charge_start(const FilePart& part) {
  const Budgets& budgets = options_.budgets;
  if (budgets.files > 0 && report_.searched == budgets.files) {
    stop("limit:max-files", *part.target, part.from);
    return false;
  }
  if (budgets.bytes_scanned > 0 && report_.bytes >= budgets.bytes_scanned) {
    stop("limit:max-bytes-scanned", *part.target, part.from);
    return false;
  }
  ++report_.seen;
  ++report_.searched;
  file_printed_ = file_matched_ = false;
  return true;
}

void Collector::take_part(const FilePart& part, const Page& page, std::size_t bytes_begin, std::size_t marks_begin) {
  if (!part.searched && part.stopped) return stop("limit:timeout", *part.target, part.from);
  if (!part.searched) return skip(part);
  if (part.begins && !charge_start(part)) return;
  write_part(part, page, bytes_begin, marks_begin);
  if (stopped()) return;
  report_.bytes += part.reached - part.from;
  file_bytes_ = part.begins ? part.reached : file_bytes_ + (part.reached - part.from);
  if (part.ends && file_matched_) report_.matched_bytes += file_bytes_;
  report_.lines += part.lines;
  report_.spans += part.spans;
  report_.long_lines += part.long_lines;
  report_.capped_files += part.capped;
  if (part.failed) {
    --report_.searched;
    note_skip(part);
  }
  if (part.ends && part.stopped) stop("limit:timeout", *part.target, part.reached);
}

void Collector::put(std::string_view bytes, bool within_budget) {
  if (bytes.empty()) return;
  Status status = within_budget ? write_(bytes) : Status{};
  if (status && spill_) status = spill_(bytes);
  if (status) return;
  status_ = status;
  stopped_ = true;
}

// Between the output of two files: an empty line under headings, "--" where there is context.
void Collector::separate() {
  if (options_.print.form != PrintForm::kText) return;
  if (!file_printed_ && any_printed_) {
    if (options_.print.heading) {
      put("\n", !output_closed_);
    } else if (options_.print.context_lines > 0) {
      put("--\n", !output_closed_);
    }
  }
  file_printed_ = any_printed_ = true;
}

void Collector::write_part(const FilePart& part, const Page& page, std::size_t bytes_begin, std::size_t marks_begin) {
  const Budgets& budgets = options_.budgets;
  const std::string_view bytes = std::string_view(page.bytes).substr(bytes_begin, part.bytes_end - bytes_begin);
  if (part.lines > 0 && !file_matched_) {
    file_matched_ = true;
    ++report_.matched;
  }
  if (!budgets.needs_marks()) {
    if (bytes.empty()) return;
    separate();
    put(bytes, true);
    report_.printed += bytes.size();
    return;
  }
  // Line by line. A mark's output begins where the one before ended.
  const std::uint64_t bytes_left = budgets.bytes_scanned > 0 ? budgets.bytes_scanned - report_.bytes : UINT64_MAX;
  std::uint64_t resume = part.from;
  std::size_t begin = bytes_begin;
  std::uint64_t lines = 0;
  auto stop_here = [&](std::string_view limit) {
    report_.lines += lines;
    report_.bytes += std::min(bytes_left, resume - std::min(resume, part.from));
    stop(cat("limit:", limit), *part.target, resume);
  };
  for (std::size_t i = marks_begin; i < part.marks_end; ++i) {
    const Mark& mark = page.marks[i];
    if (mark.line_begin >= part.from && mark.line_begin - part.from >= bytes_left) {
      resume = part.from + bytes_left;
      return stop_here("max-bytes-scanned");
    }
    const std::string_view piece = std::string_view(page.bytes).substr(begin, mark.end - begin);
    if (!output_closed_ && budgets.any_output()) {
      std::string_view limit;
      std::uint64_t tokens = 0;
      if (budgets.tokens > 0) tokens = estimate_tokens(piece);
      if (budgets.matches > 0 && printed_lines_ == budgets.matches) limit = "max-matches";
      if (budgets.output_bytes > 0 && printed_bytes_ + piece.size() > budgets.output_bytes) limit = "max-output-bytes";
      if (budgets.tokens > 0 && printed_tokens_ + tokens > budgets.tokens) limit = "max-tokens";
      if (!limit.empty()) {
        if (!spill_) return stop_here(limit);
        output_closed_ = true;
        report_.stop_reason = cat("limit:", limit);
        report_.next = cursor_text({options_.search_hash, resume, part.target->path});
      } else {
        ++printed_lines_;
        printed_bytes_ += piece.size();
        printed_tokens_ += tokens;
      }
    }
    separate();
    put(piece, !output_closed_);
    if (!output_closed_) report_.printed += piece.size();
    if (stopped()) return;
    ++lines;
    begin = mark.end;
    resume = mark.resume;
  }
  const bool by_lines = options_.print.form != PrintForm::kCount && options_.print.form != PrintForm::kPaths;
  if (by_lines && part.reached - std::min(part.from, part.reached) > bytes_left) {
    resume = part.from + bytes_left;
    stop_here("max-bytes-scanned");
  }
}

EngineReport Collector::report() && {
  for (std::size_t i = 0; i < std::size(skips_); ++i)
    if (skips_[i] > 0) report_.skipped.emplace_back(static_cast<SkipReason>(i), skips_[i]);
  return std::move(report_);
}

std::uint64_t EngineReport::skips(SkipReason reason) const {
  const auto found = std::ranges::find(skipped, reason, [](const auto& each) { return each.first; });
  return found == skipped.end() ? 0 : found->second;
}

}  // namespace ragline
