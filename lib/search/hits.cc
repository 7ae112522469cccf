#include "search/hits.h"

#include "record/writer.h"

namespace ragline {

namespace {

void add_arms(Hit& record, const HybridDetail& detail) {
  const bool fused = detail.arms == Arms::kBoth;
  record.method = fused ? "hybrid" : "dense";
  if (detail.sparse.rank > 0) record.scores.push_back({"bm25", detail.sparse.score, detail.sparse.rank});
  if (detail.dense.rank > 0) record.scores.push_back({"dense", detail.dense.score, detail.dense.rank});
  if (fused) record.scores.push_back({"fused", detail.fused});
  if (!detail.has_signals) return;
  const Signals& signals = detail.signals;
  record.scores.insert(record.scores.end(), {{"window", signals.window}, {"title", signals.title}, {"pairs", signals.pairs}, {"exact", signals.exact}});
}

}  // namespace

Result<Hit> make_hit(const Snapshot& snapshot, const ChunkHit& hit, std::uint64_t rank, std::string_view query_id,
                     const HybridDetail* detail) {
  Hit record;
  record.query_id = query_id;
  record.rank = rank;
  record.score = hit.score;
  record.method = "bm25";
  if (detail) {
    add_arms(record, *detail);
  } else {
    record.scores = {{"bm25", hit.score, rank}};
  }
  RAGLINE_TRY(record.chunk, snapshot.segments[hit.segment]->chunk(hit.chunk));
  return record;
}

RawJson explain_json(const std::vector<Contribution>& contributions) {
  RawJson out = "[";
  for (const Contribution& part : contributions) {
    if (out.size() > 1) out += ',';
    JsonObject(out)
        .add("term", part.leaf.label)
        .add("field", field_name(part.leaf.field))
        .add("language", language_code(part.leaf.language))
        .add("tf", std::uint64_t{part.tf})
        .add("length", std::uint64_t{part.length})
        .add("average_length", part.average_length)
        .add("doc_freq", part.leaf.doc_freq)
        .add("idf", part.leaf.idf)
        .add("boost", part.leaf.boost)
        .add("score", part.score)
        .close();
  }
  out += ']';
  return out;
}

const char* field_name(Field field) {
  switch (field) {
    case Field::kContent: return "content";
    case Field::kTitle: return "title";
    case Field::kSection: return "section";
    case Field::kPath: return "path";
    case Field::kFilter: return "filter";
  }
  return "";
}

}  // namespace ragline
