// Runs of records: query, hit and end, as rag-search and what follows it write them.
#include <algorithm>
#include <functional>
#include <unordered_set>

#include "core/text.h"
#include "eval/gold.h"
#include "eval/run_builder.h"
#include "record/reader.h"

namespace ragline {

bool is_record_run(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != text.npos && text[begin] == '{';
}

class HitRunReader {
 public:
  HitRunReader(RunBuilder& builder, const InputText& text, const RunOptions& options)
      : builder_(builder), text_(text), options_(options) {}

  Status read() {
    LineReader lines(text_.name(), text_.bytes());
    RecordParser parser(RowKind::kQuery);
    Line line;
    while (true) {
      RAGLINE_TRY(const bool more, lines.next(line));
      if (!more) break;
      auto record = parser.parse(line.bytes);
      if (!record) {
        RAGLINE_CHECK(bad(json_fault(line.bytes), record.error(), line));
        continue;
      }
      if (const auto* query = std::get_if<Query>(&*record)) {
        RAGLINE_CHECK(close_query(false));
        open_query(query->query_id);
      } else if (const auto* hit = std::get_if<Hit>(&*record)) {
        if (!open_ || id_ != id_of(hit->query_id)) {
          RAGLINE_CHECK(close_query(false));
          open_query(hit->query_id);
        }
        if (auto taken = take(*hit, line); !taken)
          RAGLINE_CHECK(bad(RowFault::kMember, taken.error(), line));
      } else if (std::holds_alternative<End>(*record)) {
        RAGLINE_CHECK(close_query(true));
      }
    }
    return close_query(false);
  }

 private:
  Status bad(RowFault fault, const Error& error, const Line& line) {
    return BadRows::note(options_.bad, fault, at_line(error, text_.name(), line.number));
  }

  static std::string id_of(std::string_view id) { return id.empty() ? "1" : std::string(id); }

  void open_query(std::string_view id) {
    id_ = id_of(id);
    open_ = true;
    hits_.clear();
    seen_.clear();
  }

  // The best hit of a document stands for it; others are passed over where documents are judged.
  Status take(const Hit& hit, const Line& line) {
    const Chunk& chunk = hit.chunk;
    const bool by_evidence = options_.gold || options_.by_evidence_id;
    std::string name = by_evidence ? chunk.evidence_id : chunk.document_id;
    if (name.empty()) name = by_evidence ? chunk.document_id : chunk.path;
    if (name.empty())
      return fail(ErrorKind::kData, by_evidence
                                        ? "a hit without evidence_id or document_id: give one"
                                        : "a hit without document_id or path: give one");
    if (options_.gold && chunk.evidence_id.empty()) append(name, " line ", line.number);
    const std::string_view kept = builder_.keep(std::move(name));
    if (!seen_.insert(kept).second && !options_.by_evidence_id) return {};
    RunHit out{kept, hit.score, builder_.keep(cat(hit.rank)), {}};
    if (options_.gold) out.evidence = builder_.keep(options_.gold->pieces_in(id_, place_of(chunk)));
    hits_.push_back(out);
    return {};
  }

  // The rank of a hit says its place. Where scores say otherwise (a diverse selection keeps those
  // of the search), they are replaced by it.
  Status close_query(bool by_end) {
    if (!open_) return {};
    if (!by_end && !hits_.empty() && !options_.no_end)
      return BadRows::stop(
          options_.bad, RowFault::kCut,
          {ErrorKind::kData,
           cat(text_.name(), ": the hits of query '", id_,
               "' have no end record, so the stream was cut: run what made it again, or "
               "give --no-end for a file made by hand")});
    const std::string_view id = builder_.keep(id_);
    if (!std::ranges::is_sorted(hits_, std::greater<>(), &RunHit::score))
      for (std::size_t i = 0; i < hits_.size(); ++i) hits_[i].score = -static_cast<double>(i + 1);
    builder_.add_query(id);
    for (const RunHit& hit : hits_) builder_.add_hit(id, hit);
    open_ = false;
    return {};
  }

  RunBuilder& builder_;
  const InputText& text_;
  const RunOptions& options_;
  bool open_ = false;
  std::string id_;
  std::vector<RunHit> hits_;
  std::unordered_set<std::string_view> seen_;
};

Status RunBuilder::take_records(const RunOptions& options) {
  run_.holds_hits_ = true;
  return HitRunReader(*this, run_.text_, options).read();
}

void RunBuilder::add_query(std::string_view query) {
  run_.holds_hits_ = true;
  add(query, run_.hits_.size(), run_.hits_.size());
}

// A TREC or JSON run names documents, or evidence ids, and nothing else.
Status RunBuilder::attach(const Gold& gold) {
  std::vector<std::pair<std::string_view, std::vector<RunHit>>> all;
  for (const Run::Query& query : run_.queries_) {
    std::vector<RunHit> hits;
    RAGLINE_CHECK(run_.read(query, hits));
    for (RunHit& hit : hits) {
      HitPlace place;
      place.span = span_of_id(hit.document);
      hit.evidence = keep(gold.pieces_in(query.id, place));
    }
    all.emplace_back(query.id, std::move(hits));
  }
  run_.queries_.clear();
  run_.parts_.clear();
  run_.hits_.clear();
  places_.clear();
  for (const auto& [query, hits] : all) {
    add_query(query);
    for (const RunHit& hit : hits) add_hit(query, hit);
  }
  return {};
}

}  // namespace ragline
