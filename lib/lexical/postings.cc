#include "lexical/postings.h"

#include <algorithm>

#include "core/text.h"
#include "lexical/postings_writer.h"

namespace ragline {

namespace {
constexpr std::uint32_t kVersion = 1;

std::uint64_t index_entry(std::string_view index, std::uint64_t block) { return get_fixed<std::uint64_t>(index.data() + block * 8); }
}  // namespace

Result<std::unique_ptr<SegmentPostings>> SegmentPostings::open(const Storage& storage, std::string_view folder,
                                                               std::uint32_t chunk_count) {
  auto segment = std::make_unique<SegmentPostings>();
  segment->where_ = cat(storage.describe(), "/", folder);
  segment->chunk_count_ = chunk_count;
  RAGLINE_TRY(segment->terms_, CheckedFile::open(storage, cat(folder, "/terms"), "TERM", kVersion));
  RAGLINE_TRY(segment->postings_, CheckedFile::open(storage, cat(folder, "/postings"), "POST", kVersion));
  RAGLINE_TRY(segment->positions_, CheckedFile::open(storage, cat(folder, "/positions"), "POSN", kVersion));
  RAGLINE_TRY(segment->lengths_, CheckedFile::open(storage, cat(folder, "/lengths"), "LENG", kVersion));
  auto corrupt = [&](std::string_view file) {
    return fail(ErrorKind::kCorrupt, cat(segment->where_, "/", file, ": its tables do not fit: build the index anew, or restore it from a copy"));
  };

  const std::string_view terms = segment->terms_.payload();
  if (terms.size() < 24) return corrupt("terms");
  ByteReader tail(terms.substr(terms.size() - 24));
  segment->term_count_ = tail.fixed<std::uint64_t>();
  segment->term_block_count_ = tail.fixed<std::uint64_t>();
  const auto index = tail.fixed<std::uint64_t>();
  if (index > terms.size() - 24 || segment->term_block_count_ != (terms.size() - 24 - index) / 8 ||
      segment->term_block_count_ != (segment->term_count_ + PostingsWriter::kTermsPerBlock - 1) / PostingsWriter::kTermsPerBlock)
    return corrupt("terms");
  segment->term_data_ = terms.substr(0, index);
  segment->term_index_ = terms.substr(index, segment->term_block_count_ * 8);

  const std::string_view lengths = segment->lengths_.payload();
  ByteReader head(lengths);
  if (head.fixed<std::uint32_t>() != chunk_count) return corrupt("lengths");
  std::uint32_t widths[kTextFieldCount];
  for (std::size_t f = 0; f < kTextFieldCount; ++f) {
    widths[f] = head.fixed<std::uint32_t>();
    segment->columns_[f].longest_ = head.fixed<std::uint32_t>();
    if (widths[f] == 3 || widths[f] > 4) return corrupt("lengths");
  }
  const auto languages = head.fixed<std::uint32_t>();
  for (std::uint32_t i = 0; i < languages && head.ok(); ++i) {
    const auto code = head.fixed<std::uint32_t>();
    if (code >= static_cast<std::uint32_t>(Language::kCount)) return corrupt("lengths");
    LanguageStatistics& entry = segment->statistics_[static_cast<Language>(code)];
    entry.chunks = head.fixed<std::uint64_t>();
    for (std::uint64_t& length : entry.length) length = head.fixed<std::uint64_t>();
  }
  if (!head.ok()) return corrupt("lengths");
  std::uint64_t at = lengths.size() - head.left();
  for (std::size_t f = 0; f < kTextFieldCount; ++f) {
    at += (8 - (at + kFileHeader) % 8) % 8;
    const std::uint64_t size = std::uint64_t{chunk_count} * widths[f];
    if (at > lengths.size() || size > lengths.size() - at) return corrupt("lengths");
    segment->columns_[f].data_ = lengths.data() + at;
    segment->columns_[f].width_ = static_cast<int>(widths[f]);
    at += size;
  }
  segment->languages_ = lengths.substr(at);
  const std::size_t expected = segment->statistics_.size() > 1 ? chunk_count : 0;
  if (segment->languages_.size() != expected) return corrupt("lengths");
  return segment;
}

Language SegmentPostings::language(std::uint32_t chunk) const {
  if (languages_.empty()) return statistics_.empty() ? Language::kNone : statistics_.begin()->first;
  const auto code = static_cast<unsigned char>(languages_[chunk]);
  return code < static_cast<unsigned char>(Language::kCount) ? static_cast<Language>(code) : Language::kNone;
}

LengthColumn SegmentPostings::lengths(Field field) const { return columns_[field_index(field)]; }

TermIterator SegmentPostings::seek(std::string_view key) const {
  // The last block whose first key is <= key, then forward.
  TermIterator at;
  at.segment_ = this;
  std::uint64_t low = 0, high = term_block_count_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const std::uint64_t offset = index_entry(term_index_, middle);
    ByteReader reader(offset <= term_data_.size() ? term_data_.substr(offset) : std::string_view());
    reader.varint();
    if (reader.string() <= key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  at.open_block(low == 0 ? 0 : low - 1);
  while (at.valid() && at.key() < key) at.next();
  return at;
}

std::optional<TermInfo> SegmentPostings::find(std::string_view key) const {
  const TermIterator at = seek(key);
  return at.valid() && at.key() == key ? std::optional(at.info()) : std::nullopt;
}

void TermIterator::open_block(std::uint64_t block) {
  block_ = block;
  valid_ = false;
  if (block >= segment_->term_block_count_) return;
  const std::uint64_t offset = index_entry(segment_->term_index_, block);
  if (offset > segment_->term_data_.size()) return segment_->mark_corrupted();
  reader_ = ByteReader(segment_->term_data_.substr(offset));
  const std::uint64_t before = block * PostingsWriter::kTermsPerBlock;
  left_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(PostingsWriter::kTermsPerBlock, segment_->term_count_ - before));
  key_.clear();
  info_ = {};
  read_entry();
}

void TermIterator::next() {
  if (left_ == 0) return open_block(block_ + 1);
  read_entry();
}

void TermIterator::read_entry() {
  --left_;
  const std::uint64_t shared = reader_.varint();
  const std::string_view rest = reader_.string();
  const std::uint64_t doc_freq = reader_.varint();
  // postings holds a chunk ordinal for single postings: the running offset is kept apart.
  valid_ = reader_.ok() && shared <= key_.size() && doc_freq > 0 && doc_freq <= segment_->chunk_count_;
  if (valid_) {
    key_.resize(shared);
    key_ += rest;
    info_.doc_freq = static_cast<std::uint32_t>(doc_freq);
    if (doc_freq == 1) {
      info_.single_doc = reader_.varint32();
      info_.single_tf = reader_.varint32();
      valid_ = info_.single_doc < segment_->chunk_count_ && info_.single_tf > 0;
    } else {
      info_.postings += reader_.varint();
    }
    info_.positions += reader_.varint();
    valid_ = valid_ && reader_.ok() && key_.size() >= 2;
  }
  if (!valid_) segment_->mark_corrupted();
}

PostingList SegmentPostings::list(const TermInfo& info) const {
  PostingList out;
  const std::string_view postings = postings_.payload(), positions = positions_.payload();
  const std::uint64_t directory =
      info.doc_freq >= kBlock ? std::uint64_t{(info.doc_freq + kBlock - 1) / kBlock} * sizeof(BlockEntry) : 0;
  if (info.doc_freq > 1 && (info.postings > postings.size() || directory > postings.size() - info.postings)) {
    mark_corrupted();
    return out;
  }
  out.segment_ = this;
  out.size_ = info.doc_freq;
  out.positions_ = info.positions < positions.size() ? positions.substr(info.positions) : std::string_view();
  if (info.doc_freq == 1) {
    out.single_doc_ = info.single_doc;
    out.single_tf_ = info.single_tf;
    return out;
  }
  if (directory) out.directory_ = postings.data() + info.postings;
  out.blocks_ = postings.substr(info.postings + directory);
  return out;
}

PostingList SegmentPostings::list(std::string_view key) const {
  const auto info = find(key);
  return info ? list(*info) : PostingList();
}

Status SegmentPostings::check() const {
  for (const CheckedFile* file : {&terms_, &postings_, &positions_, &lengths_}) RAGLINE_CHECK(file->verify());
  auto corrupt = [&](std::string_view what) {
    return fail(ErrorKind::kCorrupt, cat(where_, ": ", what, ": build the index anew, or restore it from a copy"));
  };
  std::uint64_t terms = 0;
  std::string previous;
  std::uint32_t docs[kBlock], tfs[kBlock];
  std::vector<std::uint32_t> positions;
  for (TermIterator at = seek(""); at.valid(); at.next(), ++terms) {
    if (terms > 0 && at.key() <= previous) return corrupt("terms are out of order");
    previous = at.key();
    const auto field = static_cast<Field>(previous[0]);
    const PostingList list = this->list(at.info());
    for (std::uint32_t block = 0; block < list.block_count(); ++block) {
      const std::uint32_t count = list.decode(block, docs, tfs);
      if (count == 0) return corrupt("a posting list is damaged");
      if (list.block_last_doc(block) != docs[count - 1]) return corrupt("a block ends elsewhere than its directory says");
      if (field == Field::kFilter) continue;
      if (!list.decode_positions(block, {tfs, count}, positions)) return corrupt("a position list is damaged");
      ImpactPair frontier[kFrontier];
      if (!list.block_frontier(block, frontier)) continue;
      const LengthColumn lengths = this->lengths(field);
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto tf = static_cast<std::uint16_t>(std::min(tfs[i], 65535u));
        const auto length = static_cast<std::uint16_t>(std::min(lengths[docs[i]], 65535u));
        if (std::none_of(frontier, frontier + kFrontier, [&](ImpactPair p) { return p.tf >= tf && p.length <= length; }))
          return corrupt("a block holds a posting above its bound");
      }
    }
  }
  if (terms != term_count_) return corrupt("terms are missing");
  Statistics sums;
  for (std::uint32_t chunk = 0; chunk < chunk_count_; ++chunk) {
    LanguageStatistics& entry = sums[language(chunk)];
    ++entry.chunks;
    for (Field field : kTextFields) entry.length[field_index(field)] += lengths(field)[chunk];
  }
  if (sums != statistics_) return corrupt("statistics do not fit the lengths");
  return corrupted() ? Status(corrupt("a list breaks its bounds")) : Status{};
}

}  // namespace ragline
