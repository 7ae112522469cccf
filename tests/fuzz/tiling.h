#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "core/utf8.h"
#include "corpus/chunk.h"
#include "corpus/document.h"
#include "fuzz.h"
#include "record/evidence.h"

namespace ragline::fuzz {

// What holds for every document of every parser: its text is UTF-8, blocks tile it and lie in their
// sections, chunks tile it, honour their size and name their bytes.
inline void require_sound(const ParsedDocument& parsed, std::uint32_t size) {
  const std::string_view text = parsed.document.text;
  require(is_valid_utf8(text));
  std::uint64_t at = 0;
  for (const Block& block : parsed.blocks) {
    require(block.bytes.begin == at && block.bytes.end > at && block.bytes.end <= text.size());
    require(block.header.begin <= block.header.end && block.header.end <= text.size());
    require(block.section < parsed.sections.size());
    const Section& section = parsed.sections[block.section];
    require(section.bytes.begin <= block.bytes.begin && block.bytes.end <= section.bytes.end);
    at = block.bytes.end;
  }
  require(parsed.blocks.empty() || at == text.size());

  std::string whole;
  for (const Chunk& chunk : cut_chunks(parsed, {size, 0})) {
    require(is_valid_utf8(chunk.text) && is_valid_utf8(chunk.context));
    require(chunk.bytes->begin == whole.size());
    const auto id = parse_evidence_id(chunk.evidence_id);
    require(id && id->hash == evidence_hash(chunk.text));
    // Graphemes are not cut, and may be longer than a small chunk.
    if (size >= 100) require(estimate_tokens(chunk.text) <= size);
    whole += chunk.text;
  }
  require(whole == text);
  cut_chunks(parsed, {size, size / 3});
}

// The document that the bytes are as a file of this type, or nothing when they are binary.
inline void require_sound(std::string_view media_type, std::string_view bytes) {
  const auto parsed = parse_document("a", "a", media_type, bytes, {.trust_labels = true});
  if (!parsed) return;
  require_sound(*parsed, 100);
  require_sound(*parsed, 1 + static_cast<std::uint32_t>(bytes.size() % 17));
}

}  // namespace ragline::fuzz
