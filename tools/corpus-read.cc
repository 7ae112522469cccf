#include "cli/shared_flags.h"
#include "corpus-read/run.h"

using namespace ragline;

namespace {

Flag lines(std::string name, char letter, std::string help, std::string category) {
  return {.name = std::move(name),
          .letter = letter,
          .type = FlagType::kInteger,
          .value = "N",
          .least = 1,
          .category = std::move(category),
          .help = std::move(help)};
}

ToolSpec spec() {
  Flag index = index_flag(), root = root_flag();
  index.environment.clear();
  index.help = "obey this index: who may read, neighbours, texts";
  root.help = "ids are relative to DIR, and nothing outside is opened";
  return {
      .name = "corpus-read",
      .summary = "read lines and spans of evidence",
      .description =
          {"Reads parts of documents: `path:120-180` are lines, `path:-20` the last twenty, an evidence id its exact bytes, and `-` the spans "
           "of `match`, `hit` and `chunk` records on standard input. Spans of one document that touch or overlap are read as one.",
           "An evidence id is checked: when its bytes have changed, that is an error that says whether the text was edited or where it "
           "has moved."},
      .positionals = {{.name = "SPAN", .help = "path:FIRST-LAST, path, evidence id, or - for records", .repeatable = true, .completion = Completion::kFile}},
      .flags = {lines("context", 'C', "N lines before and behind each span", "Spans"),
                {.name = "enclosing", .type = FlagType::kChoice, .value = "UNIT", .choices = {"paragraph", "section"}, .category = "Spans",
                 .help = "the paragraph or section around each span"},
                {.name = "parent", .category = "Spans", .help = "the section that holds the chunk or span and more"},
                lines("neighbours", 0, "N chunks of the index before and behind", "Spans"),
                lines("head", 0, "only the first N lines of each span", "Spans"), lines("tail", 0, "only the last N lines of each span", "Spans"),
                {.name = "follow-moved", .category = "Spans", .help = "read what has moved where it is now"},
                index, principal_flag(), tenant_flag(), root, format_flag(),
                {.name = "count", .category = "Output", .help = "print how long each span is, not its text"},
                {.name = "max-output-bytes", .type = FlagType::kSize, .value = "SIZE", .least = 1, .category = "Limits", .help = "print SIZE of text at most"},
                {.name = "max-tokens", .type = FlagType::kInteger, .value = "N", .least = 1, .category = "Limits", .help = "print N tokens at most (estimated)"},
                {.name = "cursor", .type = FlagType::kText, .value = "NEXT", .category = "Limits", .help = "go on where a run that a limit cut has ended"},
                allow_partial_flag(), quiet_flag(), trace_flag(), trace_content_flag()},
      .examples = {{"corpus-read src/order.cc:120-180", "Sixty lines."},
                   {"corpus-read 'src/order.cc#1204-1892@9f2c51aa03de' --context 5", "What an answer cited, with what is around it."},
                   {"corpus-grep Budget docs/ | corpus-read - --context 3 --max-tokens 2000", "Every match with its surroundings, bounded."}},
      .see_also = {"corpus-grep(1)", "rag-search(1)"},
  };
}

}  // namespace

int main(int argc, char** argv) { return run_tool(argc, argv, spec(), corpus_read); }
