#include "index/lookup.h"

#include <algorithm>
#include <functional>

#include "core/text.h"
#include "record/evidence.h"

namespace ragline {

namespace {

bool passes(const ScopeBitmaps& scope, std::size_t segment, std::uint32_t chunk) {
  return !scope.chunks[segment] || scope.chunks[segment]->test(chunk);
}

std::uint64_t newlines(std::string_view text) { return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')); }

// The chunk's own text has all bytes of its span, so that they can be cut from it.
bool holds(const Chunk& chunk, std::uint64_t at) {
  return chunk.bytes && chunk.bytes->begin <= at && at < chunk.bytes->end && chunk.text.size() == chunk.bytes->end - chunk.bytes->begin;
}

// The span as a chunk; nullopt when the chunks do not cover it, or hold other bytes there.
std::optional<Chunk> cut(const std::vector<Chunk>& chunks, const EvidenceId& id) {
  std::string text;
  std::optional<std::size_t> first;
  std::size_t last = 0;
  for (std::uint64_t at = id.bytes.begin; at < id.bytes.end;) {
    const auto holder = std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return holds(chunk, at); });
    if (holder == chunks.end()) return std::nullopt;
    const std::uint64_t end = std::min(holder->bytes->end, id.bytes.end);
    text += std::string_view(holder->text).substr(at - holder->bytes->begin, end - at);
    at = end;
    last = static_cast<std::size_t>(holder - chunks.begin());
    if (!first) first = last;
  }
  if (!first || evidence_hash(text) != id.hash) return std::nullopt;

  Chunk out = chunks[*first];
  if (out.lines) {
    out.lines->first += newlines(std::string_view(out.text).substr(0, id.bytes.begin - out.bytes->begin));
    out.lines->last = out.lines->first + newlines(std::string_view(text).substr(0, text.size() - 1));
  }
  if (last != *first) {  // what holds for one chunk only
    out.parent_id.clear();
    out.context.clear();
  }
  out.evidence_id = format_evidence_id(id.document_id, id.bytes, id.hash);
  out.bytes = id.bytes;
  out.text = std::move(text);
  return out;
}

// Visits the versions of a document that pass, with those of their chunks that do; until `visit` returns true.
Result<bool> visit_versions(const Snapshot& snapshot, const ScopeBitmaps& scope, std::string_view document_id,
                            const std::function<bool(std::vector<Chunk>&&)>& visit) {
  for (std::size_t i = 0; i < snapshot.segments.size(); ++i) {
    const Segment& segment = *snapshot.segments[i];
    for (std::uint32_t document : segment.find_document(document_id)) {
      const std::uint32_t first = segment.first_chunks()[document];
      // Everything of a scope but `language` and `block_type` holds for whole documents.
      if (!passes(scope, i, first)) continue;
      RAGLINE_TRY(ChunkedDocument whole, segment.whole_document(document));
      if (visit(std::move(whole.chunks))) return true;
    }
  }
  return false;
}

}  // namespace

Result<Lookup> Lookup::open(const Snapshot& snapshot, const Scope& scope) {
  Lookup lookup(snapshot);
  RAGLINE_TRY(lookup.current_, apply_scope(snapshot, scope));
  Scope any = scope;
  any.all_versions = scope.all_versions || !scope.as_of;
  RAGLINE_TRY(lookup.any_version_, apply_scope(snapshot, any));
  return lookup;
}

Result<std::vector<Chunk>> Lookup::find(std::string_view id) const {
  const auto evidence = parse_evidence_id(id);
  std::vector<Chunk> found;
  bool changed = false;
  if (evidence) {
    auto take = [&](std::vector<Chunk>&& chunks) {
      changed = true;
      const auto exact = std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.evidence_id == id; });
      if (exact != chunks.end()) {
        found.push_back(std::move(*exact));
      } else if (auto piece = cut(chunks, *evidence)) {
        found.push_back(std::move(*piece));
      }
      return !found.empty();
    };
    // The version in force comes first: several may hold the same bytes.
    for (const ScopeBitmaps* scope : {&current_, &any_version_})
      if (found.empty()) {
        if (auto ended = visit_versions(*snapshot_, *scope, evidence->document_id, take); !ended) return std::unexpected(ended.error());
      }
  }
  // An id may look like evidence and be a document's.
  if (found.empty()) {
    auto take = [&](std::vector<Chunk>&& chunks) {
      std::move(chunks.begin(), chunks.end(), std::back_inserter(found));
      return false;
    };
    if (auto ended = visit_versions(*snapshot_, current_, id, take); !ended) return std::unexpected(ended.error());
  }
  if (!found.empty()) return found;
  if (changed)
    return fail(ErrorKind::kNotFound,
                cat("'", id, "': the text of '", evidence->document_id, "' has changed since: search again for the id it has now"));
  if (evidence)
    return fail(ErrorKind::kNotFound, cat("'", id, "': '", snapshot_->where, "' has no document '", evidence->document_id,
                                          "': rag-index list shows those it has"));
  return fail(ErrorKind::kNotFound, cat("'", id, "' is neither an evidence id nor a document of '", snapshot_->where,
                                        "': give ids as hits carry them; rag-index list shows the documents"));
}

}  // namespace ragline
