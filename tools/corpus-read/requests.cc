#include "corpus-read/requests.h"

#include "cli/paths.h"
#include "core/text.h"
#include "record/base64.h"
#include "record/reader.h"

namespace ragline {

namespace {

// A match, hit or chunk by its evidence id; other records by path and lines. `query` and `end` records hold no span.
Status add_records(std::vector<ReadRequest>& requests) {
  RAGLINE_CHECK(need_piped_input("corpus-grep PATTERN | corpus-read -"));
  RAGLINE_TRY(auto lines, LineReader::open("-"));
  Line line;
  while (true) {
    RAGLINE_TRY(const bool more, lines.next(line));
    if (!more) return {};
    ReadRequest request;
    std::string type, path, id;
    std::vector<std::uint64_t> numbers;
    const Status read = for_each_scalar(line.bytes, [&](std::string_view key, const JsonScalar& value) {
      if (key == "type") type = value.text;
      if (key == "path" && path.empty()) path = value.text;
      if (key == "path_b64") path = base64_decode(value.text).value_or(path);
      if (key == "evidence_id") id = value.text;
      if (key == "parent_id") request.parent_id = value.text;
      if (key == "lines" && value.number >= 1) numbers.push_back(static_cast<std::uint64_t>(value.number));
    });
    auto wrong = [&](const Error& error) { return std::unexpected(at_line(error, lines.name(), line.number)); };
    if (!read) return wrong(read.error());
    if (type == "query" || type == "end" || type == "trace") continue;
    if (!id.empty()) {
      auto parsed = parse_evidence_id(id);
      if (!parsed) return wrong(parsed.error());
      request.span.path = path.empty() ? parsed->document_id : path;
      request.span.id = std::move(*parsed);
      request.span.text = std::move(id);
    } else if (!path.empty()) {
      request.span.path = request.span.text = std::move(path);
      if (numbers.size() == 2) request.span.lines = LineSpan{numbers[0], numbers[1]};
    } else {
      return wrong({ErrorKind::kData, "the record names no span: give evidence_id, or path and lines"});
    }
    requests.push_back(std::move(request));
  }
}

}  // namespace

Result<std::vector<ReadRequest>> read_requests(const Flags& flags) {
  std::vector<ReadRequest> requests;
  for (const std::string& argument : flags.positionals()) {
    if (argument == "-") {
      RAGLINE_CHECK(add_records(requests));
      continue;
    }
    RAGLINE_TRY(SpanRequest span, parse_span(argument));
    requests.push_back({std::move(span), ""});
  }
  return requests;
}

}  // namespace ragline
