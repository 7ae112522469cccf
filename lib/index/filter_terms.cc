#include "index/filter_terms.h"

#include "core/hash.h"
#include "core/utf8.h"
#include "record/json_scan.h"

namespace ragline {

namespace {

constexpr std::size_t kMaxValue = 256, kKeptOfLong = 240, kMaxPath = 256;

// Walks the metadata without recursion; `levels` holds, for each open object or array, the path
// that leads to it.
void add_metadata(std::string_view json, std::vector<FilterTerm>& terms) {
  JsonScanner scan(json);
  const std::size_t first = terms.size();
  std::string path(kMetadataPrefix), value;
  std::vector<std::size_t> levels;
  auto add = [&](std::string_view text) {
    if (!levels.empty() && path.size() <= kMaxPath && path.find('\x1F') == path.npos)
      terms.push_back({path, filter_value(text)});
  };
  while (true) {
    switch (scan.next()) {
      case JsonToken::kOpenObject:
      case JsonToken::kOpenArray:
        levels.push_back(path.size());
        break;
      case JsonToken::kCloseObject:
      case JsonToken::kCloseArray:
        path.resize(levels.back());
        levels.pop_back();
        break;
      case JsonToken::kKey:
        path.resize(levels.back());
        if (levels.size() > 1) path += '.';
        append_unescaped(path, scan.raw());
        break;
      case JsonToken::kString:
        value.clear();
        append_unescaped(value, scan.raw());
        add(value);
        break;
      case JsonToken::kNumber:
      case JsonToken::kTrue:
      case JsonToken::kFalse:
        add(scan.raw());
        break;
      case JsonToken::kNull:
        break;
      case JsonToken::kEnd:
        return;
      case JsonToken::kFault:
        terms.resize(first);
        return;
    }
  }
}

void add_field(std::vector<FilterTerm>& terms, std::string_view name, std::string_view value) {
  if (!value.empty()) terms.push_back({std::string(name), filter_value(value)});
}

}  // namespace

std::string filter_value(std::string_view value) {
  if (value.size() <= kMaxValue) return std::string(value);
  return std::string(value.substr(0, utf8_floor(value, kKeptOfLong))) + checksum_text(value);
}

std::vector<FilterTerm> document_filter_terms(const Document& document, std::string_view rows_of) {
  std::vector<FilterTerm> terms;
  add_field(terms, "version", document.version);
  add_field(terms, "media_type", document.media_type);
  add_field(terms, "title", document.title);
  const Governance& governance = document.governance;
  add_field(terms, "tenant", governance.tenant);
  if (governance.acl) {
    terms.push_back({std::string(kLabelled), ""});
    for (const std::string& principal : *governance.acl) add_field(terms, "acl", principal);
  }
  if (!governance.effective_from.empty() || !governance.effective_to.empty())
    terms.push_back({std::string(kTimed), ""});
  add_field(terms, kRowsOf, rows_of);
  add_metadata(document.metadata, terms);
  return terms;
}

std::vector<FilterTerm> chunk_filter_terms(const Chunk& chunk) {
  std::vector<FilterTerm> terms;
  add_field(terms, "language", chunk.language);
  add_field(terms, "block_type", chunk.block_type);
  return terms;
}

}  // namespace ragline
