#include "index/build.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <unordered_set>

#include "core/files.h"
#include "core/hash.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "corpus/glob.h"
#include "index/build_counter.h"
#include "index/indexed_sources.h"
#include "index/inventory.h"
#include "index/labels.h"
#include "index/segment_files.h"
#include "record/reader.h"

namespace ragline {

namespace {

constexpr std::size_t kSlice = 1 << 20;          // bytes of a file of rows that one thread takes at a time
constexpr std::uint64_t kFewDocuments = 10;      // deleting so many is never a mass delete

// The path is one of the roots, or below one. Roots may be many: they are looked up by the path's parents.
bool lies_under_one(std::string_view path, const std::set<std::string, std::less<>>& roots) {
  while (!roots.contains(path)) {
    const std::size_t slash = path.rfind('/');
    if (slash == path.npos || path == "/") return false;
    path = path.substr(0, std::max<std::size_t>(slash, 1));
  }
  return true;
}

class Builder {
 public:
  Builder(std::shared_ptr<Storage> storage, const BuildOptions& options, const BuildProgress& progress)
      : storage_(std::move(storage)), options_(options), progress_(progress) {}

  Result<BuildReport> run(const std::vector<std::string>& roots) {
    WriterOptions writer = options_.writer;
    writer.embedder = options_.embedder;
    RAGLINE_TRY(writer_, IndexWriter::open(storage_, writer));
    before_ = writer_->before();
    for (const SegmentEntry& segment : before_->manifest.segments) documents_before_ += segment.documents - segment.deleted_documents;
    RAGLINE_CHECK(settle(roots));
    RAGLINE_CHECK(hide_index());
    RAGLINE_CHECK(read_labels());
    inventory_ = Inventory::load(storage_->folder(), before_->manifest.generation, labels_key_);
    full_ = full_ || options_.full || inventory_.labels_changed();

    RAGLINE_CHECK(read_everything());
    RAGLINE_CHECK(writer_->drain());
    RAGLINE_CHECK(delete_vanished());
    for (auto& [path, entry] : read_) inventory_.put(path, std::move(entry));
    if (options_.embedder) keep_space(options_.embedder->space());
    RAGLINE_TRY(const CommitReport commit, writer_->commit());
    RAGLINE_CHECK(inventory_.save(storage_->folder(), writer_->before()->manifest.generation, labels_key_));

    BuildReport report = counter_.take();
    report.added = commit.added;
    report.updated = commit.replaced;
    report.deleted = commit.deleted;
    report.unchanged = documents_before_ - commit.replaced - commit.deleted;
    report.segments = commit.segments;
    if (options_.embedder) report.vectors_ignored = 0;
    return report;
  }

 private:
  // The labels file of this build, else that of the builds before: a build that forgets to name it must not show documents to all.
  Status read_labels() {
    Manifest& manifest = writer_->manifest();
    if (!options_.labels.empty()) manifest.labels_file = absolute_path(options_.labels);
    manifest.trust_labels = manifest.trust_labels || options_.source.parse.trust_labels;
    source_.parse.trust_labels = manifest.trust_labels;
    auto labels = Labels::read(manifest.labels_file);
    if (!labels)
      return fail(labels.error().kind, options_.labels.empty() ? cat(labels.error().message, ": this index was built with these labels; restore the file, or name another with --labels")
                                                               : labels.error().message);
    labels_ = std::move(*labels);
    labels_key_ = labels_.checksum() + (manifest.trust_labels ? "+front matter" : "");
    return {};
  }

  // What the index is built with: from the options, else as it was.
  Status settle(const std::vector<std::string>& roots) {
    Manifest& manifest = writer_->manifest();
    const bool fresh = manifest.base.empty();
    const std::string base = options_.root.empty() ? (fresh ? current_directory() : manifest.base) : absolute_path(options_.root);
    if (!fresh && base != manifest.base)
      return fail(ErrorKind::kUsage, cat("--root ", options_.root, ": the ids of this index are relative to '", manifest.base,
                                         "': leave --root out, or build another index"));
    manifest.base = base;
    auto set = [&](auto& setting, const auto& given) {
      if (!given || setting == *given) return;
      full_ = full_ || !fresh;
      setting = *given;
    };
    set(manifest.chunk_size, options_.chunk_size);
    set(manifest.chunk_overlap, options_.chunk_overlap);
    set(manifest.language, options_.language == "auto" ? std::optional<std::string>("") : options_.language);
    manifest.governed = manifest.governed || options_.governed;
    RAGLINE_CHECK(settle_vectors(fresh));

    manifest.hidden = options_.hidden.value_or(manifest.hidden);
    manifest.ignore_files = options_.ignore_files.value_or(manifest.ignore_files);
    manifest.follow_links = options_.follow_links.value_or(manifest.follow_links);
    manifest.max_file_size = options_.max_file_size.value_or(manifest.max_file_size);
    walk_.base = base;
    walk_.hidden = manifest.hidden;
    walk_.use_ignore_files = manifest.ignore_files;
    walk_.follow_links = manifest.follow_links;
    walk_.max_file_size = manifest.max_file_size;
    walk_.globs = options_.globs;
    source_ = options_.source;
    source_.chunk = {manifest.chunk_size, manifest.chunk_overlap};
    source_.language = manifest.language.empty() ? "auto" : manifest.language;
    std::set<std::string> recorded(manifest.roots.begin(), manifest.roots.end());
    for (const std::string& root : roots) {
      if (root == "-") {
        stream_ = true;
        continue;
      }
      recorded.insert(roots_.emplace_back(absolute_path(root)));
    }
    manifest.roots.assign(recorded.begin(), recorded.end());
    if (roots.empty()) {
      recorded_ = true;
      roots_ = manifest.roots;
      if (roots_.empty())
        return fail(ErrorKind::kUsage, "no paths given, and the index has recorded none: give the files or directories to index");
    }
    return {};
  }

  Status settle_vectors(bool fresh) {
    if (!options_.embedder) return {};
    const std::string& has = writer_->manifest().embedder;
    const VectorSpace given = options_.embedder->space();
    if (!has.empty() && given.fingerprint != has)
      return fail(ErrorKind::kUsage, cat("the index has vectors of '", has, "', not of '", given.fingerprint, "': leave --model out, or build another index"));
    full_ = full_ || (!fresh && has.empty() && !given.fingerprint.empty());
    return {};
  }

  void keep_space(VectorSpace space) {
    if (space.dimensions == 0) return;
    Manifest& manifest = writer_->manifest();
    manifest.embedder = std::move(space.fingerprint);
    manifest.model = std::move(space.model);
    manifest.dimensions = space.dimensions;
  }

  // An index may lie in a tree that is indexed, by this build or by another.
  Status hide_index() {
    const std::string folder = storage_->folder();
    if (folder.empty()) return {};
    own_folder_ = absolute_path(folder);
    if (storage_->exists(kIgnoreFile)) return {};
    RAGLINE_TRY(const auto file, storage_->create(kIgnoreFile));
    RAGLINE_CHECK(file->append("*\n"));
    return file->close();
  }

  bool is_own(const std::string& path) const { return !own_folder_.empty() && relative_path(own_folder_, path) != path; }

  Status read_everything() {
    if (stream_) RAGLINE_CHECK(read_stream());
    if (roots_.empty()) return {};
    auto visit = [&](FileEntry&& file) -> Status {
      if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted: the index is as it was");
      if (is_own(file.path)) return {};
      seen_.insert(file.path);
      if (progress_.seen) progress_.seen(1);
      return visit_file(std::move(file));
    };
    auto skip = [&](const std::string& path, SkipReason reason, const std::string& detail) {
      if (!is_own(path)) counter_.skip(path, reason, detail);
    };
    auto complete = walk(roots_, walk_, visit, skip);
    if (!complete) return std::unexpected(with_remedy(complete.error()));
    for (std::size_t i = 0; i < roots_.size(); ++i)
      if ((*complete)[i]) complete_roots_.insert(roots_[i]);
    return {};
  }

  // A root that the index has recorded and that is gone: the index is not emptied for an unmounted disk.
  Error with_remedy(Error error) const {
    if (error.kind == ErrorKind::kNotFound && recorded_)
      error.message += " (a root of this index; nothing was changed; to forget it: rag-index delete --under PATH)";
    return error;
  }

  Status visit_file(FileEntry&& file) {
    const SourceEntry* known = inventory_.find(file.path);
    if (known && !full_ && known->size == file.size && known->mtime_ns == file.mtime_ns) {
      if (!known->skip.empty()) counter_.skip_again(file.path, known->skip);
      if (progress_.done) progress_.done(1);
      return {};
    }
    const std::optional<SourceEntry> before = known ? std::optional(*known) : std::nullopt;
    if (file.path.ends_with(".jsonl") || file.path.ends_with(".ndjson")) return read_if_rows(std::move(file), before);
    return writer_->submit([this, file = std::move(file), before](const DocumentSink& sink) { return read_document(file, before, sink); });
  }

  // What the inventory will know of a file with these bytes; whether they differ from what is indexed.
  bool has_changed(const FileEntry& file, const std::optional<SourceEntry>& before, std::uint64_t checksum, SourceEntry& entry) {
    entry.size = file.size;
    entry.mtime_ns = file.mtime_ns;
    entry.checksum = checksum;
    if (full_) return true;
    if (before && before->checksum == entry.checksum) {
      entry.skip = before->skip;
      entry.rows = before->rows;
      if (!entry.skip.empty()) counter_.skip_again(file.path, entry.skip);
    } else if (before || !has_document(*before_, document_id_text(file.document_id), hex(entry.checksum, 16))) {
      return true;
    }
    record(file.path, entry);
    return false;
  }

  Status read_document(const FileEntry& file, const std::optional<SourceEntry>& before, const DocumentSink& sink) {
    SourceEntry entry;
    const auto read = read_file(file.path);
    if (!read) counter_.skip(file.path, SkipReason::kUnreadable, read.error().message);
    if (read && has_changed(file, before, hash64((*read)->bytes()), entry)) {
      const std::string_view bytes = (*read)->bytes();
      SourceReport source_report;
      bool added = false;
      auto add = [&](ChunkedDocument&& document) {
        added = true;
        document.source_size = file.size;
        document.source_mtime_ns = file.mtime_ns;
        return add_document(std::move(document), sink);
      };
      RAGLINE_CHECK(read_document_file(file, bytes, source_, add, source_report));
      for (const auto& [path, reason] : source_report.skipped) {
        counter_.skip(path, reason, "");
        entry.skip = skip_reason_name(reason);
      }
      counter_.read(bytes.size());
      record(file.path, entry);
      if (!added) RAGLINE_CHECK(forget(file, before));
    }
    if (progress_.done) progress_.done(1);
    return {};
  }

  // A file that was a document (or rows) and is none any more.
  Status forget(const FileEntry& file, const std::optional<SourceEntry>& before) {
    std::lock_guard lock(mutex_);
    vanished_ids_.push_back(document_id_text(file.document_id));
    if (before && before->rows) append_documents_of_rows(*before_, file.document_id, vanished_ids_);
    return {};
  }

  // ---- files of rows

  // It may be of any size: no more of it than some slices is in memory.
  Status read_if_rows(FileEntry&& file, const std::optional<SourceEntry>& before) {
    const auto input = InputFile::open(file.path);
    const auto head = input ? input->read(0, kSlice) : Result<std::string>(std::unexpected(input.error()));
    if (head && !is_row_file(file.path, *head))
      return writer_->submit([this, file = std::move(file), before](const DocumentSink& sink) { return read_document(file, before, sink); });
    const auto checksum = head ? input->hash() : Result<std::uint64_t>(std::unexpected(head.error()));
    SourceEntry entry;
    entry.rows = true;
    if (!checksum) counter_.skip(file.path, SkipReason::kUnreadable, checksum.error().message);
    if (checksum && has_changed(file, before, *checksum, entry)) {
      counter_.read(file.size);
      record(file.path, entry);
      RAGLINE_CHECK(submit_rows(file, before, *input, *head));
    }
    if (progress_.done) progress_.done(1);
    return {};
  }

  Status submit_rows(const FileEntry& file, const std::optional<SourceEntry>& before, const InputFile& input, const std::string& head) {

    auto rows = std::make_shared<RowsOf>();
    rows->name = file.path;
    rows->id = document_id_text(file.document_id);
    rows->size = file.size;
    rows->mtime_ns = file.mtime_ns;
    if (before && !before->rows) vanished_ids_.push_back(rows->id);
    append_documents_of_rows(*before_, rows->id, rows->old_ids);
    if (!rows->old_ids.empty()) changed_rows_.push_back(rows);
    // Chunks of one document may not be torn apart: such a file is read by one thread.
    if (head.find("\"type\":\"chunk\"") != head.npos)
      return writer_->submit([this, rows](const DocumentSink& sink) -> Status {
        RAGLINE_TRY(LineReader lines, LineReader::open(rows->name));
        return read_rows(*rows, lines, 1, sink);
      });
    std::uint64_t number = 1;
    std::string slice;
    for (std::uint64_t offset = 0;;) {
      if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted: the index is as it was");
      RAGLINE_TRY(const std::string piece, input.read(offset, kSlice));
      offset += piece.size();
      const std::size_t newline = piece.rfind('\n');
      const bool last = piece.size() < kSlice;
      slice.append(piece, 0, last || newline == piece.npos ? piece.size() : newline + 1);
      if (!last && newline == piece.npos) continue;  // a line longer than a slice
      const auto bytes = std::make_shared<const std::string>(std::exchange(slice, last ? "" : piece.substr(newline + 1)));
      RAGLINE_CHECK(writer_->submit([this, rows, bytes, number](const DocumentSink& sink) {
        LineReader lines(rows->name, *bytes);
        return read_rows(*rows, lines, number, sink);
      }));
      if (last) return {};
      number += static_cast<std::uint64_t>(std::count(bytes->begin(), bytes->end(), '\n'));
    }
  }

  struct RowsOf {
    std::string name, id;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    std::vector<std::string> old_ids;          // of the documents that this file brought before
    std::unordered_set<std::uint64_t> new_ids;  // hashes of those it brings now; kept only when there are old ones
  };

  Status read_rows(RowsOf& rows, LineReader& lines, std::uint64_t first_line, const DocumentSink& sink) {
    SourceReport source_report;
    auto add = [&](ChunkedDocument&& document) {
      document.rows_of = rows.id;
      document.source_size = rows.size;
      document.source_mtime_ns = rows.mtime_ns;
      if (!rows.old_ids.empty()) {
        std::lock_guard lock(mutex_);
        rows.new_ids.insert(hash64(document.document.document_id));
      }
      return add_document(std::move(document), sink);
    };
    RowReader reader(rows.name, source_, add, [](std::string_view) { return Status{}; }, source_report);
    Line line;
    Status status;
    while (status) {
      auto more = lines.next(line);
      if (!more) status = std::unexpected(more.error());
      if (!more || !*more) break;
      status = reader.push(line.bytes, first_line + line.number - 1);
    }
    if (status) status = reader.finish();
    counter_.add(source_report);
    return status;
  }

  // Standard input: parsed here, analysed and stored on the writer's threads.
  Status read_stream() {
    SourceReport source_report;
    DocumentSink queue = [&](ChunkedDocument&& document) { return writer_->add(std::move(document)); };
    auto add = [&](ChunkedDocument&& document) { return add_document(std::move(document), queue); };
    RowReader reader("standard input", source_, add, [](std::string_view) { return Status{}; }, source_report);
    RAGLINE_TRY(auto lines, LineReader::open("-"));
    Line line;
    while (true) {
      if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted: the index is as it was");
      RAGLINE_TRY(const bool more, lines.next(line));
      if (!more) break;
      RAGLINE_CHECK(reader.push(line.bytes, line.number));
      counter_.read(line.bytes.size() + 1, 0);
    }
    RAGLINE_CHECK(reader.finish());
    counter_.add(source_report);
    return {};
  }

  // ---- what all ways share

  Status add_document(ChunkedDocument&& document, const DocumentSink& sink) {
    labels_.apply(document);
    counter_.chunks(document.chunks);
    return sink(std::move(document));
  }

  Status delete_vanished() {
    std::vector<std::string> gone = std::move(vanished_ids_);
    for (const auto& rows : changed_rows_)
      for (std::string& id : rows->old_ids)
        if (!rows->new_ids.contains(hash64(id))) gone.push_back(std::move(id));

    // What the globs of this run leave out has not been looked for.
    const PathGlobs globs(walk_.globs);
    auto lost = [&](const std::string& path) {
      return !seen_.contains(path) && (globs.empty() || globs.keeps(relative_path(walk_.base, path))) && lies_under_one(path, complete_roots_);
    };
    std::vector<std::string> lost_paths;
    if (!complete_roots_.empty()) {
      for (const auto& [path, entry] : inventory_.entries())
        if (lost(path)) lost_paths.push_back(path);
      // Without an inventory the documents themselves say which files they were.
      if (inventory_.entries().empty() && documents_before_ > 0) {
        const std::string& base = writer_->manifest().base;
        for (const auto& segment : before_->segments)
          for (std::uint32_t i = 0; i < segment->document_count(); ++i) {
            const std::string path = join_path(base, segment->document(i).path);
            if (!segment->document(i).path.empty() && !segment->is_deleted_document(i) && lost(path)) gone.emplace_back(segment->document(i).document_id);
          }
        for (const std::string& file : files_of_rows(*before_))
          if (lost(join_path(base, file))) append_documents_of_rows(*before_, file, gone);
      }
    }
    for (const std::string& path : lost_paths) {
      const SourceEntry* entry = inventory_.find(path);
      const std::string id = document_id_text(relative_path(writer_->manifest().base, path));
      if (entry->rows) {
        append_documents_of_rows(*before_, id, gone);
      } else if (entry->skip.empty()) {
        gone.push_back(id);
      }
      inventory_.erase(path);
    }
    std::sort(gone.begin(), gone.end());
    gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
    std::erase_if(gone, [&](const std::string& id) { return !has_document(*before_, id); });
    if (!options_.allow_mass_delete && gone.size() > kFewDocuments && gone.size() > documents_before_ / 10)
      return fail(ErrorKind::kDenied, cat(gone.size(), " of ", documents_before_,
                                          " documents have vanished: nothing was changed; check the paths, or give --allow-mass-delete"));
    for (const std::string& id : gone) if (auto removed = writer_->remove(id); !removed) return std::unexpected(removed.error());
    return {};
  }

  void record(const std::string& path, const SourceEntry& entry) {
    std::lock_guard lock(mutex_);
    read_.emplace_back(path, entry);
  }
  std::shared_ptr<Storage> storage_;
  const BuildOptions& options_;
  const BuildProgress& progress_;
  Labels labels_;
  std::string labels_key_;  // what decides, besides the files, which labels documents get
  std::string own_folder_;
  WalkOptions walk_;
  SourceOptions source_;
  bool full_ = false, stream_ = false, recorded_ = false;
  std::vector<std::string> roots_;
  std::set<std::string, std::less<>> complete_roots_;
  std::shared_ptr<const Snapshot> before_;
  std::uint64_t documents_before_ = 0;
  Inventory inventory_;
  std::unordered_set<std::string> seen_;
  std::vector<std::shared_ptr<RowsOf>> changed_rows_;

  std::mutex mutex_;  // guards what follows, which works on the writer's threads touch
  std::vector<std::pair<std::string, SourceEntry>> read_;
  std::vector<std::string> vanished_ids_;
  BuildCounter counter_;  // by itself

  std::unique_ptr<IndexWriter> writer_;  // last: its threads use the others
};

}  // namespace

Result<BuildReport> build_index(std::shared_ptr<Storage> storage, const std::vector<std::string>& roots, const BuildOptions& options,
                                const BuildProgress& progress) {
  return Builder(std::move(storage), options, progress).run(roots);
}

}  // namespace ragline
