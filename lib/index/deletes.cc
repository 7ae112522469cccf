#include "index/deletes.h"

#include <cstring>

#include "core/checked_file.h"
#include "core/text.h"

namespace ragline {

namespace {
constexpr std::string_view kKind = "DELS";
constexpr std::uint32_t kVersion = 1;
}  // namespace

Status write_deletes(Storage& storage, std::string_view name, const Bitmap& deleted) {
  RAGLINE_TRY(CheckedWriter file, CheckedWriter::create(storage, name, kKind, kVersion));
  RAGLINE_CHECK(file.append(
      {reinterpret_cast<const char*>(deleted.words().data()), deleted.words().size() * 8}));
  return file.finish();
}

Result<Bitmap> read_deletes(const Storage& storage, std::string_view name, std::uint32_t chunks,
                            std::uint32_t count) {
  RAGLINE_TRY(const CheckedFile file, CheckedFile::open(storage, name, kKind, kVersion));
  RAGLINE_CHECK(file.verify());
  Bitmap deleted(chunks);
  const std::string_view bytes = file.payload();
  bool fits = bytes.size() == deleted.words().size() * 8;
  if (fits) {
    std::memcpy(deleted.words().data(), bytes.data(), bytes.size());
    fits = (chunks % 64 == 0 || deleted.words().back() >> (chunks % 64) == 0) &&
           deleted.count() == count;
  }
  if (!fits)
    return fail(
        ErrorKind::kCorrupt,
        cat(storage.describe(), "/", name,
            ": it does not fit its segment: build the index anew, or restore it from a copy"));
  return deleted;
}

}  // namespace ragline
