#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

// A line on standard error that tells how far long work is:
//
//   indexing [########............]  41 %  20,512 of 50,000 files  8,120/s  4 s left
//
//   Shown    only when asked to and standard error is a terminal; first after half a second, so
//            that short work shows nothing, then at most ten times a second; erased by finish()
//            and the destructor.
//   Threads  add() and set_total() from any; they cost an atomic addition unless a redraw is due.
//   Errors   none.
namespace ragline {

class Progress {
 public:
  // `label` and `unit` as above: "indexing", "files". `show` is !--quiet && !--no-progress.
  Progress(bool show, std::string label, std::string unit);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // 0, as at first, is "not known": the line then has neither bar nor time left.
  void set_total(std::uint64_t total) { total_.store(total, std::memory_order_relaxed); }
  void add(std::uint64_t done) {
    done_.fetch_add(done, std::memory_order_relaxed);
    if (shown_) draw_if_due();
  }
  std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  void finish();

 private:
  void draw_if_due();

  const bool shown_;
  const std::string label_, unit_;
  const std::chrono::steady_clock::time_point start_;
  std::atomic<std::uint64_t> done_{0}, total_{0};
  std::atomic<std::int64_t> next_draw_ms_{500};
};

// The line's text for `seconds` of work, at most `width` columns.
std::string progress_line(const std::string& label, const std::string& unit, std::uint64_t done,
                          std::uint64_t total, double seconds, int width);

// Erases the line if one is drawn: a message then has the row for itself. A redraw brings it back.
void clear_progress_line();

}  // namespace ragline
