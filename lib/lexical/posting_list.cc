#include <algorithm>

#include "lexical/bitpack.h"
#include "lexical/postings.h"

namespace ragline {

namespace {
BlockEntry read_entry(const char* directory, std::uint32_t block) {
  return get_fixed<BlockEntry>(directory + std::size_t{block} * sizeof(BlockEntry));
}
}  // namespace

PostingList::PostingList(std::vector<std::uint32_t> docs, std::vector<std::uint32_t> tfs)
    : size_(static_cast<std::uint32_t>(docs.size())),
      memory_(std::make_shared<Memory>(Memory{std::move(docs), std::move(tfs)})) {}

std::uint32_t PostingList::block_last_doc(std::uint32_t block) const {
  if (memory_) return memory_->docs[std::min(std::size_t{block} * kBlock + kBlock, memory_->docs.size()) - 1];
  if (directory_) return read_entry(directory_, block).last_doc;
  if (size_ == 1) return single_doc_;
  std::uint32_t docs[kBlock], tfs[kBlock];
  const std::uint32_t count = decode(block, docs, tfs);
  return count ? docs[count - 1] : 0;
}

bool PostingList::block_frontier(std::uint32_t block, ImpactPair (&out)[kFrontier]) const {
  if (!directory_) return false;
  const BlockEntry entry = read_entry(directory_, block);
  std::copy_n(entry.frontier, kFrontier, out);
  return true;
}

std::uint32_t PostingList::decode(std::uint32_t block, std::uint32_t* docs, std::uint32_t* tfs) const {
  const std::uint32_t count = std::min(kBlock, size_ - block * kBlock);
  if (memory_) {
    std::copy_n(memory_->docs.data() + std::size_t{block} * kBlock, count, docs);
    std::copy_n(memory_->tfs.data() + std::size_t{block} * kBlock, count, tfs);
    return count;
  }
  if (size_ == 1) {
    docs[0] = single_doc_;
    tfs[0] = single_tf_;
    return 1;
  }
  auto damaged = [&] {
    segment_->mark_corrupted();
    return 0u;
  };
  std::uint32_t previous = UINT32_MAX;
  std::uint64_t offset = 0;
  if (directory_) {
    offset = read_entry(directory_, block).postings;
    if (block > 0) previous = read_entry(directory_, block - 1).last_doc;
  }
  if (offset > blocks_.size()) return damaged();
  const std::string_view bytes = blocks_.substr(offset);

  if (count == kBlock) {
    if (bytes.size() < 2) return damaged();
    const int gap_bits = static_cast<unsigned char>(bytes[0]), tf_bits = static_cast<unsigned char>(bytes[1]);
    if (gap_bits > 32 || tf_bits > 32 || bytes.size() < 2 + 16 * static_cast<std::size_t>(gap_bits + tf_bits)) return damaged();
    unpack128(bytes.data() + 2, gap_bits, docs);
    unpack128(bytes.data() + 2 + 16 * gap_bits, tf_bits, tfs);
  } else {
    ByteReader reader(bytes);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t gap = reader.varint();
      docs[i] = static_cast<std::uint32_t>(gap >> 1);
      tfs[i] = gap & 1 ? 0 : reader.varint32();
    }
    if (!reader.ok()) return damaged();
  }
  // A damaged gap shows as a doc past the end or before its neighbour. (Sums wrap; the last comparison of each step sees it.)
  bool sound = true;
  std::uint32_t doc = previous;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t next = doc + docs[i] + 1;
    sound &= next > doc || (i == 0 && previous == UINT32_MAX);
    docs[i] = doc = next;
    ++tfs[i];
  }
  if (!sound || doc >= segment_->chunk_count()) return damaged();
  if (directory_ && doc != read_entry(directory_, block).last_doc) return damaged();
  return count;
}

std::uint32_t PostingList::find_block(std::uint32_t doc, std::uint32_t from) const {
  std::uint32_t low = from, high = block_count();
  if (low < high && block_last_doc(low) >= doc) return low;
  // Gallop, then halve: the block is usually near.
  for (std::uint32_t step = 1; low + step < high; step *= 2) {
    if (block_last_doc(low + step) >= doc) {
      high = low + step + 1;
      break;
    }
    low += step;
  }
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (block_last_doc(middle) < doc) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool PostingList::decode_positions(std::uint32_t block, std::span<const std::uint32_t> tfs,
                                   std::vector<std::uint32_t>& out) const {
  out.clear();
  if (!segment_) return false;  // lists made in memory carry none
  std::uint64_t total = 0;
  for (std::uint32_t tf : tfs) total += tf;
  const std::uint64_t offset = directory_ ? read_entry(directory_, block).positions : 0;
  auto damaged = [&] {
    segment_->mark_corrupted();
    return false;
  };
  if (offset >= positions_.size()) return damaged();
  const std::string_view bytes = positions_.substr(offset);
  const int bits = static_cast<unsigned char>(bytes[0]);
  // The file's footer makes reading a little past the run safe. A frequency no text has is damage: it would ask for
  // more memory than the file is long.
  if (bits > 32 || total > (std::uint64_t{1} << 32) || run_bytes(total, bits) > bytes.size() - 1) return damaged();
  if (bits == 0 && total > std::uint64_t{kBlock} << 16) return damaged();
  out.resize(total);
  unpack_run(bytes.data() + 1, total, bits, out.data());
  std::size_t at = 0;
  for (std::uint32_t tf : tfs) {
    std::uint32_t position = 0;
    for (std::uint32_t i = 0; i < tf; ++i, ++at) out[at] = position += out[at];
  }
  return true;
}

void PostingList::collect(Bitmap& set) const {
  std::uint32_t docs[kBlock], tfs[kBlock];
  for (std::uint32_t block = 0; block < block_count(); ++block) {
    const std::uint32_t count = decode(block, docs, tfs);
    for (std::uint32_t i = 0; i < count; ++i) set.set(docs[i]);
  }
}

}  // namespace ragline
