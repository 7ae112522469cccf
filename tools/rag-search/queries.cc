#include "rag-search/queries.h"

#include "core/text.h"
#include "core/utf8.h"
#include "record/reader.h"

namespace ragline {

namespace {

Result<Query> tsv_query(std::string_view line) {
  const auto tab = line.find('\t');
  if (tab == line.npos || tab == 0)
    return fail(ErrorKind::kData, "the line is neither JSON nor a row of two fields: give {\"_id\": ..., \"text\": ...} or ID, tab, TEXT");
  Query query;
  query.query_id = line.substr(0, tab);
  query.query = to_valid_utf8(line.substr(tab + 1));
  return query;
}

}  // namespace

Result<QueryFile> read_queries(const std::string& name, bool skip_bad) {
  RAGLINE_TRY(auto lines, LineReader::open(name));
  RecordParser parser(RowKind::kQuery);
  QueryFile file;
  Line line;
  while (true) {
    RAGLINE_TRY(const bool more, lines.next(line));
    if (!more) return file;
    Result<Query> query = Query{};
    if (trim(line.bytes).starts_with('{')) {
      auto record = parser.parse(line.bytes);
      if (record && !std::holds_alternative<Query>(*record)) continue;
      query = record ? Result<Query>(std::get<Query>(std::move(*record))) : std::unexpected(record.error());
    } else {
      query = tsv_query(line.bytes);
    }
    if (query && trim(query->query).empty())
      query = fail(ErrorKind::kData, "the query is empty: give it text as `query`, as `text` of a BEIR row, or after the tab");
    if (!query) {
      const Error error = at_line(query.error(), lines.name(), line.number);
      if (!skip_bad) return std::unexpected(error);
      if (file.bad_lines++ == 0) file.first_bad = error.message;
      continue;
    }
    if (query->query_id.empty()) query->query_id = std::to_string(line.number);
    file.queries.push_back(std::move(*query));
  }
}

}  // namespace ragline
