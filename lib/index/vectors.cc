#include "index/vectors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/text.h"
#include "index/segment_files.h"

namespace ragline {

namespace {

constexpr std::string_view kVectorsKind = "VECT";
constexpr std::uint32_t kVectorsVersion = 1;

struct Header {
  std::uint32_t dimensions = 0, chunks = 0, count = 0, reserved = 0;
};

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

void VectorWriter::set_dimensions(std::uint32_t dimensions) {
  if (dimensions_ != 0) return;
  dimensions_ = dimensions;
  codes_.resize(scales_.size() * padded_dimensions(dimensions));
}

void VectorWriter::add(std::span<const float> rows, std::uint32_t chunks) {
  if (rows.empty()) {
    for (std::uint32_t i = 0; i < chunks; ++i) add_codes({}, {}, 0);
    return;
  }
  const std::size_t dimensions = rows.size() / chunks;
  std::vector<std::int8_t> codes(padded_dimensions(dimensions));
  for (std::uint32_t i = 0; i < chunks; ++i) {
    const RowScale scale = quantise(rows.subspan(i * dimensions, dimensions), codes);
    add_codes(codes, scale, static_cast<std::uint32_t>(dimensions));
  }
}

void VectorWriter::add_codes(std::span<const std::int8_t> codes, RowScale scale, std::uint32_t dimensions) {
  const bool has = !codes.empty() && scale.scale > 0;
  if (has) set_dimensions(dimensions);
  if (has) {
    codes_.insert(codes_.end(), codes.begin(), codes.end());
  } else if (dimensions_ > 0) {
    codes_.resize(codes_.size() + padded_dimensions(dimensions_));
  }
  scales_.push_back(has ? scale : RowScale{});
  count_ += has;
}

Status VectorWriter::write(Storage& storage, std::string_view segment) {
  if (count_ > 0) {
    std::vector<std::uint64_t> present((scales_.size() + 63) / 64);
    for (std::size_t i = 0; i < scales_.size(); ++i)
      present[i / 64] |= static_cast<std::uint64_t>(scales_[i].scale > 0) << i % 64;
    const Header header{dimensions_, static_cast<std::uint32_t>(scales_.size()), count_, 0};
    RAGLINE_TRY(CheckedWriter file, CheckedWriter::create(storage, vectors_file(segment), kVectorsKind, kVectorsVersion));
    RAGLINE_CHECK(file.append(bytes_of(std::span(&header, 1))));
    RAGLINE_CHECK(file.append(bytes_of(std::span<const std::uint64_t>(present))));
    RAGLINE_CHECK(file.append(bytes_of(std::span<const RowScale>(scales_))));
    RAGLINE_CHECK(file.align(kRowAlign));
    RAGLINE_CHECK(file.append(bytes_of(std::span<const std::int8_t>(codes_))));
    RAGLINE_CHECK(file.finish());
  }
  *this = VectorWriter();
  return {};
}

Result<VectorTable> VectorTable::open(const Storage& storage, std::string_view segment, std::uint32_t chunks) {
  VectorTable table;
  const std::string name = vectors_file(segment);
  RAGLINE_TRY(table.file_, CheckedFile::open(storage, name, kVectorsKind, kVectorsVersion));
  const std::string_view bytes = table.file_.payload();
  const auto corrupt = [&] {
    return fail(ErrorKind::kCorrupt, cat(storage.describe(), "/", name, ": its size does not fit: run rag-index check, then build the index anew"));
  };
  Header header;
  if (bytes.size() < sizeof header) return corrupt();
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.chunks != chunks || header.dimensions == 0 || header.dimensions > kMaxDimensions) return corrupt();
  const std::size_t words = (std::size_t{chunks} + 63) / 64, scales_at = sizeof header + words * 8;
  const std::size_t scales_end = scales_at + chunks * sizeof(RowScale);
  // Aligned from the start of the file, of which the payload begins at kFileHeader.
  const std::size_t codes_at = (kFileHeader + scales_end + kRowAlign - 1) / kRowAlign * kRowAlign - kFileHeader;
  const std::size_t codes_size = chunks * padded_dimensions(header.dimensions);
  if (bytes.size() != codes_at + codes_size) return corrupt();
  table.rows_.dimensions = header.dimensions;
  table.present_ = {reinterpret_cast<const std::uint64_t*>(bytes.data() + sizeof header), words};
  table.rows_.scales = {reinterpret_cast<const RowScale*>(bytes.data() + scales_at), chunks};
  table.rows_.codes = {reinterpret_cast<const std::int8_t*>(bytes.data() + codes_at), codes_size};
  return table;
}

std::span<const std::int8_t> VectorTable::codes(std::uint32_t chunk) const {
  const std::size_t size = padded_dimensions(rows_.dimensions);
  return rows_.codes.subspan(chunk * size, size);
}

Status VectorTable::check() const {
  RAGLINE_CHECK(file_.verify());
  for (std::uint32_t chunk = 0; chunk < rows_.size(); ++chunk) {
    const RowScale scale = rows_.scales[chunk];
    const bool sound = std::isfinite(scale.scale) && std::isfinite(scale.residual) && scale.scale >= 0 && scale.residual >= 0;
    if (!sound || (present_[chunk / 64] >> chunk % 64 & 1) != has(chunk))
      return fail(ErrorKind::kCorrupt, cat("the vector of chunk ", chunk, " is damaged: build the index anew"));
  }
  return {};
}

}  // namespace ragline
