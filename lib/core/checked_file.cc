#include "core/checked_file.h"

#include "core/bytes.h"
#include "core/text.h"

namespace ragline {

namespace {
constexpr std::string_view kMagic = "RAGLINE\n";
}

Result<CheckedWriter> CheckedWriter::create(Storage& storage, std::string_view name, std::string_view kind,
                                            std::uint32_t version) {
  CheckedWriter writer;
  RAGLINE_TRY(writer.file_, storage.create(name));
  writer.hasher_ = std::make_unique<Hasher>();
  std::string header(kMagic);
  header += kind;
  put_fixed(header, version);
  writer.hasher_->add(header);
  RAGLINE_CHECK(writer.file_->append(header));
  return writer;
}

Status CheckedWriter::append(std::string_view bytes) {
  hasher_->add(bytes);
  offset_ += bytes.size();
  return file_->append(bytes);
}

Status CheckedWriter::align(std::size_t alignment) {
  const std::size_t over = (kFileHeader + offset_) % alignment;
  return over ? append(std::string(alignment - over, '\0')) : Status{};
}

Status CheckedWriter::finish() {
  std::string footer;
  put_fixed(footer, offset_);
  hasher_->add(footer);
  put_fixed(footer, hasher_->value());
  RAGLINE_CHECK(file_->append(footer));
  RAGLINE_CHECK(file_->sync());
  return file_->close();
}

Result<CheckedFile> CheckedFile::open(const Storage& storage, std::string_view name, std::string_view kind,
                                      std::uint32_t version) {
  CheckedFile file;
  file.where_ = cat(storage.describe(), "/", name);
  RAGLINE_TRY(file.map_, storage.map(name));
  const std::string_view bytes = file.map_->bytes();
  auto corrupt = [&](std::string_view what) {
    return fail(ErrorKind::kCorrupt, cat(file.where_, ": ", what, ": build the index anew, or restore it from a copy"));
  };
  if (bytes.size() < kFileHeader + kFileFooter) return corrupt("the file is cut short");
  if (!bytes.starts_with(kMagic)) return corrupt("not a ragline index file");
  if (bytes.substr(8, 4) != kind) return corrupt("the file is of another kind");
  file.version_ = get_fixed<std::uint32_t>(bytes.data() + 12);
  if (file.version_ > version)
    return fail(ErrorKind::kVersion, cat(file.where_, ": format ", file.version_, " is newer than ", version,
                                         ", the newest this program reads: update ragline, or build the index anew"));
  const auto length = get_fixed<std::uint64_t>(bytes.data() + bytes.size() - 16);
  if (length != bytes.size() - kFileHeader - kFileFooter) return corrupt("the length does not fit");
  file.payload_ = bytes.substr(kFileHeader, length);
  return file;
}

Status CheckedFile::verify() const {
  const std::string_view bytes = map_->bytes();
  if (hash64(bytes.substr(0, bytes.size() - 8)) == get_fixed<std::uint64_t>(bytes.data() + bytes.size() - 8)) return {};
  return fail(ErrorKind::kCorrupt,
              cat(where_, ": the checksum does not fit: build the index anew, or restore it from a copy"));
}

}  // namespace ragline
