#include "index/segment_output.h"

#include "core/text.h"
#include "index/documents_format.h"
#include "index/segment_files.h"

namespace ragline {

Result<CheckedWriter> create_text(Storage& storage, std::string_view segment) {
  RAGLINE_CHECK(storage.make_folder(segment));
  return CheckedWriter::create(storage, text_file(segment), kTextKind, kTextVersion);
}

Status write_documents(Storage& storage, std::string_view segment, CheckedWriter& file,
                       TextWriter& text, DocumentWriter& documents) {
  RAGLINE_CHECK(text.finish(file));
  RAGLINE_CHECK(file.finish());
  RAGLINE_TRY(CheckedWriter columns, CheckedWriter::create(storage, documents_file(segment),
                                                           kDocumentsKind, kDocumentsVersion));
  RAGLINE_CHECK(documents.finish(columns));
  return columns.finish();
}

Result<std::uint64_t> segment_bytes(const Storage& storage, std::string_view segment) {
  RAGLINE_TRY(const std::vector<std::string> names, storage.list(segment));
  std::uint64_t bytes = 0;
  for (const std::string& name : names) {
    RAGLINE_TRY(const auto file, storage.map(cat(segment, "/", name)));
    bytes += file->bytes().size();
  }
  return bytes;
}

}  // namespace ragline
