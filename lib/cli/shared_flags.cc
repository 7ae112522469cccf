#include "cli/shared_flags.h"

namespace ragline {

// ---- input

Flag index_flag() {
  return {.name = "index",
          .letter = 'i',
          .type = FlagType::kText,
          .value = "DIR",
          .environment = "RAGLINE_INDEX",
          .category = "Input",
          .help = "index directory",
          .completion = Completion::kDirectory};
}

Flag queries_flag() {
  return {
      .name = "queries",
      .type = FlagType::kText,
      .value = "FILE",
      .category = "Input",
      .help = "read many queries from FILE, - is standard input",
      .details =
          "One query a line: `query` records, BEIR rows (`_id`, `text`) or a TSV of id and text.",
      .completion = Completion::kFile};
}

Flag files_from_flag() {
  return {.name = "files-from",
          .type = FlagType::kText,
          .value = "FILE",
          .category = "Input",
          .help = "read paths from FILE, one a line, - is standard input",
          .completion = Completion::kFile,
          .conflicts = {"files0-from"}};
}

Flag files0_from_flag() {
  return {.name = "files0-from",
          .type = FlagType::kText,
          .value = "FILE",
          .category = "Input",
          .help = "the same, paths end in NUL bytes",
          .details =
              "For paths that may hold newlines, as `rag-search --paths0` and `find -print0` write "
              "them.",
          .completion = Completion::kFile};
}

Flag root_flag() {
  return {.name = "root",
          .type = FlagType::kText,
          .value = "DIR",
          .category = "Input",
          .help = "document ids are paths relative to DIR",
          .details =
              "Without it they are relative to the current directory. Evidence ids agree between "
              "an index and a "
              "scan that have the same root.",
          .completion = Completion::kDirectory};
}

Flag skip_bad_flag() {
  return {.name = "skip-bad",
          .category = "Input",
          .help = "count malformed input lines instead of stopping",
          .details = "Their number is in the `end` record or in the closing message, by reason."};
}

Flag model_flag() {
  return {.name = "model",
          .type = FlagType::kText,
          .value = "MODEL",
          .category = "Input",
          .help = "embedding model: a name, a folder, a file, or none",
          .completion = Completion::kFile};
}

Flag no_end_flag() {
  return {.name = "no-end",
          .category = "Input",
          .help = "accept input without end records",
          .details =
              "A stream of hits that stops without its `end` record was cut upstream and is an "
              "error; this is "
              "for input made by hand."};
}

// ---- what is looked at

Flag filter_flag() {
  return {.name = "filter",
          .type = FlagType::kText,
          .value = "EXPR",
          .category = "Filters",
          .help = "keep what matches, e.g. 'year >= 2024 and lang = de'",
          .details =
              "Over metadata: `=`, `!=`, `<`, `<=`, `>`, `>=`, `in (a, b)`, `exists`, `and`, `or`, "
              "`not`. "
              "Numbers and dates compare as such. Filters apply before scoring."};
}

Flag principal_flag() {
  return {.name = "principal",
          .type = FlagType::kText,
          .repeatable = true,
          .value = "NAME",
          .category = "Filters",
          .help = "act as NAME: see only what its labels allow",
          .details =
              "Several stand for a user and its groups. A governed index is not read without it."};
}

Flag tenant_flag() {
  return {.name = "tenant",
          .type = FlagType::kText,
          .value = "NAME",
          .category = "Filters",
          .help = "see only the documents of this tenant"};
}

Flag as_of_flag() {
  return {.name = "as-of",
          .type = FlagType::kText,
          .value = "TIME",
          .category = "Filters",
          .help = "versions in force at TIME instead of now",
          .details = "RFC 3339, or a date alone, which is its first moment in UTC."};
}

Flag path_glob_flag() {
  return {.name = "path-glob",
          .type = FlagType::kText,
          .repeatable = true,
          .value = "GLOB",
          .category = "Filters",
          .help = "only paths that match; !GLOB takes away",
          .details = "As in a `.gitignore`: `*.md`, `src/**`."};
}

// ---- what comes out

Flag top_flag() {
  return {.name = "top",
          .letter = 'k',
          .type = FlagType::kInteger,
          .value = "N",
          .least = 1,
          .fallback = "10",
          .category = "Output",
          .help = "results per query"};
}

Flag format_flag() {
  return {.name = "format",
          .type = FlagType::kChoice,
          .value = "FORMAT",
          .choices = {"text", "jsonl"},
          .category = "Output",
          .help = "text on a terminal and jsonl on a pipe without it"};
}

Flag color_flag() {
  return {.name = "color",
          .type = FlagType::kChoice,
          .value = "WHEN",
          .choices = {"auto", "always", "never"},
          .fallback = "auto",
          .category = "Output",
          .help = "colour text",
          .details = "`auto` is a terminal, unless `NO_COLOR` is set or `TERM` is dumb."};
}

Flag explain_flag() {
  return {.name = "explain", .category = "Output", .help = "show how each score came about"};
}

Flag stats_flag() {
  return {.name = "stats",
          .category = "Output",
          .help = "add times and sizes to end records",
          .details = "Off by default, so that two equal runs give equal bytes."};
}

// ---- limits and resources

Flag threads_flag() {
  return {.name = "threads",
          .type = FlagType::kInteger,
          .value = "N",
          .least = 1,
          .most = 1024,
          .category = "Limits",
          .help = "worker threads; one per processor without it",
          .details = "The output does not depend on it."};
}

Flag memory_flag() {
  return {.name = "memory",
          .type = FlagType::kSize,
          .value = "SIZE",
          .least = 16 << 20,
          .fallback = "512M",
          .category = "Limits",
          .help = "memory to work in, e.g. 512M or 2G"};
}

Flag timeout_flag() {
  return {.name = "timeout",
          .type = FlagType::kDuration,
          .value = "TIME",
          .least = 1,
          .category = "Limits",
          .help = "stop after TIME (250ms, 30s, 5m) with what was found",
          .details = "A cut result says so in its `end` record and in exit status 3."};
}

Flag wait_flag() {
  return {.name = "wait",
          .type = FlagType::kDuration,
          .value = "TIME",
          .fallback = "0s",
          .category = "Limits",
          .help = "wait this long while another writer holds the index"};
}

Flag seed_flag() {
  return {.name = "seed",
          .type = FlagType::kInteger,
          .value = "N",
          .least = 0,
          .fallback = "0",
          .category = "Limits",
          .help = "seed of everything random"};
}

Flag allow_partial_flag() {
  return {.name = "allow-partial",
          .category = "Limits",
          .help = "exit 0 or 1 even when a limit or a bad file cut in",
          .details =
              "Without it these runs end with status 3 or 4. What was cut is still in the `end` "
              "record."};
}

// ---- messages

Flag no_progress_flag() {
  return {.name = "no-progress", .category = "Messages", .help = "no progress bar on the terminal"};
}

Flag quiet_flag() {
  return {.name = "quiet", .letter = 'q', .category = "Messages", .help = "say nothing but errors"};
}

Flag verbose_flag() {
  return {.name = "verbose",
          .letter = 'v',
          .category = "Messages",
          .help = "say more, e.g. each skipped file"};
}

Flag trace_flag() {
  return {.name = "trace",
          .type = FlagType::kText,
          .value = "FILE",
          .environment = "RAGLINE_TRACE",
          .category = "Messages",
          .help = "append trace records of this run to FILE",
          .details =
              "One `trace` record per step and one per run: arguments, route, counts, times, "
              "errors. The trace "
              "id is that of `TRACEPARENT` when it is set. Query text is left out.",
          .completion = Completion::kFile};
}

Flag trace_content_flag() {
  return {
      .name = "trace-content", .category = "Messages", .help = "let trace records hold query text"};
}

}  // namespace ragline
