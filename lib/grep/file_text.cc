#include "grep/file_text.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/text.h"
#include "corpus/decode.h"

namespace ragline {

namespace {

constexpr std::size_t kBinaryHead = 8 << 10, kMostHeld = 256 << 20;

struct Mark {
  std::string_view bytes, encoding;
};

// The byte-order mark that `head` begins with; longer ones first.
Mark byte_order_mark(std::string_view head) {
  using namespace std::string_view_literals;
  static constexpr Mark kMarks[] = {{"\xEF\xBB\xBF"sv, "utf-8-bom"}, {"\xFF\xFE\0\0"sv, "utf-32le"}, {"\0\0\xFE\xFF"sv, "utf-32be"},
                                    {"\xFF\xFE"sv, "utf-16le"},      {"\xFE\xFF"sv, "utf-16be"}};
  for (const Mark& mark : kMarks)
    if (head.starts_with(mark.bytes)) return mark;
  return {};
}

}  // namespace

bool short_reads_end(int descriptor) {
  struct statfs info {};
  if (::fstatfs(descriptor, &info) != 0) return false;
  static constexpr long kXfs = 0x58465342, kZfs = 0x2FC12FC1;
  const auto type = static_cast<long>(info.f_type);
  return type == EXT4_SUPER_MAGIC || type == kXfs || type == BTRFS_SUPER_MAGIC || type == TMPFS_MAGIC || type == F2FS_SUPER_MAGIC ||
         type == OVERLAYFS_SUPER_MAGIC || type == kZfs;
}

std::unique_ptr<ByteSource> FileText::raw() const {
  if (is_held_) return std::make_unique<MemorySource>(held_);
  return std::make_unique<FileSource>(descriptor_, short_read_ends_);
}

Result<bool> FileText::open(int descriptor, bool short_read_ends) {
  descriptor_ = descriptor;
  short_read_ends_ = short_read_ends;
  is_held_ = false;
  return start();
}

Result<bool> FileText::open_twice(int descriptor, bool short_read_ends) {
  if (::lseek(descriptor, 0, SEEK_CUR) >= 0) return open(descriptor, short_read_ends);
  FileSource source(descriptor, short_read_ends);
  held_.clear();
  std::size_t size = 0;
  while (true) {
    held_.resize(size + (64 << 10));
    RAGLINE_TRY(const std::size_t got, source.read(held_.data() + size, held_.size() - size));
    size += got;
    if (got == 0) break;
    if (size > kMostHeld) return fail(ErrorKind::kLimit, "a pipe of more than 256 MB cannot be read twice");
  }
  held_.resize(size);
  is_held_ = true;
  return start();
}

Result<bool> FileText::reopen() {
  if (!is_held_ && ::lseek(descriptor_, 0, SEEK_SET) < 0) return fail(ErrorKind::kIo, std::strerror(errno));
  return start();
}

std::uint64_t FileText::plain_size() const {
  struct stat info {};
  if (is_held_ || !extractor_.empty() || source_->ended()) return 0;
  return ::fstat(descriptor_, &info) == 0 && S_ISREG(info.st_mode) ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Status FileText::start_at(std::uint64_t offset, std::string_view before) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) return fail(ErrorKind::kIo, std::strerror(errno));
  source_ = raw();
  reader_.start_at(*source_, offset, before);
  return {};
}

Result<bool> FileText::start() {
  extractor_.clear();
  source_ = raw();
  reader_.start(*source_);
  RAGLINE_TRY(std::string_view head, reader_.peek());
  // Puts something around the rest of the source, behind what was read of it already.
  auto wrap = [&](std::size_t skipped, auto make) -> Result<std::string_view> {
    source_ = make(prepend(std::string(head.substr(skipped)), std::move(source_)));
    reader_.start(*source_);
    return reader_.peek();
  };
  auto extracted_by = [&](std::string_view name) { append(extractor_, extractor_.empty() ? "" : "+", name); };
  auto convert = [&](std::size_t skipped, std::string_view encoding) {
    extracted_by(encoding);
    return wrap(skipped, [&](std::unique_ptr<ByteSource> rest) { return transcode(std::move(rest), std::string(encoding)); });
  };

  if (options_.decompress) {
    if (const std::string_view format = compression_of(head); !format.empty()) {
      extracted_by(format);
      RAGLINE_TRY(head, wrap(0, [&](std::unique_ptr<ByteSource> rest) { return decompress(std::move(rest), format); }));
    }
  }
  if (options_.encoding != "auto" && options_.encoding != "none") {
    RAGLINE_TRY(head, convert(0, options_.encoding));
    return options_.binary_as_text || head.substr(0, kBinaryHead).find('\0') == head.npos;
  }
  if (options_.encoding == "auto") {
    const Mark mark = byte_order_mark(head);
    if (mark.encoding == "utf-8-bom") {
      extracted_by(mark.encoding);
      reader_.skip(mark.bytes.size());
      return true;
    }
    if (!mark.bytes.empty()) {
      RAGLINE_TRY(head, convert(mark.bytes.size(), mark.encoding));
      return options_.binary_as_text || head.substr(0, kBinaryHead).find('\0') == head.npos;
    }
  }
  const std::string_view first = head.substr(0, kBinaryHead);
  if (options_.binary_as_text || first.empty() || !std::memchr(first.data(), '\0', first.size())) return true;
  if (options_.encoding == "none") return false;
  const Decoded guess = decode_text(first);
  if (guess.binary || !std::string_view(guess.encoding).starts_with("utf-16")) return false;
  RAGLINE_TRY(head, convert(0, guess.encoding));
  return true;
}

}  // namespace ragline
