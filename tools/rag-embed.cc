#include "cli/flag_kinds.h"
#include "cli/shared_flags.h"
#include "rag-embed/run.h"

using namespace ragline;

namespace {

ToolSpec spec() {
  Flag model = model_flag();
  model.category = "Model";
  model.help = "a name from the model folder, or a model's folder";
  model.details =
      "Static models (Model2Vec, sentence-transformers, WordLlama) and transformers of the BERT "
      "and XLM-R families are read as they are; without the flag it is the built-in static model. "
      "Names "
      "are looked for in "
      "`RAGLINE_MODELS` (else ~/.local/share/ragline/models) and in what came with ragline.";
  Flag vectors =
      text_flag("vectors", "FILE", "Model", "take vectors from a .npy matrix, a row a text");
  vectors.conflicts = {"model", "url"};
  vectors.completion = Completion::kFile;
  Flag timeout = timeout_flag();
  timeout.category = "Server";
  timeout.fallback = "2m";
  timeout.help = "how long one request may take";
  timeout.details = "";
  Flag query = text_flag("query", "TEXT", "Input", "embed one query, and read nothing");
  query.content = true;
  query.conflicts = {"lines", "vectors"};
  Flag npy = text_flag("npy", "FILE", "Output", "also write the vectors to FILE, a .npy matrix");
  npy.details =
      "Float32, a row a text in the order of the input; a text without a known word is a row of "
      "zeros.";
  npy.completion = Completion::kFile;
  return {
      .name = "rag-embed",
      .summary = "add vectors to chunks, documents, hits and queries",
      .description = {"Reads records from standard input and writes them with a `vector`: the "
                      "embedding of their text, scaled to "
                      "length 1, and the fingerprint of the model that made it. Records that have "
                      "a vector of the same model keep it; "
                      "records of other types pass as they are.",
                      "Queries are embedded as queries, everything else as passages, for models "
                      "that tell them apart. A text in which "
                      "the model knows no word gets no vector; the `end` record counts both."},
      .flags = {model,
                vectors,
                query,
                switch_flag("lines", "Input", "each line is a text, not a record",
                            "They become `document` records, numbered from 1 (with `--role query`, "
                            "`query` records)."),
                {.name = "role",
                 .type = FlagType::kChoice,
                 .value = "ROLE",
                 .choices = {"auto", "query", "passage"},
                 .fallback = "auto",
                 .category = "Input",
                 .help = "as what texts are embedded; auto: by record type"},
                text_flag("url", "URL", "Server", "ask the embedding server at URL",
                          "`--model` is then the server's name for its model. Texts leave this "
                          "machine only where this flag "
                          "sends them, through the program curl. Refused batches are halved, busy "
                          "servers asked again."),
                {.name = "api",
                 .type = FlagType::kChoice,
                 .value = "SHAPE",
                 .choices = {"auto", "openai", "ollama", "tei"},
                 .fallback = "auto",
                 .category = "Server",
                 .help = "what the server speaks; auto: by the end of its URL"},
                text_flag("api-key-env", "VAR", "Server",
                          "send the key that the variable VAR holds"),
                {.name = "batch",
                 .type = FlagType::kInteger,
                 .value = "N",
                 .least = 1,
                 .most = 10000,
                 .fallback = "32",
                 .category = "Server",
                 .help = "texts in one request"},
                text_flag("query-prefix", "TEXT", "Server",
                          "put TEXT before each query, such as 'query: '"),
                text_flag("passage-prefix", "TEXT", "Server", "put TEXT before each passage"),
                timeout,
                skip_bad_flag(),
                no_end_flag(),
                npy,
                threads_flag(),
                allow_partial_flag(),
                quiet_flag(),
                verbose_flag(),
                trace_flag(),
                trace_content_flag()},
      .examples = {{"rag-chunk docs/ | rag-embed > chunks.jsonl",
                    "Chunks with the vectors of the built-in model."},
                   {"rag-embed --query 'how do I get my money back' | jq -r .vector.data",
                    "One query's vector, in base64."},
                   {"rag-embed --lines --npy titles.npy < titles.txt > /dev/null",
                    "A matrix for NumPy."}},
      .see_also = {"rag-chunk(1)", "rag-index(1)", "dpp-select(1)"},
  };
}

}  // namespace

int main(int argc, char** argv) { return run_tool(argc, argv, spec(), rag_embed); }
