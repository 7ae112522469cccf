#include "rag-search/run.h"

#include "cli/flag_kinds.h"
#include "cli/shared_flags.h"

using namespace ragline;

namespace {

Flag number_flag(std::string name, std::string value, double least, std::optional<double> most, std::string fallback, std::string help) {
  return {.name = std::move(name),
          .type = FlagType::kNumber,
          .value = std::move(value),
          .least = least,
          .most = most,
          .fallback = std::move(fallback),
          .category = "Ranking",
          .help = std::move(help)};
}

ToolSpec spec() {
  Flag queries = queries_flag();
  queries.content = false;
  return {
      .name = "rag-search",
      .summary = "search an index, or files without one",
      .description =
          {"Finds the passages that answer a query, best first: by BM25, and where the index has vectors by their meaning too. With an index (`-i`, made by rag-index) a search takes a few "
           "milliseconds; with paths instead of an index the files are indexed in memory first.",
           "The query is text: any word may match, and more and rarer words rank higher. Operators: `\"exact phrase\"`, "
           "`\"near words\"~3`, `pre*`, `term~1`, `+must`, `-not`, `(a OR b)`, `title:` `section:` `path:` before a word, `word^2`. "
           "What cannot be an operator is text, so a pasted question is never a syntax error.",
           "On a pipe it writes JSON Lines: a `query` record, its `hit` records, and an `end` record that says whether the "
           "answer is complete. On a terminal it writes text for people."},
      .positionals = {{.name = "QUERY", .help = "what to look for (not with --queries)", .content = true},
                      {.name = "PATH", .help = "files to search when there is no index", .repeatable = true, .completion = Completion::kFile}},
      .flags =
          {index_flag(), queries, root_flag(), skip_bad_flag(),
           {.name = "mode", .type = FlagType::kChoice, .value = "MODE", .choices = {"auto", "sparse", "dense", "hybrid"}, .fallback = "auto", .category = "Ranking",
            .help = "search by words, by meaning or by both; auto is both when the index has vectors"},
           [] {
             Flag flag = model_flag();
             flag.category = "Ranking";
             flag.help = "what embeds queries, where it is not the index's own model";
             return flag;
           }(),
           {.name = "fusion", .type = FlagType::kChoice, .value = "HOW", .choices = {"z2", "z", "minmax", "rrf"}, .fallback = "z2",
            .category = "Ranking", .help = "how both lists become one",
            .details = "`z2` and `z` add squares, or values, of how far a score stands out of its arm's best thousand; `minmax` stretches them "
                       "to 0 ... 1; `rrf` takes ranks alone."},
           number_flag("dense-weight", "X", 0, 1, "0.6", "what meaning counts in hybrid search; words have the rest"),
           number_flag("rrf-k", "X", 0, 100000, "60", "with --fusion rrf: how soon ranks stop counting"),
           {.name = "signals", .type = FlagType::kChoice, .value = "WHETHER", .choices = {"on", "off"}, .fallback = "on", .category = "Ranking",
            .help = "put the best 20 of a hybrid search in order by how words stand in them",
            .details = "Query words close together, in the title, next to each other, and identifiers exactly as written."},
           number_flag("k1", "X", 0, 100, "0.9", "BM25: how soon more occurrences stop counting"),
           number_flag("b", "X", 0, 1, "0.4", "BM25: how much a long text is held against it"),
           repeated(text_flag("boost", "FIELD=X", "Ranking", "weight of title, section, path or content",
                              "What a query word adds where it stands in that field; The defaults are `content=1`, `section=0.5`, `path=0.25` and `title=0` (a title that the text does not show is part of the content). 0 leaves a field out.")),
           number_flag("min-score", "X", 0, std::nullopt, "0", "leave out hits below this score"),
           filter_flag(), principal_flag(), tenant_flag(), as_of_flag(),
           {.name = "all-versions", .category = "Filters", .help = "every version of a document, whenever it holds"},
           path_glob_flag(),
           repeated(text_flag("language", "CODE", "Filters", "only documents in this language, e.g. en")),
           repeated(text_flag("type", "MEDIA", "Filters", "only this media type, e.g. text/markdown")),
           top_flag(),
           {.name = "offset", .type = FlagType::kInteger, .value = "N", .least = 0, .most = 1000000, .fallback = "0", .category = "Output",
            .help = "leave out the first N hits: the next page"},
           {.name = "collapse", .type = FlagType::kChoice, .value = "UNIT", .choices = {"none", "document"}, .fallback = "none",
            .category = "Output", .help = "at most one hit a document: its best passage"},
           format_flag(),
           [] {
             Flag flag = text_flag("trec", "TAG", "Output", "TREC run of documents, each by its best passage");
             flag.conflicts = {"paths", "paths0", "format"};
             return flag;
           }(),
           {.name = "paths", .category = "Output", .help = "only the paths of hits, each once, best first", .conflicts = {"paths0", "format"}},
           {.name = "paths0", .category = "Output", .help = "the same, each ended by a NUL byte", .conflicts = {"format"}},
           repeated(text_flag("facets", "FIELD", "Output", "count the matching documents by FIELD, in the end record")),
           {.name = "vectors", .category = "Output", .help = "give hits and query their vectors, for dpp-select",
            .details = "As the index keeps them: 8 bits a value, as base64 of floats with the fingerprint of their model.",
            .conflicts = {"trec", "paths", "paths0"}},
           explain_flag(), stats_flag(), color_flag(),
           [] {
             Flag flag = threads_flag();
             flag.fallback = "1";
             flag.help = "threads for --queries, and for files without an index";
             return flag;
           }(),
           memory_flag(), allow_partial_flag(), no_progress_flag(), quiet_flag(), trace_flag(), trace_content_flag()},
      .examples = {{"rag-search -i notes.idx 'refund of an unshipped order'", "The ten best passages."},
                   {"rag-search 'where are retries configured' src/", "The same over files that have no index."},
                   {"rag-search -i notes.idx '+\"error code\" timeout -test' -k 50 --paths0 | xargs -0 grep -n timeout",
                    "Retrieval picks the files, an exact tool looks inside them."},
                   {"rag-search -i notes.idx 'refund of an unshipped order' -k 100 --vectors | dpp-select -k 8", "Eight that differ."},
                   {"rag-search -i notes.idx --queries queries.jsonl -k 1000 --trec bm25 > run.trec", "A run to be measured."}},
      .see_also = {"rag-index(1)", "rag-chunk(1)", "rag-embed(1)", "dpp-select(1)"},
  };
}

}  // namespace

int main(int argc, char** argv) { return run_tool(argc, argv, spec(), rag_search); }
