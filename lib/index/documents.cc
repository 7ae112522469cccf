#include "index/documents.h"

#include <algorithm>

#include "core/bytes.h"
#include "core/hash.h"
#include "core/text.h"
#include "index/documents_format.h"

namespace ragline {

std::uint32_t columns_hash(const DocumentEntry& entry) {
  thread_local std::string bytes;
  bytes.clear();
  for (std::string_view text : {entry.document_id, entry.version, entry.path, entry.tenant})
    put_string(bytes, text);
  put_fixed(bytes, entry.effective_from);
  put_fixed(bytes, entry.effective_to);
  bytes += static_cast<char>(entry.labelled);
  return static_cast<std::uint32_t>(hash64(bytes));
}

Result<DocumentTable> DocumentTable::open(const Storage& storage, std::string_view name,
                                          std::uint32_t documents, std::uint32_t chunks) {
  DocumentTable table;
  table.where_ = cat(storage.describe(), "/", name);
  table.documents_ = documents;
  table.chunks_ = chunks;
  RAGLINE_TRY(table.file_, CheckedFile::open(storage, name, kDocumentsKind, kDocumentsVersion));
  const std::string_view payload = table.file_.payload();
  if (payload.size() < kDocumentsTail)
    return std::unexpected(table.corrupt("the column directory is missing"));
  const std::string_view tail = payload.substr(payload.size() - kDocumentsTail);
  if (hash64(tail.substr(0, tail.size() - 8)) !=
      get_fixed<std::uint64_t>(tail.data() + tail.size() - 8))
    return std::unexpected(table.corrupt("the column directory is damaged"));
  ByteReader reader(tail);
  for (std::size_t i = 0; i < kColumns; ++i) {
    const auto offset = reader.fixed<std::uint64_t>(), size = reader.fixed<std::uint64_t>();
    const auto width = reader.fixed<std::uint32_t>();
    reader.fixed<std::uint32_t>();
    const bool known_width = width == 1 || width == 2 || width == 4 || width == 8;
    if (size > 0 && (offset > payload.size() || size > payload.size() - offset || !known_width ||
                     size % width != 0 || (kFileHeader + offset) % width != 0))
      return std::unexpected(table.corrupt("the column directory is out of bounds"));
    if (size == 0) continue;
    table.columns_[i] = payload.substr(offset, size);
    table.width_[i] = width;
  }
  if (reader.fixed<std::uint32_t>() != documents || reader.fixed<std::uint32_t>() != chunks)
    return std::unexpected(table.corrupt("it holds other documents than MANIFEST says"));

  // Every column that is there has one value for each document (or border, or chunk).
  const std::uint64_t borders = std::uint64_t{documents} + 1;
  auto counted = [&](Column which, std::uint64_t count, bool required) {
    const std::size_t i = static_cast<std::size_t>(which);
    const std::uint64_t size = table.columns_[i].size();
    return size == 0 ? !required : size == count * table.width_[i];
  };
  auto wide = [&](Column which, std::uint32_t width) {
    return !table.has(which) || table.width_[static_cast<std::size_t>(which)] == width;
  };
  if (!counted(Column::kIdOffsets, borders, true) ||
      !counted(Column::kPathOffsets, borders, false) ||
      !counted(Column::kVersions, documents, false) ||
      !counted(Column::kTenants, documents, false) || !counted(Column::kFrom, documents, false) ||
      !counted(Column::kTo, documents, false) || !counted(Column::kFlags, documents, false) ||
      !counted(Column::kFirstChunk, borders, true) || !counted(Column::kById, documents, false) ||
      !counted(Column::kTieRank, chunks, false) || !wide(Column::kFrom, 8) ||
      !wide(Column::kTo, 8) || !wide(Column::kFlags, 1) || !wide(Column::kFirstChunk, 4) ||
      !wide(Column::kById, 4) || !wide(Column::kTieRank, 4))
    return std::unexpected(table.corrupt("a column does not fit the number of documents"));
  auto words = [&](Column which) {
    const std::string_view bytes = table.column(which);
    return std::span(reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / 4);
  };
  table.first_chunks_ = words(Column::kFirstChunk);
  table.by_id_ = words(Column::kById);
  table.tie_rank_ = words(Column::kTieRank);
  // Searches walk chunks by these borders, so they are made sure of at once: a pass over 4 bytes a
  // document.
  bool ascends = table.first_chunks_.front() == 0 && table.first_chunks_.back() == chunks;
  for (std::size_t i = 1; i < table.first_chunks_.size(); ++i)
    ascends &= table.first_chunks_[i - 1] < table.first_chunks_[i];
  if (!ascends) return std::unexpected(table.corrupt("documents do not follow each other"));
  return table;
}

std::uint64_t DocumentTable::number(Column which, std::uint64_t at) const {
  const std::string_view bytes = column(which);
  const std::uint32_t width = width_[static_cast<std::size_t>(which)];
  if (at >= bytes.size() / std::max(width, 1u)) return 0;
  switch (width) {
    case 1:
      return static_cast<unsigned char>(bytes[at]);
    case 2:
      return get_fixed<std::uint16_t>(bytes.data() + 2 * at);
    case 4:
      return get_fixed<std::uint32_t>(bytes.data() + 4 * at);
    default:
      return get_fixed<std::uint64_t>(bytes.data() + 8 * at);
  }
}

std::string_view DocumentTable::string(Column offsets, Column bytes, std::uint64_t at) const {
  const std::string_view all = column(bytes);
  const std::uint64_t begin = number(offsets, at), end = number(offsets, at + 1);
  return begin <= end && end <= all.size() ? all.substr(begin, end - begin) : std::string_view();
}

std::string_view DocumentTable::id(std::uint32_t document) const {
  return string(Column::kIdOffsets, Column::kIds, document);
}
std::string_view DocumentTable::version(std::uint32_t document) const {
  return string(Column::kVersionOffsets, Column::kVersionNames,
                number(Column::kVersions, document));
}

DocumentEntry DocumentTable::entry(std::uint32_t document) const {
  DocumentEntry entry;
  entry.document_id = id(document);
  entry.version = version(document);
  const auto flags = number(Column::kFlags, document);
  entry.path = flags & kPathIsIdFlag ? entry.document_id
                                     : string(Column::kPathOffsets, Column::kPaths, document);
  entry.tenant =
      string(Column::kTenantOffsets, Column::kTenantNames, number(Column::kTenants, document));
  if (has(Column::kFrom))
    entry.effective_from = static_cast<TimePoint>(number(Column::kFrom, document));
  if (has(Column::kTo)) entry.effective_to = static_cast<TimePoint>(number(Column::kTo, document));
  entry.labelled = flags & kLabelledFlag;
  entry.first_chunk = first_chunks_[document];
  entry.chunks = first_chunks_[document + 1] - entry.first_chunk;
  return entry;
}

std::uint32_t DocumentTable::document_of(std::uint32_t chunk) const {
  if (documents_ == chunks_) return chunk;  // one chunk each
  const auto after = std::upper_bound(first_chunks_.begin(), first_chunks_.end() - 1, chunk);
  return static_cast<std::uint32_t>(after - first_chunks_.begin()) - 1;
}

std::pair<std::uint32_t, std::uint32_t> DocumentTable::find(std::string_view id_bytes) const {
  // The first place whose id is not below (or, for the end, is above) the one sought.
  auto border = [&](std::uint32_t from, bool above) {
    std::uint32_t low = from, high = documents_;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      const std::uint32_t document = in_order(middle);
      const int order = document < documents_ ? id(document).compare(id_bytes) : 1;
      if (above ? order <= 0 : order < 0)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  const std::uint32_t first = border(0, false);
  if (first == documents_ || in_order(first) >= documents_ || id(in_order(first)) != id_bytes)
    return {first, first};
  return {first, border(first, true)};
}

bool DocumentTable::has_flag(DocumentFlag flag) const {
  const std::string_view flags = column(Column::kFlags);
  return std::any_of(flags.begin(), flags.end(), [&](char one) { return one & flag; });
}

bool DocumentTable::strings_fit(Column offsets, Column bytes) const {
  const std::size_t width = width_[static_cast<std::size_t>(offsets)];
  if (width == 0) return column(bytes).empty();
  const std::size_t count = column(offsets).size() / width;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t next = number(offsets, i);
    if (next < end || (i == 0 && next != 0)) return false;
    end = next;
  }
  return end == column(bytes).size();
}

Status DocumentTable::check() const {
  RAGLINE_CHECK(file_.verify());
  for (auto [offsets, bytes] : {std::pair{Column::kIdOffsets, Column::kIds},
                                {Column::kPathOffsets, Column::kPaths},
                                {Column::kVersionOffsets, Column::kVersionNames},
                                {Column::kTenantOffsets, Column::kTenantNames}})
    if (!strings_fit(offsets, bytes))
      return std::unexpected(corrupt("string offsets are out of bounds"));
  for (auto [codes, offsets] : {std::pair{Column::kVersions, Column::kVersionOffsets},
                                {Column::kTenants, Column::kTenantOffsets}}) {
    const std::size_t width = width_[static_cast<std::size_t>(offsets)];
    const std::size_t names = width ? column(offsets).size() / width - 1 : 0;
    for (std::uint32_t i = 0; has(codes) && i < documents_; ++i)
      if (number(codes, i) >= names)
        return std::unexpected(corrupt("a dictionary number is out of bounds"));
  }
  std::vector<bool> seen(documents_);
  for (std::uint32_t place = 0; place < documents_; ++place) {
    const std::uint32_t document = in_order(place);
    if (document >= documents_ || seen[document])
      return std::unexpected(corrupt("the order by id misses documents"));
    seen[document] = true;
    if (place == 0) continue;
    const std::uint32_t before = in_order(place - 1);
    const int order = id(before).compare(id(document));
    if (order > 0 || (order == 0 && version(before).compare(version(document)) > 0))
      return std::unexpected(corrupt("the order by id is wrong"));
  }
  std::uint32_t rank = 0;
  for (std::uint32_t place = 0; !tie_rank_.empty() && place < documents_; ++place) {
    const std::uint32_t document = in_order(place);
    for (std::uint32_t chunk = first_chunks_[document]; chunk < first_chunks_[document + 1];
         ++chunk)
      if (tie_rank_[chunk] != rank++) return std::unexpected(corrupt("the order of ties is wrong"));
  }
  if (tie_rank_.empty() != by_id_.empty())
    return std::unexpected(corrupt("the order of ties is missing"));
  return {};
}

Error DocumentTable::corrupt(std::string_view what) const {
  return {ErrorKind::kCorrupt,
          cat(where_, ": ", what, ": build the index anew, or restore it from a copy")};
}

}  // namespace ragline
