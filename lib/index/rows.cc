#include "index/rows.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/bytes.h"
#include "record/evidence.h"

namespace ragline {

namespace {

// Which fields a document's row holds, in this order. Append only.
enum DocumentField : std::uint32_t {
  kDocTitle = 1 << 0,
  kDocMediaType = 1 << 1,
  kDocLanguage = 1 << 2,
  kDocAcl = 1 << 3,
  kDocFrom = 1 << 4,
  kDocTo = 1 << 5,
  kDocChecksum = 1 << 6,
  kDocExtractor = 1 << 7,
  kDocMetadata = 1 << 8,
  kDocExtra = 1 << 9,
  kDocSource = 1 << 10,  // size, time as two 64-bit numbers
  kDocAll = (1 << 11) - 1
};

// Which fields a chunk's row holds, in this order, before the text. The common ones are below 1 << 7.
enum ChunkField : std::uint32_t {
  kBytes = 1 << 0,        // begin; the end follows from the text's length
  kLines = 1 << 1,        // first, last - first
  kSection = 1 << 2,      // count, headings
  kBlockType = 1 << 3,    // number in kBlockTypes
  kContext = 1 << 4,
  kEnd = 1 << 5,          // end - begin, where it is not the text's length
  kEvidence = 1 << 6,     // the evidence id, where it does not follow
  kOrdinal = 1 << 7,      // where it is not the place
  kPage = 1 << 8,
  kParent = 1 << 9,
  kPath = 1 << 10,        // from here on: where it is not the document's
  kTitle = 1 << 11,
  kMediaType = 1 << 12,
  kLanguage = 1 << 13,
  kChecksum = 1 << 14,
  kExtractor = 1 << 15,
  kMetadata = 1 << 16,
  kExtra = 1 << 17,
  kOtherBlockType = 1 << 18,  // spelled out
  kAll = (1 << 19) - 1
};

// Numbers are part of the format: append only.
constexpr std::array<std::string_view, 11> kBlockTypes = {"paragraph", "heading", "list", "table", "code",        "log",
                                                          "quote",     "html",    "row",  "text",  "front_matter"};

// Writes a field's text and its bit when it is there.
class FieldWriter {
 public:
  explicit FieldWriter(std::string& row) : row_(row) {}
  bool has(bool present, std::uint32_t bit) {
    if (present) bits_ |= bit;
    return present;
  }
  void string(std::string_view value, std::uint32_t bit) {
    if (has(!value.empty(), bit)) put_string(row_, value);
  }
  // What differs from the document's, and is there.
  void own(std::string_view value, std::string_view documents, std::uint32_t bit) {
    if (value != documents) string(value, bit);
  }
  std::uint32_t bits() const { return bits_; }

 private:
  std::string& row_;
  std::uint32_t bits_ = 0;
};

// The bits go in front of fields that are written before it is known which there are.
void prepend_bits(std::string& row, std::uint32_t bits) {
  std::string head;
  put_varint(head, bits);
  row.insert(0, head);
}

bool span_is_text(const Chunk& chunk) {
  return chunk.bytes && chunk.bytes->end - chunk.bytes->begin == chunk.text.size();
}

// True when decoding will make the same id again.
bool evidence_follows(const Chunk& chunk, std::string_view document_id) {
  if (chunk.evidence_id.empty()) return span_is_text(chunk);
  return span_is_text(chunk) &&
         chunk.evidence_id == format_evidence_id(document_id, *chunk.bytes, evidence_hash(chunk.text));
}

bool read_list(ByteReader& reader, std::vector<std::string>& out) {
  const std::uint64_t count = reader.varint();
  if (count > reader.left()) return false;  // an element takes a byte at least
  out.reserve(count);
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) out.emplace_back(reader.string());
  return reader.ok();
}

}  // namespace

void encode_document_row(std::string& row, const Document& document, std::string_view language,
                         std::string_view extractor, std::uint32_t columns_hash, const SourceStamp& source) {
  row.clear();
  FieldWriter write(row);
  put_fixed(row, columns_hash);
  write.string(document.title, kDocTitle);
  write.string(document.media_type, kDocMediaType);
  write.string(language, kDocLanguage);
  if (write.has(document.governance.acl.has_value(), kDocAcl)) {
    put_varint(row, document.governance.acl->size());
    for (const std::string& principal : *document.governance.acl) put_string(row, principal);
  }
  write.string(document.governance.effective_from, kDocFrom);
  write.string(document.governance.effective_to, kDocTo);
  write.string(document.checksum, kDocChecksum);
  write.string(extractor, kDocExtractor);
  write.string(document.metadata, kDocMetadata);
  write.string(document.extra, kDocExtra);
  if (write.has(source != SourceStamp(), kDocSource)) {
    put_fixed(row, source.size);
    put_fixed(row, source.mtime_ns);
  }
  prepend_bits(row, write.bits());
}

bool decode_document_row(std::string_view row, DocumentRow& out) {
  ByteReader reader(row);
  const std::uint64_t bits = reader.varint();
  if (bits & ~std::uint64_t{kDocAll}) return false;
  out.columns_hash = reader.fixed<std::uint32_t>();
  auto string = [&](std::string& field, std::uint32_t bit) {
    if (bits & bit) field = reader.string();
  };
  string(out.title, kDocTitle);
  string(out.media_type, kDocMediaType);
  string(out.language, kDocLanguage);
  if (bits & kDocAcl && !read_list(reader, out.governance.acl.emplace())) return false;
  string(out.governance.effective_from, kDocFrom);
  string(out.governance.effective_to, kDocTo);
  string(out.checksum, kDocChecksum);
  string(out.extractor, kDocExtractor);
  string(out.metadata, kDocMetadata);
  string(out.extra, kDocExtra);
  if (bits & kDocSource) {
    out.source.size = reader.fixed<std::uint64_t>();
    out.source.mtime_ns = reader.fixed<std::int64_t>();
  }
  return reader.ok() && reader.at_end();
}

void encode_chunk_row(std::string& row, const Chunk& chunk, const Document& document, std::string_view language,
                      std::string_view extractor, std::uint32_t place) {
  row.clear();
  FieldWriter write(row);
  if (write.has(chunk.bytes.has_value(), kBytes)) put_varint(row, chunk.bytes->begin);
  if (write.has(chunk.lines.has_value(), kLines)) {
    put_varint(row, chunk.lines->first);
    put_varint(row, chunk.lines->last - chunk.lines->first);
  }
  if (write.has(!chunk.section_path.empty(), kSection)) {
    put_varint(row, chunk.section_path.size());
    for (const std::string& heading : chunk.section_path) put_string(row, heading);
  }
  const auto type = std::find(kBlockTypes.begin(), kBlockTypes.end(), chunk.block_type);
  if (write.has(type != kBlockTypes.end(), kBlockType)) row += static_cast<char>(type - kBlockTypes.begin());
  write.string(chunk.context, kContext);
  if (write.has(chunk.bytes && !span_is_text(chunk), kEnd)) put_varint(row, chunk.bytes->end - chunk.bytes->begin);
  if (write.has(!evidence_follows(chunk, document.document_id), kEvidence)) put_string(row, chunk.evidence_id);
  if (write.has(chunk.ordinal != place, kOrdinal)) put_varint(row, chunk.ordinal);
  if (write.has(chunk.page.has_value(), kPage)) put_varint(row, *chunk.page);
  write.string(chunk.parent_id, kParent);
  write.own(chunk.path, document.path, kPath);
  write.own(chunk.title, document.title, kTitle);
  write.own(chunk.media_type, document.media_type, kMediaType);
  write.own(chunk.language, language, kLanguage);
  write.own(chunk.checksum, document.checksum, kChecksum);
  write.own(chunk.extractor, extractor, kExtractor);
  write.own(chunk.metadata, document.metadata, kMetadata);
  write.string(chunk.extra, kExtra);
  if (type == kBlockTypes.end()) write.string(chunk.block_type, kOtherBlockType);
  row += chunk.text;
  prepend_bits(row, write.bits());
}

bool decode_chunk_row(std::string_view row, const DocumentRow& document, std::uint32_t place, Chunk& out) {
  ByteReader reader(row);
  const std::uint64_t bits = reader.varint();
  if (bits & ~std::uint64_t{kAll}) return false;
  auto string = [&](std::string& field, std::uint32_t bit, std::string_view otherwise = {}) {
    field = bits & bit ? reader.string() : otherwise;
  };
  if (bits & kBytes) out.bytes.emplace().begin = reader.varint();
  if (bits & kLines) {
    out.lines.emplace().first = reader.varint();
    out.lines->last = out.lines->first + reader.varint();
  }
  if (bits & kSection && !read_list(reader, out.section_path)) return false;
  if (bits & kBlockType) {
    const std::size_t number = reader.fixed<std::uint8_t>();
    if (number >= kBlockTypes.size()) return false;
    out.block_type = kBlockTypes[number];
  }
  string(out.context, kContext);
  std::optional<std::uint64_t> length;
  if (bits & kEnd) length = reader.varint();
  string(out.evidence_id, kEvidence);
  out.ordinal = bits & kOrdinal ? reader.varint() : place;
  if (bits & kPage) out.page = reader.varint();
  string(out.parent_id, kParent);
  if (bits & kPath) out.path = reader.string();
  string(out.title, kTitle, document.title);
  string(out.media_type, kMediaType, document.media_type);
  string(out.language, kLanguage, document.language);
  string(out.checksum, kChecksum, document.checksum);
  string(out.extractor, kExtractor, document.extractor);
  string(out.metadata, kMetadata, document.metadata);
  string(out.extra, kExtra);
  if (bits & kOtherBlockType) out.block_type = reader.string();
  out.text = reader.bytes(reader.left());
  if (!reader.ok()) return false;

  if (out.bytes) out.bytes->end = out.bytes->begin + length.value_or(out.text.size());
  if (!(bits & kEvidence)) {
    if (!out.bytes) return false;
    out.evidence_id = format_evidence_id(out.document_id, *out.bytes, evidence_hash(out.text));
  }
  out.governance.acl = document.governance.acl;
  out.governance.effective_from = document.governance.effective_from;
  out.governance.effective_to = document.governance.effective_to;
  return true;
}

}  // namespace ragline
