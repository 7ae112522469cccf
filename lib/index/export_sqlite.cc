#include <sqlite3.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "core/files.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "index/export.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr const char* kSchema = R"(
  CREATE TABLE documents(id INTEGER PRIMARY KEY, document_id TEXT NOT NULL, version TEXT, path TEXT, media_type TEXT,
                         language TEXT, tenant TEXT, acl TEXT, effective_from TEXT, effective_to TEXT, checksum TEXT,
                         title TEXT, metadata TEXT);
  CREATE TABLE chunks(evidence_id TEXT NOT NULL, document INTEGER NOT NULL REFERENCES documents(id), ordinal INTEGER NOT NULL,
                      parent_id TEXT, section_path TEXT, page INTEGER, block_type TEXT, first_line INTEGER, last_line INTEGER,
                      begin INTEGER, end INTEGER, text TEXT NOT NULL, context TEXT);)";
constexpr const char* kIndexes = R"(
  CREATE INDEX documents_document_id ON documents(document_id);
  CREATE INDEX chunks_document ON chunks(document);
  CREATE INDEX chunks_evidence_id ON chunks(evidence_id);)";

std::string json_list(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) append(out, out.empty() ? "[" : ",", json_string(value));
  return out.empty() ? "[]" : out + "]";
}

// A statement whose parameters are bound in order. What is bound must live until run().
class Insert {
 public:
  Insert(sqlite3* database, const char* sql) { sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr); }
  ~Insert() { sqlite3_finalize(statement_); }
  Insert(const Insert&) = delete;
  Insert& operator=(const Insert&) = delete;

  Insert& number(std::uint64_t value) {
    sqlite3_bind_int64(statement_, ++at_, static_cast<sqlite3_int64>(value));
    return *this;
  }
  Insert& number(const std::optional<std::uint64_t>& value) { return value ? number(*value) : null(); }
  // An absent field is NULL.
  Insert& text(const std::string& value) { return value.empty() ? null() : required_text(value); }
  Insert& required_text(const std::string& value) {
    sqlite3_bind_text64(statement_, ++at_, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
    return *this;
  }
  Insert& path(const std::string& value) {
    if (is_valid_utf8(value)) return text(value);
    sqlite3_bind_blob64(statement_, ++at_, value.data(), value.size(), SQLITE_STATIC);
    return *this;
  }
  Insert& null() {
    sqlite3_bind_null(statement_, ++at_);
    return *this;
  }
  bool run() {
    at_ = 0;
    const bool done = sqlite3_step(statement_) == SQLITE_DONE;
    return sqlite3_reset(statement_) == SQLITE_OK && done;
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int at_ = 0;
};

bool insert_document(Insert& insert, std::uint64_t number, const Document& document) {
  const Governance& governance = document.governance;
  const std::string acl = governance.acl ? json_list(*governance.acl) : "";
  insert.number(number).required_text(document.document_id).text(document.version).path(document.path);
  insert.text(document.media_type).text(document.language).text(governance.tenant).text(acl);
  insert.text(governance.effective_from).text(governance.effective_to).text(document.checksum);
  return insert.text(document.title).text(document.metadata).run();
}

bool insert_chunk(Insert& insert, std::uint64_t document, const Chunk& chunk) {
  const std::string section = chunk.section_path.empty() ? "" : json_list(chunk.section_path);
  insert.required_text(chunk.evidence_id).number(document).number(chunk.ordinal).text(chunk.parent_id).text(section);
  insert.number(chunk.page).text(chunk.block_type);
  if (chunk.lines) {
    insert.number(chunk.lines->first).number(chunk.lines->last);
  } else {
    insert.null().null();
  }
  if (chunk.bytes) {
    insert.number(chunk.bytes->begin).number(chunk.bytes->end);
  } else {
    insert.null().null();
  }
  return insert.required_text(chunk.text).text(chunk.context).run();
}

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};

Result<ExportReport> write_database(const Snapshot& snapshot, const std::string& file) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  const std::unique_ptr<sqlite3, CloseDatabase> database(raw);
  auto failed = [&] { return fail(ErrorKind::kIo, cat("cannot write '", file, "': ", sqlite3_errmsg(raw))); };
  auto run = [&](const char* sql) { return sqlite3_exec(raw, sql, nullptr, nullptr, nullptr) == SQLITE_OK; };
  // Nobody has seen the file yet: a crash leaves a temporary one, so there is nothing to protect.
  if (opened != SQLITE_OK || !run("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN") || !run(kSchema)) return failed();
  ExportReport report;
  {
    Insert document_row(raw, "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    Insert chunk_row(raw, "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    auto visit = [&](std::uint32_t, ChunkedDocument&& document) -> Status {
      if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
      if (!insert_document(document_row, ++report.documents, document.document)) return failed();
      for (const Chunk& chunk : document.chunks)
        if (!insert_chunk(chunk_row, report.documents, chunk)) return failed();
      report.chunks += document.chunks.size();
      return {};
    };
    for (const auto& segment : snapshot.segments) RAGLINE_CHECK(segment->scan(visit));
  }
  if (!run(kIndexes) || !run("COMMIT")) return failed();
  return report;
}

}  // namespace

Result<ExportReport> export_sqlite(const Snapshot& snapshot, const std::string& file) {
  if (stat_file(file).exists) return fail(ErrorKind::kUsage, cat("'", file, "' exists: name a new file, or remove it first"));
  const std::string draft = file + ".tmp";
  std::remove(draft.c_str());
  auto report = write_database(snapshot, draft);
  if (report && std::rename(draft.c_str(), file.c_str()) != 0) report = fail(ErrorKind::kIo, errno_text("cannot write", file));
  if (!report) std::remove(draft.c_str());
  return report;
}

}  // namespace ragline
