#include "corpus-grep/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cli/terminal.h"
#include "core/files.h"
#include "core/text.h"
#include "corpus-grep/options.h"
#include "corpus-grep/report.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr std::uint64_t kAutoMatches = 3, kAutoContext = 15;

// --spill: written beside FILE and renamed when it is whole; a device or pipe is written to as it is.
class Spill {
 public:
  static Result<std::unique_ptr<Spill>> open(const std::string& path) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(path, ignored).type();
    const bool in_place = kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular;
    std::string temporary = in_place ? "" : cat(path, ".tmp", ::getpid());
    const int descriptor = ::open(in_place ? path.c_str() : temporary.c_str(), O_WRONLY | O_CLOEXEC | (in_place ? 0 : O_CREAT | O_TRUNC), 0666);
    if (descriptor < 0) return fail(ErrorKind::kIo, errno_text("--spill: cannot write", path));
    return std::unique_ptr<Spill>(new Spill(path, std::move(temporary), descriptor));
  }
  ~Spill() {
    ::close(descriptor_);
    if (!kept_ && !temporary_.empty()) ::unlink(temporary_.c_str());
  }
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  Status write(std::string_view bytes) { return out_.write(bytes); }
  Status finish() {
    RAGLINE_CHECK(out_.flush());
    if (!temporary_.empty() && ::rename(temporary_.c_str(), path_.c_str()) != 0) return fail(ErrorKind::kIo, errno_text("--spill: cannot write", path_));
    kept_ = true;
    return {};
  }

 private:
  Spill(std::string path, std::string temporary, int descriptor)
      : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor), out_(descriptor) {}

  std::string path_, temporary_;
  int descriptor_;
  bool kept_ = false;
  Output out_;
};

class GrepRun {
 public:
  explicit GrepRun(ToolRun& run) : run_(run), flags_(run.flags) {}

  Status go() {
    if (flags_.on("type-list")) return list_types();
    RAGLINE_TRY(question_, read_question(flags_));
    if (flags_.on("explain-plan")) return explain();
    if (flags_.has("spill")) {
      RAGLINE_TRY(spill_, Spill::open(absolute_path(flags_.text("spill"))));
    }
    RAGLINE_TRY(rights_, reading_rights(flags_));
    RAGLINE_TRY(inputs_, read_inputs(flags_, question_.positionals));
    const auto start = std::chrono::steady_clock::now();
    RAGLINE_TRY(options_, engine_options(flags_, *question_.query, run_.format(), run_.out.is_terminal(), inputs_.one_file));
    options_.print.color = use_color(flags_.on("pretty") ? "always" : flags_.text("color"), run_.out.is_terminal()) &&
                           options_.print.form == PrintForm::kText;
    if (inputs_.one_file && inputs_.one_file_bytes < options_.large_bytes) options_.threads = 1;
    options_.may_read = rights_;
    if (flags_.on("auto-context")) RAGLINE_CHECK(choose_context());
    RAGLINE_TRY(const EngineReport report, search(*question_.query, options_, [&](std::string_view bytes) { return run_.out.write(bytes); }));
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    return close(report, elapsed.count());
  }

 private:
  Status list_types() {
    RAGLINE_TRY(const FileTypes types, file_types(flags_));
    run_.outcome.set_found();
    return run_.out.write(types.list());
  }

  Status explain() {
    run_.outcome.set_found();
    std::string out;
    const auto& terms = question_.query->terms();
    for (std::uint32_t i = 0; i < terms.size(); ++i) append(out, terms[i].id, "\t", question_.query->route(i), "\t", terms[i].text, "\n");
    return run_.out.write(out);
  }

  Result<EngineReport> search(const GrepQuery&, const EngineOptions& options, const Write& write) {
    RAGLINE_TRY(const PathFilter filter, path_filter(flags_));
    RAGLINE_TRY(const WalkOptions walk, walk_options(flags_, filter, inputs_.opener));
    RAGLINE_TRY(auto targets, open_targets(inputs_, walk));
    EngineOptions mine = options;
    std::string skip_to;
    if (flags_.has("cursor")) {
      RAGLINE_TRY(Cursor cursor, parse_cursor(flags_.text("cursor"), options.search_hash));
      skip_to = std::move(cursor.path);
      mine.start_offset = cursor.offset;
    }
    const Write spill = spill_ ? Write([&](std::string_view bytes) { return spill_->write(bytes); }) : Write();
    return run_engine(question_.query, std::move(targets), std::move(skip_to), inputs_.opener, mine, write, spill);
  }

  // A first look that stops at the fourth match tells whether there are few.
  Status choose_context() {
    EngineOptions look = options_;
    look.print.form = PrintForm::kText;
    look.print.keep_marks = true;
    look.scan.before = look.scan.after = 0;
    look.budgets.matches = kAutoMatches;
    RAGLINE_TRY(const EngineReport report, search(*question_.query, look, [](std::string_view) -> Status { return {}; }));
    if (!report.stop_reason.empty() || report.lines > kAutoMatches) return {};
    options_.scan.before = options_.scan.after = kAutoContext;
    options_.print.context_lines = 2 * kAutoContext;
    return {};
  }

  Status close(const EngineReport& report, double elapsed_ms) {
    if (report.lines > 0) run_.outcome.set_found();
    if (!report.stop_reason.empty() || report.capped_files > 0) run_.outcome.set_limit_hit();
    if (!report.unreadable.empty()) run_.outcome.set_unreadable();
    run_.summary.route = "scan";
    run_.summary.bytes_scanned = report.bytes;
    run_.summary.files = report.searched;
    run_.summary.hits = report.lines;
    End end = end_record(report, *question_.query, flags_);
    if (flags_.on("diagnose") && report.lines == 0 && report.stop_reason.empty()) RAGLINE_CHECK(diagnose(end));
    if (flags_.on("stats")) end.stats = {{"elapsed_ms", elapsed_ms}};
    if (spill_) RAGLINE_CHECK(close_spill(end));
    switch (options_.print.form) {
      case PrintForm::kRecords: {
        std::string line;
        write_record(line, end);
        return run_.out.write(line);
      }
      case PrintForm::kJson: {
        std::string line;
        append_json_summary(line, {report.matched, report.matched, report.matched_bytes, report.printed, report.lines, report.spans});
        RAGLINE_CHECK(run_.out.write(line));
        break;
      }
      default: break;
    }
    remark(end, report);
    return {};
  }

  // People and scripts that read text have no end record: what they must know goes to standard error.
  void remark(const End& end, const EngineReport& report) {
    if (!flags_.on("no-messages"))
      for (const std::string& warning : end.warnings) run_.note(warning);
    if (!report.stop_reason.empty()) run_.note(cat("cut by ", report.stop_reason, "; to go on: --cursor '", report.next, "'"));
    const bool shows_lines = options_.print.form == PrintForm::kText && run_.out.is_terminal();
    if (shows_lines || flags_.on("diagnose"))
      for (const std::string& suggestion : end.suggestions) run_.note(cat("nothing found; try ", suggestion));
  }

  Status close_spill(const End& end) {
    End whole = end;
    if (end.stop_reason == "limit:max-matches" || end.stop_reason == "limit:max-output-bytes" || end.stop_reason == "limit:max-tokens") {
      whole.stop_reason = "exhausted";
      whole.next.clear();
      whole.complete = true;
    }
    std::string line;
    if (options_.print.form == PrintForm::kRecords) write_record(line, whole);
    RAGLINE_CHECK(spill_->write(line));
    return spill_->finish();
  }

  // Wider searches, each up to its first match.
  Status diagnose(End& end) {
    end.suggestions.clear();
    const PatternOptions as_asked = pattern_options(flags_);
    auto would_match = [&](const PatternOptions& wider, const WalkOptions* walk_change, bool binary) -> Result<bool> {
      RAGLINE_TRY(const auto query, ask_again(flags_, wider));
      RAGLINE_TRY(const PathFilter filter, path_filter(flags_));
      RAGLINE_TRY(WalkOptions walk, walk_options(flags_, filter, inputs_.opener));
      if (walk_change) {
        walk.hidden = walk.hidden || walk_change->hidden;
        walk.use_ignore_files = walk.use_ignore_files && walk_change->use_ignore_files;
      }
      RAGLINE_TRY(auto targets, open_targets(inputs_, walk));
      EngineOptions look = options_;
      look.print = {};
      look.print.form = PrintForm::kNothing;
      look.scan.before = look.scan.after = 0;
      look.scan.only_count = look.stop_at_first = true;
      look.scan.most = 1;
      look.binary_as_text = look.binary_as_text || binary;
      RAGLINE_TRY(const EngineReport report,
                  run_engine(query, std::move(targets), "", inputs_.opener, look, [](std::string_view) -> Status { return {}; }, {}));
      return report.lines > 0;
    };
    auto offer = [&](const PatternOptions& wider, const WalkOptions* walk, bool binary, std::string_view what) -> Status {
      RAGLINE_TRY(const bool found, would_match(wider, walk, binary));
      if (found) end.suggestions.push_back(cat(what, " would match"));
      return {};
    };
    PatternOptions wider = as_asked;
    if (!as_asked.ignore_case) {
      wider.ignore_case = true;
      wider.smart_case = false;
      RAGLINE_CHECK(offer(wider, nullptr, false, "-i"));
    }
    if (as_asked.word) {
      wider = as_asked;
      wider.word = false;
      RAGLINE_CHECK(offer(wider, nullptr, false, "without -w it"));
    }
    if (!as_asked.fixed) {
      wider = as_asked;
      wider.fixed = true;
      RAGLINE_CHECK(offer(wider, nullptr, false, "-F"));
    }
    WalkOptions all;
    all.hidden = true;
    all.use_ignore_files = false;
    RAGLINE_CHECK(offer(as_asked, &all, false, "-uu (ignored and hidden files)"));
    RAGLINE_CHECK(offer(as_asked, nullptr, true, "-a (binary files)"));
    if (end.suggestions.empty()) end.suggestions.push_back("nothing near it matches: use another pattern or other paths");
    return {};
  }

  ToolRun& run_;
  const Flags& flags_;
  Question question_;
  Inputs inputs_;
  EngineOptions options_;
  std::unique_ptr<Spill> spill_;
  std::function<bool(std::string_view)> rights_;
};

}  // namespace

Status corpus_grep(ToolRun& run) { return GrepRun(run).go(); }

}  // namespace ragline
