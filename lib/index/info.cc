#include "index/info.h"

#include <algorithm>

#include "analysis/language.h"
#include "core/text.h"
#include "lexical/field.h"

namespace ragline {

namespace {

// Side files are numbered: "seg-000001.del-000004" is one of the deletes.
std::string kind_of(std::string_view name) {
  if (name.find(".del-") != name.npos) return "deletes";
  if (name.starts_with("versions-")) return "versions";
  return std::string(name);
}

}  // namespace

Result<IndexInfo> describe_index(const Storage& storage, const Snapshot& snapshot) {
  IndexInfo info;
  info.documents = snapshot.live_documents();
  info.chunks = snapshot.live_chunks();
  info.several_versions = snapshot.several_versions.size();
  for (const auto& [language, statistics] : snapshot.statistics) {
    if (statistics.chunks == 0) continue;
    const auto length = static_cast<double>(statistics.length[field_index(Field::kContent)]);
    info.languages.push_back({language_code(language), statistics.chunks, length / static_cast<double>(statistics.chunks)});
  }
  std::stable_sort(info.languages.begin(), info.languages.end(), [](const auto& a, const auto& b) { return a.chunks > b.chunks; });

  for (const auto& segment : snapshot.segments)
    for (const TextBlock& block : segment->text().blocks()) info.text_bytes += block.raw_size;
  auto add = [&](const std::string& name, std::string_view kind) -> Status {
    RAGLINE_TRY(const auto file, storage.map(name));
    info.files[kind_of(kind)] += file->bytes().size();
    return {};
  };
  RAGLINE_TRY(const std::vector<std::string> names, storage.list(""));
  for (const std::string& name : names)
    if (!name.ends_with('/')) RAGLINE_CHECK(add(name, name));
  for (const auto& segment : snapshot.segments) {
    RAGLINE_TRY(const std::vector<std::string> files, storage.list(segment->name()));
    for (const std::string& file : files) RAGLINE_CHECK(add(cat(segment->name(), "/", file), file));
  }
  for (const auto& [kind, bytes] : info.files)
    if (!kind.starts_with("sources.sqlite")) info.bytes += bytes;
  return info;
}

}  // namespace ragline
