#pragma once
#include <concepts>
#include <type_traits>

#include "record/record.h"

// The members of every record type, once, in the order in which they are written. Reader and writer
// both walk these lists, so that they cannot disagree about a name, an order or a shape.
//
// A visitor has one function per shape:
//   text(name, string)          path(name, string): bytes, with a companion path_b64
//   count(name, uint64)         optional_count(name, optional<uint64>)
//   number(name, double)        flag(name, bool)
//   list(name, strings)         optional_list(name, optional<strings>): an empty list differs from
//   none lines(name, optional)       bytes(name, optional): spans object(name, RawJson),
//   array(name, RawJson), raw(name, RawJson): kept as JSON text scores(name, arm scores)
//   counts(name, pairs)    numbers(name, pairs): objects open_counts(pairs)          counts as
//   members of the record itself rest(string)                the members that nobody knows, last
namespace ragline {

template <class T, class Of>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Of>;

template <class Visitor, MaybeConst<Governance> T>
void each_member(Visitor& v, T& governance) {
  v.text("tenant", governance.tenant);
  v.optional_list("acl", governance.acl);
  v.text("effective_from", governance.effective_from);
  v.text("effective_to", governance.effective_to);
}

template <class Visitor, MaybeConst<Document> T>
void each_member(Visitor& v, T& document) {
  v.text("document_id", document.document_id);
  v.text("version", document.version);
  v.path("path", document.path);
  v.text("media_type", document.media_type);
  v.text("language", document.language);
  each_member(v, document.governance);
  v.text("checksum", document.checksum);
  v.text("title", document.title);
  v.object("metadata", document.metadata);
  v.text("text", document.text);
  v.rest(document.extra);
}

template <class Visitor, MaybeConst<Chunk> T>
void each_chunk_member(Visitor& v, T& chunk) {
  v.text("evidence_id", chunk.evidence_id);
  v.text("document_id", chunk.document_id);
  v.text("version", chunk.version);
  v.count("ordinal", chunk.ordinal);
  v.text("parent_id", chunk.parent_id);
  v.path("path", chunk.path);
  v.text("title", chunk.title);
  v.list("section_path", chunk.section_path);
  v.optional_count("page", chunk.page);
  v.text("block_type", chunk.block_type);
  v.lines("lines", chunk.lines);
  v.bytes("bytes", chunk.bytes);
  v.text("text", chunk.text);
  v.text("context", chunk.context);
  v.text("media_type", chunk.media_type);
  v.text("language", chunk.language);
  each_member(v, chunk.governance);
  v.text("checksum", chunk.checksum);
  v.text("extractor", chunk.extractor);
  v.object("metadata", chunk.metadata);
  v.raw("vector", chunk.vector);
}

template <class Visitor, MaybeConst<Chunk> T>
void each_member(Visitor& v, T& chunk) {
  each_chunk_member(v, chunk);
  v.rest(chunk.extra);
}

template <class Visitor, MaybeConst<Query> T>
void each_member(Visitor& v, T& query) {
  v.text("query_id", query.query_id);
  v.text("query", query.query);
  v.list("rewrites", query.rewrites);
  v.list("entities", query.entities);
  v.text("filter", query.filter);
  v.raw("vector", query.vector);
  v.rest(query.extra);
}

template <class Visitor, MaybeConst<Hit> T>
void each_member(Visitor& v, T& hit) {
  v.text("query_id", hit.query_id);
  v.count("rank", hit.rank);
  v.number("score", hit.score);
  v.text("method", hit.method);
  v.scores("scores", hit.scores);
  each_chunk_member(v, hit.chunk);
  v.array("spans", hit.spans);
  v.raw("explain", hit.explain);
  v.rest(hit.chunk.extra);
}

template <class Visitor, MaybeConst<End> T>
void each_member(Visitor& v, T& end) {
  v.text("query_id", end.query_id);
  v.open_counts(end.counts);
  v.flag("complete", end.complete);
  v.text("stop_reason", end.stop_reason);
  v.text("next", end.next);
  v.counts("skipped", end.skipped);
  v.list("warnings", end.warnings);
  v.list("suggestions", end.suggestions);
  v.raw("facets", end.facets);
  v.text("as_of", end.as_of);
  v.numbers("stats", end.stats);
  v.rest(end.extra);
}

}  // namespace ragline
