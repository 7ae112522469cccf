#include "corpus/csv.h"

#include <algorithm>

#include "core/text.h"
#include "corpus/lines.h"
#include "corpus/outline.h"

namespace ragline {

namespace {

bool looks_like_header(const std::vector<std::string>& fields) {
  return fields.size() >= 2 && std::ranges::none_of(fields, [](const std::string& field) {
           return trim(field).empty() || parse_double(trim(field));
         });
}

}  // namespace

char csv_separator(std::string_view text) {
  char best = ',';
  std::ptrdiff_t most = 0;
  if (text.empty()) return best;
  const std::string_view line = line_at(text, 0).content(text);
  for (char separator : {',', '\t', ';', '|'}) {
    std::ptrdiff_t count = 0;
    bool quoted = false;
    for (char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == separator && !quoted) ++count;
    }
    if (count > most) {
      most = count;
      best = separator;
    }
  }
  return best;
}

std::size_t csv_row_end(std::string_view text, std::size_t begin, char separator, bool& quotes) {
  std::size_t end = line_at(text, begin).end;
  if (!quotes || text.substr(begin, end - begin).find('"') == std::string_view::npos) return end;
  bool at_field = true;  // only at a field's start does a quote quote
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '\n') return i + 1;
    if (text[i] != '"' || !at_field) {
      at_field = text[i] == separator;
      continue;
    }
    // The closing quote: the first that is not doubled.
    for (i = text.find('"', i + 1); i != text.npos && i + 1 < text.size() && text[i + 1] == '"';)
      i = text.find('"', i + 2);
    if (i == text.npos) {
      quotes = false;
      return end;
    }
    at_field = false;
  }
  return text.size();
}

std::vector<std::string> csv_fields(std::string_view row, char separator) {
  while (row.ends_with('\n') || row.ends_with('\r')) row.remove_suffix(1);
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char c = row[i];
    if (quoted && c == '"' && i + 1 < row.size() && row[i + 1] == '"')
      fields.back() += row[++i];
    else if (c == '"' && (quoted || fields.back().empty()))
      quoted = !quoted;
    else if (c == separator && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

void parse_csv(ParsedDocument& parsed) {
  const std::string_view text = parsed.document.text;
  const char separator =
      parsed.document.media_type == "text/tab-separated-values" ? '\t' : csv_separator(text);
  Outline outline(parsed);
  ByteSpan header;
  bool quotes = true, first = true, open = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    at = csv_row_end(text, begin, separator, quotes);
    const std::string_view row = text.substr(begin, at - begin);
    if (static_cast<unsigned char>(row[0]) <= ' ' && is_blank(row)) continue;
    if (open) outline.block("row", begin, header);
    open = true;
    if (!first) continue;
    first = false;
    // A row of many kilobytes is data.
    if (row.size() <= 8192 && looks_like_header(csv_fields(row, separator))) header = {begin, at};
  }
  if (open) outline.block("row", text.size(), header);
  outline.finish(text.size());
}

}  // namespace ragline
