#include "select/train.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "cli/flag_kinds.h"
#include "cli/shared_flags.h"
#include "core/files.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "dpp-select/choice.h"
#include "dpp-select/commands.h"
#include "dpp-select/examples.h"
#include "dpp-select/training_report.h"
#include "select/method.h"

namespace ragline {

namespace {

struct NamedKind {
  const char* name;
  NegativeKind kind;
};
constexpr NamedKind kNegativeKinds[] = {{"mixed", NegativeKind::kMixed},
                                        {"uniform", NegativeKind::kUniform},
                                        {"swap", NegativeKind::kSwap},
                                        {"similarity", NegativeKind::kSimilarity},
                                        {"near", NegativeKind::kNear}};

TrainOptions train_options(const Flags& flags, std::size_t dimensions, bool conditioned) {
  TrainOptions options;
  const auto count = [&](const char* name) {
    return static_cast<std::size_t>(flags.integer(name));
  };
  options.shape = {
      .dimensions = dimensions,
      .width =
          flags.has("width") ? count("width") : std::clamp<std::size_t>(dimensions / 4, 8, 256),
      .activation = flags.text("activation") == "gelu" ? Activation::kGelu : Activation::kRelu,
      .normalise = flags.on("normalise"),
      .conditioned = conditioned};
  options.loss = {.jitter = flags.number("jitter"),
                  .tau = flags.number("tau"),
                  .margin = flags.number("margin")};
  options.likelihood = flags.text("loss") == "nll";
  options.theta = flags.number("theta");
  options.learn_quality = !flags.on("fixed-quality");
  options.learn_map = !flags.on("quality-only");
  for (const NamedKind& one : kNegativeKinds)
    if (flags.text("negative-kind") == one.name) options.negative_kind = one.kind;
  options.negatives = count("negatives");
  // The note's rates: small data 5e-3, wide vectors 1e-3.
  options.rate = flags.has("rate") ? flags.number("rate") : dimensions >= 768 ? 1e-3 : 5e-3;
  options.batch = count("batch");
  options.epochs = count("epochs");
  options.patience = count("patience");
  options.seed = static_cast<std::uint64_t>(flags.integer("seed"));
  options.threads = flags.has("threads")
                        ? static_cast<int>(flags.integer("threads"))
                        : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return options;
}

bool have_queries(const ExampleSplit& split) {
  const auto has = [](const TrainingExample& example) { return !example.query.empty(); };
  return std::ranges::all_of(split.train, has) && std::ranges::all_of(split.validation, has) &&
         std::ranges::all_of(split.test, has);
}

Status restore(ToolRun& run, Trainer& trainer, const std::string& path) {
  if (path.empty() || !stat_file(path).exists) return {};
  RAGLINE_TRY(const auto file, read_file(path));
  if (const Status loaded = trainer.load(file->bytes()); !loaded)
    return fail(loaded.error().kind, cat(path, ": ", loaded.error().message));
  run.note(cat("going on from ", path));
  return {};
}

std::string decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

Status train_epochs(ToolRun& run, Trainer& trainer, TrainingReport& report) {
  const std::string& checkpoint = run.flags.text("checkpoint");
  while (!trainer.done()) {
    const auto start = std::chrono::steady_clock::now();
    const auto epoch = trainer.run_epoch(interrupted);
    if (!epoch)
      return fail(ErrorKind::kInterrupted,
                  checkpoint.empty()
                      ? "interrupted: with --checkpoint FILE the next run would go on from here"
                      : cat("interrupted: run it again to go on from ", checkpoint));
    if (!checkpoint.empty()) RAGLINE_CHECK(write_file_atomically(checkpoint, trainer.save()));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report.add(*epoch, elapsed.count());
    run.note(cat("epoch ", epoch->epoch, ": loss ", decimals(epoch->loss), ", margin ",
                 decimals(epoch->margin), ", validation nDCG@10 ",
                 decimals(epoch->validation.ndcg10), epoch->improved ? " (best)" : "", ", ",
                 decimals(elapsed.count()), " s"));
  }
  return {};
}

Status run_train(ToolRun& run) {
  const Flags& flags = run.flags;
  ExampleOptions reading;
  reading.gold = flags.text("gold");
  reading.candidates = {.quality = flags.text("quality"),
                        .from_text = flags.text("vectors") == "text"};
  reading.groups = {.no_end = flags.on("no-end"), .skip_bad = flags.on("skip-bad")};
  run.outcome.set_allow_partial(flags.on("allow-partial"));
  RAGLINE_TRY(ExampleSet set, read_examples(run, flags.text("candidates"), reading));
  ExampleSplit split = split_examples(std::move(set.examples), flags.text("split") == "disjoint",
                                      static_cast<std::uint64_t>(flags.integer("seed")));
  if (flags.has("test")) {
    // All that was read is to be learnt from, less what early stopping watches.
    split.train.insert(split.train.end(), std::make_move_iterator(split.test.begin()),
                       std::make_move_iterator(split.test.end()));
    RAGLINE_TRY(ExampleSet test, read_examples(run, flags.text("test"), reading));
    if (test.dimensions != set.dimensions || test.model != set.model)
      return fail(
          ErrorKind::kData,
          cat(flags.text("test"),
              ": its vectors are not of the model of the candidates: embed both with one model"));
    split.test = std::move(test.examples);
  }
  const bool conditioned = !flags.on("blind") && have_queries(split);
  const TrainOptions options = train_options(flags, set.dimensions, conditioned);
  Trainer trainer(split.train, split.validation, options);
  if (trainer.taught() == 0)
    return fail(ErrorKind::kData, cat(flags.text("candidates"), ": none of ", split.train.size(),
                                      " training queries has two gold candidates or more, beside "
                                      "others: give pools that hold the evidence"));
  if (!conditioned && !flags.on("blind"))
    run.note("some queries have no vectors: the adapter will not see the query");
  run.note(cat(split.train.size(), " queries to train on (", trainer.taught(), " usable, ",
               split.dropped, " dropped for shared evidence), ", split.validation.size(),
               " to watch, ", split.test.size(), " to test; ", set.without_gold, " without gold, ",
               set.without_pool, " without candidates, ", set.absent, " of ", set.pieces,
               " pieces of evidence in no candidate"));
  TrainingReport report(split, set, options, trainer.taught());
  RAGLINE_CHECK(restore(run, trainer, flags.text("checkpoint")));
  RAGLINE_CHECK(train_epochs(run, trainer, report));

  const Adapter adapter{options.shape, options.loss.jitter, set.model, trainer.best()};
  RAGLINE_CHECK(write_file_atomically(flags.text("out"), pack_adapter(adapter)));
  report.measure_test(adapter);
  if (flags.has("report"))
    RAGLINE_CHECK(write_file_atomically(flags.text("report"), report.json(trainer.best_epoch())));
  run.outcome.set_found();
  return run.out.write(report.records());
}

Flag file_flag(const char* name, const char* help, bool required, std::string details = "") {
  Flag flag = text_flag(name, "FILE", "Files", help, std::move(details));
  flag.required = required;
  flag.completion = Completion::kFile;
  return flag;
}

Flag number(const char* name, const char* value, const char* fallback, double least, double most,
            const char* help, std::string details = "") {
  Flag flag = text_flag(name, value, "Training", help, std::move(details));
  flag.type = value[0] == 'N' ? FlagType::kInteger : FlagType::kNumber;
  flag.least = least;
  flag.most = most;
  flag.fallback = fallback;
  return flag;
}

Flag choice(const char* name, const char* value, std::vector<std::string> choices, const char* help,
            std::string details = "") {
  Flag flag = text_flag(name, value, "Training", help, std::move(details));
  flag.type = FlagType::kChoice;
  flag.fallback = choices.front();
  flag.choices = std::move(choices);
  return flag;
}

std::vector<Flag> train_flags() {
  std::vector<std::string> kinds;
  for (const NamedKind& one : kNegativeKinds) kinds.emplace_back(one.name);
  std::vector<Flag> flags{
      file_flag("candidates", "queries with their hits, and cases where no --gold", true,
                "As rag-search or rag-embed writes them; - is standard input."),
      file_flag("gold", "case records with gold evidence", false),
      file_flag("test", "other candidates to test on; no split for a test", false),
      file_flag("out", "where the adapter goes", true),
      file_flag("report", "where a JSON report goes", false),
      file_flag("checkpoint", "state after each epoch; gone on from if there", false),
      choice("split", "KIND", {"random", "disjoint"},
             "how test and training queries are kept apart",
             "60 % train, 15 % are watched to stop early, 25 % test. `disjoint` drops training "
             "queries that share gold evidence with the others: "
             "what is measured is then not memory."),
      choice("loss", "NAME", {"dml", "nll"}, "Diverse Margin Loss, or the likelihood"),
      number("theta", "X", "1", 0, 1e3, "sharpness of relevance to begin with; 0 is Q = I"),
      switch_flag("fixed-quality", "Training", "relevance is the first-stage score, times --theta",
                  "Otherwise the weights are learnt with the adapter: of the score, of the cosine "
                  "with the query's vector, of what a candidate has in "
                  "common with the first three, and of being named, by its title, in their text or "
                  "in the question."),
      switch_flag("quality-only", "Training",
                  "learn these weights alone; vectors stay as they are"),
      switch_flag("blind", "Training", "the adapter does not see the query's vector",
                  "As the paper has it, and what is done in any case where some query has no "
                  "vector. What a blind adapter "
                  "learns is mostly which passages are evidence; it does not carry over to "
                  "passages that it has not seen."),
      choice("negative-kind", "KIND", kinds, "what bad sets are made of"),
      number("negatives", "N", "32", 1, 4096, "bad sets for each query and epoch"),
      number("margin", "X", "1", 0, 1e3, "how much better the good set has to be"),
      number("tau", "X", "1", 1e-3, 1e3, "temperature of the largest bad set"),
      number("jitter", "X", "0.001", 0, 1, "added to the kernel's diagonal"),
      number("width", "N", "", 1, 65536, "of the bottleneck; a quarter of the dimensions"),
      choice("activation", "NAME", {"relu", "gelu"}, "of the bottleneck"),
      switch_flag("normalise", "Training", "outputs at unit length"),
      number("rate", "X", "", 1e-7, 1, "Adam's step; 0.005, from 768 dimensions on 0.001"),
      number("batch", "N", "32", 1, 1e6, "queries a step"),
      number("epochs", "N", "20", 1, 1e6, "at most"),
      number("patience", "N", "6", 1, 1e6, "epochs without a better validation before it stops")};
  for (Flag& flag : kernel_flags())
    if (flag.name == "quality" || flag.name == "vectors") flags.push_back(std::move(flag));
  flags.push_back(seed_flag());
  flags.push_back(threads_flag());
  return flags;
}

}  // namespace

SelectCommand train_command() {
  return {
      .spec =
          {.name = "train",
           .summary = "learn which candidates complement each other",
           .description = {"Trains a P-Adapter (ScalDPP): a small network over the vectors, "
                           "applied at selection only, so that sets which hold "
                           "the whole evidence have a larger volume than others of their size. "
                           "Training is on the CPU, and the same input "
                           "and seed give the same adapter bit by bit.",
                           "Writes `measure` records of the test queries: the input order (`top`), "
                           "DPP by spread alone (`base`), DPP without "
                           "the adapter (`dpp`) and with it (`adapter`), all, by hops, and for "
                           "evidence that training has seen or not; "
                           "differences have 95 % intervals from a paired bootstrap. The share of "
                           "evidence that is seen tells how much of a "
                           "gain may be memory."},
           .flags = train_flags(),
           .examples =
               {{"dpp-select train --candidates train.jsonl --gold cases.jsonl --out adapter.padp "
                 "--report report.json",
                 "An adapter, and how good it is."},
                {"rag-search -i docs.idx -k 100 'refund' | dpp-select -k 4 --adapter adapter.padp",
                 "Its use."}}},
      .body = run_train};
}

}  // namespace ragline
