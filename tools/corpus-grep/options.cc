#include "corpus-grep/options.h"

#include <algorithm>
#include <thread>

#include "core/hash.h"
#include "core/text.h"

namespace ragline {

namespace {

constexpr std::uint64_t kRecordColumns = 4096;

PrintForm form_of(const Flags& flags, std::string_view format) {
  if (flags.on("quiet")) return PrintForm::kNothing;
  if (flags.on("files") || flags.on("files-with-matches") || flags.on("files-without-match")) return PrintForm::kPaths;
  if (flags.on("count") || flags.on("count-matches")) return PrintForm::kCount;
  if (flags.on("json")) return PrintForm::kJson;
  if (flags.on("vimgrep") || flags.on("only-matching") || (flags.on("pretty") && !flags.given("format"))) return PrintForm::kText;
  return format == "text" ? PrintForm::kText : PrintForm::kRecords;
}

Result<std::string> encoding_of(const Flags& flags) {
  static const std::pair<std::string_view, std::string_view> kNames[] = {
      {"auto", "auto"},         {"none", "none"},         {"utf-8", "utf-8"},       {"utf8", "utf-8"},
      {"utf-16", "utf-16le"},   {"utf-16le", "utf-16le"}, {"utf-16be", "utf-16be"}, {"utf-32le", "utf-32le"},
      {"utf-32be", "utf-32be"}, {"latin1", "windows-1252"}, {"iso-8859-1", "windows-1252"}, {"windows-1252", "windows-1252"},
      {"ascii", "windows-1252"}};
  if (!flags.has("encoding")) return std::string("auto");
  const std::string given = ascii_lower(flags.text("encoding"));
  for (const auto& [name, encoding] : kNames)
    if (name == given) return std::string(encoding);
  return fail(ErrorKind::kUsage, cat("--encoding ", flags.text("encoding"),
                                     ": not one of auto, none, utf-8, utf-16le, utf-16be, utf-32le, utf-32be, latin1, windows-1252"));
}

Status check_forms(const Flags& flags) {
  static constexpr std::string_view kForms[] = {"files", "files-with-matches", "files-without-match", "count", "count-matches", "json",
                                                "vimgrep"};
  std::string_view first;
  for (const std::string_view form : kForms) {
    if (!flags.on(form)) continue;
    if (!first.empty()) return fail(ErrorKind::kUsage, cat("--", first, " and --", form, " print different things: choose one"));
    first = form;
  }
  const std::string_view own = first == "json" ? "jsonl" : "text";
  if (!first.empty() && flags.given("format") && flags.text("format") != own)
    return fail(ErrorKind::kUsage, cat("--", first, " is a form of output of its own: leave out --format ", flags.text("format")));
  return {};
}

}  // namespace

Result<EngineOptions> engine_options(const Flags& flags, const GrepQuery& query, std::string_view format, bool terminal, bool one_file) {
  RAGLINE_CHECK(check_forms(flags));
  EngineOptions options;
  ScanOptions& scan = options.scan;
  PrintOptions& print = options.print;
  Budgets& budgets = options.budgets;
  print.form = form_of(flags, format);

  budgets.matches = static_cast<std::uint64_t>(flags.integer("max-matches"));
  budgets.matches_per_file = static_cast<std::uint64_t>(flags.integer("max-matches-per-file"));
  budgets.files = static_cast<std::uint64_t>(flags.integer("max-files"));
  budgets.bytes_scanned = flags.size("max-bytes-scanned");
  budgets.output_bytes = flags.size("max-output-bytes");
  budgets.tokens = static_cast<std::uint64_t>(flags.integer("max-tokens"));
  budgets.timeout_ms = flags.duration_ms("timeout");

  const auto both = static_cast<std::uint64_t>(flags.integer("context"));
  scan.before = flags.has("before-context") ? static_cast<std::uint64_t>(flags.integer("before-context")) : both;
  scan.after = flags.has("after-context") ? static_cast<std::uint64_t>(flags.integer("after-context")) : both;
  scan.invert = flags.on("invert-match");
  scan.near = static_cast<std::uint64_t>(flags.integer("near"));
  if (flags.has("max-count")) scan.most = static_cast<std::uint64_t>(flags.integer("max-count"));
  if (budgets.matches_per_file > 0) {
    scan.most = std::min(scan.most, budgets.matches_per_file);
    scan.look_past = true;
  }
  const bool lines_shown = print.form == PrintForm::kText || print.form == PrintForm::kRecords || print.form == PrintForm::kJson;
  if (!lines_shown || flags.on("only-matching") || flags.on("vimgrep")) scan.before = scan.after = 0;
  scan.only_count = !lines_shown && !flags.on("count-matches");
  if (print.form == PrintForm::kPaths || print.form == PrintForm::kNothing) scan.most = std::min<std::uint64_t>(scan.most, 1);

  const bool pretty = flags.on("pretty");
  print.null_after_path = flags.on("null");
  print.vimgrep = flags.on("vimgrep");
  print.only_matching = flags.on("only-matching");
  print.column = flags.on("column") || print.vimgrep;
  print.byte_offset = flags.on("byte-offset");
  print.heading = (flags.on("heading") || pretty || (terminal && !flags.given("heading"))) && print.form == PrintForm::kText && !print.vimgrep;
  print.numbers = (flags.on("line-number") || pretty || print.column || (terminal && !flags.given("line-number"))) && !flags.on("no-numbers");
  print.path = flags.on("with-filename") || print.vimgrep || (!flags.on("no-filename") && !one_file);
  print.count_matches = flags.on("count-matches");
  print.include_zero = flags.on("include-zero");
  print.has_replacement = flags.has("replace");
  print.replacement = flags.text("replace");
  print.context_lines = scan.before + scan.after;
  print.most_columns = flags.has("max-columns")                    ? static_cast<std::uint64_t>(flags.integer("max-columns"))
                       : print.form == PrintForm::kRecords ? kRecordColumns
                                                           : 0;
  print.keep_marks = budgets.needs_marks();
  scan.number_lines = print.form == PrintForm::kRecords || print.form == PrintForm::kJson || print.numbers || scan.near > 0;

  options.binary_as_text = flags.on("text") || flags.count("unrestricted") >= 3;
  RAGLINE_TRY(options.encoding, encoding_of(flags));
  options.decompress = flags.on("search-zip");
  options.follow_links = flags.on("follow");
  options.most_file_bytes = flags.size("max-filesize");
  options.only_files = flags.on("files");
  options.without_match = flags.on("files-without-match");
  options.stop_at_first = flags.on("quiet");
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  options.threads = flags.has("threads") ? static_cast<int>(flags.integer("threads")) : static_cast<int>(std::min(processors, 16u));
  options.search_hash = search_hash(flags);
  if (scan.invert && query.options().multiline)
    return fail(ErrorKind::kUsage, "-v and -U do not go together: what does not match across lines is no list of lines");
  return options;
}

std::uint64_t search_hash(const Flags& flags) {
  static constexpr std::string_view kOthers[] = {"cursor",     "format",        "color",         "threads",      "spill",
                                                 "trace",      "trace-content", "allow-partial", "max-matches",  "max-files",
                                                 "max-bytes-scanned", "max-output-bytes", "max-tokens", "timeout", "stats", "no-messages"};
  Hasher hasher;
  auto add = [&](std::string_view text) {
    hasher.add(text);
    hasher.add(std::string_view("\0", 1));
  };
  for (const Flags::Entry& entry : flags.entries()) {
    if (!entry.given || std::ranges::find(kOthers, std::string_view(entry.flag->name)) != std::end(kOthers)) continue;
    add(entry.flag->name);
    for (const std::string& text : entry.texts) add(text);
  }
  for (const std::string& text : flags.positionals()) add(text);
  return hasher.value();
}

}  // namespace ragline
