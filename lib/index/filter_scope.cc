// From a scope to bitmaps, narrowing step by step: what the caller may see, what holds at the time
// asked about, which of several versions, and what the filters want. Every step only removes
// chunks, and each segment stays without a bitmap until some step removes one from it.
#include <algorithm>
#include <map>

#include "core/text.h"
#include "corpus/glob.h"
#include "index/filter_evaluate.h"
#include "index/filter_terms.h"
#include "index/filter_value.h"

namespace ragline {

namespace {

// The chunks that are left of one segment.
class Narrowed {
 public:
  explicit Narrowed(const Segment& segment) : segment_(segment) {
    if (segment.deleted()) all().and_not(*segment.deleted());
  }
  const Segment& segment() const { return segment_; }
  bool has_document(std::uint32_t document) const {
    const auto first = segment_.first_chunks();
    return first[document] < first[document + 1] && (!left_ || left_->test(first[document]));
  }
  void keep(const Bitmap& set) { all() &= set; }
  void remove_document(std::uint32_t document) {
    const auto first = segment_.first_chunks();
    for (std::uint32_t chunk = first[document]; chunk < first[document + 1]; ++chunk)
      all().reset(chunk);
  }
  std::uint64_t count() const { return left_ ? left_->count() : segment_.chunk_count(); }
  const std::optional<Bitmap>& chunks() const { return left_; }
  std::optional<Bitmap> take() { return std::move(left_); }

 private:
  Bitmap& all() {
    if (!left_) left_.emplace(segment_.chunk_count(), true);
    return *left_;
  }
  const Segment& segment_;
  std::optional<Bitmap> left_;
};

// Governed: only what is labelled for the caller. Else: unlabelled documents as well.
void keep_visible(Narrowed& narrowed, bool governed, const Scope& scope) {
  const Segment& segment = narrowed.segment();
  if (!scope.principals.empty()) {
    Bitmap allowed(segment.chunk_count());
    if (!governed) {
      collect_term(segment, kLabelled, "", allowed);
      allowed.flip();
    }
    for (const std::string& principal : scope.principals)
      collect_term(segment, "acl", filter_value(principal), allowed);
    collect_term(segment, "acl", "*", allowed);
    narrowed.keep(allowed);
  }
  if (scope.tenant) {
    Bitmap allowed(segment.chunk_count());
    if (!governed) {
      collect_terms(segment, "tenant\x1F", [](std::string_view) { return true; }, allowed);
      allowed.flip();
    }
    collect_term(segment, "tenant", filter_value(*scope.tenant), allowed);
    narrowed.keep(allowed);
  }
}

bool is_effective(const DocumentEntry& entry, TimePoint as_of) {
  return entry.effective_from <= as_of && as_of < entry.effective_to;
}

void keep_effective(Narrowed& narrowed, TimePoint as_of) {
  const Segment& segment = narrowed.segment();
  Bitmap timed(segment.chunk_count());
  collect_term(segment, kTimed, "", timed);
  if (timed.count() == 0) return;
  for (std::uint32_t i = 0; i < segment.document_count(); ++i)
    if (narrowed.has_document(i) && timed.test(segment.first_chunks()[i]) &&
        !is_effective(segment.document(i), as_of))
      narrowed.remove_document(i);
}

// True when `left` is the one to find of two versions that are both effective.
bool supersedes(const DocumentEntry& left, const DocumentEntry& right) {
  if (left.effective_from != right.effective_from)
    return left.effective_from > right.effective_from;
  return natural_order(left.version, right.version) > 0;
}

// Of the versions of one document that are left, all but one go.
void keep_one_version(std::vector<Narrowed>& all, std::string_view document_id) {
  struct Place {
    Narrowed* narrowed;
    std::uint32_t document;
    DocumentEntry entry;
  };
  std::map<std::string_view, Place>
      best;  // by tenant: another tenant's document is not a version of this one
  for (Narrowed& narrowed : all) {
    for (std::uint32_t document : narrowed.segment().find_document(document_id)) {
      if (!narrowed.has_document(document)) continue;
      const Place place{&narrowed, document, narrowed.segment().document(document)};
      const auto [found, is_first] = best.emplace(place.entry.tenant, place);
      if (is_first) continue;
      const bool better = supersedes(place.entry, found->second.entry);
      const Place lesser = better ? found->second : place;
      lesser.narrowed->remove_document(lesser.document);
      if (better) found->second = place;
    }
  }
}

void keep_paths(Narrowed& narrowed, const PathGlobs& globs) {
  for (std::uint32_t i = 0; i < narrowed.segment().document_count(); ++i) {
    if (!narrowed.has_document(i)) continue;
    const DocumentEntry entry = narrowed.segment().document(i);
    if (!globs.keeps(entry.path.empty() ? entry.document_id : entry.path))
      narrowed.remove_document(i);
  }
}

void keep_languages(Narrowed& narrowed, const std::vector<std::string>& languages) {
  Bitmap allowed(narrowed.segment().chunk_count());
  const auto wants = [&](std::string_view value) {
    return std::any_of(languages.begin(), languages.end(),
                       [&](const std::string& language) { return same_language(language, value); });
  };
  collect_terms(narrowed.segment(), "language\x1F", wants, allowed);
  narrowed.keep(allowed);
}

void keep_media_types(Narrowed& narrowed, const std::vector<std::string>& types) {
  Bitmap allowed(narrowed.segment().chunk_count());
  for (const std::string& type : types) {
    if (type.ends_with("/*"))
      collect_terms(
          narrowed.segment(),
          cat("media_type\x1F", std::string_view(type).substr(0, type.size() - 1)),
          [](std::string_view) { return true; }, allowed);
    else
      collect_term(narrowed.segment(), "media_type", filter_value(type), allowed);
  }
  narrowed.keep(allowed);
}

}  // namespace

Status check_scope(const Snapshot& snapshot, const Scope& scope) {
  for (const std::string& principal : scope.principals)
    if (principal.empty())
      return fail(ErrorKind::kUsage, "--principal is empty: give a name (is a variable unset?)");
  if (scope.tenant && scope.tenant->empty())
    return fail(ErrorKind::kUsage, "--tenant is empty: give a name (is a variable unset?)");
  if (!snapshot.manifest.governed) return {};
  if (scope.principals.empty())
    return fail(ErrorKind::kDenied,
                cat("'", snapshot.where, "' is governed: say who asks with --principal NAME"));
  if (snapshot.manifest.tenants && !scope.tenant)
    return fail(ErrorKind::kDenied,
                cat("'", snapshot.where,
                    "' is governed and holds tenants' documents: say whose with --tenant NAME"));
  return {};
}

Result<ScopeBitmaps> apply_scope(const Snapshot& snapshot, const Scope& scope) {
  RAGLINE_CHECK(check_scope(snapshot, scope));
  ScopeBitmaps result;
  std::vector<Narrowed> all;
  const bool governed = snapshot.manifest.governed;
  const TimePoint as_of = scope.as_of ? *scope.as_of : now();
  for (const auto& segment : snapshot.segments) {
    Narrowed& narrowed = all.emplace_back(*segment);
    keep_visible(narrowed, governed, scope);
    result.visible.push_back(governed ? narrowed.chunks() : std::nullopt);
    if (!scope.all_versions) keep_effective(narrowed, as_of);
  }
  // The choice comes before the filters: they may leave nothing of a document, but never an
  // outdated version.
  if (!scope.all_versions)
    for (const std::string& document_id : snapshot.several_versions)
      keep_one_version(all, document_id);

  const PathGlobs globs(scope.path_globs);
  for (Narrowed& narrowed : all) {
    const Segment& segment = narrowed.segment();
    if (!globs.empty()) keep_paths(narrowed, globs);
    if (!scope.languages.empty()) keep_languages(narrowed, scope.languages);
    if (!scope.media_types.empty()) keep_media_types(narrowed, scope.media_types);
    for (const FilterNode& filter : scope.filters) narrowed.keep(evaluate_filter(filter, segment));
    if (segment.postings().corrupted())
      return fail(ErrorKind::kCorrupt,
                  cat("'", snapshot.where, "': segment ", segment.name(),
                      " is damaged: run rag-index check, then build it again"));
    result.passing += narrowed.count();
    result.chunks.push_back(narrowed.take());
  }
  return result;
}

}  // namespace ragline
