#include "cli/paths.h"

#include <unistd.h>

#include "cli/terminal.h"
#include "core/files.h"
#include "core/text.h"

namespace ragline {

namespace {

Status append_list(const std::string& file, char separator, std::vector<std::string>& paths) {
  std::string bytes;
  if (file == "-") {
    RAGLINE_TRY(bytes, read_standard_input());
  } else {
    RAGLINE_TRY(auto mapped, read_file(file));
    bytes = mapped->bytes();
  }
  for (const std::string_view path : split(bytes, separator))
    if (!path.empty()) paths.emplace_back(path);
  return {};
}

}  // namespace

Result<std::vector<std::string>> input_paths(const Flags& flags, std::size_t first) {
  std::vector<std::string> paths;
  const auto& positionals = flags.positionals();
  for (std::size_t i = first; i < positionals.size(); ++i) paths.push_back(positionals[i]);
  for (const auto& [name, separator] : {std::pair("files-from", '\n'), {"files0-from", '\0'}})
    if (flags.knows(name) && flags.has(name))
      RAGLINE_CHECK(append_list(flags.text(name), separator, paths));
  return paths;
}

Status need_piped_input(std::string_view hint) {
  if (!is_terminal(STDIN_FILENO)) return {};
  return fail(ErrorKind::kUsage, cat("standard input is a terminal: pipe records into it: ", hint));
}

}  // namespace ragline
