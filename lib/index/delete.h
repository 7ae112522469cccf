#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/storage.h"
#include "index/writer.h"

// Changes of an index that read no sources. What the writer knows of the files (index/inventory.h) stays valid, so the next
// build is as quick as before.
namespace ragline {

struct DeleteRequest {
  std::vector<std::string> document_ids;
  std::optional<std::string> version;  // of these ids only this version
  std::vector<std::string> under;      // files and directories: all documents below them, and recorded roots, go
};

struct DeleteReport {
  std::uint64_t documents = 0;
  std::vector<std::string> unknown;    // ids and paths of the request that named nothing, in its order
  std::uint64_t roots = 0;             // forgotten
  std::uint32_t segments = 0;
};

// A file that is still there comes back with the next build of its root, unless the root was forgotten too; so does a
// row when its file changes.
//   Errors  those of IndexWriter; kNotFound when there is no index
Result<DeleteReport> delete_documents(std::shared_ptr<Storage> storage, const DeleteRequest& request, WriterOptions options);

// All segments into one; deleted documents are dropped for good. `changed` is false when it was so already.
Result<CommitReport> merge_index(std::shared_ptr<Storage> storage, WriterOptions options);

}  // namespace ragline
