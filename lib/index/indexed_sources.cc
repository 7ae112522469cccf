#include "index/indexed_sources.h"

#include "core/text.h"
#include "index/filter_evaluate.h"
#include "index/filter_terms.h"
#include "index/segment_files.h"

namespace ragline {

bool has_document(const Snapshot& snapshot, std::string_view document_id) {
  for (const auto& segment : snapshot.segments)
    for (std::uint32_t document : segment->find_document(document_id))
      if (!segment->is_deleted_document(document)) return true;
  return false;
}

bool has_document(const Snapshot& snapshot, std::string_view document_id, std::string_view checksum) {
  for (const auto& segment : snapshot.segments)
    for (std::uint32_t document : segment->find_document(document_id)) {
      if (segment->is_deleted_document(document)) continue;
      const auto stored = segment->document_record(document);
      if (stored && stored->checksum == checksum) return true;
    }
  return false;
}

void append_documents_of_rows(const Snapshot& snapshot, std::string_view file, std::vector<std::string>& out) {
  const std::string key = filter_key(kRowsOf, filter_value(file));
  for (const auto& segment : snapshot.segments) {
    Bitmap chunks(segment->chunk_count());
    segment->postings().list(key).collect(chunks);
    std::uint32_t last = UINT32_MAX;
    chunks.for_each([&](std::size_t chunk) {
      const std::uint32_t document = segment->document_of(static_cast<std::uint32_t>(chunk));
      if (document != last && !segment->is_deleted_document(document)) out.emplace_back(segment->document(document).document_id);
      last = document;
    });
  }
}

std::set<std::string> files_of_rows(const Snapshot& snapshot) {
  std::set<std::string> files;
  for (const auto& segment : snapshot.segments) {
    Bitmap unused(segment->chunk_count());
    auto note = [&](std::string_view file) {
      files.emplace(file);
      return false;
    };
    collect_terms(*segment, cat(kRowsOf, '\x1F'), note, unused);
  }
  return files;
}

}  // namespace ragline
