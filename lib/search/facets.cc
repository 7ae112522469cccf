#include "search/facets.h"

#include <algorithm>
#include <map>

#include "core/text.h"

namespace ragline {

namespace {

// Names that are filter terms as they stand; everything else is metadata.
constexpr std::string_view kOwnFields[] = {"language", "media_type", "block_type", "tenant", "version"};

std::string filter_name(std::string_view field) {
  if (std::find(std::begin(kOwnFields), std::end(kOwnFields), field) != std::end(kOwnFields)) return std::string(field);
  return cat("m.", field.starts_with("metadata.") ? field.substr(9) : field);
}

std::uint64_t matching_documents(const Segment& segment, const PostingList& list, const Bitmap& matching) {
  std::uint64_t documents = 0;
  std::uint32_t docs[kBlock], tfs[kBlock], last = UINT32_MAX;
  for (std::uint32_t block = 0; block < list.block_count(); ++block) {
    const std::uint32_t count = list.decode(block, docs, tfs);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!matching.test(docs[i])) continue;
      const std::uint32_t document = segment.document_of(docs[i]);
      documents += document != last;
      last = document;
    }
  }
  return documents;
}

}  // namespace

std::vector<std::pair<std::string, std::uint64_t>> count_facets(const Snapshot& snapshot, const std::vector<Bitmap>& matching,
                                                                std::string_view field, std::size_t most) {
  const std::string prefix = filter_key(filter_name(field), "");
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    const SegmentPostings& postings = snapshot.segments[s]->postings();
    for (TermIterator at = postings.seek(prefix); at.valid() && at.key().starts_with(prefix); at.next())
      if (const auto count = matching_documents(*snapshot.segments[s], postings.list(at.info()), matching[s]))
        counts[at.key().substr(prefix.size())] += count;
  }
  std::vector<std::pair<std::string, std::uint64_t>> out(counts.begin(), counts.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace ragline
