#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/text.h"
#include "corpus/source.h"
#include "index/snapshot.h"
#include "index/writer.h"
#include "record/evidence.h"

// Small documents for the tests of the index, and what an index holds, in a form that can be
// compared.
namespace ragline::sample {

// One document, a chunk for each text, every field as a chunker fills it.
inline ChunkedDocument document(std::string id, std::vector<std::string> texts,
                                std::string version = {}) {
  ChunkedDocument out;
  out.document.document_id = std::move(id);
  out.document.version = std::move(version);
  out.document.language = "en";
  for (const std::string& text : texts) {
    Chunk& chunk = out.chunks.emplace_back();
    chunk.document_id = out.document.document_id;
    chunk.version = out.document.version;
    chunk.ordinal = out.chunks.size() - 1;
    chunk.language = "en";
    chunk.block_type = "paragraph";
    chunk.bytes = {out.document.text.size(), out.document.text.size() + text.size()};
    chunk.text = text;
    chunk.evidence_id =
        format_evidence_id(out.document.document_id, *chunk.bytes, evidence_hash(text));
    out.document.text += text;
  }
  return out;
}

// (id, version) -> the chunks' texts, of everything that is live; an id and version that is live
// twice gets a marker.
using Contents = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;
inline Result<Contents> contents(const Snapshot& snapshot) {
  Contents all;
  for (const auto& segment : snapshot.segments)
    RAGLINE_CHECK(segment->scan([&](std::uint32_t, ChunkedDocument&& one) -> Status {
      auto& texts = all[{one.document.document_id, one.document.version}];
      if (!texts.empty()) texts.push_back("<twice>");
      for (Chunk& chunk : one.chunks) texts.push_back(std::move(chunk.text));
      return {};
    }));
  return all;
}
inline Result<Contents> contents(const Storage& storage) {
  RAGLINE_TRY(const auto snapshot, open_snapshot(storage));
  return contents(*snapshot);
}

inline WriterOptions options(int threads = 2) {
  WriterOptions options;
  options.threads = threads;
  return options;
}

// One session: removes, then adds, then commits.
inline Result<CommitReport> session(const std::shared_ptr<Storage>& storage,
                                    std::vector<ChunkedDocument> add,
                                    const std::vector<std::string>& remove = {}, int threads = 2) {
  RAGLINE_TRY(auto writer, IndexWriter::open(storage, options(threads)));
  for (const std::string& id : remove) RAGLINE_CHECK(writer->remove(id));
  for (ChunkedDocument& document : add) RAGLINE_CHECK(writer->add(std::move(document)));
  return writer->commit();
}

// Every file of a storage, and its bytes.
inline std::map<std::string, std::string> files(const Storage& storage) {
  std::map<std::string, std::string> all;
  const auto root = storage.list("").value();
  for (const std::string& name : root) {
    if (!name.ends_with('/')) {
      all[name] = storage.map(name).value()->bytes();
      continue;
    }
    const std::string folder = name.substr(0, name.size() - 1);
    const auto inside = storage.list(folder).value();
    for (const std::string& file : inside)
      all[name + file] = storage.map(name + file).value()->bytes();
  }
  return all;
}

inline void put(Storage& storage, const std::string& name, std::string_view bytes) {
  if (const auto slash = name.find('/'); slash != name.npos)
    (void)storage.make_folder(name.substr(0, slash));
  auto file = storage.create(name).value();
  (void)file->append(bytes);
  (void)file->close();
}

// Removes every file.
inline Status clear(Storage& storage) {
  RAGLINE_TRY(const std::vector<std::string> names, storage.list(""));
  for (const std::string& name : names)
    RAGLINE_CHECK(name.ends_with('/') ? storage.remove_folder(name.substr(0, name.size() - 1))
                                      : storage.remove(name));
  return {};
}

// A copy in memory.
inline std::shared_ptr<Storage> copy(const std::map<std::string, std::string>& files) {
  std::shared_ptr<Storage> storage = memory_storage();
  for (const auto& [name, bytes] : files) put(*storage, name, bytes);
  return storage;
}

}  // namespace ragline::sample
