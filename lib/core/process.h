#pragma once
#include <string>

namespace ragline {

// "process 4711 on <host>": who holds a lock, for people. Text only; nothing is concluded from it.
std::string process_text();

}  // namespace ragline
