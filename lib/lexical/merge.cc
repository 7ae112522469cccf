#include "lexical/merge.h"

#include <algorithm>
#include <vector>

#include "lexical/postings_writer.h"

namespace ragline {

namespace {

constexpr std::uint32_t kGone = UINT32_MAX;

// For each input, where its chunks go; kGone for deleted ones.
std::vector<std::vector<std::uint32_t>> new_ordinals(std::span<const MergeInput> inputs, ChunkColumns& columns) {
  std::vector<std::vector<std::uint32_t>> maps;
  std::uint32_t next = 0;
  for (const MergeInput& input : inputs) {
    auto& map = maps.emplace_back(input.postings->chunk_count(), kGone);
    for (std::uint32_t chunk = 0; chunk < map.size(); ++chunk) {
      if (input.deleted && input.deleted->test(chunk)) continue;
      map[chunk] = next++;
      for (Field field : kTextFields)
        columns.lengths[field_index(field)].push_back(input.postings->lengths(field)[chunk]);
      columns.languages.push_back(input.postings->language(chunk));
    }
  }
  return maps;
}

void add_list(const PostingList& list, const std::vector<std::uint32_t>& map, bool with_positions, PostingsWriter& writer) {
  std::uint32_t docs[kBlock], tfs[kBlock];
  std::vector<std::uint32_t> positions;
  for (std::uint32_t block = 0; block < list.block_count(); ++block) {
    const std::uint32_t count = list.decode(block, docs, tfs);
    if (with_positions && !list.decode_positions(block, {tfs, count}, positions)) return;  // corrupted() is set
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t size = with_positions ? tfs[i] : 0;
      if (map[docs[i]] != kGone) writer.add(map[docs[i]], std::span(positions).subspan(at, size));
      at += size;
    }
  }
}

}  // namespace

Status merge_postings(std::span<const MergeInput> inputs, Storage& storage, std::string_view folder) {
  ChunkColumns columns;
  const auto maps = new_ordinals(inputs, columns);
  RAGLINE_TRY(auto writer, PostingsWriter::create(storage, folder, columns));

  std::vector<TermIterator> terms;
  for (const MergeInput& input : inputs) terms.push_back(input.postings->seek(""));
  while (true) {
    // Inputs are few: the least key by a plain scan.
    const std::string* least = nullptr;
    for (const TermIterator& at : terms)
      if (at.valid() && (!least || at.key() < *least)) least = &at.key();
    if (!least) break;
    const std::string key = *least;
    writer.begin(key);
    const bool with_positions = static_cast<Field>(key[0]) != Field::kFilter;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!terms[i].valid() || terms[i].key() != key) continue;
      add_list(inputs[i].postings->list(terms[i].info()), maps[i], with_positions, writer);
      terms[i].next();
    }
    RAGLINE_CHECK(writer.end());
  }
  for (const MergeInput& input : inputs)
    if (input.postings->corrupted()) return input.postings->check();
  return writer.finish();
}

}  // namespace ragline
