#include "corpus/chunk.h"

#include <algorithm>

#include "core/text.h"
#include "core/utf8.h"
#include "corpus/gather.h"
#include "record/evidence.h"

namespace ragline {

namespace {

// A context is repeated in every chunk of a table.
constexpr std::size_t kMaxContext = 1024;

std::uint64_t newlines(std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; ++at) ++count;
  return count;
}

class ChunkMaker {
 public:
  explicit ChunkMaker(const ParsedDocument& parsed) : parsed_(parsed), text_(parsed.document.text) {
    parent_ids_.resize(parsed.sections.size());
  }

  // `bytes` may begin before the piece (overlap). Pieces come in order.
  Chunk make(const Piece& piece, ByteSpan bytes) {
    const Document& document = parsed_.document;
    const std::string_view text = slice(bytes);
    Chunk chunk;
    chunk.document_id = document.document_id;
    chunk.version = document.version;
    chunk.ordinal = ordinal_++;
    chunk.evidence_id = format_evidence_id(document.document_id, bytes, evidence_hash(text));
    chunk.path = document.path;
    chunk.title = document.title;
    chunk.bytes = bytes;
    chunk.text = text;
    chunk.media_type = document.media_type;
    chunk.language = document.language;
    chunk.governance = document.governance;
    chunk.checksum = document.checksum;
    chunk.extractor = parsed_.extractor;
    chunk.metadata = document.metadata;
    chunk.block_type = "paragraph";
    if (!text.empty()) chunk.lines = lines(piece, bytes);
    if (parsed_.blocks.empty()) return chunk;
    chunk.block_type = main_type(piece);
    const std::uint32_t section = parsed_.blocks[piece.last_block].section;
    chunk.section_path = path_of(section);
    chunk.parent_id = parent_id(section, bytes);
    chunk.context = context(piece, bytes);
    return chunk;
  }

 private:
  std::string_view slice(ByteSpan bytes) const {
    return text_.substr(bytes.begin, bytes.end - bytes.begin);
  }

  LineSpan lines(const Piece& piece, ByteSpan bytes) {
    const std::string_view text = slice(piece.bytes);
    LineSpan lines;
    lines.first = line_ - newlines(slice({bytes.begin, piece.bytes.begin}));
    line_ += newlines(text);
    lines.last = text.ends_with('\n') ? line_ - 1 : line_;
    return lines;
  }

  // Of the block that fills most of the piece, headings aside.
  std::string_view main_type(const Piece& piece) const {
    std::string_view type = parsed_.blocks[piece.first_block].type;
    std::uint64_t most = 0;
    for (std::size_t b = piece.first_block; b <= piece.last_block; ++b) {
      const Block& block = parsed_.blocks[b];
      const std::uint64_t share = std::min(block.bytes.end, piece.bytes.end) -
                                  std::max(block.bytes.begin, piece.bytes.begin);
      if (leads(block) || share <= most) continue;
      type = block.type;
      most = share;
    }
    return type;
  }

  std::vector<std::string> path_of(std::uint32_t section) const {
    std::vector<std::string> path;
    for (; section != 0; section = parsed_.sections[section].parent)
      if (!parsed_.sections[section].title.empty()) path.push_back(parsed_.sections[section].title);
    std::ranges::reverse(path);
    return path;
  }

  const std::string& parent_id(std::uint32_t section, ByteSpan bytes) {
    while (section != 0) {
      const ByteSpan whole = parsed_.sections[section].bytes;
      if (whole.begin <= bytes.begin && bytes.end <= whole.end && whole != bytes) break;
      section = parsed_.sections[section].parent;
    }
    std::string& id = parent_ids_[section];
    if (section != 0 && id.empty()) {
      const ByteSpan whole = parsed_.sections[section].bytes;
      id = format_evidence_id(parsed_.document.document_id, whole, evidence_hash(slice(whole)));
    }
    return id;
  }

  std::string context(const Piece& piece, ByteSpan bytes) const {
    for (std::size_t b = piece.first_block; b <= piece.last_block; ++b) {
      const ByteSpan header = parsed_.blocks[b].header;
      if (header.begin == header.end || header.begin >= bytes.begin) continue;
      const std::string_view text = trim(slice(header));
      return std::string(text.substr(0, utf8_floor(text, kMaxContext)));
    }
    return {};
  }

  const ParsedDocument& parsed_;
  const std::string_view text_;
  std::vector<std::string> parent_ids_;  // by section, made when first asked for; [0] stays empty
  std::uint64_t ordinal_ = 0;
  std::uint64_t line_ = 1;  // in which the next piece begins
};

}  // namespace

std::vector<Chunk> cut_chunks(const ParsedDocument& parsed, const ChunkOptions& options) {
  const std::string_view text = parsed.document.text;
  ChunkMaker maker(parsed);
  std::vector<Chunk> chunks;
  if (parsed.blocks.empty()) {
    chunks.push_back(maker.make(Piece{{0, text.size()}, 0, 0}, {0, text.size()}));
    return chunks;
  }
  const std::uint64_t limit = 4 * std::max<std::uint64_t>(options.size, 1);
  const std::uint64_t overlap = std::min<std::uint64_t>(4ull * options.overlap, limit / 2);
  const std::vector<Piece> pieces = gather_pieces(parsed, limit - overlap);
  chunks.reserve(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    ByteSpan bytes = pieces[i].bytes;
    const bool starts_run =
        i == 0 || (leads(parsed.blocks[pieces[i].first_block]) &&
                   parsed.blocks[pieces[i].first_block].bytes.begin == bytes.begin);
    if (overlap > 0 && !starts_run) {
      const ByteSpan before = pieces[i - 1].bytes;
      bytes.begin =
          before.begin + tail_begin(text.substr(before.begin, before.end - before.begin), overlap);
    }
    chunks.push_back(maker.make(pieces[i], bytes));
  }
  return chunks;
}

}  // namespace ragline
