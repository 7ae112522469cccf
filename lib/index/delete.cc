#include "index/delete.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/files.h"
#include "index/filter_evaluate.h"
#include "index/filter_terms.h"
#include "index/inventory.h"

namespace ragline {

namespace {

bool lies_under(std::string_view path, std::string_view root) { return path == root || relative_path(root, path) != path; }

class Deletion {
 public:
  Deletion(IndexWriter& writer, const DeleteRequest& request) : writer_(writer), request_(request), before_(writer.before()) {}

  Status mark(DeleteReport& report) {
    for (const std::string& id : request_.document_ids)
      if (!mark_id(id)) report.unknown.push_back(id);
    for (const std::string& path : request_.under) {
      const std::string root = absolute_path(path);
      const bool known = mark_below(root);
      const std::uint64_t roots = std::erase_if(writer_.manifest().roots, [&](const std::string& one) { return lies_under(one, root); });
      report.roots += roots;
      if (!known && roots == 0) report.unknown.push_back(path);
    }
    for (const auto& [id, version] : documents_) {
      RAGLINE_TRY(const std::uint64_t removed, writer_.remove(id, version));
      report.documents += removed;
    }
    return {};
  }
  // Files whose documents go, and folders all of whose do.
  const std::vector<std::string>& files() const { return files_; }

 private:
  // False when it is deleted already.
  bool mark_document(const Segment& segment, std::uint32_t document) {
    if (segment.is_deleted_document(document)) return false;
    const DocumentEntry entry = segment.document(document);
    documents_.emplace(entry.document_id, entry.version);
    if (!entry.path.empty()) files_.push_back(join_path(before_->manifest.base, entry.path));
    return true;
  }

  bool mark_id(const std::string& id) {
    bool known = false;
    for (const auto& segment : before_->segments)
      for (std::uint32_t document : segment->find_document(id)) {
        if (request_.version && segment->document(document).version != *request_.version) continue;
        known |= mark_document(*segment, document);
      }
    return known;
  }

  bool mark_below(const std::string& root) {
    bool known = false;
    const std::string& base = before_->manifest.base;
    for (const auto& segment : before_->segments) {
      for (std::uint32_t document = 0; document < segment->document_count(); ++document) {
        const std::string_view path = segment->document(document).path;
        if (!path.empty() && lies_under(join_path(base, path), root)) known |= mark_document(*segment, document);
      }
      Bitmap rows(segment->chunk_count());
      collect_terms(*segment, std::string(kRowsOf) + '\x1F', [&](std::string_view file) { return lies_under(join_path(base, file), root); }, rows);
      rows.for_each([&](std::size_t chunk) { known |= mark_document(*segment, segment->document_of(static_cast<std::uint32_t>(chunk))); });
    }
    files_.push_back(root);
    return known;
  }

  IndexWriter& writer_;
  const DeleteRequest& request_;
  std::shared_ptr<const Snapshot> before_;
  std::set<std::pair<std::string, std::string>> documents_;  // (id, version)
  std::vector<std::string> files_;
};

}  // namespace

Result<DeleteReport> delete_documents(std::shared_ptr<Storage> storage, const DeleteRequest& request, WriterOptions options) {
  options.create = false;
  RAGLINE_TRY(const auto writer, IndexWriter::open(storage, options));
  const std::uint64_t generation = writer->before()->manifest.generation;
  DeleteReport report;
  Deletion deletion(*writer, request);
  RAGLINE_CHECK(deletion.mark(report));
  RAGLINE_TRY(const CommitReport commit, writer->commit());
  report.segments = commit.segments;
  RAGLINE_CHECK(Inventory::carry(storage->folder(), generation, writer->before()->manifest.generation, deletion.files()));
  return report;
}

Result<CommitReport> merge_index(std::shared_ptr<Storage> storage, WriterOptions options) {
  options.create = false;
  RAGLINE_TRY(const auto writer, IndexWriter::open(storage, options));
  const std::uint64_t generation = writer->before()->manifest.generation;
  writer->merge_all();
  RAGLINE_TRY(const CommitReport report, writer->commit());
  RAGLINE_CHECK(Inventory::carry(storage->folder(), generation, writer->before()->manifest.generation, {}));
  return report;
}

}  // namespace ragline
