// rag-chunk: documents in, chunks out. Flags become options of lib/corpus; what comes back becomes
// records or text.
#include <map>

#include "analysis/language.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/shared_flags.h"
#include "cli/terminal.h"
#include "cli/tool.h"
#include "core/files.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "corpus/source.h"
#include "corpus/walk.h"
#include "record/reader.h"
#include "record/writer.h"

using namespace ragline;

namespace {

ToolSpec spec() {
  Flag no_end = no_end_flag();
  no_end.category = "Output";
  no_end.help = "do not write the closing end record";
  no_end.details = "";
  return {
      .name = "rag-chunk",
      .summary = "cut documents and code into chunks along their structure",
      .description = {"Parses files, or documents that come as records, and writes one `chunk` "
                      "record for each piece: its text, its place "
                      "(bytes, lines, headings above it) and an evidence id that names exactly "
                      "these bytes. Chunks follow headings, "
                      "paragraphs, lists, tables, functions and log entries; those of plain text, "
                      "Markdown, logs and code give the file "
                      "back when they are concatenated.",
                      "Folders are walked as ripgrep does: ignore files are obeyed, hidden and "
                      "binary files left out. A *.jsonl file of "
                      "documents or BEIR rows is one document a row. The last record, `end`, "
                      "counts what was read and what was skipped, "
                      "and why.",
                      "With `-` it reads records from standard input: documents and BEIR rows "
                      "become chunks, every other record "
                      "passes through as it is."},
      .positionals = {{.name = "PATH",
                       .help = "files and folders, or - for records on stdin",
                       .repeatable = true,
                       .completion = Completion::kFile}},
      .flags =
          {{.name = "size",
            .type = FlagType::kInteger,
            .value = "N",
            .unit = "tokens",
            .least = 1,
            .most = 1000000,
            .fallback = "400",
            .category = "Chunks",
            .help = "most tokens in a chunk, by estimate",
            .details = "A token is estimated as four ASCII letters or digits, two other letters, "
                       "one mark or one CJK "
                       "character; a word is one at least."},
           {.name = "overlap",
            .type = FlagType::kInteger,
            .value = "N",
            .unit = "tokens",
            .least = 0,
            .most = 1000000,
            .fallback = "0",
            .category = "Chunks",
            .help = "tokens repeated from the chunk before",
            .details =
                "Within a section only. They count in `--size`, of which they take at most half."},
           {.name = "language",
            .type = FlagType::kText,
            .value = "CODE",
            .fallback = "auto",
            .category = "Chunks",
            .help = "language of documents that do not state theirs",
            .details = "A code such as en, de or zh; auto detects it."},
           {.name = "trust-labels",
            .category = "Chunks",
            .help = "take tenant, acl and times from front matter",
            .details = "Without it `tenant`, `acl`, `effective_from` and `effective_to` in a file "
                       "are ordinary metadata: "
                       "whoever may write a file must not decide who sees it. A file whose times "
                       "are malformed is skipped."},
           root_flag(),
           files_from_flag(),
           files0_from_flag(),
           path_glob_flag(),
           {.name = "hidden", .category = "Files", .help = "read hidden files and folders too"},
           {.name = "no-ignore",
            .category = "Files",
            .help = "do not obey .gitignore, .ignore and .ragignore"},
           {.name = "follow",
            .category = "Files",
            .help = "follow links, but not out of their root"},
           {.name = "max-filesize",
            .type = FlagType::kSize,
            .value = "SIZE",
            .fallback = "256M",
            .category = "Files",
            .help = "skip larger files"},
           skip_bad_flag(),
           no_end,
           format_flag(),
           color_flag(),
           allow_partial_flag(),
           no_progress_flag(),
           quiet_flag(),
           verbose_flag(),
           trace_flag(),
           trace_content_flag()},
      .examples = {{"rag-chunk docs/ | rag-index build -i docs.idx -",
                    "Chunks a folder and indexes the chunks."},
                   {"rag-chunk --size 200 README.md | jq -r .text",
                    "The texts of the chunks of one file."},
                   {"cat corpus.jsonl | rag-chunk -", "Chunks the rows of a BEIR corpus."}},
      .see_also = {"rag-index(1)", "rag-search(1)"},
  };
}

class Chunker {
 public:
  explicit Chunker(ToolRun& run)
      : run_(run),
        painter_(Painter::standard(run.flags.text("color"))),
        text_(run.format() == "text"),
        progress_(run.show_progress(), "chunking", "files") {}

  Status chunk(const std::vector<std::string>& paths) {
    RAGLINE_CHECK(read_options());
    std::vector<std::string> roots;
    bool from_input = false;
    for (const std::string& path : paths) {
      if (path == "-")
        from_input = true;
      else
        roots.push_back(path);
    }
    if (!roots.empty()) RAGLINE_CHECK(walk_roots(roots));
    if (from_input) {
      RAGLINE_TRY(LineReader lines, LineReader::open("-"));
      RAGLINE_CHECK(read_rows(lines));
    }
    return finish(roots);
  }

 private:
  Status read_options() {
    const Flags& flags = run_.flags;
    source_.chunk.size = static_cast<std::uint32_t>(flags.integer("size"));
    source_.chunk.overlap = static_cast<std::uint32_t>(flags.integer("overlap"));
    source_.parse.trust_labels = flags.on("trust-labels");
    source_.skip_bad = flags.on("skip-bad");
    source_.pass_chunks = true;
    source_.language = flags.text("language");
    if (source_.language == "auto") return {};
    const auto language = language_from_code(source_.language);
    if (!language)
      return fail(ErrorKind::kUsage,
                  cat("--language ", source_.language,
                      ": no language we know: give auto, or a code such as en, de or zh"));
    source_.language = language_code(*language);
    return {};
  }

  Status walk_roots(const std::vector<std::string>& roots) {
    const Flags& flags = run_.flags;
    WalkOptions options;
    if (flags.has("root")) options.base = absolute_path(flags.text("root"));
    options.hidden = flags.on("hidden");
    options.use_ignore_files = !flags.on("no-ignore");
    options.follow_links = flags.on("follow");
    options.max_file_size = flags.size("max-filesize");
    options.globs = flags.list("path-glob");
    const auto done = walk(
        roots, options, [this](FileEntry&& file) { return read(file); },
        [this](const std::string& path, SkipReason reason, const std::string& detail) {
          skip(path, reason, detail);
        });
    if (!done) return std::unexpected(done.error());
    return {};
  }

  Status read(const FileEntry& file) {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
    const auto mapped = read_file(file.path);
    if (!mapped) {
      skip(file.path, SkipReason::kUnreadable, mapped.error().message);
      return {};
    }
    const std::string_view bytes = (*mapped)->bytes();
    bytes_ += bytes.size();
    ++files_;
    progress_.add(1);
    if (is_row_file(file.path, bytes)) {
      LineReader lines(file.path, bytes);
      return read_rows(lines);
    }
    SourceReport report;
    RAGLINE_CHECK(read_document_file(
        file, bytes, source_, [this](ChunkedDocument&& document) { return put(document); },
        report));
    take(report);
    return {};
  }

  Status read_rows(LineReader& lines) {
    const bool from_input = lines.name() == "-";
    SourceReport report;
    RowReader rows(
        from_input ? "standard input" : lines.name(), source_,
        [this](ChunkedDocument&& document) { return put(document); },
        [this](std::string_view line) { return pass(line); }, report);
    Line line;
    while (true) {
      RAGLINE_TRY(const bool more, lines.next(line));
      if (!more) break;
      if (line.number % 1024 == 0 && interrupted())
        return fail(ErrorKind::kInterrupted, "interrupted");
      if (from_input) bytes_ += line.bytes.size() + 1;
      RAGLINE_CHECK(rows.push(line.bytes, line.number));
    }
    RAGLINE_CHECK(rows.finish());
    take(report);
    return {};
  }

  Status put(const ChunkedDocument& document) {
    ++documents_;
    chunks_ += document.chunks.size();
    buffer_.clear();
    for (const Chunk& chunk : document.chunks) {
      if (text_)
        append_text(chunk);
      else
        write_record(buffer_, chunk);
    }
    return run_.out.write(buffer_);
  }

  // docs/a.md:12-20  paragraph  Guide > Refunds
  //     The first line of it
  void append_text(const Chunk& chunk) {
    const std::string& path = chunk.path.empty() ? chunk.document_id : chunk.path;
    const LineSpan lines = chunk.lines.value_or(LineSpan{});
    painter_.link(buffer_, Ink::kPath, path, path, lines.first);
    painter_.paint(buffer_, Ink::kNumber, cat(':', lines.first, '-', lines.last));
    append(buffer_, "  ", chunk.block_type);
    std::string headings;
    for (const std::string& heading : chunk.section_path)
      append(headings, headings.empty() ? "  " : " > ", heading);
    painter_.paint(buffer_, Ink::kHeading, headings);
    const std::string_view text = trim(chunk.text);
    std::string_view first = text.substr(0, text.find('\n'));
    if (first.size() > 160) first = first.substr(0, utf8_floor(first, 160));
    buffer_ += "\n    ";
    painter_.paint(buffer_, Ink::kDim, trim(first));
    buffer_ += '\n';
  }

  // Records that are not for us pass as they are; the `end` of the stream before is taken up in
  // ours.
  Status pass(std::string_view line) {
    if (line.find("\"end\"") != line.npos) {
      const auto record = parser_.parse(line);
      if (const End* end = record ? std::get_if<End>(&*record) : nullptr;
          end && end->query_id.empty()) {
        upstream_ = *end;
        return {};
      }
    }
    ++passed_;
    if (text_) return {};
    RAGLINE_CHECK(run_.out.write(line));
    return run_.out.write("\n");
  }

  void take(const SourceReport& report) {
    for (const auto& [path, reason] : report.skipped) skip(path, reason, "");
    if (report.bad_rows == 0) return;
    skipped_["bad_row"] += report.bad_rows;
    run_.note(cat(report.first_bad,
                  report.bad_rows > 1
                      ? cat(" (and ", count_text(report.bad_rows - 1), " more bad rows)")
                      : "",
                  ": skipped"));
  }

  void skip(const std::string& path, SkipReason reason, const std::string& detail) {
    ++skipped_[skip_reason_name(reason)];
    const std::string text =
        cat(path, ": ",
            detail.empty() ? cat("skipped: ", std::string_view(skip_reason_name(reason))) : detail);
    if (!is_unreadable(reason)) return run_.detail(text);
    unreadable_ = true;
    run_.outcome.set_unreadable();
    run_.note(text);
  }

  Status finish(const std::vector<std::string>& roots) {
    progress_.finish();
    run_.outcome.set_found(chunks_ > 0 || passed_ > 0);
    run_.outcome.set_allow_partial(run_.flags.on("allow-partial"));
    run_.summary.files = files_;
    run_.summary.bytes_scanned = bytes_;
    run_.summary.counts = {{"documents", documents_}, {"chunks", chunks_}};
    if (chunks_ == 0 && passed_ == 0) run_.note(nothing_text(roots));
    if (text_) {
      run_.note(cat(count_text(documents_), documents_ == 1 ? " document, " : " documents, ",
                    count_text(chunks_), chunks_ == 1 ? " chunk" : " chunks",
                    skipped_text("; skipped: ")));
      return {};
    }
    if (run_.flags.on("no-end")) return {};
    End end;
    end.counts = {{"documents", documents_}, {"chunks", chunks_}, {"bytes", bytes_}};
    if (passed_ > 0) end.counts.emplace_back("passed", passed_);
    end.complete = !unreadable_ && upstream_.complete;
    end.stop_reason = upstream_.stop_reason;
    end.warnings = upstream_.warnings;
    for (const auto& [reason, count] : skipped_) end.skipped.emplace_back(reason, count);
    buffer_.clear();
    write_record(buffer_, end);
    return run_.out.write(buffer_);
  }

  std::string skipped_text(std::string_view before) const {
    std::string out;
    for (const auto& [reason, count] : skipped_)
      append(out, out.empty() ? before : ", ", count_text(count), " ", reason);
    return out;
  }
  std::string nothing_text(const std::vector<std::string>& roots) const {
    if (roots.empty()) return "nothing to chunk: no documents on standard input";
    std::string text = "nothing to chunk in ";
    append(text, "'", roots.front(), "'", roots.size() > 1 ? " and the other paths" : "",
           skipped_text(": skipped "));
    return text + ": --hidden, --no-ignore and --verbose show more";
  }

  ToolRun& run_;
  const Painter painter_;
  const bool text_;
  Progress progress_;
  SourceOptions source_;
  RecordParser parser_;
  std::string buffer_;
  End upstream_;
  std::map<std::string, std::uint64_t> skipped_;
  std::uint64_t documents_ = 0, chunks_ = 0, files_ = 0, bytes_ = 0, passed_ = 0;
  bool unreadable_ = false;
};

Status chunk(ToolRun& run) {
  RAGLINE_TRY(const std::vector<std::string> paths, input_paths(run.flags));
  if (paths.empty())
    return fail(ErrorKind::kUsage,
                "no paths: name files or folders (. is this one), or - to read records from "
                "standard input");
  return Chunker(run).chunk(paths);
}

}  // namespace

int main(int argc, char** argv) { return run_tool(argc, argv, spec(), chunk); }
