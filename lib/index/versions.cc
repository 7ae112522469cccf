#include "index/versions.h"

#include <algorithm>

#include "core/bytes.h"
#include "core/checked_file.h"
#include "core/text.h"

namespace ragline {

namespace {
constexpr std::string_view kKind = "VERS";
constexpr std::uint32_t kVersion = 1;
}  // namespace

Status write_versions(Storage& storage, std::string_view name,
                      const std::vector<std::string>& ids) {
  RAGLINE_TRY(CheckedWriter file, CheckedWriter::create(storage, name, kKind, kVersion));
  std::string bytes;
  for (const std::string& id : ids) put_string(bytes, id);
  RAGLINE_CHECK(file.append(bytes));
  return file.finish();
}

Result<std::vector<std::string>> read_versions(const Storage& storage, std::string_view name) {
  RAGLINE_TRY(const CheckedFile file, CheckedFile::open(storage, name, kKind, kVersion));
  RAGLINE_CHECK(file.verify());
  std::vector<std::string> ids;
  ByteReader reader(file.payload());
  while (!reader.at_end()) ids.emplace_back(reader.string());
  if (!reader.ok() ||
      std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) != ids.end())
    return fail(
        ErrorKind::kCorrupt,
        cat(storage.describe(), "/", name,
            ": the list of ids is damaged: build the index anew, or restore it from a copy"));
  return ids;
}

}  // namespace ragline
