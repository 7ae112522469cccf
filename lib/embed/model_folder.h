#pragma once
#include <string>

namespace ragline {

// The folder that the running program lies in; empty where the system does not say.
std::string program_folder();

}  // namespace ragline
