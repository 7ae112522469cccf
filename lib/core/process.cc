#include "core/process.h"

#include <unistd.h>

#include "core/text.h"

namespace ragline {

std::string process_text() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return cat("process ", ::getpid(), " on ",
             host[0] ? std::string_view(host) : std::string_view("this machine"));
}

}  // namespace ragline
