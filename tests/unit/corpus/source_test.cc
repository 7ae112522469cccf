#include "corpus/source.h"

#include "catch.h"
#include "core/text.h"
#include "record/reader.h"
#include "record/writer.h"

using namespace ragline;

namespace {

struct Sink {
  SourceOptions options;
  SourceReport report;
  std::vector<ChunkedDocument> documents;
  std::vector<std::string> others;

  DocumentSink sink() {
    return [this](ChunkedDocument&& document) -> Status {
      documents.push_back(std::move(document));
      return {};
    };
  }
  Status file(const std::string& path, std::string_view bytes) {
    return read_document_file(FileEntry{path, path, bytes.size(), 0}, bytes, options, sink(),
                              report);
  }
  Status rows(std::string_view text) {
    RowReader reader(
        "rows.jsonl", options, sink(),
        [this](std::string_view line) -> Status {
          others.emplace_back(line);
          return {};
        },
        report);
    LineReader lines("rows.jsonl", text);
    Line line;
    while (true) {
      auto more = lines.next(line);
      if (!more) return std::unexpected(more.error());
      if (!*more) return reader.finish();
      RAGLINE_CHECK(reader.push(line.bytes, line.number));
    }
  }
};

const char* kChunk =
    R"({"type":"chunk","evidence_id":"d#0-3@000000000000","document_id":"d","title":"T","text":"abc"})";

}  // namespace

TEST_CASE("a file is a document with its chunks") {
  Sink sink;
  REQUIRE(sink.file("docs/a.md",
                    "# A\n\nThe quick brown fox jumps over the lazy dog.\n\n# B\n\ntext\n"));
  REQUIRE(sink.documents.size() == 1);
  const Document& document = sink.documents[0].document;
  const std::vector<Chunk>& chunks = sink.documents[0].chunks;
  CHECK(document.document_id == "docs/a.md");
  CHECK(document.path == "docs/a.md");
  CHECK(document.media_type == "text/markdown");
  CHECK(document.checksum.size() == 16);
  CHECK(document.language == "en");
  CHECK(sink.documents[0].extractor.empty());
  CHECK(sink.documents[0].source_size == 61);
  REQUIRE(chunks.size() == 2);
  for (const Chunk& chunk : chunks) {
    CHECK(chunk.language == "en");
    CHECK(chunk.checksum == document.checksum);
    CHECK(chunk.path == "docs/a.md");
    CHECK(chunk.evidence_id.starts_with("docs/a.md#"));
  }
}

TEST_CASE("other encodings name their extractor") {
  Sink sink;
  REQUIRE(sink.file("a.txt", std::string_view("\xFF\xFEh\0i\0", 6)));
  REQUIRE(sink.documents.size() == 1);
  CHECK(sink.documents[0].chunks[0].text == "hi");
  CHECK(sink.documents[0].chunks[0].extractor == "utf-16le");
}

TEST_CASE("what is left out is reported") {
  Sink sink;
  REQUIRE(sink.file("empty.md", ""));
  REQUIRE(sink.file("blank.md", " \n\n"));
  REQUIRE(sink.file("a.bin", std::string_view("\1\0\0\0\2\3\4\5", 8)));
  REQUIRE(sink.file("a.png", "x"));
  REQUIRE(sink.file("a.pdf", "%PDF-1.4"));
  REQUIRE(sink.file("a.html", "<script>x</script>"));
  sink.options.parse.trust_labels = true;
  REQUIRE(sink.file("late.md", "---\neffective_to: soon\n---\nx\n"));
  CHECK(sink.documents.empty());
  std::vector<SkipReason> reasons;
  for (const auto& [path, reason] : sink.report.skipped) reasons.push_back(reason);
  CHECK(reasons == std::vector{SkipReason::kEmpty, SkipReason::kEmpty, SkipReason::kBinary,
                               SkipReason::kBinary, SkipReason::kUnsupported, SkipReason::kEmpty,
                               SkipReason::kMalformed});
}

TEST_CASE("the language can be given") {
  Sink sink;
  sink.options.language = "de";
  REQUIRE(sink.file("a.txt", "The quick brown fox."));
  REQUIRE(sink.file("b.md", "---\nlang: fr\n---\nThe quick brown fox.\n"));
  CHECK(sink.documents[0].chunks[0].language == "de");
  CHECK(sink.documents[1].chunks[0].language == "fr");
}

// qmd #717: two files became one after their names had been made harmless.
TEST_CASE("qmd_717_paths_keep_their_bytes") {
  CHECK(document_id_text("a b#@.md") == "a b#@.md");
  CHECK(document_id_text("ä.md") == "ä.md");
  CHECK(document_id_text("\xE4.md") == "%e4.md");
  CHECK(document_id_text("\xE5.md") == "%e5.md");
  Sink sink;
  REQUIRE(sink.file("\xE4.md", "x\n"));
  CHECK(sink.documents[0].document.path == "\xE4.md");
  CHECK(sink.documents[0].document.document_id == "%e4.md");
}

TEST_CASE("files of rows are told by their first row") {
  CHECK(is_row_file("x.jsonl", "{\"_id\":\"1\",\"text\":\"a\"}\n{"));
  CHECK(is_row_file("x.NDJSON",
                    "\n\n{\"type\":\"document\",\"document_id\":\"1\",\"text\":\"a\"}\n"));
  CHECK(is_row_file("x.jsonl", std::string("\xEF\xBB\xBF") + kChunk));
  CHECK_FALSE(is_row_file("x.jsonl", "{\"level\":\"info\",\"message\":\"a\"}\n"));
  CHECK_FALSE(is_row_file("x.jsonl", "{\"type\":\"query\",\"query_id\":\"1\",\"query\":\"a\"}\n"));
  CHECK_FALSE(is_row_file("x.jsonl", "not json\n"));
  CHECK_FALSE(is_row_file("x.jsonl", ""));
  CHECK_FALSE(is_row_file("x.txt", "{\"_id\":\"1\",\"text\":\"a\"}\n"));
}

TEST_CASE("BEIR rows and documents") {
  Sink sink;
  REQUIRE(sink.rows(
      "{\"_id\":\"1\",\"title\":\"T\",\"text\":\"the text of it\",\"metadata\":{\"year\":1960}}\n"
      "{\"type\":\"document\",\"document_id\":\"2\",\"media_type\":\"text/markdown\",\"text\":\"# "
      "A\\n\\nx\\n\\n# B\\n\\ny\\n\"}\n"
      "{\"_id\":\"3\",\"title\":\"only a "
      "title\",\"text\":\"\"}\n{\"_id\":\"4\",\"title\":\"\",\"text\":\" \"}\n"));
  REQUIRE(sink.documents.size() == 3);
  CHECK(sink.documents[0].chunks[0].title == "T");
  CHECK(sink.documents[0].chunks[0].text == "the text of it");
  CHECK(sink.documents[0].chunks[0].metadata == "{\"year\":1960}");
  CHECK(sink.documents[1].chunks.size() == 2);
  CHECK(sink.documents[1].chunks[1].section_path == std::vector<std::string>{"B"});
  CHECK(sink.documents[2].chunks[0].text.empty());
  CHECK(sink.documents[2].chunks[0].title == "only a title");
  REQUIRE(sink.report.skipped.size() == 1);
  CHECK(sink.report.skipped[0] == std::pair(std::string("4"), SkipReason::kEmpty));
}

TEST_CASE("a long row is cut like any document") {
  Sink sink;
  sink.options.chunk.size = 20;
  std::string row = "{\"_id\":\"1\",\"text\":\"";
  for (int i = 0; i < 100; ++i) row += "one two three. ";
  REQUIRE(sink.rows(row + "\"}\n"));
  CHECK(sink.documents[0].chunks.size() > 10);
}

TEST_CASE("extracted HTML is not parsed again") {
  Sink sink;
  REQUIRE(
      sink.rows("{\"type\":\"document\",\"document_id\":\"1\",\"media_type\":\"text/"
                "html\",\"text\":\"1 < 2\"}\n"
                "{\"type\":\"document\",\"document_id\":\"2\",\"media_type\":\"text/"
                "html\",\"text\":\"<p>1 &lt; 2\"}\n"));
  CHECK(sink.documents[0].document.text == "1 < 2");
  CHECK(sink.documents[0].extractor.empty());
  CHECK(sink.documents[1].document.text == "1 < 2\n\n");
  CHECK(sink.documents[1].extractor == "html");
}

TEST_CASE("what a record states wins over its text") {
  Sink sink;
  REQUIRE(sink.rows(
      "{\"type\":\"document\",\"document_id\":\"1\",\"media_type\":\"text/"
      "markdown\",\"language\":\"de\",\"title\":\"mine\","
      "\"tenant\":\"a\",\"text\":\"---\\ntitle: its\\nlang: fr\\ntenant: b\\n---\\n# H\\n\"}\n"));
  const Document& document = sink.documents[0].document;
  CHECK(document.title == "mine");
  CHECK(document.language == "de");
  CHECK(document.governance.tenant == "a");
}

TEST_CASE("consecutive chunks of one document are one document") {
  Sink sink;
  auto chunk = [](const char* id, const char* version, int begin) {
    return cat("{\"type\":\"chunk\",\"document_id\":\"", id, "\",\"version\":\"", version,
               "\",\"bytes\":[", begin, ",", begin + 3, "],\"text\":\"abc\",\"mine\":[1,2]}\n");
  };
  REQUIRE(sink.rows(chunk("a", "1", 0) + chunk("a", "1", 3) + chunk("a", "2", 0) +
                    chunk("b", "2", 0) + kChunk));
  REQUIRE(sink.documents.size() == 4);
  CHECK(sink.documents[0].chunks.size() == 2);
  CHECK(sink.documents[0].chunks[1].evidence_id ==
        "a#3-6@" + sink.documents[0].chunks[0].evidence_id.substr(6));
  CHECK(sink.documents[0].chunks[1].extra == "\"mine\":[1,2]");
  CHECK(sink.documents[1].document.version == "2");
  CHECK(sink.documents[3].document.title == "T");
  CHECK(sink.documents[3].document.text.empty());
  CHECK_FALSE(sink.documents[3].chunks[0].language.empty());
}

TEST_CASE("other records are handed on") {
  Sink sink;
  const std::string query = R"({"type":"query","query_id":"q","query":"x"})",
                    unknown = R"({"type":"mine", "big": 123456789012345678901234567890})";
  REQUIRE(sink.rows(query + "\n" + unknown + "\n"));
  CHECK(sink.others == std::vector<std::string>{query, unknown});
  sink.options.pass_chunks = true;
  REQUIRE(sink.rows(kChunk));
  CHECK(sink.others.back() == kChunk);
  CHECK(sink.documents.empty());
}

TEST_CASE("a bad row names its place, what is wrong and the remedy") {
  const std::pair<const char*, const char*> rows[] = {
      {"{\"_id\":\"1\",\"text\":", "rows.jsonl:2: "},
      {"{\"type\":\"document\",\"text\":\"x\"}",
       "rows.jsonl:2: a document without document_id: give it one"},
      {"{\"type\":\"chunk\",\"text\":\"x\"}",
       "rows.jsonl:2: a chunk without document_id: give it that of its document"},
      {"{\"type\":\"chunk\",\"document_id\":\"d\",\"text\":\"x\"}",
       "rows.jsonl:2: a chunk without evidence_id and bytes: give one of them, or documents "
       "instead of chunks"},
      {"{\"type\":\"chunk\",\"document_id\":\"d\",\"evidence_id\":\"7\",\"text\":\"x\"}",
       "rows.jsonl:2: evidence id '7' "},
      {"{\"note\":\"x\"}", "rows.jsonl:2: no 'type', and not a BEIR row either"},
  };
  for (auto [row, message] : rows) {
    INFO(row);
    Sink sink;
    const std::string text =
        cat("{\"_id\":\"1\",\"text\":\"a\"}\n", row, "\n{\"_id\":\"3\",\"text\":\"b\"}\n");
    const Status status = sink.rows(text);
    REQUIRE_FALSE(status.has_value());
    CHECK(status.error().kind == ErrorKind::kData);
    CHECK(status.error().message.starts_with(message));

    Sink lenient;
    lenient.options.skip_bad = true;
    REQUIRE(lenient.rows(text));
    CHECK(lenient.documents.size() == 2);
    CHECK(lenient.report.bad_rows == 1);
    CHECK(lenient.report.first_bad.starts_with(message));
  }
}

TEST_CASE("an error of the sink ends the reading") {
  SourceOptions options;
  options.skip_bad = true;
  SourceReport report;
  RowReader reader(
      "x", options, [](ChunkedDocument&&) -> Status { return fail(ErrorKind::kIo, "full"); }, {},
      report);
  const Status status = reader.push("{\"_id\":\"1\",\"text\":\"a\"}", 1);
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().message == "full");
}
