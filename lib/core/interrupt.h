#pragma once

namespace ragline {

// SIGINT and SIGTERM ask long work to stop at the next safe point; a second one ends the process at once.
// Safe point: nothing half-written will be published.
void install_interrupt_handlers();
bool interrupted();

}  // namespace ragline
