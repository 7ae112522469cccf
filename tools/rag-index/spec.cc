#include "cli/flag_kinds.h"
#include "cli/shared_flags.h"
#include "rag-index/commands.h"
#include "scope_flags.h"

namespace ragline {

namespace {

Flag tokens_flag(std::string name, double least, std::string help, std::string details) {
  return {.name = std::move(name),
          .type = FlagType::kInteger,
          .value = "N",
          .unit = "tokens",
          .least = least,
          .most = 1000000,
          .category = "Chunks",
          .help = std::move(help),
          .details = std::move(details)};
}

std::vector<Flag> with(std::vector<Flag> flags, std::vector<Flag> more) {
  flags.insert(flags.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return flags;
}

std::vector<Flag> file_flags() {
  Flag under = path_glob_flag();
  under.category = "Files";
  under.details = "As in a `.gitignore`: `*.md`, `src/**`. Files that do not match stay in the index as they are.";
  const char* const kept = "Later builds of the index do the same until told otherwise.";
  auto turned_off = [](Flag flag, const char* negation) {
    flag.negation = negation;
    return flag;
  };
  return {std::move(under),
          turned_off(switch_flag("hidden", "Files", "read hidden files and folders too", kept), "no-hidden"),
          turned_off(switch_flag("no-ignore", "Files", "do not obey .gitignore, .ignore and .ragignore", kept), "ignore"),
          turned_off(switch_flag("follow", "Files", "follow links, but not out of their root", kept), "no-follow"),
          {.name = "max-filesize", .type = FlagType::kSize, .value = "SIZE", .fallback = "256M", .category = "Files",
           .help = "skip larger files", .details = kept}};
}

std::vector<Flag> chunk_flags() {
  Flag labels = text_flag("labels", "FILE", "Governance", "take tenant, acl and times from FILE, by path",
                          "JSON Lines, one rule a line: `{\"path\": \"hr/**\", \"acl\": [\"hr\"]}`. Later rules override earlier ones and what documents "
                          "say themselves. Kept by the index: later builds apply the same file without being told.");
  labels.completion = Completion::kFile;
  Flag model = model_flag();
  model.category = "Chunks";
  model.environment = "RAGLINE_MODEL";
  model.help = "what gives chunks their vectors: a name, a folder, or none";
  model.details = "Without it a new index has the built-in static model, unless records bring vectors of their own; later builds keep to what the index has.";
  return {tokens_flag("size", 1, "most tokens in a chunk, by estimate (400)",
                      "Kept by the index: later builds use it without being told. A changed size has every file read again."),
          tokens_flag("overlap", 0, "tokens repeated from the chunk before (0)", "Kept by the index, as `--size` is."),
          text_flag("language", "CODE", "Chunks", "language of documents that state none, or auto",
                    "A code such as en, de or zh; auto, which a new index has, detects it for each. Kept by the index."),
          std::move(model), switch_flag("governed", "Governance", "declare the index governed, for good",
                      "A governed index answers nobody without `--principal` (and `--tenant`, where documents have one); a document without "
                      "an acl is seen by nobody."),
          std::move(labels),
          switch_flag("trust-labels", "Governance", "take tenant, acl and times from front matter",
                      "Without it what a file says of its own visibility is ordinary metadata: whoever may write a file must not decide "
                      "who sees it.")};
}

CommandSpec build_command() {
  return {.name = "build",
          .summary = "index files or records, afterwards what has changed",
          .description =
              {"Indexes files and folders; run again it reads only what has changed since (by size and time, then by content), and "
               "drops what has vanished. Without a PATH it goes over the roots that the index has recorded. Everything becomes visible "
               "at once, at the end; a build that fails or is interrupted leaves the index as it was.",
               "With `-` it reads `document` and `chunk` records or BEIR rows from standard input. A document replaces the one with the "
               "same id and version; other versions stay. The chunks of a document stand together in the stream.",
               "Ids of files are paths relative to `--root`. What was skipped is counted by reason, and remembered."},
          .positionals = {{.name = "PATH", .help = "files and folders, or - for records on stdin", .repeatable = true, .completion = Completion::kFile}},
          .flags = with(with({root_flag(), files_from_flag(), files0_from_flag(), skip_bad_flag()}, file_flags()),
                        with(chunk_flags(),
                             {switch_flag("full", "Updating", "read every file again"),
                              switch_flag("allow-mass-delete", "Updating", "let more than a tenth of the documents vanish",
                                          "Without it such a build stops and changes nothing: an unmounted disk must not empty an index."),
                              memory_flag(), threads_flag(), wait_flag(), allow_partial_flag(), no_progress_flag()})),
          .examples = {{"rag-index build -i notes.idx ~/notes ~/src/project", "Indexes two folders; again, what has changed in them."},
                       {"rag-chunk docs/ | rag-index build -i docs.idx -", "Indexes chunks from a stream."}}};
}

CommandSpec delete_command() {
  return {.name = "delete",
          .summary = "take documents out",
          .description = {"Takes documents out by id, or all those of files below a path. A file that is still there comes back with the next build of its "
                          "root; `--under` a whole root forgets the root too.",
                          "The room is given back as segments are merged; `rag-index merge` does that at once."},
          .positionals = {{.name = "DOCUMENT_ID", .help = "documents to take out, all versions of each", .repeatable = true}},
          .flags = {[] {
                      Flag flag = files_from_flag();
                      flag.help = "read ids from FILE, one a line, - is standard input";
                      flag.conflicts.clear();
                      return flag;
                    }(),
                    text_flag("document-version", "V", "Input", "only this version of the documents"),
                    [] {
                      Flag flag = text_flag("under", "PATH", "Input", "all documents of files at or below PATH");
                      flag.repeatable = true;
                      flag.completion = Completion::kFile;
                      return flag;
                    }(),
                    wait_flag()},
          .examples = {{"rag-index delete -i notes.idx --under ~/notes/old", "Everything below a folder."}}};
}

CommandSpec get_command() {
  return {.name = "get",
          .summary = "print chunks by evidence id or document id",
          .description = {"Prints the text that an evidence id names, in any version of its document; the bytes need not be those of a chunk. Of a "
                          "document id it prints all chunks, of the version in force.",
                          "An id that the principal may not see answers as one that does not exist."},
          .positionals = {{.name = "ID", .help = "evidence ids, or document ids", .repeatable = true}},
          .flags = with({[] {
                           Flag flag = files_from_flag();
                           flag.help = "read ids from FILE, one a line, - is standard input";
                           flag.conflicts.clear();
                           return flag;
                         }()},
                        {principal_flag(), tenant_flag(), as_of_flag(),
                         switch_flag("all-versions", "Filters", "of a document id, the chunks of every version")}),
          .examples = {{"rag-index get -i notes.idx 'a.md#0-120@9f2c51aa03de'", "The text of a citation."}}};
}

CommandSpec export_command() {
  Flag sqlite = text_flag("sqlite", "FILE", "Output", "write a SQLite database instead",
                          "With the tables `documents` and `chunks`, text included. FILE must not exist.");
  sqlite.completion = Completion::kFile;
  return {.name = "export",
          .summary = "write everything out, as records or for SQLite",
          .description = {"Writes all chunks as records. Built into another index they give the same search results as this one when it is merged.",
                          "It asks for no principal: the operator's right to the files of the index is the right to export it. The copy of a governed index must "
                          "be declared governed again."},
          .flags = {std::move(sqlite)},
          .examples = {{"rag-index export -i a.idx | rag-index build -i b.idx -", "Copies an index."},
                       {"rag-index export -i a.idx --sqlite a.db", "The catalogue for SQL."}}};
}

}  // namespace

ToolSpec index_spec() {
  Flag index = index_flag();
  index.required = true;
  return {
      .name = "rag-index",
      .summary = "build, update and inspect an index",
      .description = {"An index is a directory. One writer at a time changes it; readers are never blocked by it."},
      .flags = {std::move(index), format_flag(), color_flag(), quiet_flag(), verbose_flag(), trace_flag(), trace_content_flag()},
      .commands = {build_command(), delete_command(),
                   {.name = "merge",
                    .summary = "merge all segments into one",
                    .description = {"Drops deleted documents for good. Searches get a little faster, and their statistics exact."},
                    .flags = {wait_flag()}},
                   {.name = "info", .summary = "say what is in an index",
                    .description = {"Generation, settings, roots, segments, languages and sizes: text, or one `index` record."}},
                   {.name = "check", .summary = "verify every byte of an index",
                    .description = {"Verifies every checksum, offset and count of every file, and names each problem. Exit status 2 when there is one."}},
                   {.name = "list", .summary = "list documents",
                    .description = {"One `document` record each, without its text, in the order of ids."},
                    .flags = scope_flags()},
                   get_command(), export_command()},
      .examples = {{"rag-index build -i notes.idx ~/notes", "Indexes a folder, or brings the index up to date."},
                   {"rag-index list -i notes.idx --filter 'year >= 2025' | jq -r .path", "The paths of some documents."}},
      .see_also = {"rag-search(1)", "rag-chunk(1)"},
  };
}

}  // namespace ragline
