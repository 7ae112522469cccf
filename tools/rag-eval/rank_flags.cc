#include "rag-eval/rank_flags.h"

#include "cli/shared_flags.h"
#include "core/text.h"
#include "rag-eval/scores.h"

namespace ragline {

namespace {

Flag number(std::string name, char letter, std::string value, std::string alias,
            std::string category, std::string help) {
  return {.name = std::move(name),
          .letter = letter,
          .aliases = {std::move(alias)},
          .type = FlagType::kInteger,
          .value = std::move(value),
          .category = std::move(category),
          .help = std::move(help)};
}

Flag choice(std::string name, std::string value, std::vector<std::string> choices,
            std::string fallback, std::string category, std::string help,
            std::string details = "") {
  return {.name = std::move(name),
          .type = FlagType::kChoice,
          .value = std::move(value),
          .choices = std::move(choices),
          .fallback = std::move(fallback),
          .category = std::move(category),
          .help = std::move(help),
          .details = std::move(details)};
}

std::vector<Flag> measuring_flags() {
  Flag level =
      number("level", 'l', "N", "level_for_rel", "Measures", "least grade that is relevant");
  level.fallback = "1";
  Flag most = number("max-hits", 'M', "N", "Max_retrieved_per_topic", "Measures",
                     "look at the first N hits of a query only");
  most.least = 1;
  Flag size = number("collection-size", 'N', "N", "Number_docs_in_coll", "Measures",
                     "documents in the collection, for utility");
  size.least = 0;
  size.fallback = "0";
  return {{.name = "measure",
           .letter = 'm',
           .type = FlagType::kText,
           .repeatable = true,
           .value = "MEASURE",
           .category = "Measures",
           .help = "what to measure; commas separate several",
           .details = "As ir_measures writes them (`nDCG@10`, `P(rel=2)@5`) or as trec_eval does "
                      "(`map`, `ndcg_cut.10`, `all_trec`). `--list-measures` shows them."},
          {.name = "list-measures", .category = "Measures", .help = "show all measures and stop"},
          std::move(level),
          std::move(most),
          {.name = "judged-only",
           .letter = 'J',
           .aliases = {"Judged_docs_only"},
           .category = "Measures",
           .help = "leave unjudged hits out, as if never retrieved"},
          std::move(size),
          {.name = "z-scores",
           .letter = 'Z',
           .aliases = {"Zscore"},
           .type = FlagType::kText,
           .value = "FILE",
           .category = "Measures",
           .help = "distances from the means in FILE",
           .details = "Lines of query, measure, mean and standard deviation of other runs.",
           .completion = Completion::kFile},
          choice("ties", "RULE", {"docid-desc", "rank", "input", "expected"}, "docid-desc",
                 "Measures", "what orders hits of equal score",
                 "`docid-desc` is the document id, descending, as in trec_eval; `rank` the rank "
                 "column; `input` the order of the file; `expected` gives each measure its mean "
                 "over all orders, exactly. It is refused (status 2) for those without a closed "
                 "form: IPrec, Compat, BPM, INST, NERR8 to NERR11, AllEvidence, HopCoverage and "
                 "trec_eval's own, and with gold evidence for all but measures of evidence.")};
}

std::vector<Flag> mode_flags() {
  Flag compat =
      choice("compat", "VERSION", {"trec9", "trec10"}, "", "Compatibility",
             "read, measure and print as trec_eval does",
             "The output is trec_eval's byte for byte, and so are the exit statuses: 2 for "
             "a file that cannot be read, 4 for a query that cannot be measured, 7 for no "
             "query in both files.");
  compat.conflicts = {"format", "ties", "average", "by", "skip-bad"};
  Flag form =
      choice("qrels-format", "FORM", {"qrels", "qrels_jg", "qrels_prefs", "prefs"}, "qrels",
             "Compatibility", "how judgements are meant",
             "`qrels_jg`: the second field names a judge, and values are means over judges. "
             "`prefs`, `qrels_prefs`: levels say which document is preferred.");
  form.letter = 'R';
  form.aliases = {"Rel_info_format"};
  Flag results = choice("results-format", "FORM", {"trec_results"}, "trec_results", "Compatibility",
                        "form of the run; there is one");
  results.letter = 'T';
  results.aliases = {"Results_format"};
  return {std::move(compat),
          {.name = "complete",
           .letter = 'c',
           .aliases = {"complete_rel_info_wanted"},
           .category = "Compatibility",
           .help = "count judged queries without hits; ours always does"},
          std::move(form),
          std::move(results)};
}

std::vector<Flag> output_flags() {
  Flag format = format_flag();
  format.choices = {"text", "jsonl", "json", "tsv", "markdown", "trec"};
  Flag digits{.name = "digits",
              .type = FlagType::kInteger,
              .value = "N",
              .least = 0,
              .most = 17,
              .fallback = "4",
              .category = "Output",
              .help = "decimals in text, tsv, markdown and trec"};
  return {{.name = "per-query",
           .letter = 'q',
           .aliases = {"query_eval_wanted"},
           .category = "Output",
           .help = "values of each query as well"},
          {.name = "no-summary",
           .letter = 'n',
           .aliases = {"nosummary"},
           .category = "Output",
           .help = "no means"},
          choice("average", "OVER", {"judged", "both"}, "judged", "Output",
                 "queries that a mean counts",
                 "`judged`: all that have judgements; one without hits counts as an empty list. "
                 "`both`: only those with hits."),
          {.name = "by",
           .type = FlagType::kText,
           .value = "FIELD",
           .category = "Output",
           .help = "means by the values of a field of --queries",
           .details = "Such as `question_type` or `metadata.language`. Without `--queries` the "
                      "judgements are looked into, where they are `case` records."},
          queries_flag(),
          skip_bad_flag(),
          no_end_flag(),
          std::move(format),
          std::move(digits),
          samples_flag("Output"),
          confidence_flag("Output"),
          seed_flag(),
          color_flag()};
}

}  // namespace

std::vector<Flag> rank_flags() {
  std::vector<Flag> flags = measuring_flags();
  for (std::vector<Flag> more : {output_flags(), mode_flags()})
    for (Flag& flag : more) flags.push_back(std::move(flag));
  Flag quiet = quiet_flag();
  quiet.letter = 0;
  flags.push_back(std::move(quiet));
  return flags;
}

std::vector<std::string> rank_description() {
  std::string ours = "Measures of our own:";
  for (const MeasureInfo& info : our_measures())
    append(ours, " `", info.form, "` (", info.formula, ";", " ", info.range, ")",
           &info == &our_measures().back() ? "." : ";");
  std::string trec = "trec_eval's measures, written as there:";
  for (const MeasureInfo& info : trec_measures())
    append(trec, " `", info.form, "` (", info.formula, ")",
           &info == &trec_measures().back() ? "." : ";");
  return {
      "Compares a run with judgements and gives the mean of each measure over queries, with a "
      "bootstrap interval. Queries without hits count as empty lists; how many there are, and "
      "what they did to the mean, is always said, as is how many ties go over a cut-off.",
      "Both files may be packed with gzip, zstd or lz4; `-` is standard input.", std::move(ours),
      std::move(trec)};
}

std::vector<Example> rank_examples() {
  return {{"rag-eval qrels.txt run.trec", "The usual measures, with intervals."},
          {"rag-eval qrels.tsv hits.jsonl -m 'nDCG@10,R@100,RR,P(rel=2)@5'", "Chosen measures."},
          {"rag-eval --compat trec10 -q -c -m all_trec qrels.txt run.trec",
           "What trec_eval 10 prints, byte for byte."}};
}

Result<EvaluationOptions> evaluation_options(const Flags& flags) {
  EvaluationOptions options;
  RankingOptions& ranking = options.ranking;
  if (flags.text("compat") == "trec9") ranking.dialect = Dialect::kTrec9;
  if (flags.text("compat") == "trec10") ranking.dialect = Dialect::kTrec10;
  const bool is_ours = ranking.dialect == Dialect::kOurs;
  ranking.level = static_cast<double>(flags.integer("level"));
  if (flags.has("max-hits"))
    ranking.most_hits = static_cast<std::uint64_t>(flags.integer("max-hits"));
  ranking.judged_only = flags.on("judged-only");
  ranking.collection_size = static_cast<std::uint64_t>(flags.integer("collection-size"));
  const std::string& ties = flags.text("ties");
  if (ties == "rank") ranking.ties = Ties::kRank;
  if (ties == "input") ranking.ties = Ties::kInput;
  if (ties == "expected") ranking.ties = Ties::kExpected;
  const std::string& form = flags.text("qrels-format");
  if (form == "qrels_jg") options.format = QrelsFormat::kQrelsJg;
  if (form == "qrels_prefs") options.format = QrelsFormat::kQrelsPrefs;
  if (form == "prefs") options.format = QrelsFormat::kPrefs;
  options.complete =
      is_ours ? flags.text("average") == "judged" || flags.on("complete") : flags.on("complete");
  if (ranking.ties == Ties::kExpected && ranking.judged_only)
    return fail(ErrorKind::kUsage, "--ties expected and --judged-only cannot be used together");
  return options;
}

Result<std::vector<Measure>> chosen_measures(const Flags& flags, const EvaluationOptions& options) {
  const std::vector<std::string>& texts = flags.list("measure");
  if (options.ranking.dialect != Dialect::kOurs)
    return parse_trec_measures(texts, options.ranking.dialect);
  if (!texts.empty()) return parse_measures(texts);
  static const std::string kJudges[] = {"qrels_jg"}, kPreferences[] = {"prefs"};
  if (options.format == QrelsFormat::kQrelsJg) return parse_measures(kJudges);
  if (options.format != QrelsFormat::kQrels) return parse_measures(kPreferences);
  return parse_measures(default_measures());
}

Result<Grouping> read_grouping(const Flags& flags, const Qrels& qrels, BadRows& bad) {
  if (flags.has("queries")) return Grouping::read(flags.text("queries"), flags.text("by"), &bad);
  const std::string& path = flags.positionals()[0];
  if (!qrels.gold() || path == "-")
    return fail(ErrorKind::kUsage,
                cat("--by ", flags.text("by"), ": ", qrels.name(),
                    path == "-" ? " can be read once" : " says nothing of the queries",
                    ": give --queries"));
  return Grouping::read(path, flags.text("by"), &bad);
}

std::string measure_list() {
  std::string out = "measure\tformula\tsource\trange\tbetter\n";
  for (const auto& table : {our_measures(), trec_measures()})
    for (const MeasureInfo& info : table)
      append(out, info.form, '\t', info.formula, '\t', info.source, '\t', info.range, '\t',
             info.direction == Direction::kHigher  ? "higher"
             : info.direction == Direction::kLower ? "lower"
                                                   : "neither",
             '\n');
  return out;
}

}  // namespace ragline
