#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "cli/terminal.h"
#include "core/text.h"

namespace ragline {

namespace {

std::mutex line_mutex;    // one line on one terminal
bool line_drawn = false;  // under line_mutex

void put(const std::string& text) {
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return cat(whole, " s");
  if (whole < 3600) return cat(whole / 60, " min ", whole % 60, " s");
  return cat(whole / 3600, " h ", whole % 3600 / 60, " min");
}

}  // namespace

Progress::Progress(bool show, std::string label, std::string unit)
    : shown_(show && is_terminal(STDERR_FILENO)),
      label_(std::move(label)),
      unit_(std::move(unit)),
      start_(std::chrono::steady_clock::now()) {}

void Progress::draw_if_due() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const auto now_ms = static_cast<std::int64_t>(elapsed.count() * 1000);
  std::int64_t due = next_draw_ms_.load(std::memory_order_relaxed);
  // Of several threads that find a redraw due, the one that moves the date draws.
  if (now_ms < due || !next_draw_ms_.compare_exchange_strong(due, now_ms + 100)) return;
  const std::string line =
      progress_line(label_, unit_, done(), total_.load(std::memory_order_relaxed), elapsed.count(),
                    terminal_width(STDERR_FILENO) - 1);
  std::lock_guard lock(line_mutex);
  put(cat("\r", line, "\x1b[K"));
  line_drawn = true;
}

void Progress::finish() { clear_progress_line(); }

void clear_progress_line() {
  std::lock_guard lock(line_mutex);
  if (line_drawn) put("\r\x1b[K");
  line_drawn = false;
}

std::string progress_line(const std::string& label, const std::string& unit, std::uint64_t done,
                          std::uint64_t total, double seconds, int width) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string line = label;
  if (total > 0) {
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto filled = static_cast<std::size_t>(part * 20);
    const std::string percent = std::to_string(static_cast<int>(part * 100));
    append(line, " [", std::string(filled, '#'), std::string(20 - filled, '.'), "] ",
           std::string(percent.size() < 3 ? 3 - percent.size() : 0, ' '), percent, " %  ",
           count_text(done), " of ", count_text(total), ' ', unit);
  } else {
    append(line, "  ", count_text(done), ' ', unit);
  }
  if (rate > 0) append(line, "  ", count_text(static_cast<std::uint64_t>(rate)), "/s");
  if (rate > 0 && total > done)
    append(line, "  ", duration_text(static_cast<double>(total - done) / rate), " left");
  if (line.size() > static_cast<std::size_t>(width)) line.resize(static_cast<std::size_t>(width));
  return line;
}

}  // namespace ragline
