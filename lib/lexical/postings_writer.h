#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checked_file.h"
#include "lexical/postings.h"

namespace ragline {

// Lengths, languages and what sums over them, of all chunks of a segment.
struct ChunkColumns {
  std::array<std::vector<std::uint32_t>, kTextFieldCount> lengths;
  std::vector<Language> languages;
};

// Writes the four lexical files of a segment from terms in key order. What a builder flushes and what a merge joins go through here, so
// that both write the same bytes for the same postings.
//   for each term, ascending keys: begin(key); add(doc, positions) with ascending docs; end()
//   finish()
class PostingsWriter {
 public:
  static constexpr std::uint32_t kTermsPerBlock = 16;

  // `columns` must outlive the writer and be complete: block frontiers need the lengths.
  static Result<PostingsWriter> create(Storage& storage, std::string_view folder, const ChunkColumns& columns);
  void begin(std::string_view key);
  // positions ascending, not empty for text fields; filter fields have none.
  void add(std::uint32_t doc, std::span<const std::uint32_t> positions);
  Status end();  // a term that got no postings leaves no trace
  Status finish();

 private:
  PostingsWriter() = default;
  void flush_block();

  const ChunkColumns* columns_ = nullptr;
  std::vector<CheckedWriter> files_;  // terms, postings, positions, lengths
  // The term in hand.
  std::string key_;
  const std::vector<std::uint32_t>* lengths_ = nullptr;  // of its field; null for filters
  std::uint32_t doc_freq_ = 0, last_doc_ = UINT32_MAX, first_doc_ = 0, first_tf_ = 0;
  std::vector<std::uint32_t> docs_, tfs_, block_positions_, block_lengths_;
  std::vector<BlockEntry> directory_;
  std::string blocks_, position_bytes_;
  // The dictionary.
  std::string term_block_, previous_key_;
  std::vector<std::uint64_t> term_index_;
  std::uint64_t term_count_ = 0, previous_postings_ = 0, previous_positions_ = 0;
};

}  // namespace ragline
