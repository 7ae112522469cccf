#include "index/leftovers.h"

#include <algorithm>
#include <set>

#include "index/segment_files.h"

namespace ragline {

namespace {

// "<prefix>000001", any number of digits from six on; the rest behind it.
bool take_numbered(std::string_view& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  name.remove_prefix(digits);
  return digits >= 6;
}

bool is_writers_name(std::string_view name) {
  if (name == kManifestDraft) return true;
  std::string_view rest = name;
  if (take_numbered(rest, "versions-")) return rest.empty();
  rest = name;
  if (!take_numbered(rest, "seg-")) return false;
  return rest == "/" || (take_numbered(rest, ".del-") && rest.empty());
}

}  // namespace

Result<std::vector<std::string>> find_leftovers(const Storage& storage, const Manifest& manifest) {
  std::set<std::string, std::less<>> named{manifest.versions};
  for (const SegmentEntry& segment : manifest.segments) {
    named.insert(segment.name + '/');
    named.insert(segment.deletes);
  }
  RAGLINE_TRY(std::vector<std::string> names, storage.list(""));
  std::erase_if(names, [&](const std::string& name) { return !is_writers_name(name) || named.contains(name); });
  return names;
}

Status remove_leftovers(Storage& storage, const Manifest& manifest) {
  RAGLINE_TRY(const std::vector<std::string> names, find_leftovers(storage, manifest));
  for (const std::string& name : names)
    RAGLINE_CHECK(name.ends_with('/') ? storage.remove_folder(std::string_view(name).substr(0, name.size() - 1))
                                      : storage.remove(name));
  return {};
}

bool is_index_name(std::string_view name) {
  return is_writers_name(name) || name == kManifestFile || name == kLockFile || name == kIgnoreFile || name.starts_with("sources.");
}

}  // namespace ragline
