// Streams of rows, and files by their names: what comes out can be written and read again.
#include <cstring>
#include <string>

#include "corpus/source.h"
#include "record/reader.h"
#include "record/writer.h"
#include "tiling.h"

using namespace ragline;
using ragline::fuzz::require;

namespace {

Status check(const ChunkedDocument& document) {
  require(!document.chunks.empty());
  RecordParser parser;
  for (const Chunk& chunk : document.chunks) {
    require(chunk.document_id == document.document.document_id);
    std::string line;
    write_record(line, chunk);
    line.pop_back();
    const auto again = parser.parse(line);
    require(again && std::holds_alternative<Chunk>(*again));
    require(std::get<Chunk>(*again).text == chunk.text);
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  SourceOptions options;
  options.skip_bad = true;
  options.language = "en";
  options.chunk.size = 60;
  SourceReport report;
  RowReader rows("rows", options, check, [](std::string_view) { return Status{}; }, report);
  LineReader lines("rows", input);
  Line line;
  while (true) {
    const auto more = lines.next(line);
    if (!more || !*more) break;
    require(rows.push(line.bytes, line.number).has_value());
  }
  require(rows.finish().has_value());

  // The first line is the name, the rest the file.
  const std::string name(input.substr(0, std::min<std::size_t>(input.find('\n'), 64)));
  const std::string_view bytes = name.size() < input.size()
                                     ? input.substr(name.size() + (input[name.size()] == '\n'))
                                     : std::string_view();
  is_row_file(name, bytes);
  require(is_valid_utf8(document_id_text(name)));
  FileEntry file{name.empty() ? "x" : name, name.empty() ? "x" : name, bytes.size(), 0};
  require(read_document_file(file, bytes, options, check, report).has_value());
  return 0;
}
