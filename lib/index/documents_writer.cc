#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/bytes.h"
#include "core/hash.h"
#include "index/documents_format.h"

namespace ragline {

namespace {

// Appends columns to the file and remembers where they are.
class ColumnFile {
 public:
  explicit ColumnFile(CheckedWriter& file) : file_(file) {}

  Status bytes(Column which, std::string_view bytes, std::uint32_t width = 1) {
    if (bytes.empty()) return {};
    RAGLINE_CHECK(file_.align(kColumnAlignment));
    places_[static_cast<std::size_t>(which)] = {file_.offset(), bytes.size(), width};
    return file_.append(bytes);
  }
  template <class T>
  Status values(Column which, const std::vector<T>& values) {
    return bytes(which, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)},
                 sizeof(T));
  }
  // In as few bytes as the largest value takes, 4 at least for offsets.
  template <class T>
  Status narrow(Column which, const std::vector<T>& wide, std::uint32_t least) {
    const std::uint64_t most = wide.empty() ? 0 : *std::max_element(wide.begin(), wide.end());
    if (least <= 1 && most <= UINT8_MAX) return narrowed<std::uint8_t>(which, wide);
    if (least <= 2 && most <= UINT16_MAX) return narrowed<std::uint16_t>(which, wide);
    if (most <= UINT32_MAX) return narrowed<std::uint32_t>(which, wide);
    return narrowed<std::uint64_t>(which, wide);
  }
  Status finish(std::uint32_t documents, std::uint32_t chunks) {
    RAGLINE_CHECK(file_.align(8));
    std::string tail;
    for (const Place& place : places_) {
      put_fixed(tail, place.offset);
      put_fixed(tail, place.size);
      put_fixed(tail, place.width);
      put_fixed(tail, std::uint32_t{0});
    }
    put_fixed(tail, documents);
    put_fixed(tail, chunks);
    put_fixed(tail, hash64(tail));
    return file_.append(tail);
  }

 private:
  template <class To, class T>
  Status narrowed(Column which, const std::vector<T>& wide) {
    std::vector<To> out(wide.size());
    std::transform(wide.begin(), wide.end(), out.begin(),
                   [](T value) { return static_cast<To>(value); });
    return values(which, out);
  }
  struct Place {
    std::uint64_t offset = 0, size = 0;
    std::uint32_t width = 0;
  };
  CheckedWriter& file_;
  Place places_[kColumns];
};

}  // namespace

void DocumentWriter::Dictionary::add(std::string_view name) {
  if (!codes.empty() && names.at(codes.back()) == name) {  // most often
    codes.push_back(codes.back());
    return;
  }
  auto found = numbers.find(name);
  if (found == numbers.end()) {
    found = numbers.emplace(name, static_cast<std::uint32_t>(numbers.size())).first;
    names.add(name);
  }
  codes.push_back(found->second);
}

void DocumentWriter::add(const DocumentEntry& entry) {
  const std::size_t before = chunks_.size();
  ids_.add(entry.document_id);
  const bool path_is_id = !entry.path.empty() && entry.path == entry.document_id;
  paths_.add(path_is_id ? std::string_view() : entry.path);
  versions_.add(entry.version);
  tenants_.add(entry.tenant);
  // Times are rare: their columns begin with the first document that is bounded.
  if (from_.empty() && (entry.effective_from != kMinTime || entry.effective_to != kMaxTime)) {
    from_.assign(before, kMinTime);
    to_.assign(before, kMaxTime);
    from_.push_back(entry.effective_from);
    to_.push_back(entry.effective_to);
  } else if (!from_.empty()) {
    from_.push_back(entry.effective_from);
    to_.push_back(entry.effective_to);
  }
  flags_.push_back(static_cast<std::uint8_t>((entry.labelled ? kLabelledFlag : 0) |
                                             (path_is_id ? kPathIsIdFlag : 0)));
  chunks_.push_back(entry.chunks);
  chunk_count_ += entry.chunks;
}

std::size_t DocumentWriter::memory() const {
  return ids_.bytes.capacity() + paths_.bytes.capacity() +
         8 * (ids_.offsets.capacity() + paths_.offsets.capacity() + from_.capacity() +
              to_.capacity()) +
         4 * (versions_.codes.capacity() + tenants_.codes.capacity() + chunks_.capacity()) +
         flags_.capacity() + 64 * (versions_.numbers.size() + tenants_.numbers.size());
}

// Documents in the order of (id, version), equal ones as they came; empty when that is how they
// came.
std::vector<std::uint32_t> DocumentWriter::sorted() const {
  auto less = [&](std::uint32_t a, std::uint32_t b) {
    const int order = ids_.at(a).compare(ids_.at(b));
    if (order != 0) return order < 0;
    const int versions =
        versions_.names.at(versions_.codes[a]).compare(versions_.names.at(versions_.codes[b]));
    return versions != 0 ? versions < 0 : a < b;
  };
  bool in_order = true;
  for (std::uint32_t i = 1; in_order && i < size(); ++i) in_order = less(i - 1, i);
  if (in_order) return {};

  // Ids share their beginnings ("src/", "doc-"): the eight bytes behind the common one settle most
  // comparisons without touching the strings.
  std::size_t common = ids_.at(0).size();
  for (std::uint32_t i = 1; i < size() && common > 0; ++i) {
    const std::string_view first = ids_.at(0), id = ids_.at(i);
    common = std::min(common, id.size());
    while (common > 0 && std::memcmp(first.data(), id.data(), common) != 0) --common;
  }
  struct Keyed {
    std::uint64_t key;
    std::uint32_t document;
  };
  std::vector<Keyed> keyed(size());
  for (std::uint32_t i = 0; i < size(); ++i) {
    const std::string_view rest = ids_.at(i).substr(common);
    std::uint64_t key = 0;
    for (std::size_t b = 0; b < 8; ++b)
      key = key << 8 | (b < rest.size() ? static_cast<unsigned char>(rest[b]) : 0u);
    keyed[i] = {key, i};
  }
  std::sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
    return a.key != b.key ? a.key < b.key : less(a.document, b.document);
  });
  std::vector<std::uint32_t> order(size());
  std::transform(keyed.begin(), keyed.end(), order.begin(),
                 [](const Keyed& one) { return one.document; });
  return order;
}

Status DocumentWriter::finish(CheckedWriter& file) {
  ColumnFile columns(file);
  auto strings = [&](Column offsets, Column bytes, const Strings& values) -> Status {
    RAGLINE_CHECK(columns.narrow(offsets, values.offsets, 4));
    return columns.bytes(bytes, values.bytes);
  };
  auto dictionary = [&](Column codes, Column offsets, Column names,
                        const Dictionary& values) -> Status {
    if (values.names.bytes.empty()) return {};  // all empty
    RAGLINE_CHECK(strings(offsets, names, values.names));
    return values.numbers.size() > 1 ? columns.narrow(codes, values.codes, 1) : Status{};
  };
  RAGLINE_CHECK(strings(Column::kIdOffsets, Column::kIds, ids_));
  if (!paths_.bytes.empty()) RAGLINE_CHECK(strings(Column::kPathOffsets, Column::kPaths, paths_));
  RAGLINE_CHECK(
      dictionary(Column::kVersions, Column::kVersionOffsets, Column::kVersionNames, versions_));
  RAGLINE_CHECK(
      dictionary(Column::kTenants, Column::kTenantOffsets, Column::kTenantNames, tenants_));
  RAGLINE_CHECK(columns.values(Column::kFrom, from_));
  RAGLINE_CHECK(columns.values(Column::kTo, to_));
  if (std::any_of(flags_.begin(), flags_.end(), [](std::uint8_t flags) { return flags != 0; }))
    RAGLINE_CHECK(columns.values(Column::kFlags, flags_));

  std::vector<std::uint32_t> first_chunk(size() + std::size_t{1});
  std::partial_sum(chunks_.begin(), chunks_.end(), first_chunk.begin() + 1);
  RAGLINE_CHECK(columns.values(Column::kFirstChunk, first_chunk));
  if (const std::vector<std::uint32_t> order = sorted(); !order.empty()) {
    RAGLINE_CHECK(columns.values(Column::kById, order));
    std::vector<std::uint32_t> rank(chunk_count_);
    std::uint32_t next = 0;
    for (std::uint32_t document : order)
      for (std::uint32_t chunk = first_chunk[document]; chunk < first_chunk[document + 1]; ++chunk)
        rank[chunk] = next++;
    RAGLINE_CHECK(columns.values(Column::kTieRank, rank));
  }
  RAGLINE_CHECK(columns.finish(size(), chunk_count_));
  *this = DocumentWriter();
  return {};
}

}  // namespace ragline
