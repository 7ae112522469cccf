#pragma once
#include <cstdint>
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
//
//   author = "Ann"            year >= 2020            2010 <= year < 2020
//   status in (open, "in review")      status not in (closed)      reviewed exists
//   not, and, or, in this order of binding, and ( ); keywords in any case
//
//   Names       The record's own: language, media_type, block_type, path, document_id, version,
//               tenant, title, effective_from, effective_to. Any other is a key of the document's
//               metadata; "a.b" reaches into objects (and names a key with a dot in it);
//               metadata.language names a key that a field hides. A name may be quoted.
//   Values      Bare words (no blank, quote, bracket, comma, = < >), or "quoted" or 'quoted', with
//               \" \' \\ inside.
//   = in        Metadata: numbers as numbers, times (RFC 3339, or YYYY-MM-DD) as times, where both
//               sides are; else the same bytes. Own fields: the same bytes, but language by
//               language ("de" is "de-AT") and effective_* as times.
//   !=          Not "=", so it holds where the name is absent.
//   < <= > >=   Metadata: a number is ordered among numbers only, a time among times only, anything
//               else by bytes (values above 256 bytes by their first 240). version: digits as
//               numbers, so 1.9 < 1.10; effective_* as times; other own fields by bytes.
//   exists      The name has any value; for an object in metadata, something in it has; for
//               effective_*, it is bounded.
//
// A list in metadata matches when any element does. A name that no document has matches nothing.
namespace ragline {

struct FilterNode {
  enum class Kind : std::uint8_t { kAnd, kOr, kNot, kCompare, kIn, kExists } kind = Kind::kAnd;
  enum class Op : std::uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual
  } op = Op::kEqual;
  std::string name;
  std::vector<std::string> values;   // one for kCompare, at least one for kIn
  std::vector<FilterNode> children;  // two or more for kAnd and kOr, one for kNot
  bool operator==(const FilterNode&) const = default;
};
// kUsage: "--filter: at 8: expected a value after '>=', as in year >= 2020"; positions are bytes,
// from 1. At most 64 levels deep.
Result<FilterNode> parse_filter(std::string_view expression);
// Back to text that parses to the same node.
std::string filter_text(const FilterNode& node);

// Everything that narrows a search. A caller can only narrow: the parts are and-ed.
struct Scope {
  // Who asks: a user and the groups it is in. A document is for any of them.
  std::vector<std::string> principals;
  std::optional<std::string> tenant;
  std::optional<TimePoint> as_of;  // nullopt: now
  // Otherwise a document is found only while effective_from <= as_of < effective_to, and of the
  // versions of one document (same id and tenant; what the principal and tenant may not see does
  // not count) that are, only one: the latest effective_from, then the greatest version, digits
  // compared as numbers. all_versions turns off both the choice and the time.
  bool all_versions = false;
  std::vector<FilterNode> filters;
  std::vector<std::string>
      path_globs;  // as PathGlobs of corpus/glob.h; of a document without a path its id counts
  std::vector<std::string> languages;    // any of them, compared as `language =` does
  std::vector<std::string> media_types;  // any of them; "text/*" is every text
};

// Governance as DESIGN.md section 4 says: a governed index without a principal (or without a
// tenant, when tenants are used) is kDenied; there a document without an acl, or without a tenant
// when one is asked for, is visible to nobody. On an ungoverned index
// --principal and --tenant still narrow when given, but unlabelled documents stay visible. An acl
// of ["*"] is everyone. kUsage for an empty principal or tenant: an unset variable must not widen
// what is seen.
Status check_scope(const Snapshot& snapshot, const Scope& scope);

struct ScopeBitmaps {
  // Per segment: chunks that pass everything, deleted ones excluded. nullopt: all chunks of the
  // segment pass.
  std::vector<std::optional<Bitmap>> chunks;
  // Governed indexes: what the caller may see at all (principal and tenant only), deleted ones
  // excluded. Statistics, hints and explanations are counted over these, so that results equal
  // those of an index holding nothing else. nullopt where governance does not apply.
  std::vector<std::optional<Bitmap>> visible;
  std::uint64_t passing = 0;  // chunks, over all segments
};
// Checks the scope first: there is no way around check_scope. kCorrupt when a posting list is
// damaged.
//   Cost  a posting list per equality; every distinct value of the name for other comparisons;
//   every document for
//         path, document_id, effective_* and globs. Nothing at all without a scope, unless
//         documents are timed or versioned.
Result<ScopeBitmaps> apply_scope(const Snapshot& snapshot, const Scope& scope);

}  // namespace ragline
