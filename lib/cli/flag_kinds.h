#pragma once
#include <utility>

#include "cli/spec.h"

// Short forms for a tool's own flags of the usual kinds.
namespace ragline {

inline Flag switch_flag(std::string name, std::string category, std::string help,
                        std::string details = "") {
  return {.name = std::move(name),
          .category = std::move(category),
          .help = std::move(help),
          .details = std::move(details)};
}

inline Flag text_flag(std::string name, std::string value, std::string category, std::string help,
                      std::string details = "") {
  return {.name = std::move(name),
          .type = FlagType::kText,
          .value = std::move(value),
          .category = std::move(category),
          .help = std::move(help),
          .details = std::move(details)};
}

inline Flag repeated(Flag flag) {
  flag.repeatable = true;
  return flag;
}

}  // namespace ragline
