#include "corpus/document.h"

#include "core/hash.h"
#include "core/text.h"
#include "corpus/code.h"
#include "corpus/csv.h"
#include "corpus/decode.h"
#include "corpus/html.h"
#include "corpus/log.h"
#include "corpus/markdown.h"
#include "corpus/plain.h"

namespace ragline {

namespace {

// Sets what parsers set: blocks, sections, title, language, metadata, governance; and for HTML the
// text.
void parse_text(ParsedDocument& parsed, const ParseOptions& options) {
  const std::string_view type = parsed.document.media_type;
  if (type == "text/markdown") return parse_markdown(parsed, options);
  if (type == "text/html") return parse_html(parsed);
  if (type == "text/csv" || type == "text/tab-separated-values") return parse_csv(parsed);
  if (type == "application/jsonl") return parse_json_lines(parsed);
  if (type == "text/x-log") return parse_log(parsed);
  if (type == "text/x-rst") return parse_plain(parsed, Markup::kRst);
  if (type == "text/x-asciidoc") return parse_plain(parsed, Markup::kAsciidoc);
  if (type == "text/x-org") return parse_plain(parsed, Markup::kOrg);
  if (is_code(type)) return parse_code(parsed);
  parse_plain(parsed);
}

template <class T>
void keep(T& parsed, T& stated) {
  if (!stated.empty()) parsed = std::move(stated);
}

}  // namespace

std::optional<ParsedDocument> parse_document(std::string_view document_id, std::string_view path,
                                             std::string_view media_type, std::string_view bytes,
                                             const ParseOptions& options) {
  Decoded decoded = decode_text(bytes);
  if (decoded.binary) return std::nullopt;
  ParsedDocument parsed;
  parsed.document.document_id = document_id;
  parsed.document.path = path;
  parsed.document.media_type = media_type;
  parsed.document.checksum = checksum_text(bytes);
  if (decoded.changed) {
    parsed.document.text = std::move(decoded.converted);
    parsed.extractor = decoded.encoding;
  } else {
    parsed.document.text = bytes;
  }
  parse_text(parsed, options);
  return parsed;
}

ParsedDocument parse_document(Document document) {
  ParsedDocument parsed;
  parsed.document = std::move(document);
  Document& out = parsed.document;
  if (out.checksum.empty()) out.checksum = checksum_text(out.text);
  const bool is_markup = trim(std::string_view(out.text).substr(0, 512)).starts_with('<');
  if (out.media_type == "text/html" && !is_markup) {  // extracted before
    parse_plain(parsed);
    return parsed;
  }
  Document stated;
  std::swap(stated.title, out.title);
  std::swap(stated.language, out.language);
  std::swap(stated.metadata, out.metadata);
  const Governance governance = out.governance;
  parse_text(parsed, ParseOptions{});
  keep(out.title, stated.title);
  keep(out.language, stated.language);
  keep(out.metadata, stated.metadata);
  out.governance = governance;
  return parsed;
}

}  // namespace ragline
