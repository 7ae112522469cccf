#include "dpp-select/examples.h"

#include <algorithm>
#include <set>

#include "core/hash.h"
#include "core/text.h"
#include "eval/gold.h"
#include "record/vector_field.h"
#include "select/adapter.h"
#include "select/relevance.h"

namespace ragline {

namespace {

Result<std::vector<float>> query_vector(const QueryGroup& group, std::size_t dimensions) {
  const auto where = cat("query '", group.query_id, "': ");
  auto field = read_vector(group.query->vector);
  if (!field) return fail(field.error().kind, where + field.error().message);
  if (field->values.size() != dimensions)
    return fail(ErrorKind::kData, cat(where, "its vector has ", field->values.size(),
                                      " dimensions, those of its hits have ", dimensions));
  return unit_rows(field->values, dimensions);
}

// What is read before the gold is known: cases may stand anywhere in the stream.
struct Read {
  TrainingExample example;
  std::vector<HitPlace> places;
};

Result<Read> read_one(GroupReader& reader, const QueryGroup& group, const ExampleOptions& options,
                      Words& words, ExampleSet& set) {
  Candidates candidates;
  RAGLINE_CHECK(take_candidates(reader, group, options.candidates, words, candidates));
  Read out;
  out.example.query_id = group.query_id;
  if (candidates.pool.size == 0) return out;
  if (set.dimensions == 0) {
    set.dimensions = candidates.pool.dimensions;
    set.model = candidates.model;
  }
  if (candidates.pool.dimensions != set.dimensions || candidates.model != set.model)
    return fail(ErrorKind::kData,
                cat(reader.name(), ": query '", group.query_id, "': its vectors have ",
                    candidates.pool.dimensions, " dimensions of model '", candidates.model,
                    "', those before have ", set.dimensions, " of '", set.model,
                    "': embed all with one model"));
  out.example.dimensions = set.dimensions;
  out.example.vectors = unit_rows(candidates.vectors, set.dimensions);
  out.example.relevance = z_scores(candidates.scores);
  if (group.query && !group.query->vector.empty()) {
    RAGLINE_TRY(out.example.query, query_vector(group, set.dimensions));
  }
  out.example.features = features_of(group, candidates, out.example.query);
  for (const std::uint32_t hit : candidates.hits)
    out.places.push_back(place_of(group.hits[hit].chunk));
  return out;
}

void take_gold(const Gold& gold, Read& read, ExampleSet& set) {
  TrainingExample& example = read.example;
  const auto found = std::ranges::find(gold.queries(), example.query_id, &GoldQuery::id);
  if (found == gold.queries().end()) {
    ++set.without_gold;
    return;
  }
  example.hops = static_cast<std::uint32_t>(found->pieces.size());
  std::set<std::uint32_t> held;
  for (const HitPlace& place : read.places) {
    example.pieces.push_back(gold.pieces_in(example.query_id, place));
    held.insert(example.pieces.back().begin(), example.pieces.back().end());
    example.names.push_back(
        hash64(place.span.evidence_id.empty() ? place.span.document_id : place.span.evidence_id));
  }
  set.pieces += example.hops;
  set.absent += example.hops - held.size();
  set.examples.push_back(std::move(example));
}

std::set<std::uint64_t> evidence_of(const std::vector<TrainingExample>& examples) {
  std::set<std::uint64_t> out;
  for (const TrainingExample& example : examples)
    for (std::size_t i = 0; i < example.size(); ++i)
      if (!example.pieces[i].empty()) out.insert(example.names[i]);
  return out;
}

}  // namespace

Result<ExampleSet> read_examples(ToolRun& run, const std::string& candidates,
                                 const ExampleOptions& options) {
  ExampleSet set;
  RAGLINE_TRY(auto reader, GroupReader::open(candidates, options.groups));
  Words words;
  std::vector<Read> all;
  std::string cases;
  QueryGroup group;
  while (true) {
    RAGLINE_TRY(const bool more, reader.next(group, &cases));
    if (!more) break;
    RAGLINE_TRY(Read read, read_one(reader, group, options, words, set));
    if (read.places.empty()) {
      ++set.without_pool;
    } else {
      all.push_back(std::move(read));
    }
  }
  report_bad_lines(run, reader);
  if (options.gold.empty() && !Gold::is_gold(cases))
    return fail(
        ErrorKind::kData,
        cat(candidates,
            ": no gold evidence: give --gold FILE with case records, or put them into the stream"));
  InputText text(candidates, std::move(cases));
  if (!options.gold.empty()) {
    RAGLINE_TRY(text, InputText::open(options.gold));
  }
  RAGLINE_TRY(const Gold gold, Gold::parse(text));
  for (Read& read : all) take_gold(gold, read, set);
  if (set.examples.empty())
    return fail(ErrorKind::kData, cat(candidates,
                                      ": no query has both candidates and gold evidence: the "
                                      "query_ids of hits and cases must agree"));
  return set;
}

ExampleSplit split_examples(std::vector<TrainingExample> examples, bool disjoint,
                            std::uint64_t seed) {
  Random random(seed);
  for (std::size_t i = examples.size(); i > 1; --i)
    std::swap(examples[i - 1], examples[random.below(i)]);
  ExampleSplit out;
  const std::size_t test = examples.size() / 4, validation = examples.size() * 3 / 20;
  for (std::size_t i = 0; i < examples.size(); ++i)
    (i < test                ? out.test
     : i < test + validation ? out.validation
                             : out.train)
        .push_back(std::move(examples[i]));
  if (!disjoint) return out;
  auto held = evidence_of(out.test);
  held.merge(evidence_of(out.validation));
  out.dropped = std::erase_if(out.train, [&](const TrainingExample& example) {
    return std::ranges::any_of(evidence_of({example}),
                               [&](std::uint64_t name) { return held.contains(name); });
  });
  return out;
}

std::vector<TrainingExample> with_seen_evidence(const std::vector<TrainingExample>& test,
                                                const std::vector<TrainingExample>& train,
                                                bool seen) {
  const auto known = evidence_of(train);
  std::vector<TrainingExample> out;
  for (TrainingExample example : test) {
    std::set<std::uint32_t> kept;
    for (std::size_t i = 0; i < example.size(); ++i) {
      if (example.pieces[i].empty()) continue;
      if (known.contains(example.names[i]) != seen) example.pieces[i].clear();
      kept.insert(example.pieces[i].begin(), example.pieces[i].end());
    }
    example.hops = static_cast<std::uint32_t>(kept.size());
    if (example.hops > 0) out.push_back(std::move(example));
  }
  return out;
}

}  // namespace ragline
