#include "dpp-select/candidates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>

#include "core/text.h"
#include "record/vector_field.h"
#include "select/adapter.h"
#include "select/quality.h"
#include "select/relevance.h"

namespace ragline {

namespace {

Result<double> quality_of(const Hit& hit, const std::string& quality) {
  if (quality == "score") return hit.score;
  const auto arm = std::ranges::find(hit.scores, quality, &ArmScore::arm);
  if (arm == hit.scores.end())
    return fail(ErrorKind::kData,
                cat("the hit has no '", quality,
                    "' among its scores: give --quality score, or an arm that all hits have"));
  return arm->score;
}

// Checks a hit's vector against those before it and appends it.
Status take_vector(const Hit& hit, Candidates& out) {
  if (hit.chunk.vector.empty())
    return fail(ErrorKind::kData,
                "the hit has no vector, others have: run rag-search with --vectors, or give "
                "--vectors text to compare words instead");
  RAGLINE_TRY(VectorField field, read_vector(hit.chunk.vector));
  const bool first = out.vectors.empty();
  if (first) {
    out.pool.dimensions = field.values.size();
    out.model = field.model;
  }
  if (field.values.size() != out.pool.dimensions)
    return fail(ErrorKind::kData,
                cat("the vector has ", field.values.size(), " dimensions, those before it have ",
                    out.pool.dimensions, ": embed all hits with one model"));
  if (field.model != out.model)
    return fail(ErrorKind::kData,
                cat("the vector is of model '", field.model, "', those before it of '", out.model,
                    "': embed all hits with one model"));
  out.vectors.insert(out.vectors.end(), field.values.begin(), field.values.end());
  return {};
}

// Puts the candidates in the order of their scores.
void sort_candidates(Candidates& out) {
  std::vector<std::uint32_t> order(out.hits.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return out.scores[i]; });
  Candidates sorted;
  const std::size_t width = out.pool.dimensions;
  for (const std::uint32_t i : order) {
    sorted.hits.push_back(out.hits[i]);
    sorted.scores.push_back(out.scores[i]);
    const auto row = out.vectors.begin() + static_cast<std::ptrdiff_t>(i * width);
    sorted.vectors.insert(sorted.vectors.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
  out.hits = std::move(sorted.hits);
  out.scores = std::move(sorted.scores);
  out.vectors = std::move(sorted.vectors);
}

}  // namespace

Status take_candidates(GroupReader& reader, const QueryGroup& group,
                       const CandidateOptions& options, Words& words, Candidates& out) {
  out = {};
  const bool by_text = options.from_text || std::ranges::all_of(group.hits, [](const Hit& hit) {
                         return hit.chunk.vector.empty();
                       });
  std::unordered_set<std::string_view> seen;
  bool finite = true;
  for (std::uint32_t i = 0; i < group.hits.size(); ++i) {
    const Hit& hit = group.hits[i];
    if (!hit.chunk.evidence_id.empty() && !seen.insert(hit.chunk.evidence_id).second) {
      ++out.duplicates;
      continue;
    }
    const auto quality = quality_of(hit, options.quality);
    Status status;
    if (!quality) {
      status = std::unexpected(quality.error());
    } else if (!by_text) {
      status = take_vector(hit, out);
    }
    if (!status) {
      RAGLINE_CHECK(reader.bad(group.lines[i], status.error()));
      continue;
    }
    out.hits.push_back(i);
    out.scores.push_back(*quality);
    finite = finite && std::isfinite(*quality);
  }
  if (!finite ||
      (options.quality == "score" && !std::ranges::is_sorted(out.scores, std::greater<>()))) {
    out.warnings.push_back(
        "the scores do not descend with the ranks: the ranks were taken for relevance");
    for (std::size_t i = 0; i < out.scores.size(); ++i) out.scores[i] = -static_cast<double>(i);
  } else if (options.quality != "score") {
    sort_candidates(out);
  }

  std::vector<std::string_view> texts;
  if (by_text || options.aspects)
    for (const std::uint32_t i : out.hits) texts.push_back(group.hits[i].chunk.text);
  if (by_text) {
    out.vectors = words.vectors(texts);
    out.pool.dimensions = Words::kHashed;
    out.model = kWordsModel;
    if (!options.from_text && !out.hits.empty())
      out.warnings.push_back("the hits have no vectors: their words were compared instead");
  }
  if (options.aspects) {
    std::vector<std::string> aspects;
    if (group.query) {
      aspects = group.query->rewrites;
      aspects.insert(aspects.end(), group.query->entities.begin(), group.query->entities.end());
    }
    if (aspects.empty())
      out.warnings.push_back(
          "the query has neither rewrites nor entities: xquad has nothing to cover");
    out.pool.aspects = aspects.size();
    out.pool.answers = words.answers(texts, aspects);
  }
  out.pool.size = out.hits.size();
  out.pool.vectors = out.vectors;
  return {};
}

std::vector<double> features_of(const QueryGroup& group, const Candidates& candidates,
                                std::span<const float> query) {
  std::vector<CandidateText> texts;
  for (const std::uint32_t hit : candidates.hits)
    texts.push_back({group.hits[hit].chunk.title, group.hits[hit].chunk.text});
  const std::size_t dimensions = candidates.pool.dimensions;
  return quality_features(unit_rows(candidates.vectors, dimensions), dimensions,
                          z_scores(candidates.scores), query, texts,
                          group.query ? std::string_view(group.query->query) : std::string_view());
}

}  // namespace ragline
