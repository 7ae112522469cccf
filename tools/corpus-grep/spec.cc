#include "corpus-grep/spec.h"

#include "cli/shared_flags.h"

namespace ragline {

namespace {

constexpr const char* kPatterns = "Patterns";
constexpr const char* kConditions = "Conditions";
constexpr const char* kFiles = "Files";
constexpr const char* kOutput = "Output";
constexpr const char* kLimits = "Limits";

Flag on_off(std::string name, char letter, std::string category, std::string help, std::string details = "") {
  return {.name = std::move(name), .letter = letter, .category = std::move(category), .help = std::move(help), .details = std::move(details)};
}

Flag valued(FlagType type, std::string name, char letter, std::string value, std::string category, std::string help,
            std::string details = "") {
  Flag flag = on_off(std::move(name), letter, std::move(category), std::move(help), std::move(details));
  flag.type = type;
  flag.value = std::move(value);
  if (type == FlagType::kInteger) flag.least = 0;
  return flag;
}

Flag text(std::string name, char letter, std::string value, std::string category, std::string help, std::string details = "") {
  return valued(FlagType::kText, std::move(name), letter, std::move(value), std::move(category), std::move(help), std::move(details));
}

Flag many(Flag flag) {
  flag.repeatable = true;
  return flag;
}
Flag content(Flag flag) {
  flag.content = true;
  return flag;
}
Flag at_least_one(Flag flag) {
  flag.least = 1;
  return flag;
}
Flag completes_file(Flag flag) {
  flag.completion = Completion::kFile;
  return flag;
}
Flag reversible(Flag flag, std::string negation) {
  flag.negation = std::move(negation);
  return flag;
}
Flag alone(Flag flag, std::vector<std::string> conflicts) {
  flag.conflicts = std::move(conflicts);
  return flag;
}

std::vector<Flag> pattern_flags() {
  return {
      content(many(text("regexp", 'e', "PATTERN", kPatterns, "a pattern to find; several are alternatives"))),
      completes_file(many(text("file", 'f', "FILE", kPatterns, "patterns from FILE, one a line; - is standard input"))),
      completes_file(text("patterns-jsonl", 0, "FILE", kPatterns, "patterns with ids from FILE: {\"id\", \"pattern\"} a line",
                          "Rows may hold `fixed` and `ignore_case` of their own. One pass serves them all; each match names the ids that hit.")),
      on_off("fixed-strings", 'F', kPatterns, "patterns are literal strings"),
      alone(on_off("ignore-case", 'i', kPatterns, "letters match in either case, by Unicode"), {"smart-case", "case-sensitive"}),
      alone(on_off("smart-case", 'S', kPatterns, "as -i for patterns without capital letters"), {"case-sensitive"}),
      on_off("case-sensitive", 's', kPatterns, "letters match in their own case (default)"),
      on_off("word-regexp", 'w', kPatterns, "matches that no word character touches"),
      on_off("line-regexp", 'x', kPatterns, "matches that are whole lines"),
      on_off("invert-match", 'v', kPatterns, "lines that do not match"),
      on_off("multiline", 'U', kPatterns, "matches may go over line ends",
             "A match may be as long as the window, 8M; one file at a time is held in memory, up to two windows of it."),
      on_off("multiline-dotall", 0, kPatterns, "with -U: . matches a line end too"),
  };
}

std::vector<Flag> condition_flags() {
  return {
      content(many(text("and", 0, "PATTERN", kConditions, "the line must match PATTERN too"))),
      content(many(text("not", 0, "PATTERN", kConditions, "the line must not match PATTERN"))),
      content(text("where", 0, "EXPR", kConditions, "lines by a condition: '(a or \"b c\") and not d'",
                   "`and`, `or`, `not` and parentheses over patterns; a pattern is a word or `\"quoted\"`. It takes the place of PATTERN.")),
      content(many(text("file-and", 0, "PATTERN", kConditions, "the file must hold PATTERN somewhere"))),
      content(many(text("file-not", 0, "PATTERN", kConditions, "the file must not hold PATTERN"))),
      content(text("file-where", 0, "EXPR", kConditions, "files by a condition, as --where has it for lines")),
      at_least_one(valued(FlagType::kInteger, "near", 0, "N", kConditions, "--and and --not within N lines, not on the same")),
  };
}

std::vector<Flag> file_flags() {
  Flag from = files_from_flag(), from0 = files0_from_flag(), root = root_flag(), index = index_flag(), principal = principal_flag(),
       tenant = tenant_flag();
  index.letter = 0;
  index.environment.clear();
  index.category = principal.category = tenant.category = from.category = from0.category = root.category = kFiles;
  index.help = "search only documents of this index that may be seen";
  root.help = "ids are relative to DIR, and nothing outside is opened";
  root.details = "Links are followed only inside DIR. Listed paths are relative to it.";
  from.conflicts = {"files0-from", "records-from"};
  return {
      from, from0,
      completes_file(alone(text("records-from", 0, "FILE", kFiles, "search the paths of the records in FILE; - is stdin",
                          "`hit`, `chunk`, `match` or `document` records, as rag-search writes them."), {"files0-from"})),
      root, index, principal, tenant,
      many(text("glob", 'g', "GLOB", kFiles, "only files that match; !GLOB leaves out; the last wins",
                "A file that a glob takes in is searched whatever the ignore rules say.")),
      many(text("iglob", 0, "GLOB", kFiles, "as --glob, in either case")),
      many(text("type", 't', "TYPE", kFiles, "only files of this type; see --type-list")),
      many(text("type-not", 'T', "TYPE", kFiles, "no files of this type")),
      many(text("type-add", 0, "NAME:GLOB", kFiles, "define a file type, or add to one")),
      reversible(on_off("hidden", '.', kFiles, "hidden files and directories too"), "no-hidden"),
      reversible(on_off("no-ignore", 0, kFiles, "files that ignore rules leave out too"), "ignore"),
      on_off("no-require-git", 0, kFiles, "obey .gitignore outside of git repositories too"),
      on_off("unrestricted", 'u', kFiles, "--no-ignore; twice: --hidden too; three times: -a too"),
      reversible(on_off("follow", 'L', kFiles, "follow links, never out of what is searched"), "no-follow"),
      at_least_one(valued(FlagType::kInteger, "max-depth", 'd', "N", kFiles, "go down N directories at most")),
      valued(FlagType::kSize, "max-filesize", 0, "SIZE", kFiles, "leave out larger files"),
      on_off("search-zip", 'z', kFiles, "look inside gzip, zstd, xz and bzip2 files"),
      text("encoding", 'E', "NAME", kFiles, "auto, none, utf-8, utf-16le, utf-16be, windows-1252 ...",
           "`auto` obeys byte-order marks and tells UTF-16 without one; `none` takes the bytes as they are. Also utf-32le, utf-32be, latin1."),
      on_off("text", 'a', kFiles, "search binary files as if they were text"),
  };
}

std::vector<Flag> output_flags() {
  Flag format = format_flag(), quiet = quiet_flag(), stats = stats_flag(), color = color_flag();
  quiet.help = "print nothing: the exit status tells; stop early";
  quiet.category = kOutput;
  return {
      format,
      on_off("json", 0, kOutput, "ripgrep's JSON events"),
      on_off("vimgrep", 0, kOutput, "path:line:column:text for each match"),
      on_off("count", 'c', kOutput, "only the number of matching lines of each file"),
      on_off("count-matches", 0, kOutput, "only the number of matches of each file"),
      on_off("include-zero", 0, kOutput, "with -c: files without a match too"),
      on_off("files-with-matches", 'l', kOutput, "only the paths of files with a match"),
      on_off("files-without-match", 0, kOutput, "only the paths of files without a match"),
      on_off("files", 0, kOutput, "only the paths of files that would be searched"),
      on_off("only-matching", 'o', kOutput, "only the matching parts of lines"),
      text("replace", 'r', "TEXT", kOutput, "print TEXT in place of matches: $1, $name, $$", "The files stay as they are."),
      valued(FlagType::kInteger, "after-context", 'A', "N", kOutput, "N lines behind each match"),
      valued(FlagType::kInteger, "before-context", 'B', "N", kOutput, "N lines before each match"),
      valued(FlagType::kInteger, "context", 'C', "N", kOutput, "N lines before and behind each match"),
      on_off("auto-context", 0, kOutput, "15 lines of context when there are at most 3 matches"),
      reversible(on_off("line-number", 'n', kOutput, "line numbers"), "no-line-number"),
      on_off("no-numbers", 'N', kOutput, "no line numbers"),
      on_off("column", 0, kOutput, "the column, in bytes, of the first match"),
      on_off("byte-offset", 'b', kOutput, "the byte offset of each line"),
      on_off("with-filename", 'H', kOutput, "the path with each line, even of a single file"),
      on_off("no-filename", 'I', kOutput, "no paths"),
      reversible(on_off("heading", 0, kOutput, "the path above the lines of a file, not before each"), "no-heading"),
      on_off("pretty", 'p', kOutput, "--color always --heading --line-number"),
      on_off("null", '0', kOutput, "a NUL byte behind paths"),
      valued(FlagType::kInteger, "max-columns", 'M', "BYTES", kOutput, "cut longer lines around the match; 0 is no limit",
             "Records have 4096 without it, text no limit. The evidence id is that of the whole line."),
      [] {
        Flag flag = valued(FlagType::kChoice, "sort", 0, "BY", kOutput, "path: output is in this order anyway");
        flag.choices = {"path", "none"};
        return flag;
      }(),
      on_off("no-messages", 0, kOutput, "no remarks about files that cannot be read"),
      on_off("type-list", 0, kOutput, "print the file types and end"),
      on_off("explain-plan", 0, kOutput, "print which engine takes which pattern and end"),
      on_off("diagnose", 0, kOutput, "nothing found: search wider and say what would match"),
      color, quiet, stats,
  };
}

std::vector<Flag> limit_flags() {
  Flag threads = threads_flag(), timeout = timeout_flag();
  threads.letter = 'j';
  auto count = [](std::string name, std::string help) {
    return at_least_one(valued(FlagType::kInteger, std::move(name), 0, "N", kLimits, std::move(help)));
  };
  return {
      valued(FlagType::kInteger, "max-count", 'm', "N", kLimits, "N matching lines a file at most; no limit of the run"),
      count("max-matches", "stop after N matching lines in all"),
      count("max-matches-per-file", "N matching lines a file; says which files have more"),
      count("max-files", "search N files at most"),
      valued(FlagType::kSize, "max-bytes-scanned", 0, "SIZE", kLimits, "look at SIZE of text at most"),
      valued(FlagType::kSize, "max-output-bytes", 0, "SIZE", kLimits, "print SIZE of matches at most"),
      count("max-tokens", "print N tokens of matches at most (estimated)"),
      timeout,
      text("cursor", 0, "NEXT", kLimits, "go on where a run that a limit cut has ended", "The `next` of its `end` record."),
      completes_file(text("spill", 0, "FILE", kLimits, "write the full result to FILE, the bounded one to stdout")),
      threads, allow_partial_flag(), trace_flag(), trace_content_flag(),
  };
}

}  // namespace

ToolSpec corpus_grep_spec() {
  ToolSpec spec{
      .name = "corpus-grep",
      .summary = "find lines by patterns, exactly and completely",
      .description =
          {"Searches files below the given paths, or the current directory, for lines that match. Patterns are regular expressions (RE2's "
           "syntax, Unicode as ripgrep has it), or literal strings with `-F`. What .gitignore and the like leave out, hidden files and "
           "binary files are not searched; files that are named are.",
           "On a terminal it prints what ripgrep prints. On a pipe it writes `match` records with evidence ids, and an `end` record that "
           "says whether the answer is complete: what was skipped and why, which limit cut it short, and how to go on.",
           "Standard input is searched only where `-` is given."},
      .positionals = {{.name = "PATTERN", .help = "what to find (not with -e, -f, --where ...)", .content = true},
                      {.name = "PATH", .help = "files and directories; - is standard input", .repeatable = true, .completion = Completion::kFile}},
      .examples = {{"corpus-grep 'cancel(Order|Shipment)' src/", "Lines that call either."},
                   {"corpus-grep -F -f error-codes.txt --max-matches 200 -C 2 logs/ | jq -r .evidence_id", "Many strings in one pass, bounded."},
                   {"corpus-grep -e timeout --and retry --not test -l .", "Files with a line that has both words and not the third."},
                   {"rag-search -i code.idx 'refund state' -k 100 --paths0 | corpus-grep --files0-from - updateOrderStatus",
                    "Retrieval picks the files, grep looks inside."}},
      .see_also = {"corpus-read(1)", "rag-search(1)"},
  };
  for (auto group : {pattern_flags(), condition_flags(), file_flags(), output_flags(), limit_flags()})
    for (Flag& flag : group) spec.flags.push_back(std::move(flag));
  return spec;
}

}  // namespace ragline
