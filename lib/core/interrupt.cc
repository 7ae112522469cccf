#include "core/interrupt.h"

#include <atomic>
#include <csignal>

namespace ragline {

namespace {
std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int number) {
  if (asked.exchange(true)) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}
}  // namespace

void install_interrupt_handlers() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() { return asked.load(std::memory_order_relaxed); }

}  // namespace ragline
