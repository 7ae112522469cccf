#include "grep/engine.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <thread>

#include "core/interrupt.h"
#include "grep/collector.h"
#include "grep/file_text.h"
#include "grep/multiline.h"
#include "grep/pieces.h"

namespace ragline {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFlushBytes = 1 << 20;  // a page of this size is handed on, when its turn has come

struct Shared {
  const EngineOptions& options;
  const Opener& opener;
  TargetQueue& queue;
  Collector& collector;
  PiecePool& pool;
  std::optional<Clock::time_point> deadline;

  bool time_is_up() const { return interrupted() || (deadline && Clock::now() >= *deadline); }
};

// Closes a descriptor at the end of a scope.
struct Closer {
  int descriptor;
  ~Closer() { ::close(descriptor); }
};

// One thread's share of the work.
class Worker {
 public:
  Worker(Shared& shared, const std::shared_ptr<const GrepQuery>& query)
      : shared_(shared),
        options_(shared.options),
        matcher_(query),
        searcher_(matcher_, options_.scan),
        multiline_(matcher_, options_.scan),
        printer_(make_printer(options_.print, matcher_)),
        text_options_{options_.binary_as_text, options_.encoding, options_.decompress},
        text_(text_options_, {options_.block_bytes, options_.most_line_bytes, options_.scan.before}) {}

  void run() {
    TargetBatch batch;
    while (!shared_.collector.stopped() && shared_.queue.next(batch)) {
      sequence_ = batch.sequence;
      parts_.clear();
      page_.clear();
      spans_before_ = handed_lines_ = 0;
      late_ = false;
      for (const Target& target : batch.targets) {
        if (shared_.collector.stopped()) break;
        handle(target);
      }
      shared_.collector.take(sequence_, parts_, page_, true);
      batch.targets.clear();
    }
    shared_.queue.stop_if(shared_.collector.stopped());
    shared_.pool.serve(matcher_);
  }

 private:
  // The entry of `target`, closed with what the page holds by now.
  FilePart& add_part(const Target& target) {
    FilePart& part = parts_.emplace_back();
    part.target = &target;
    part.bytes_end = page_.bytes.size();
    part.marks_end = page_.marks.size();
    return part;
  }

  void skip(const Target& target, SkipReason reason, std::string detail) {
    FilePart& part = add_part(target);
    part.reason = reason;
    part.detail = std::move(detail);
  }

  void handle(const Target& target) {
    if (!target.is_file) return skip(target, target.reason, target.detail);
    if (options_.may_read && !options_.may_read(target.document_id)) {
      // What the caller may not see leaves no trace, but for what it has named itself.
      if (target.named) skip(target, SkipReason::kUnreadable, "the index holds no such document, or not for you");
      return;
    }
    late_ = late_ || shared_.time_is_up();
    if (late_) {
      add_part(target).stopped = true;
      return;
    }
    if (options_.only_files) return list(target);
    Opener::Opened opened = shared_.opener.open(target, options_.follow_links);
    if (opened.descriptor < 0) return skip(target, opened.reason, std::move(opened.detail));
    const Closer closer{opened.descriptor};
    if (target.named || options_.most_file_bytes > 0 || options_.follow_links) {
      struct stat info {};
      if (::fstat(opened.descriptor, &info) != 0) return skip(target, SkipReason::kUnreadable, std::strerror(errno));
      if (!target.standard_input && !S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode))
        return skip(target, SkipReason::kSpecial, S_ISDIR(info.st_mode) ? "a directory" : "a device or socket");
      if (options_.most_file_bytes > 0 && static_cast<std::uint64_t>(info.st_size) > options_.most_file_bytes)
        return skip(target, SkipReason::kTooLarge, "");
    }
    if (Status status = search(target, opened.descriptor); !status) {
      const bool large = status.error().kind == ErrorKind::kLimit;
      skip(target, large ? SkipReason::kTooLarge : SkipReason::kUnreadable, status.error().message);
    }
  }

  void list(const Target& target) {
    printer_->begin({target.path, target.document_id, ""}, page_);
    printer_->end({});
    FilePart& part = add_part(target);
    part.searched = true;
    part.lines = 1;
  }

  bool short_reads_end_in(const Target& target, int descriptor) {
    if (!target.directory) return short_reads_end(descriptor);
    if (target.directory.get() != last_directory_) {
      last_directory_ = target.directory.get();
      last_short_reads_end_ = short_reads_end(last_directory_->descriptor());
    }
    return last_short_reads_end_;
  }

  Status search(const Target& target, int descriptor) {
    const bool ends = short_reads_end_in(target, descriptor);
    const GoOn in_time = [&](std::uint64_t) { return !shared_.collector.stopped() && !shared_.time_is_up(); };
    const bool twice = matcher_.query().file() || options_.scan.near > 0;
    RAGLINE_TRY(bool is_text, twice ? text_.open_twice(descriptor, ends) : text_.open(descriptor, ends));
    if (!is_text) {
      skip(target, SkipReason::kBinary, "");
      return {};
    }
    part_ = {};
    part_.target = &target;
    part_.searched = true;
    part_.from = std::exchange(start_offset(), 0);
    if (matcher_.query().file()) {
      RAGLINE_TRY(const bool meets, searcher_.meets_file_condition(text_.reader(), in_time));
      if (!meets) return finish({.lines = 0, .bytes = 0, .stopped = shared_.time_is_up()}, true);
      RAGLINE_TRY(is_text, text_.reopen());
    }
    if (options_.scan.near > 0) {
      RAGLINE_CHECK(searcher_.note_near(text_.reader(), in_time));
      RAGLINE_TRY(is_text, text_.reopen());
    }
    printer_->begin({target.path, target.document_id, text_.extractor()}, page_);
    const GoOn go_on = [&](std::uint64_t offset) {
      if (page_.bytes.size() >= kFlushBytes) flush(offset);
      return in_time(offset);
    };
    const bool multiline = matcher_.query().options().multiline;
    const std::uint64_t size = multiline || twice || target.standard_input ? 0 : text_.plain_size();
    const bool large = size > 0 && size >= options_.large_bytes;
    auto result = multiline ? multiline_.search(text_.reader(), *printer_, in_time, part_.from)
                  : large   ? search_pieces(descriptor, size, go_on)
                            : searcher_.search(text_.reader(), *printer_, go_on, part_.from);
    if (!result) {
      // What was found before the error is true all the same; the file counts as unreadable.
      part_.failed = true;
      part_.reason = SkipReason::kUnreadable;
      part_.detail = result.error().message;
      return finish({}, false);
    }
    return finish(*result, false);
  }

  Result<ScanResult> search_pieces(int descriptor, std::uint64_t size, const GoOn& go_on) {
    PieceOptions pieces;
    pieces.piece_bytes = options_.block_bytes;
    pieces.most_line_bytes = options_.most_line_bytes;
    pieces.keep_lines = options_.scan.before;
    pieces.count_newlines = options_.scan.number_lines;
    PieceReader reader(shared_.pool, pieces, {descriptor, size, part_.from}, matcher_, text_);
    return searcher_.search(reader, *printer_, go_on, part_.from);
  }

  std::uint64_t& start_offset() { return sequence_ == 0 && parts_.empty() ? first_offset_ : no_offset_; }

  // Closes the part that is open, with the printer's end.
  Status finish(const ScanResult& result, bool silent) {
    const bool is_list = options_.print.form == PrintForm::kPaths;
    const bool wanted = is_list ? (result.lines > 0) != options_.without_match : !silent;
    if (wanted) printer_->end({result.lines, result.bytes});
    part_.reached = std::max(result.bytes, part_.from);
    part_.lines = is_list ? wanted : result.lines - std::min(result.lines, handed_lines_);
    part_.spans = page_.spans - spans_before_;
    spans_before_ = page_.spans;
    part_.long_lines = text_.reader().long_lines();
    part_.capped = result.capped;
    part_.stopped = result.stopped && shared_.time_is_up();
    part_.bytes_end = page_.bytes.size();
    part_.marks_end = page_.marks.size();
    parts_.push_back(std::move(part_));
    late_ = late_ || parts_.back().stopped;
    handed_lines_ = 0;
    if (options_.stop_at_first && result.lines > 0) shared_.queue.stop_if(true);
    return {};
  }

  // Hands on what the page holds, once it is this batch's turn.
  void flush(std::uint64_t offset) {
    const std::size_t settled = printer_->settled();
    shared_.collector.await_turn(sequence_);
    if (shared_.collector.stopped()) return;
    FilePart part = part_;
    part.ends = false;
    part.reached = offset;
    part.bytes_end = settled;
    part.marks_end = page_.marks.size();
    part.lines = searcher_.lines_so_far() - handed_lines_;
    handed_lines_ += part.lines;
    part.spans = page_.spans - spans_before_;
    parts_.push_back(std::move(part));
    shared_.collector.take(sequence_, parts_, page_, false);
    parts_.clear();
    page_.bytes.erase(0, settled);
    page_.marks.clear();
    page_.spans = spans_before_ = 0;
    page_.hits.clear();
    printer_->taken(settled);
    part_.begins = false;
    part_.from = offset;
  }

  Shared& shared_;
  const EngineOptions& options_;
  Matcher matcher_;
  FileSearcher searcher_;
  MultilineSearcher multiline_;
  std::unique_ptr<Printer> printer_;
  const TextOptions text_options_;
  FileText text_;
  Page page_;
  std::vector<FilePart> parts_;
  FilePart part_;
  std::uint64_t sequence_ = 0, handed_lines_ = 0, spans_before_ = 0;
  std::uint64_t first_offset_ = options_.start_offset, no_offset_ = 0;
  const OpenDirectory* last_directory_ = nullptr;
  bool last_short_reads_end_ = false, late_ = false;
};

}  // namespace

Result<EngineReport> run_engine(std::shared_ptr<const GrepQuery> query, std::unique_ptr<TargetStream> targets, std::string skip_to,
                                const Opener& opener, const EngineOptions& options, const Write& write, const Write& spill) {
  const bool resumed = !skip_to.empty();
  TargetQueue queue(std::move(targets), std::move(skip_to));
  Collector collector(options, write, spill, query->terms().size());
  PiecePool pool(options.threads);
  Shared shared{options, opener, queue, collector, pool, std::nullopt};
  if (options.budgets.timeout_ms > 0) shared.deadline = Clock::now() + std::chrono::milliseconds(options.budgets.timeout_ms);
  std::vector<std::thread> threads;
  for (int i = 1; i < options.threads; ++i) threads.emplace_back([&] { Worker(shared, query).run(); });
  Worker(shared, query).run();
  for (std::thread& thread : threads) thread.join();
  RAGLINE_CHECK(collector.status());
  if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
  if (resumed && !queue.found_start())
    return fail(ErrorKind::kUsage, "--cursor: the file it names is not there any more: search again without it");
  return std::move(collector).report();
}

}  // namespace ragline
