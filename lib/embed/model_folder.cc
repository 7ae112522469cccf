#include "embed/model_folder.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/files.h"
#include "core/storage.h"
#include "core/text.h"
#include "embed/embedder.h"
#include "embed/static_model.h"
#include "embed/transformer.h"

namespace ragline {

namespace {

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? value : nullptr;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  if (!stat_file(folder).is_directory) return out;
  const auto names = disk_storage(folder)->list("");
  if (!names) return out;
  for (const std::string& name : *names)
    if (name.ends_with('/') && is_static_model(join_path(folder, name)))
      out.push_back(name.substr(0, name.size() - 1));
  return out;
}

Error not_found(const EmbedderOptions& options) {
  const std::vector<std::string> names = model_names(options.model_folders);
  std::string known;
  for (const std::string& name : names) append(known, known.empty() ? "" : ", ", name);
  return {
      ErrorKind::kNotFound,
      cat("no model '", options.model, "': ",
          names.empty() ? "there are no models in the model folder; scripts/setup fetches them, or "
                          "give the path of a model's folder"
                        : cat("give the path of a model's folder, or one of: ", known))};
}

}  // namespace

std::string program_folder() {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0) return {};
  const std::string_view program(path, static_cast<std::size_t>(size));
  return std::string(program.substr(0, program.find_last_of('/')));
}

std::vector<std::string> model_folders() {
  std::vector<std::string> out;
  if (const char* folder = variable("RAGLINE_MODELS")) {
    out.emplace_back(folder);
  } else if (const char* data = variable("XDG_DATA_HOME")) {
    out.push_back(join_path(data, "ragline/models"));
  } else if (const char* home = variable("HOME")) {
    out.push_back(join_path(home, ".local/share/ragline/models"));
  }
  const std::string program = program_folder();
  if (!program.empty()) {
    out.push_back(normal_path(join_path(program, "../share/ragline/models")));
    out.push_back(normal_path(join_path(program, "../../../share/models")));
  }
  return out;
}

std::vector<std::string> model_names(std::span<const std::string> folders) {
  std::vector<std::string> out;
  for (const std::string& folder : folders)
    for (std::string& name : names_in(folder)) out.push_back(std::move(name));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<std::unique_ptr<const Embedder>> open_embedder(const EmbedderOptions& options) {
  std::string path = options.model;
  if (path.find('/') == path.npos && !stat_file(path).exists)
    for (const std::string& folder : options.model_folders)
      if (const std::string inside = join_path(folder, options.model);
          stat_file(inside).is_directory) {
        path = inside;
        break;
      }
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.empty() || !stat_file(path).exists) return std::unexpected(not_found(options));
  if (is_transformer(path)) return open_transformer(path);
  if (is_static_model(path)) return open_static_model(path);
  return fail(ErrorKind::kData,
              cat(path, ": no model: a model's folder has model.safetensors and tokenizer.json"));
}

}  // namespace ragline
