#include "dpp-select/choice.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include "cli/flag_kinds.h"
#include "cli/shared_flags.h"
#include "core/text.h"
#include "corpus/tokens.h"
#include "record/vector_field.h"
#include "record/writer.h"
#include "select/similarity.h"

namespace ragline {

namespace {

Flag number_flag(std::string name, std::string value, double least, std::optional<double> most,
                 std::string help, std::string details) {
  Flag flag =
      text_flag(std::move(name), std::move(value), "Choice", std::move(help), std::move(details));
  flag.type = FlagType::kNumber;
  flag.least = least;
  flag.most = most;
  return flag;
}

Flag count_flag(std::string name, std::string help, std::string details) {
  Flag flag = text_flag(std::move(name), "N", "Limits", std::move(help), std::move(details));
  flag.type = FlagType::kInteger;
  flag.least = 1;
  flag.most = UINT32_MAX;
  return flag;
}

// The value of a field that hits are capped by: a document, a path, or a member of `metadata`.
std::string field_of(const Hit& hit, const std::string& field) {
  if (field == "document")
    return hit.chunk.document_id.empty() ? hit.chunk.path : hit.chunk.document_id;
  std::string value;
  if (hit.chunk.metadata.empty()) return value;
  // The record was checked when it was read, so its metadata is sound.
  (void)for_each_scalar(hit.chunk.metadata, [&](std::string_view key, const JsonScalar& scalar) {
    if (key == field && value.empty()) value = scalar.text;
  });
  return value;
}

Cap cap_of(const QueryGroup& group, const Candidates& candidates, const std::string& field,
           std::uint32_t most) {
  Cap cap;
  cap.most = most;
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::uint32_t next = 0;
  for (const std::uint32_t i : candidates.hits) {
    const std::string value = field_of(group.hits[i], field);
    // A hit without the field is in no group but its own.
    cap.group.push_back(value.empty()                             ? next++
                        : numbers.try_emplace(value, next).second ? next++
                                                                  : numbers[value]);
  }
  return cap;
}

Limits limits_of(const QueryGroup& group, Candidates& candidates, const ChoiceOptions& options) {
  Limits limits;
  limits.count = options.count;
  limits.budget = options.max_tokens;
  if (limits.budget != UINT64_MAX)
    for (const std::uint32_t i : candidates.hits)
      limits.costs.push_back(estimate_tokens(group.hits[i].chunk.text));
  for (const std::string& id : options.required) {
    const auto found = std::ranges::find_if(
        candidates.hits, [&](std::uint32_t i) { return group.hits[i].chunk.evidence_id == id; });
    if (found == candidates.hits.end()) {
      candidates.warnings.push_back(cat("required but not among the candidates: ", id));
    } else if (const auto place = static_cast<std::uint32_t>(found - candidates.hits.begin());
               std::ranges::find(limits.required, place) == limits.required.end()) {
      limits.required.push_back(place);
    }
  }
  for (const auto& [field, most] : options.caps)
    limits.caps.push_back(cap_of(group, candidates, field, most));
  return limits;
}

Status add_cap(ChoiceOptions& options, const std::string& text) {
  const auto equals = text.rfind('=');
  const auto most = equals == text.npos ? std::nullopt : parse_integer(text.substr(equals + 1));
  if (!most || *most < 1 || *most > UINT32_MAX || equals == 0)
    return fail(ErrorKind::kUsage,
                cat("--per-field ", text,
                    ": give a member of the hits' metadata, '=' and a count, as in source=2"));
  options.caps.emplace_back(text.substr(0, equals), static_cast<std::uint32_t>(*most));
  return {};
}

}  // namespace

std::vector<Flag> kernel_flags() {
  Flag theta = number_flag("theta", "X", 0, 1e6, "sharpness of relevance, as ScalDPP has it",
                           "The same as --diversity 1/(1+X).");
  theta.conflicts = {"diversity"};
  Flag quality = text_flag(
      "quality", "NAME", "Choice", "relevance: score, or an arm of the hits' scores",
      "`score` with its order is what the tool before this one gave; `bm25` or `rerank` is the "
      "score of that arm.");
  quality.fallback = "score";
  Flag vectors = text_flag(
      "vectors", "SOURCE", "Choice", "what hits are compared by",
      "`auto` is the vectors of the records, and their words where no hit of the query has "
      "one; `text` is the words in any case.");
  vectors.type = FlagType::kChoice;
  vectors.choices = {"auto", "text"};
  vectors.fallback = "auto";
  Flag adapter = text_flag(
      "adapter", "FILE", "Choice", "dpp: compare by a P-Adapter that train wrote",
      "It brings its sharpness and jitter, which --diversity, --theta and --jitter override. "
      "Vectors of another model than it was trained on are refused.");
  adapter.completion = Completion::kFile;
  return {
      number_flag("diversity", "X", 0, 1, "from relevance alone (0) to spread alone (1)",
                  "One direction for all methods; 0 is the input order exactly. Without it each "
                  "method has its "
                  "own: dpp 0.33, mmr and msd 0.3, top 0.05 (near-duplicates), the others 0.5."),
      std::move(theta),
      std::move(adapter),
      std::move(quality),
      std::move(vectors),
      number_flag("jitter", "X", 0, 1, "dpp, ssd: added to the kernel's diagonal (0.001)",
                  "How bad a repetition can be: a duplicate keeps this share of its volume.")};
}

std::vector<Flag> choice_flags() {
  Flag method = text_flag("method", "NAME", "Choice", "how to choose");
  method.type = FlagType::kChoice;
  method.fallback = "dpp";
  for (const Method& one : methods()) {
    method.choices.emplace_back(one.name);
    append(method.details, method.details.empty() ? "" : "; ", "`", one.name, "` ", one.summary);
  }
  method.details += ".";
  Flag window =
      count_flag("window", "dpp, ssd: only the last N picks repel", "All of them without it.");
  window.category = "Choice";
  std::vector<Flag> flags{std::move(method)};
  for (Flag& flag : kernel_flags()) flags.push_back(std::move(flag));
  flags.insert(
      flags.end(),
      {std::move(window), top_flag(),
       count_flag(
           "max-tokens", "what is chosen has at most N tokens together",
           "An estimate: about four letters a token. A hit that no longer fits is passed over."),
       repeated(
           text_flag("require", "ID", "Limits", "take the hit with this evidence id in any case",
                     "It comes first and counts; an id that a query's hits lack is a warning.")),
       count_flag("per-document", "at most N hits of a document", ""),
       repeated(text_flag("per-field", "FIELD=N", "Limits",
                          "at most N hits with the same value of a metadata field",
                          "Hits without the field are not limited."))});
  return flags;
}

Result<ChoiceOptions> choice_options(const Flags& flags) {
  ChoiceOptions options;
  // sample has no choice of methods.
  options.select.method = find_method(flags.has("method") ? flags.text("method") : "dpp");
  if (flags.has("adapter")) {
    if (options.select.method->name != "dpp")
      return fail(ErrorKind::kUsage,
                  cat("--adapter: it is trained for dpp, not for ", options.select.method->name));
    RAGLINE_TRY(options.adapter, read_adapter(flags.text("adapter")));
    options.select.jitter = options.adapter->jitter;
  }
  options.select.diversity = flags.has("diversity") ? flags.number("diversity")
                             : flags.has("theta")   ? diversity_of_theta(flags.number("theta"))
                             : options.adapter      ? diversity_of_theta(1)
                                                    : options.select.method->diversity;
  if (flags.has("jitter")) options.select.jitter = flags.number("jitter");
  if (flags.has("window")) {
    if (!options.select.method->windowed)
      return fail(ErrorKind::kUsage,
                  cat("--window: ", options.select.method->name, " has none: use dpp or ssd"));
    options.select.window = static_cast<std::size_t>(flags.integer("window"));
  }
  options.candidates.quality = flags.text("quality");
  options.candidates.from_text = flags.text("vectors") == "text";
  options.candidates.aspects = options.select.method->aspects;
  options.count = static_cast<std::size_t>(flags.integer("top"));
  if (flags.has("max-tokens"))
    options.max_tokens = static_cast<std::uint64_t>(flags.integer("max-tokens"));
  options.required = flags.list("require");
  if (flags.has("per-document"))
    options.caps.emplace_back("document",
                              static_cast<std::uint32_t>(flags.integer("per-document")));
  for (const std::string& cap : flags.list("per-field")) RAGLINE_CHECK(add_cap(options, cap));
  return options;
}

Status prepare(GroupReader& reader, const QueryGroup& group, const ChoiceOptions& options,
               Words& words, Candidates& out) {
  RAGLINE_CHECK(take_candidates(reader, group, options.candidates, words, out));
  if (!options.adapter || out.pool.size == 0) return {};
  VectorField query;
  if (group.query && !group.query->vector.empty()) {
    RAGLINE_TRY(query, read_vector(group.query->vector));
  }
  if (query.values.size() != out.pool.dimensions) query.values.clear();
  if (const Status fits =
          check_adapter(*options.adapter, out.pool.dimensions, out.model, !query.values.empty());
      !fits)
    return fail(fits.error().kind, cat("query '", group.query_id, "': ", fits.error().message));
  Adapted adapted =
      adapt(*options.adapter, out.vectors,
            features_of(group, out, unit_rows(query.values, out.pool.dimensions)), query.values);
  out.original = std::exchange(out.vectors, std::move(adapted.vectors));
  out.pool.vectors = out.vectors;
  out.pool.relevance = std::move(adapted.relevance);
  out.pool.keep_lengths = true;
  out.prepared = true;
  return {};
}

Status choose(GroupReader& reader, const QueryGroup& group, const ChoiceOptions& options,
              Words& words, Choice& out) {
  out = {};
  RAGLINE_CHECK(prepare(reader, group, options, words, out.candidates));
  out.limits = limits_of(group, out.candidates, options);
  const auto start = std::chrono::steady_clock::now();
  auto picks = out.candidates.prepared
                   ? select_prepared(out.candidates.pool, options.select, out.limits)
                   : select(out.candidates.pool, out.candidates.scores, options.select, out.limits);
  if (!picks) return std::unexpected(picks.error());
  out.picks = std::move(*picks);
  out.elapsed_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return {};
}

SetFigures figures_of(const Choice& choice) {
  SetFigures out;
  const Pool& pool = choice.candidates.pool;
  if (choice.picks.empty()) return out;
  Cosines cosines(pool);
  std::vector<double> nearest(pool.size, -1);
  double sum = 0, pairs = 0;
  out.largest = -1;
  for (std::size_t p = 0; p < choice.picks.size(); ++p) {
    const auto row = cosines.with(choice.picks[p].candidate);
    for (std::size_t i = 0; i < pool.size; ++i) nearest[i] = std::max(nearest[i], row[i]);
    for (std::size_t other = 0; other < p; ++other) {
      const double cosine = row[choice.picks[other].candidate];
      sum += cosine;
      ++pairs;
      out.largest = std::max(out.largest, cosine);
    }
  }
  if (pairs == 0) out.largest = 0;
  out.redundancy = pairs > 0 ? sum / pairs : 0;
  for (const double cosine : nearest) out.coverage += cosine / static_cast<double>(pool.size);
  return out;
}

std::string write_group(QueryGroup& group, const Choice& choice, const ChoiceOptions& options,
                        const std::vector<OutputHit>& hits, bool stats) {
  std::string out;
  if (group.query) write_record(out, *group.query);
  const std::string name(options.select.method->name);
  std::uint64_t rank = 0;
  for (const OutputHit& one : hits) {
    Hit& hit = group.hits[one.hit];
    // What the tool before gave stays to be seen, as rag-eval and --quality ask for it.
    const std::string before = hit.method.empty() ? "input" : hit.method;
    if (std::ranges::find(hit.scores, before, &ArmScore::arm) == hit.scores.end())
      hit.scores.push_back({before, hit.score, hit.rank});
    hit.rank = ++rank;
    std::erase_if(hit.scores, [&](const ArmScore& score) { return score.arm == name; });
    hit.scores.push_back({name, one.gain, rank});
    if (!one.explain.empty()) hit.explain = one.explain;
    write_record(out, hit);
  }
  End end = group.end ? std::move(*group.end) : End{};
  end.query_id = group.query_id;
  end.counts = {{"hits", hits.size()}, {"candidates", choice.candidates.pool.size}};
  if (choice.candidates.duplicates > 0)
    end.skipped.emplace_back("duplicate", choice.candidates.duplicates);
  end.stop_reason = choice.picks.size() == choice.candidates.pool.size ? "exhausted"
                    : choice.picks.size() >= options.count             ? "top"
                                                                       : "limits";
  end.warnings.insert(end.warnings.end(), choice.candidates.warnings.begin(),
                      choice.candidates.warnings.end());
  if (stats) {
    const SetFigures figures = figures_of(choice);
    end.stats = {{"select_ms", choice.elapsed_ms},
                 {"redundancy", figures.redundancy},
                 {"largest_cosine", figures.largest},
                 {"coverage", figures.coverage}};
  }
  write_record(out, end);
  return out;
}

}  // namespace ragline
