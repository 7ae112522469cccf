#include "search/hits.h"

#include "record/writer.h"

namespace ragline {

Result<Hit> make_hit(const Snapshot& snapshot, const ChunkHit& hit, std::uint64_t rank, std::string_view query_id) {
  Hit record;
  record.query_id = query_id;
  record.rank = rank;
  record.score = hit.score;
  record.method = "bm25";
  record.scores = {{"bm25", hit.score, rank}};
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
