#include "lexical/postings_writer.h"

#include <algorithm>
#include <cstring>

#include "core/text.h"
#include "lexical/bitpack.h"
#include "lexical/frontier.h"

namespace ragline {

namespace {

enum File : std::size_t { kTerms, kPostings, kPositions, kLengths };
constexpr std::uint32_t kVersion = 1;

template <class T>
std::string_view raw_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::uint32_t longest_of(const std::vector<std::uint32_t>& lengths) {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

int column_width(std::uint32_t longest) { return longest == 0 ? 0 : longest < 256 ? 1 : longest < 65536 ? 2 : 4; }

void append_column(std::string& out, const std::vector<std::uint32_t>& values, int width) {
  for (std::uint32_t value : values) out.append(reinterpret_cast<const char*>(&value), static_cast<std::size_t>(width));
}

}  // namespace

Result<PostingsWriter> PostingsWriter::create(Storage& storage, std::string_view folder, const ChunkColumns& columns) {
  PostingsWriter writer;
  writer.columns_ = &columns;
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"terms", "TERM"}, {"postings", "POST"}, {"positions", "POSN"}, {"lengths", "LENG"}};
  for (auto [name, kind] : kNames) {
    RAGLINE_TRY(auto file, CheckedWriter::create(storage, cat(folder, "/", name), kind, kVersion));
    writer.files_.push_back(std::move(file));
  }
  return writer;
}

void PostingsWriter::begin(std::string_view key) {
  key_ = key;
  const auto field = static_cast<Field>(key[0]);
  lengths_ = field == Field::kFilter ? nullptr : &columns_->lengths[field_index(field)];
  doc_freq_ = 0;
  last_doc_ = UINT32_MAX;
  directory_.clear();
  blocks_.clear();
  position_bytes_.clear();
}

void PostingsWriter::add(std::uint32_t doc, std::span<const std::uint32_t> positions) {
  const auto tf = static_cast<std::uint32_t>(std::max<std::size_t>(positions.size(), 1));
  if (doc_freq_ == 0) {
    first_doc_ = doc;
    first_tf_ = tf;
  }
  ++doc_freq_;
  docs_.push_back(doc);
  tfs_.push_back(tf);
  std::uint32_t previous = 0;
  for (std::uint32_t position : positions) {
    block_positions_.push_back(position - previous);
    previous = position;
  }
  if (docs_.size() == kBlock) flush_block();
}

// A full block: u8 bits of gaps, u8 bits of tf - 1, the gaps, the tfs. A short one: varints. A gap is doc - previous - 1.
void PostingsWriter::flush_block() {
  if (docs_.empty()) return;
  BlockEntry entry{};
  entry.last_doc = docs_.back();
  entry.postings = static_cast<std::uint32_t>(blocks_.size());
  entry.positions = static_cast<std::uint32_t>(position_bytes_.size());
  if (lengths_) {
    block_lengths_.clear();
    for (std::uint32_t doc : docs_) block_lengths_.push_back((*lengths_)[doc]);
    make_frontier(tfs_, block_lengths_, entry.frontier);
  }
  directory_.push_back(entry);

  std::uint32_t gaps[kBlock], less[kBlock], all_gaps = 0, all_less = 0;
  for (std::size_t i = 0; i < docs_.size(); ++i) {
    gaps[i] = docs_[i] - last_doc_ - 1;  // the first of a list: last_doc_ is -1, the gap is the doc itself
    less[i] = tfs_[i] - 1;
    last_doc_ = docs_[i];
    all_gaps |= gaps[i];
    all_less |= less[i];
  }
  if (docs_.size() == kBlock) {
    const int gap_bits = bits_needed(all_gaps), tf_bits = bits_needed(all_less);
    append(blocks_, static_cast<char>(gap_bits), static_cast<char>(tf_bits));
    pack128(gaps, gap_bits, blocks_);
    pack128(less, tf_bits, blocks_);
  } else {
    for (std::size_t i = 0; i < docs_.size(); ++i) {
      put_varint(blocks_, static_cast<std::uint64_t>(gaps[i]) << 1 | (less[i] == 0));
      if (less[i]) put_varint(blocks_, less[i]);
    }
  }
  if (!block_positions_.empty()) {
    std::uint32_t all = 0;
    for (std::uint32_t delta : block_positions_) all |= delta;
    const int bits = bits_needed(all);
    position_bytes_ += static_cast<char>(bits);
    pack_run(block_positions_.data(), block_positions_.size(), bits, position_bytes_);
  }
  docs_.clear();
  tfs_.clear();
  block_positions_.clear();
}

Status PostingsWriter::end() {
  const std::uint32_t doc_freq = doc_freq_;
  flush_block();
  if (doc_freq == 0) return {};
  const std::uint64_t postings = files_[kPostings].offset(), positions = files_[kPositions].offset();
  if (doc_freq > 1) {
    if (doc_freq >= kBlock) RAGLINE_CHECK(files_[kPostings].append(raw_bytes(directory_)));
    RAGLINE_CHECK(files_[kPostings].append(blocks_));
  }
  RAGLINE_CHECK(files_[kPositions].append(position_bytes_));

  std::size_t shared = 0;
  if (term_count_ % kTermsPerBlock == 0) {
    RAGLINE_CHECK(files_[kTerms].append(term_block_));
    term_block_.clear();
    term_index_.push_back(files_[kTerms].offset());
    previous_postings_ = previous_positions_ = 0;
  } else {
    const std::size_t limit = std::min(previous_key_.size(), key_.size());
    while (shared < limit && previous_key_[shared] == key_[shared]) ++shared;
  }
  put_varint(term_block_, shared);
  put_string(term_block_, std::string_view(key_).substr(shared));
  put_varint(term_block_, doc_freq);
  if (doc_freq == 1) {
    put_varint(term_block_, first_doc_);
    put_varint(term_block_, first_tf_);
  } else {
    put_varint(term_block_, postings - previous_postings_);
    previous_postings_ = postings;
  }
  put_varint(term_block_, positions - previous_positions_);
  previous_positions_ = positions;
  previous_key_ = key_;
  ++term_count_;
  return {};
}

Status PostingsWriter::finish() {
  CheckedWriter& terms = files_[kTerms];
  RAGLINE_CHECK(terms.append(term_block_));
  RAGLINE_CHECK(terms.align(8));
  const std::uint64_t index = terms.offset();
  RAGLINE_CHECK(terms.append(raw_bytes(term_index_)));
  std::string tail;
  put_fixed(tail, term_count_);
  put_fixed(tail, static_cast<std::uint64_t>(term_index_.size()));
  put_fixed(tail, index);
  RAGLINE_CHECK(terms.append(tail));

  // lengths: counts, widths and longest by field, languages, statistics, then the columns.
  CheckedWriter& lengths = files_[kLengths];
  std::string head;
  put_fixed(head, static_cast<std::uint32_t>(columns_->languages.size()));
  int widths[kTextFieldCount];
  for (std::size_t f = 0; f < kTextFieldCount; ++f) {
    const std::uint32_t longest = longest_of(columns_->lengths[f]);
    widths[f] = column_width(longest);
    put_fixed(head, static_cast<std::uint32_t>(widths[f]));
    put_fixed(head, longest);
  }
  Statistics statistics;
  for (std::size_t i = 0; i < columns_->languages.size(); ++i) {
    LanguageStatistics& entry = statistics[columns_->languages[i]];
    ++entry.chunks;
    for (std::size_t f = 0; f < kTextFieldCount; ++f) entry.length[f] += columns_->lengths[f][i];
  }
  put_fixed(head, static_cast<std::uint32_t>(statistics.size()));
  for (const auto& [language, entry] : statistics) {
    put_fixed(head, static_cast<std::uint32_t>(language));
    put_fixed(head, entry.chunks);
    for (std::uint64_t length : entry.length) put_fixed(head, length);
  }
  RAGLINE_CHECK(lengths.append(head));
  for (std::size_t f = 0; f < kTextFieldCount; ++f) {
    RAGLINE_CHECK(lengths.align(8));
    std::string column;
    append_column(column, columns_->lengths[f], widths[f]);
    RAGLINE_CHECK(lengths.append(column));
  }
  if (statistics.size() > 1) RAGLINE_CHECK(lengths.append(raw_bytes(columns_->languages)));
  for (CheckedWriter& file : files_) RAGLINE_CHECK(file.finish());
  return {};
}

}  // namespace ragline
