#include "index/session.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/hash.h"

namespace ragline {

namespace {

// A document of this session. Sorted by hash of the id, then by when it was handed in.
struct NewDocument {
  std::uint64_t hash;
  std::uint64_t sequence;
  std::uint32_t segment, document;
};

class Session {
 public:
  Session(std::span<LiveSegment> old, std::span<LiveSegment> added,
          std::span<const std::vector<BuiltSegment::Run>> runs)
      : old_(old), added_(added) {
    std::size_t count = 0;
    for (const LiveSegment& segment : added) count += segment.entry.documents;
    documents_.reserve(count);
    for (std::uint32_t s = 0; s < added.size(); ++s) {
      std::size_t run = 0;
      for (std::uint32_t d = 0; d < added[s].entry.documents; ++d) {
        while (run + 1 < runs[s].size() && runs[s][run + 1].first <= d) ++run;
        documents_.push_back(
            {hash64(added[s].segment->documents().id(d)), runs[s][run].sequence, s, d});
      }
    }
    std::sort(documents_.begin(), documents_.end(), [](const NewDocument& a, const NewDocument& b) {
      return std::tie(a.hash, a.sequence, a.segment, a.document) <
             std::tie(b.hash, b.sequence, b.segment, b.document);
    });
  }

  // Of documents with one id and version the last stays.
  void drop_repeated() {
    std::vector<NewDocument> group;
    for (auto at = documents_.begin(); at != documents_.end();) {
      const auto end = std::find_if(at, documents_.end(),
                                    [&](const NewDocument& d) { return d.hash != at->hash; });
      if (end - at > 1) {
        group.assign(at, end);
        std::stable_sort(group.begin(), group.end(),
                         [&](const NewDocument& a, const NewDocument& b) {
                           return std::pair(id(a), version(a)) < std::pair(id(b), version(b));
                         });
        for (std::size_t i = 0; i + 1 < group.size(); ++i) {
          if (id(group[i]) != id(group[i + 1])) continue;
          if (version(group[i]) == version(group[i + 1]))
            added_[group[i].segment].mark(group[i].document);
          else
            candidates_.emplace(id(group[i]));
        }
      }
      at = end;
    }
  }

  void remove(const Removals& removals) {
    for (const auto& [what, sequence] : removals)
      for_group(what.first, [&](const NewDocument& d) {
        if (d.sequence < sequence && (!what.second || version(d) == *what.second))
          added_[d.segment].mark(d.document);
      });
  }

  std::uint64_t replace_old() {
    std::uint64_t replaced = 0;
    for (LiveSegment& segment : old_) {
      auto meet = [&](std::uint32_t old_document, std::string_view old_id) {
        if (segment.is_deleted(old_document)) return;
        const std::string_view old_version = segment.segment->documents().version(old_document);
        for_group(old_id, [&](const NewDocument& d) {
          if (added_[d.segment].is_deleted(d.document)) return;
          if (version(d) == old_version)
            replaced += segment.mark(old_document);
          else
            candidates_.emplace(old_id);
        });
      };
      // A look-up costs some twenty steps of a search, a pass one step a document.
      if (documents_.size() < segment.entry.documents / 16) {
        for (const NewDocument& d : documents_)
          for (std::uint32_t found : segment.segment->find_document(id(d))) meet(found, id(d));
      } else if (!documents_.empty()) {
        for (std::uint32_t d = 0; d < segment.entry.documents; ++d)
          meet(d, segment.segment->documents().id(d));
      }
    }
    return replaced;
  }

  // Only ids that were removed, or came beside another version, can have changed their number of
  // versions.
  void update_several(const Removals& removals, std::vector<std::string>& several) {
    for (const auto& [what, sequence] : removals)
      if (std::binary_search(several.begin(), several.end(), what.first))
        candidates_.insert(what.first);
    std::erase_if(several, [&](const std::string& one) { return candidates_.contains(one); });
    for (const std::string& one : candidates_)
      if (live_versions(one) > 1) several.push_back(one);
    std::sort(several.begin(), several.end());
  }

 private:
  std::string_view id(const NewDocument& d) const {
    return added_[d.segment].segment->documents().id(d.document);
  }
  std::string_view version(const NewDocument& d) const {
    return added_[d.segment].segment->documents().version(d.document);
  }
  template <class Visit>
  void for_group(std::string_view document_id, Visit visit) const {
    const std::uint64_t hash = hash64(document_id);
    auto at =
        std::lower_bound(documents_.begin(), documents_.end(), hash,
                         [](const NewDocument& d, std::uint64_t value) { return d.hash < value; });
    for (; at != documents_.end() && at->hash == hash; ++at)
      if (id(*at) == document_id) visit(*at);
  }
  std::size_t live_versions(const std::string& document_id) const {
    std::size_t count = 0;
    for (std::span<LiveSegment> segments : {old_, added_})
      for (const LiveSegment& segment : segments)
        for (std::uint32_t document : segment.segment->find_document(document_id))
          count += !segment.is_deleted(document);
    return count;
  }

  std::span<LiveSegment> old_, added_;
  std::vector<NewDocument> documents_;
  std::set<std::string> candidates_;  // ids that may have come to, or lost, a second version
};

}  // namespace

SessionCounts resolve_session(std::span<LiveSegment> old, std::span<LiveSegment> added,
                              std::span<const std::vector<BuiltSegment::Run>> runs,
                              const Removals& removals, std::vector<std::string>& several) {
  Session session(old, added, runs);
  session.drop_repeated();
  session.remove(removals);
  SessionCounts counts;
  counts.replaced = session.replace_old();
  session.update_several(removals, several);
  for (const LiveSegment& segment : added)
    counts.added += segment.entry.documents - segment.entry.deleted_documents;
  counts.added -= counts.replaced;
  return counts;
}

}  // namespace ragline
