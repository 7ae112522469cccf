#include "eval/json_table.h"

#include <algorithm>

#include "core/text.h"
#include "record/json_scan.h"

namespace ragline {

namespace {

std::string_view plain(std::string_view raw, std::deque<std::string>& strings) {
  if (raw.find('\\') == raw.npos) return raw;
  std::string& text = strings.emplace_back();
  append_unescaped(text, raw);
  return text;
}

}  // namespace

bool is_json_table(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos || text[begin] != '{') return false;
  // Enough to see the first member, however long the file is.
  JsonScanner scan(text.substr(begin, 1 << 16));
  scan.next();
  if (scan.next() != JsonToken::kKey) return scan.last() == JsonToken::kCloseObject;
  if (scan.next() != JsonToken::kOpenObject) return false;
  return scan.next() == JsonToken::kCloseObject || scan.next() == JsonToken::kNumber;
}

Status read_json_table(
    const InputText& text, std::deque<std::string>& strings, BadRows* bad,
    const std::function<Status(std::string_view, std::string_view, std::string_view)>& visit) {
  JsonScanner scan(text.bytes());
  const auto fault = [&](std::string_view what) -> Status {
    const std::size_t at = std::min(scan.at(), text.bytes().size());
    return BadRows::stop(bad, RowFault::kJson, text.error_at(text.bytes().data() + at, what));
  };
  constexpr std::string_view kForm = "not {\"query\": {\"document\": number}}, as ranx writes it";
  if (scan.next() != JsonToken::kOpenObject) return fault(kForm);
  while (scan.next() == JsonToken::kKey) {
    const std::string_view query = plain(scan.raw(), strings);
    if (scan.next() != JsonToken::kOpenObject) return fault(kForm);
    while (scan.next() == JsonToken::kKey) {
      const std::string_view document = plain(scan.raw(), strings);
      if (scan.next() != JsonToken::kNumber) return fault(kForm);
      RAGLINE_CHECK(visit(query, document, scan.raw()));
    }
    if (scan.last() == JsonToken::kFault) return fault(scan.fault().message);
  }
  if (scan.last() == JsonToken::kFault || scan.next() != JsonToken::kEnd)
    return fault(scan.last() == JsonToken::kFault ? scan.fault().message : std::string(kForm));
  return {};
}

}  // namespace ragline
