#include "rag-embed/run.h"

#include <optional>

#include "cli/paths.h"
#include "core/files.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "embed/passage.h"
#include "rag-embed/source.h"
#include "record/reader.h"
#include "record/vector_field.h"
#include "record/writer.h"

namespace ragline {

namespace {

class EmbedRun {
 public:
  EmbedRun(ToolRun& run, VectorSource source)
      : run_(run), source_(std::move(source)), fingerprint_(source_.fingerprint()) {}

  Status one_query(const std::string& text) {
    Query query;
    query.query = to_valid_utf8(text);
    RAGLINE_CHECK(add(std::move(query)));
    return finish();
  }

  Status lines() {
    RAGLINE_TRY(auto reader, LineReader::open("-"));
    Line line;
    while (true) {
      RAGLINE_TRY(const bool more, reader.next(line));
      if (!more) return finish();
      const std::string text = to_valid_utf8(line.bytes);
      if (run_.flags.text("role") == "query") {
        Query query;
        query.query_id = cat(line.number);
        query.query = text;
        RAGLINE_CHECK(add(std::move(query)));
      } else {
        Document document;
        document.document_id = cat(line.number);
        document.text = text;
        RAGLINE_CHECK(add(std::move(document)));
      }
    }
  }

  Status records() {
    RAGLINE_TRY(auto reader, LineReader::open("-"));
    RecordParser parser(run_.flags.text("role") == "query" ? RowKind::kQuery : RowKind::kDocument);
    Line line;
    while (true) {
      RAGLINE_TRY(const bool more, reader.next(line));
      if (!more) break;
      auto record = parser.parse(line.bytes);
      if (!record) {
        const Error error = at_line(record.error(), "standard input", line.number);
        if (!run_.flags.on("skip-bad")) {
          RAGLINE_CHECK(flush());
          return std::unexpected(error);
        }
        if (bad_++ == 0) run_.note(cat(error.message, ": skipped"));
        continue;
      }
      RAGLINE_CHECK(add(std::move(*record)));
    }
    if (open_ && !run_.flags.on("no-end")) {
      RAGLINE_CHECK(flush());
      return fail(ErrorKind::kData,
                  "standard input: there is no end record, so the stream was cut: run what made it "
                  "again, or "
                  "give --no-end for input made by hand");
    }
    return finish();
  }

 private:
  struct Item {
    Record record;
    std::string text;
    TextRole role = TextRole::kPassage;
    bool wanted = false;
  };

  Status add(Record record) {
    Item item{std::move(record), {}, TextRole::kPassage, false};
    if (const auto* query = std::get_if<Query>(&item.record)) {
      want(item, query->query, TextRole::kQuery, query->vector);
    } else if (const auto* chunk = std::get_if<Chunk>(&item.record)) {
      want(item, passage_text(*chunk), TextRole::kPassage, chunk->vector);
      open_ = true;
    } else if (const auto* hit = std::get_if<Hit>(&item.record)) {
      want(item, passage_text(hit->chunk), TextRole::kPassage, hit->chunk.vector);
      open_ = true;
    } else if (const auto* document = std::get_if<Document>(&item.record)) {
      want(item, passage_text(*document), TextRole::kPassage, "");
    } else if (std::holds_alternative<End>(item.record)) {
      // Its counts are those of all that stands before it.
      RAGLINE_CHECK(flush());
      open_ = false;
      count_in(std::get<End>(item.record));
    }
    waiting_ += item.wanted;
    items_.push_back(std::move(item));
    return waiting_ >= source_.batch() || items_.size() >= kMostItems ? flush() : Status();
  }

  void want(Item& item, std::string text, TextRole role, std::string_view present) {
    if (const std::string& forced = run_.flags.text("role"); forced != "auto")
      role = forced == "query" ? TextRole::kQuery : TextRole::kPassage;
    if (!present.empty()) {
      const auto field = read_vector(present);
      if (field && field->model == fingerprint_ && !fingerprint_.empty() &&
          !run_.flags.has("npy")) {
        ++kept_;
        return;
      }
    }
    item.text = std::move(text);
    item.role = role;
    item.wanted = true;
  }

  // An end record of a query keeps its counts: they are of the search.
  void count_in(End& end) {
    if (!end.query_id.empty()) return;
    end.counts.emplace_back("embedded", embedded_);
    if (empty_) end.counts.emplace_back("without_vector", empty_);
    if (kept_) end.counts.emplace_back("kept_vectors", kept_);
    if (bad_) end.skipped.emplace_back("bad_line", bad_);
  }

  Status flush() {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
    std::vector<std::string_view> texts;
    std::vector<TextRole> roles;
    for (const Item& item : items_) {
      if (!item.wanted) continue;
      texts.push_back(item.text);
      roles.push_back(item.role);
    }
    std::vector<float> rows;
    if (!texts.empty()) {
      RAGLINE_TRY(rows, source_.next(texts, roles));
      fingerprint_ = source_.fingerprint();
    }
    std::size_t row = 0;
    for (Item& item : items_) {
      if (item.wanted)
        set_vector(item.record,
                   std::span(rows).subspan(row++ * source_.dimensions(), source_.dimensions()));
      buffer_.clear();
      write_record(buffer_, item.record);
      RAGLINE_CHECK(run_.out.write(buffer_));
    }
    written_ += items_.size();
    if (run_.flags.has("npy")) matrix_.insert(matrix_.end(), rows.begin(), rows.end());
    items_.clear();
    waiting_ = 0;
    return {};
  }

  void set_vector(Record& record, std::span<const float> row) {
    if (is_zero(row))
      ++empty_;
    else
      ++embedded_;
    RawJson vector = is_zero(row) ? RawJson() : vector_json(row, fingerprint_);
    if (auto* query = std::get_if<Query>(&record)) query->vector = std::move(vector);
    if (auto* chunk = std::get_if<Chunk>(&record)) chunk->vector = std::move(vector);
    if (auto* hit = std::get_if<Hit>(&record)) hit->chunk.vector = std::move(vector);
    if (auto* document = std::get_if<Document>(&record); document && !vector.empty())
      append(document->extra, document->extra.empty() ? "" : ",", "\"vector\":", vector);
  }

  Status finish() {
    RAGLINE_CHECK(flush());
    RAGLINE_CHECK(source_.finish());
    if (run_.flags.has("npy"))
      RAGLINE_CHECK(
          write_file_atomically(run_.flags.text("npy"), npy_bytes(matrix_, source_.dimensions())));
    run_.outcome.set_found(written_ > 0);
    run_.outcome.set_allow_partial(run_.flags.on("allow-partial"));
    run_.summary.counts = {
        {"embedded", embedded_}, {"without_vector", empty_}, {"kept_vectors", kept_}};
    run_.detail(cat(count_text(embedded_), " vectors by ", source_.description()));
    if (written_ == 0) run_.note("nothing to embed: there are no records on standard input");
    return {};
  }

  static constexpr std::size_t kMostItems = 65536;
  ToolRun& run_;
  VectorSource source_;
  std::string fingerprint_;
  std::vector<Item> items_;
  std::vector<float> matrix_;
  std::string buffer_;
  std::size_t waiting_ = 0;
  std::uint64_t embedded_ = 0, empty_ = 0, kept_ = 0, bad_ = 0, written_ = 0;
  bool open_ = false;
};

}  // namespace

Status rag_embed(ToolRun& run) {
  const bool query = run.flags.given("query");
  if (!query) RAGLINE_CHECK(need_piped_input("rag-chunk docs/ | rag-embed"));
  if (query && trim(run.flags.text("query")).empty())
    return fail(ErrorKind::kUsage, "--query: the text is empty: give some words");
  RAGLINE_TRY(VectorSource source, VectorSource::open(run.flags));
  EmbedRun embed(run, std::move(source));
  if (query) return embed.one_query(run.flags.text("query"));
  return run.flags.on("lines") ? embed.lines() : embed.records();
}

}  // namespace ragline
