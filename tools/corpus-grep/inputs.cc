#include <unistd.h>

#include <unordered_set>

#include "cli/paths.h"
#include "core/files.h"
#include "core/text.h"
#include "corpus-grep/options.h"
#include "index/filter.h"
#include "record/base64.h"
#include "record/reader.h"

namespace ragline {

namespace {

Result<std::vector<std::string>> record_paths(const std::string& file) {
  RAGLINE_TRY(auto lines, LineReader::open(file));
  std::vector<std::string> paths;
  Line line;
  while (true) {
    RAGLINE_TRY(const bool more, lines.next(line));
    if (!more) return paths;
    std::string path;
    bool exact = false;
    const Status read = for_each_scalar(line.bytes, [&](std::string_view key, const JsonScalar& value) {
      if (key == "path" && !exact) path = value.text;
      if (key != "path_b64") return;
      if (auto bytes = base64_decode(value.text)) {
        path = std::move(*bytes);
        exact = true;
      }
    });
    if (!read) return std::unexpected(at_line(read.error(), lines.name(), line.number));
    if (!path.empty()) paths.push_back(std::move(path));
  }
}

bool is_listed(const Flags& flags) {
  return flags.has("files-from") || flags.has("files0-from") || flags.has("records-from");
}

}  // namespace

Result<Inputs> read_inputs(const Flags& flags, std::size_t first) {
  Inputs inputs;
  inputs.listed = is_listed(flags);
  const auto& positionals = flags.positionals();
  if (inputs.listed && positionals.size() > first)
    return fail(ErrorKind::kUsage, cat("both a list of files and the path '", positionals[first], "' given: leave one out"));
  if (flags.has("records-from")) {
    RAGLINE_TRY(inputs.paths, record_paths(flags.text("records-from")));
  } else if (inputs.listed) {
    RAGLINE_TRY(inputs.paths, input_paths(flags, positionals.size()));
  } else {
    inputs.paths.assign(positionals.begin() + static_cast<std::ptrdiff_t>(first), positionals.end());
  }
  if (flags.has("root")) {
    const std::string root = absolute_path(flags.text("root"));
    RAGLINE_TRY(inputs.opener, Opener::beneath(root));
    for (std::string& path : inputs.paths) {
      if (inputs.listed || path == "-") continue;
      path = relative_path(root, absolute_path(path));
      if (path == root) path = ".";
      if (path.starts_with('/'))
        return fail(ErrorKind::kUsage, cat("'", path, "' is outside of --root ", root));
    }
    if (::chdir(root.c_str()) != 0) return fail(ErrorKind::kIo, errno_text("--root: cannot enter", root));
  }
  if (!inputs.listed && inputs.paths.empty()) inputs.paths.push_back(".");
  if (!inputs.listed && inputs.paths.size() == 1) {
    const FileStat only = inputs.paths[0] == "-" ? FileStat{} : stat_file(inputs.paths[0]);
    inputs.one_file = !only.is_directory;
    inputs.one_file_bytes = only.size;
  }
  return inputs;
}

Result<FileTypes> file_types(const Flags& flags) {
  FileTypes types;
  for (const std::string& definition : flags.list("type-add")) RAGLINE_CHECK(types.add(definition));
  return types;
}

Result<PathFilter> path_filter(const Flags& flags) {
  PathFilter filter(current_directory());
  for (const std::string& glob : flags.list("glob")) filter.add_glob(glob, false);
  for (const std::string& glob : flags.list("iglob")) filter.add_glob(glob, true);
  RAGLINE_TRY(const FileTypes types, file_types(flags));
  for (const auto& [flag, negated] : {std::pair("type", false), {"type-not", true}}) {
    for (const std::string& name : flags.list(flag)) {
      RAGLINE_TRY(const auto globs, types.globs(name));
      filter.add_type(globs, negated);
    }
  }
  return filter;
}

Result<WalkOptions> walk_options(const Flags& flags, const PathFilter& filter, const Opener& opener) {
  WalkOptions walk;
  const auto unrestricted = flags.count("unrestricted");
  walk.hidden = flags.on("hidden") || unrestricted >= 2;
  walk.use_ignore_files = !flags.on("no-ignore") && unrestricted == 0;
  walk.require_git = !flags.on("no-require-git");
  walk.follow_links = flags.on("follow");
  walk.max_depth = static_cast<int>(flags.integer("max-depth"));
  walk.stat_files = walk.keep_directories = false;
  walk.keep_directories = true;
  if (!filter.empty())
    walk.verdict = [&filter](std::string_view path, bool is_directory) { return filter.verdict(path, is_directory); };
  if (opener.is_confined())
    walk.open_directory = [&opener](const std::string& path, bool follow) { return opener.open_directory(path, follow); };
  return walk;
}

Result<std::unique_ptr<TargetStream>> open_targets(const Inputs& inputs, const WalkOptions& walk) {
  if (inputs.listed) return list_targets(inputs.paths, ".");
  return walk_targets(inputs.paths, walk);
}

// The documents of the index that the scope lets through, by id.
Result<std::function<bool(std::string_view)>> reading_rights(const Flags& flags) {
  if (!flags.has("index")) {
    if (flags.given("principal") || flags.given("tenant"))
      return fail(ErrorKind::kUsage, "--principal and --tenant are the business of an index: name it with --index");
    return std::function<bool(std::string_view)>();
  }
  const auto storage = disk_storage(flags.text("index"));
  RAGLINE_TRY(const auto snapshot, open_snapshot(*storage));
  Scope scope;
  scope.principals = flags.list("principal");
  if (flags.has("tenant")) scope.tenant = flags.text("tenant");
  RAGLINE_TRY(const ScopeBitmaps bitmaps, apply_scope(*snapshot, scope));
  auto allowed = std::make_shared<std::unordered_set<std::string>>();
  for (std::size_t s = 0; s < snapshot->segments.size(); ++s) {
    const Segment& segment = *snapshot->segments[s];
    for (std::uint32_t document = 0; document < segment.document_count(); ++document) {
      const std::uint32_t chunk = segment.first_chunks()[document];
      if (segment.is_deleted_document(document) || (bitmaps.chunks[s] && !bitmaps.chunks[s]->test(chunk))) continue;
      const DocumentEntry entry = segment.document(document);
      allowed->insert(std::string(entry.path.empty() ? entry.document_id : entry.path));
    }
  }
  return [allowed](std::string_view id) { return allowed->contains(std::string(id)); };
}

}  // namespace ragline
