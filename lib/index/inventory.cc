#include "index/inventory.h"

#include <sqlite3.h>

#include <cstdio>
#include <memory>

#include "core/files.h"
#include "core/text.h"

namespace ragline {

namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct CloseStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;

std::string file_in(const std::string& folder) { return join_path(folder, "sources.sqlite"); }

Database open_database(const std::string& path, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw);
  if (code != SQLITE_OK) return nullptr;
  sqlite3_busy_timeout(raw, 2000);
  return database;
}

Statement prepare(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  return sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) == SQLITE_OK ? Statement(statement) : nullptr;
}

std::string text_column(sqlite3_stmt* statement, int column) {
  const void* bytes = sqlite3_column_blob(statement, column);
  return bytes ? std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement, column))) : "";
}

void bind_bytes(sqlite3_stmt* statement, int at, const std::string& bytes) {
  sqlite3_bind_blob(statement, at, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
}
void bind_text(sqlite3_stmt* statement, int at, const std::string& text) {
  sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

// "" when the key is missing.
std::string meta_value(sqlite3* database, const std::string& key) {
  const Statement statement = prepare(database, "SELECT value FROM meta WHERE key = ?");
  if (!statement) return "";
  bind_text(statement.get(), 1, key);
  return sqlite3_step(statement.get()) == SQLITE_ROW ? text_column(statement.get(), 0) : "";
}

}  // namespace

Inventory Inventory::load(const std::string& folder, std::uint64_t generation, const std::string& labels) {
  Inventory inventory;
  if (folder.empty() || !stat_file(file_in(folder)).exists) return inventory;
  const Database database = open_database(file_in(folder), SQLITE_OPEN_READONLY);
  if (!database || meta_value(database.get(), "generation") != std::to_string(generation)) return inventory;
  const Statement rows = prepare(database.get(), "SELECT path, size, mtime_ns, checksum, skip, rows FROM sources");
  if (!rows) return inventory;
  int code;
  while ((code = sqlite3_step(rows.get())) == SQLITE_ROW) {
    SourceEntry entry;
    entry.size = static_cast<std::uint64_t>(sqlite3_column_int64(rows.get(), 1));
    entry.mtime_ns = sqlite3_column_int64(rows.get(), 2);
    entry.checksum = static_cast<std::uint64_t>(sqlite3_column_int64(rows.get(), 3));
    entry.skip = text_column(rows.get(), 4);
    entry.rows = sqlite3_column_int(rows.get(), 5) != 0;
    inventory.entries_.emplace(text_column(rows.get(), 0), std::move(entry));
  }
  if (code != SQLITE_DONE) return {};
  inventory.loaded_ = true;
  inventory.generation_ = generation;
  inventory.labels_changed_ = meta_value(database.get(), "labels") != labels;
  return inventory;
}

Status Inventory::carry(const std::string& folder, std::uint64_t from, std::uint64_t to, const std::vector<std::string>& gone) {
  if (folder.empty() || from == to || !stat_file(file_in(folder)).exists) return {};
  const Database database = open_database(file_in(folder), SQLITE_OPEN_READWRITE);
  if (!database || meta_value(database.get(), "generation") != std::to_string(from)) return {};
  auto run = [&](const char* sql) { return sqlite3_exec(database.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK; };
  auto failed = [&] {
    return fail(ErrorKind::kIo, cat("cannot write '", file_in(folder), "': ", sqlite3_errmsg(database.get()),
                                    ": the index itself is complete; the next build will read every file again"));
  };
  if (!run("PRAGMA synchronous = OFF") || !run("BEGIN")) return failed();
  const Statement erase = prepare(database.get(), "DELETE FROM sources WHERE path = ? OR (path > ? AND path < ?)");
  const Statement meta = prepare(database.get(), "UPDATE meta SET value = ? WHERE key = 'generation'");
  if (!erase || !meta) return failed();
  for (const std::string& path : gone) {
    bind_bytes(erase.get(), 1, path);
    bind_bytes(erase.get(), 2, path + '/');
    bind_bytes(erase.get(), 3, path + static_cast<char>('/' + 1));
    if (sqlite3_step(erase.get()) != SQLITE_DONE) return failed();
    sqlite3_reset(erase.get());
  }
  bind_text(meta.get(), 1, std::to_string(to));
  if (sqlite3_step(meta.get()) != SQLITE_DONE) return failed();
  return run("COMMIT") ? Status{} : Status(failed());
}

const SourceEntry* Inventory::find(const std::string& path) const {
  const auto found = entries_.find(path);
  return found == entries_.end() ? nullptr : &found->second;
}

void Inventory::put(const std::string& path, SourceEntry entry) {
  entries_[path] = std::move(entry);
  changed_[path] = true;
}

void Inventory::erase(const std::string& path) {
  entries_.erase(path);
  changed_[path] = false;
}

Status Inventory::save(const std::string& folder, std::uint64_t generation, const std::string& labels) {
  if (folder.empty() || (loaded_ && changed_.empty() && generation == generation_ && !labels_changed_)) return {};
  const std::string path = file_in(folder);
  if (!loaded_) std::remove(path.c_str());  // it did not fit: begin anew
  const Database database = open_database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  auto failed = [&] {
    return fail(ErrorKind::kIo, cat("cannot write '", path, "': ", database ? sqlite3_errmsg(database.get()) : "cannot open it",
                                    ": the index itself is complete; the next build will read every file again"));
  };
  if (!database) return failed();
  auto run = [&](const char* sql) { return sqlite3_exec(database.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK; };
  if (!run("PRAGMA synchronous = OFF") || !run("BEGIN") ||
      !run("CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID") ||
      !run("CREATE TABLE IF NOT EXISTS sources(path BLOB PRIMARY KEY, size INTEGER, mtime_ns INTEGER, checksum INTEGER, skip TEXT, "
           "rows INTEGER) WITHOUT ROWID"))
    return failed();
  const Statement put = prepare(database.get(), "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?, ?)");
  const Statement erase = prepare(database.get(), "DELETE FROM sources WHERE path = ?");
  const Statement meta = prepare(database.get(), "INSERT OR REPLACE INTO meta VALUES (?, ?)");
  if (!put || !erase || !meta) return failed();
  for (const auto& [name, there] : changed_) {
    sqlite3_stmt* statement = there ? put.get() : erase.get();
    bind_bytes(statement, 1, name);
    if (there) {
      const SourceEntry& entry = entries_.at(name);
      sqlite3_bind_int64(statement, 2, static_cast<sqlite3_int64>(entry.size));
      sqlite3_bind_int64(statement, 3, entry.mtime_ns);
      sqlite3_bind_int64(statement, 4, static_cast<sqlite3_int64>(entry.checksum));
      bind_text(statement, 5, entry.skip);
      sqlite3_bind_int(statement, 6, entry.rows);
    }
    if (sqlite3_step(statement) != SQLITE_DONE) return failed();
    sqlite3_reset(statement);
  }
  for (const auto& [key, value] : {std::pair<std::string, std::string>{"generation", std::to_string(generation)}, {"labels", labels}}) {
    bind_text(meta.get(), 1, key);
    bind_text(meta.get(), 2, value);
    if (sqlite3_step(meta.get()) != SQLITE_DONE) return failed();
    sqlite3_reset(meta.get());
  }
  return run("COMMIT") ? Status{} : Status(failed());
}

}  // namespace ragline
