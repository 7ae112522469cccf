#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bitmap.h"
#include "core/result.h"
#include "index/snapshot.h"
#include "record/time.h"

// Which chunks a caller may see and wants to see: one bitmap per segment, made before any scoring.
//
// The filter language (--filter):
//   author = "Ann"   year >= 2020   status in (open, "in review")   reviewed exists   and or not ( )
//   Names are the record's own: language, media_type, block_type, path, document_id, version, tenant, title, effective_from, effective_to, and for
//   anything else the document's metadata ("a.b" reaches into objects; metadata.language names a key that a field shadows).
//   Values: bare words, numbers, "quoted" or 'quoted' strings. = and in compare numbers as numbers and, where both sides are
//   dates (RFC 3339 or YYYY-MM-DD), times as times; else bytes. < <= > >= likewise. A list in metadata matches when any element does.
//   A name that no document has matches nothing (and `exists` is false); != is "has no such value", so it holds where the name is absent.
namespace ragline {

struct FilterNode {
  enum class Kind : std::uint8_t { kAnd, kOr, kNot, kCompare, kIn, kExists } kind = Kind::kAnd;
  enum class Op : std::uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual } op = Op::kEqual;
  std::string name;
  std::vector<std::string> values;  // one for kCompare
  std::vector<FilterNode> children;
  bool operator==(const FilterNode&) const = default;
};
// kUsage: "--filter: at 12: expected a value after '>=', as in year >= 2020". Nesting is bounded.
Result<FilterNode> parse_filter(std::string_view expression);

// Everything that narrows a search. A caller can only narrow: the parts are and-ed.
struct Scope {
  std::optional<std::string> principal;
  std::optional<std::string> tenant;
  std::optional<TimePoint> as_of;         // nullopt: now
  bool all_versions = false;
  std::vector<FilterNode> filters;
  std::vector<std::string> path_globs;    // any of those without '!', none of those with it
  std::vector<std::string> languages, media_types;
};

// Governance as DESIGN.md section 4 says: a governed index without a principal (or without a tenant, when tenants are used) is kDenied;
// there an unlabelled document is visible to nobody. On an ungoverned index --principal and --tenant still narrow when given:
// unlabelled documents stay visible.
Status check_scope(const Snapshot& snapshot, const Scope& scope);

struct ScopeBitmaps {
  // Per segment: chunks that pass everything, deleted ones excluded. nullopt: all chunks of the segment pass.
  std::vector<std::optional<Bitmap>> chunks;
  // Governed indexes: what the caller may see at all (principal and tenant only). Statistics, hints and explanations are
  // counted over these, so that results equal those of an index holding nothing else. nullopt where governance does not apply.
  std::vector<std::optional<Bitmap>> visible;
  std::uint64_t passing = 0;              // chunks, over all segments
};
Result<ScopeBitmaps> apply_scope(const Snapshot& snapshot, const Scope& scope);

}  // namespace ragline
