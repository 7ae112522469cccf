// Any bytes as a line: refused, or read, written and read again to the same record. The scanner of
// our own and simdjson must agree about what is JSON. The same bytes as an evidence id, a time and
// base64.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "record/base64.h"
#include "record/evidence.h"
#include "record/reader.h"
#include "record/time.h"
#include "record/writer.h"

namespace {

using namespace ragline;

void require(bool good) {
  if (!good) std::abort();
}

void round_trip(std::string_view line, RowKind untyped) {
  RecordParser parser(untyped);
  const auto record = parser.parse(line);
  if (!record) return;
  require(check_json(line).has_value());
  std::string written;
  write_record(written, *record);
  require(written.find('\n') == written.size() - 1);
  const auto again = parser.parse(std::string_view(written).substr(0, written.size() - 1));
  require(again && *again == *record);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  LineReader reader("fuzz", text);
  Line line;
  while (true) {
    const auto more = reader.next(line);
    if (more && !*more) break;
    if (!more) continue;
    round_trip(line.bytes, RowKind::kDocument);
    round_trip(line.bytes, RowKind::kQuery);
  }
  round_trip(text, RowKind::kDocument);
  (void)for_each_scalar(text, [](std::string_view, const JsonScalar&) {});
  if (const auto id = parse_evidence_id(text))
    require(format_evidence_id(id->document_id, id->bytes, id->hash) == text);
  if (const auto time = parse_time(text)) require(parse_time(format_time(*time)) == *time);
  if (const auto bytes = base64_decode(text)) require(base64_encode(*bytes) == text);
  require(base64_decode(base64_encode(text)) == std::string(text));
  return 0;
}
