#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/result.h"

// The record types of the pipes, as values. One JSON object a line, UTF-8, `type` first, then the
// order of the members below, so that equal values give equal bytes. schema/records.schema.json is
// the contract; record/reader.h and record/writer.h move them in and out.
//
// Conventions: an empty string, empty list or nullopt is an absent field and is not written.
// `extra` holds the fields that this version does not know, as raw JSON members
// ("\"a\":1,\"b\":[2]") in input order; they are written last.
namespace ragline {

// Raw JSON text of one value ("{}", "[1,2]"); empty when absent. Valid by construction: only the
// reader makes it.
using RawJson = std::string;

// First and last line, from 1, both inclusive.
struct LineSpan {
  std::uint64_t first = 0, last = 0;
  bool operator==(const LineSpan&) const = default;
};
// Byte offsets [begin, end) in a document's canonical text.
struct ByteSpan {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const ByteSpan&) const = default;
};

// Who may see a document and when it holds; carried by documents, chunks and hits.
struct Governance {
  std::string tenant;
  // Principals; {"*"} is everyone, an empty list nobody, nullopt "unlabelled".
  std::optional<std::vector<std::string>> acl;
  std::string effective_from, effective_to;  // RFC 3339, half-open; empty is unbounded
  bool operator==(const Governance&) const = default;
};

struct Document {
  std::string document_id, version;
  std::string path;  // bytes as on disk; the writer adds path_b64 when they are not UTF-8
  std::string media_type, language;
  Governance governance;
  std::string checksum;  // of the source bytes: 16 hex digits of XXH3
  std::string title;
  RawJson metadata;  // an object
  std::string text;
  std::string extra;
  bool operator==(const Document&) const = default;
};

struct Chunk {
  std::string evidence_id, document_id, version;
  std::uint64_t ordinal = 0;  // from 0 within its document
  // The evidence id of the smallest section (a heading with all below it) that holds the chunk and
  // more; absent when that is the whole document.
  std::string parent_id;
  std::string path, title;
  std::vector<std::string> section_path;
  std::optional<std::uint64_t> page;
  std::string block_type;  // paragraph, heading, list, table, code, log, quote, html, row, ...
  std::optional<LineSpan> lines;
  std::optional<ByteSpan> bytes;
  std::string text;
  std::string context;  // a table's header and the like: indexed, not part of text
  std::string media_type, language;
  Governance governance;
  std::string checksum;   // of its document's source bytes
  std::string extractor;  // set when the canonical text is not the file itself
  RawJson metadata;       // of its document
  RawJson vector;         // kept as it came
  std::string extra;
  bool operator==(const Chunk&) const = default;
};

struct Query {
  std::string query_id, query;
  std::vector<std::string> rewrites, entities;
  std::string filter;
  RawJson vector;
  std::string extra;
  bool operator==(const Query&) const = default;
};

// The score of one retrieval arm: "bm25" -> {12.3, rank 4}.
struct ArmScore {
  std::string arm;
  double score = 0;
  std::uint64_t rank = 0;  // 0: it ranks nothing, as a signal
  std::string extra{};  // unknown members of the arm's object, as in the records
  bool operator==(const ArmScore&) const = default;
};

struct Hit {
  std::string query_id;
  std::uint64_t rank = 0;  // from 1
  double score = 0;
  std::string method;  // "bm25"
  std::vector<ArmScore> scores;
  Chunk chunk;      // its fields follow, flat
  RawJson spans;    // [[begin,end],...] of matched words, byte offsets within text
  RawJson explain;  // only with --explain
  bool operator==(const Hit&) const = default;
};

// Closes a query's hits, or a scan. Counts are written as plain members, in the order given.
struct End {
  std::string query_id;                                       // absent for scans
  std::vector<std::pair<std::string, std::uint64_t>> counts;  // "hits": 10, "matched": 214, ...
  bool complete = true;
  std::string stop_reason;  // "top", "limit:max-matches", "interrupted", ...
  std::string next;         // cursor
  std::vector<std::pair<std::string, std::uint64_t>> skipped;  // reason -> count
  std::vector<std::string> warnings;
  std::vector<std::string> suggestions;  // the next thing to try when nothing was found
  RawJson facets;
  std::string as_of;
  std::vector<std::pair<std::string, double>> stats;  // only with --stats
  std::string extra;
  bool operator==(const End&) const = default;
};

// Anything else: a known type that this tool has no use for, or an unknown one. Passed on byte for
// byte.
struct OtherRecord {
  std::string type, line;  // line without its newline, checked to be valid JSON
  bool operator==(const OtherRecord&) const = default;
};

using Record = std::variant<Document, Chunk, Query, Hit, End, OtherRecord>;

}  // namespace ragline
