#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/media.h"
#include "record/record.h"

// A document between parser and chunker: its canonical text, the blocks that tile it and the
// sections above them.
namespace ragline {

// A heading with everything up to the next heading of its level or a higher one.
struct Section {
  ByteSpan bytes;
  std::uint32_t parent = 0;  // index into ParsedDocument::sections
  int level = 0;             // 1 to 6; 0 for the document itself
  std::string title;         // without markup, at most 256 bytes
};

// A run of the canonical text that is not cut unless it is larger than a chunk. Blocks are in order
// and tile the text exactly: each begins where the one before ended, blank lines belong to the
// block before them.
struct Block {
  ByteSpan bytes;
  // "paragraph", "heading", "list", "table", "code", "log", "quote", "html", "row", "rule",
  // "front_matter"
  std::string_view type;
  std::uint32_t section =
      0;  // the innermost section it lies in; a heading lies in the section that it opens
  // The header of a table: chunks that hold rows but not the header carry it as `context`. Empty
  // when there is none.
  ByteSpan header;
};

struct ParsedDocument {
  // document.text is the canonical text. document_id, path, checksum, media_type are set; title,
  // language (only where the source states it), metadata and governance (front matter; only with
  // ParseOptions::trust_labels) where found.
  Document document;
  std::string
      extractor;  // "" when the canonical text is the file itself, else "html", "utf-16le", ...
  std::vector<Section>
      sections;  // sections[0] is the whole document; parents come before their children
  std::vector<Block> blocks;  // none only for an empty text
};

struct ParseOptions {
  bool trust_labels = false;  // take tenant, acl and effective times from front matter
};

// Bytes of one file to a document; nullopt when they are binary (decode_text). Not for files of
// rows (see source.h).
//   Cost     linear in the bytes for every input, over 200 MB/s but for HTML (a few MB/s); no
//   recursion on nesting Errors   none: parsers take what they can, and what is malformed is plain
//   text
std::optional<ParsedDocument> parse_document(std::string_view document_id, std::string_view path,
                                             std::string_view media_type, std::string_view bytes,
                                             const ParseOptions& options);

// Blocks for a document that came as a record (its text and media_type are set): by its media type,
// else as plain text. Its text is canonical already, but for a media type of HTML whose text is
// markup: that is extracted. What the record states wins over what its text says; an absent
// checksum is that of the text.
ParsedDocument parse_document(Document document);

}  // namespace ragline
