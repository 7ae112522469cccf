#include "index/labels.h"

#include "core/files.h"
#include "core/hash.h"
#include "record/reader.h"
#include "record/time.h"

namespace ragline {

namespace {

// A row is read as a document record: its path is the glob, its labels are the labels.
Result<Document> parse_row(RecordParser& parser, std::string_view line) {
  // The parser wants to know what the row is; a type of our own would be passed over.
  if (!line.starts_with('{')) return fail(ErrorKind::kData, "the line is no JSON object: give {\"path\": \"hr/**\", \"acl\": [\"hr\"]}");
  const std::string row = "{\"type\":\"document\",\"document_id\":\"label\",\"text\":\"\"," + std::string(line.substr(1));
  RAGLINE_TRY(Record record, parser.parse(row));
  Document document = std::get<Document>(std::move(record));
  if (document.path.empty()) return fail(ErrorKind::kData, "no 'path': give the glob of the documents that the labels are for");
  if (!document.extra.empty() || !document.title.empty() || !document.metadata.empty())
    return fail(ErrorKind::kData, "a field that is no label: give path, tenant, acl, effective_from and effective_to");
  for (const std::string& time : {document.governance.effective_from, document.governance.effective_to})
    if (!time.empty()) RAGLINE_CHECK(parse_time(time));
  return document;
}

}  // namespace

Result<Labels> Labels::read(const std::string& file) {
  Labels labels;
  if (file.empty()) return labels;
  RAGLINE_TRY(const auto bytes, read_file(file));
  labels.checksum_ = checksum_text(bytes->bytes());
  LineReader lines(file, bytes->bytes());
  RecordParser parser;
  Line line;
  while (true) {
    RAGLINE_TRY(const bool more, lines.next(line));
    if (!more) return labels;
    auto row = parse_row(parser, line.bytes);
    if (!row) return std::unexpected(at_line(row.error(), file, line.number));
    labels.rules_.push_back({Glob(row->path), std::move(row->governance)});
  }
}

void Labels::apply(ChunkedDocument& document) const {
  Governance& governance = document.document.governance;
  bool changed = false;
  for (const Rule& rule : rules_) {
    if (!rule.glob.matches(document.document.path.empty() ? document.document.document_id : document.document.path)) continue;
    changed = true;
    if (!rule.governance.tenant.empty()) governance.tenant = rule.governance.tenant;
    if (rule.governance.acl) governance.acl = rule.governance.acl;
    if (!rule.governance.effective_from.empty()) governance.effective_from = rule.governance.effective_from;
    if (!rule.governance.effective_to.empty()) governance.effective_to = rule.governance.effective_to;
  }
  if (!changed) return;
  for (Chunk& chunk : document.chunks) chunk.governance = governance;
}

}  // namespace ragline
