#include "index/manifest.h"

#include <functional>

#include "core/hash.h"
#include "core/text.h"
#include "core/utf8.h"
#include "index/segment_files.h"
#include "record/base64.h"
#include "record/json_scan.h"
#include "record/writer.h"

namespace ragline {

namespace {

// Everything before this line is what the checksum is of.
constexpr std::string_view kChecksumLine = "  \"checksum\": \"";

// ---- writing: one member a line, so that two manifests can be compared with diff

// Paths are bytes; JSON is UTF-8. A path that is not UTF-8 is written as {"base64": "..."}.
std::string bytes_json(std::string_view bytes) {
  return is_valid_utf8(bytes) ? json_string(bytes) : cat("{\"base64\": ", json_string(base64_encode(bytes)), "}");
}

class MemberWriter {
 public:
  explicit MemberWriter(std::string& out) : out_(out) {}
  void raw(std::string_view name, std::string_view json) { append(out_, "  \"", name, "\": ", json, ",\n"); }
  void number(std::string_view name, std::uint64_t value) { raw(name, cat(value)); }
  void boolean(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }
  void string(std::string_view name, std::string_view value) { raw(name, bytes_json(value)); }

 private:
  std::string& out_;
};

std::string segment_json(const SegmentEntry& segment) {
  std::string out = cat("{\"name\": ", json_string(segment.name), ", \"chunks\": ", segment.chunks,
                        ", \"documents\": ", segment.documents, ", \"bytes\": ", segment.bytes);
  if (!segment.deletes.empty())
    append(out, ", \"deletes\": ", json_string(segment.deletes), ", \"deleted_chunks\": ", segment.deleted_chunks,
           ", \"deleted_documents\": ", segment.deleted_documents);
  return out += '}';
}

// ---- reading

// Reads values of the kind that a member must have; once anything else comes, ok() is false.
class MemberReader {
 public:
  explicit MemberReader(std::string_view json) : scan_(json) {}
  bool ok() const { return ok_; }

  // Calls member(name) for each; it must read the value.
  void object(const std::function<void(std::string_view)>& member) {
    if (!expect(JsonToken::kOpenObject)) return;
    members(member);
  }
  void list(const std::function<void()>& element) {
    if (!expect(JsonToken::kOpenArray)) return;
    while (ok_) {
      const JsonToken token = next();
      if (token == JsonToken::kCloseArray) return;
      pushed_ = token;
      element();
    }
  }
  std::string string() {
    std::string text;
    if (next() == JsonToken::kOpenObject) {
      members([&](std::string_view name) {
        if (name != "base64") return skip();
        auto bytes = base64_decode(string());
        ok_ &= bytes.has_value();
        if (bytes) text = *bytes;
      });
      return text;
    }
    ok_ = ok_ && token_ == JsonToken::kString && append_unescaped(text, scan_.raw());
    return text;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    if (!expect(JsonToken::kNumber)) return 0;
    const std::string_view text = scan_.raw();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    ok_ = error == std::errc() && end == text.data() + text.size();
    return value;
  }
  std::uint32_t number32() {
    const std::uint64_t value = number();
    ok_ &= value <= UINT32_MAX;
    return static_cast<std::uint32_t>(value);
  }
  bool boolean() {
    const JsonToken token = next();
    ok_ &= token == JsonToken::kTrue || token == JsonToken::kFalse;
    return token == JsonToken::kTrue;
  }
  void skip() {
    int open = 0;
    do {
      const JsonToken token = next();
      open += token == JsonToken::kOpenObject || token == JsonToken::kOpenArray;
      open -= token == JsonToken::kCloseObject || token == JsonToken::kCloseArray;
    } while (ok_ && open > 0);
  }
  void end() { expect(JsonToken::kEnd); }

 private:
  JsonToken next() {
    token_ = pushed_ != JsonToken::kEnd ? std::exchange(pushed_, JsonToken::kEnd) : scan_.next();
    if (token_ == JsonToken::kFault) ok_ = false;
    return token_;
  }
  bool expect(JsonToken wanted) {
    if (next() != wanted) ok_ = false;
    return ok_;
  }
  void members(const std::function<void(std::string_view)>& member) {
    while (ok_) {
      const JsonToken token = next();
      if (token == JsonToken::kCloseObject) return;
      ok_ &= token == JsonToken::kKey;
      if (ok_) member(std::string(scan_.raw()));
    }
  }

  JsonScanner scan_;
  JsonToken token_ = JsonToken::kEnd;
  JsonToken pushed_ = JsonToken::kEnd;  // kEnd: none
  bool ok_ = true;
};

SegmentEntry read_segment(MemberReader& in) {
  SegmentEntry segment;
  in.object([&](std::string_view name) {
    if (name == "name") segment.name = in.string();
    else if (name == "chunks") segment.chunks = in.number32();
    else if (name == "documents") segment.documents = in.number32();
    else if (name == "bytes") segment.bytes = in.number();
    else if (name == "deletes") segment.deletes = in.string();
    else if (name == "deleted_chunks") segment.deleted_chunks = in.number32();
    else if (name == "deleted_documents") segment.deleted_documents = in.number32();
    else in.skip();
  });
  return segment;
}

struct Parsed {
  Manifest manifest;
  std::uint64_t format = 0;
  bool ok = false;
};

// Members that are not known are passed over: within a format, only such may be added that a reader can do without.
Parsed parse(std::string_view json) {
  Parsed parsed;
  Manifest& m = parsed.manifest;
  MemberReader in(json);
  in.object([&](std::string_view name) {
    if (name == "format") parsed.format = in.number();
    else if (name == "generation") m.generation = in.number();
    else if (name == "analyzer_version") m.analyzer_version = in.number32();
    else if (name == "created_by") m.created_by = in.string();
    else if (name == "base") m.base = in.string();
    else if (name == "roots") in.list([&] { m.roots.push_back(in.string()); });
    else if (name == "governed") m.governed = in.boolean();
    else if (name == "tenants") m.tenants = in.boolean();
    else if (name == "labels") m.labels = in.boolean();
    else if (name == "chunk_size") m.chunk_size = in.number32();
    else if (name == "chunk_overlap") m.chunk_overlap = in.number32();
    else if (name == "language") m.language = in.string();
    else if (name == "next_segment") m.next_segment = in.number();
    else if (name == "versions") m.versions = in.string();
    else if (name == "segments") in.list([&] { m.segments.push_back(read_segment(in)); });
    else in.skip();
  });
  in.end();
  parsed.ok = in.ok() && parsed.format > 0;
  return parsed;
}

// A name that this index could have written: it is used as a path.
bool is_own_name(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.-") == name.npos;
}

bool is_sound(const Manifest& manifest) {
  if (!manifest.versions.empty() && !is_own_name(manifest.versions, "versions-")) return false;
  for (const SegmentEntry& segment : manifest.segments)
    if (!is_own_name(segment.name, "seg-") || segment.documents == 0 || segment.chunks < segment.documents ||
        segment.deleted_chunks > segment.chunks || segment.deleted_documents > segment.documents ||
        (!segment.deletes.empty() && !is_own_name(segment.deletes, segment.name)))
      return false;
  return true;
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  std::string out = "{\n";
  MemberWriter write(out);
  write.number("format", kFormatVersion);
  write.number("generation", manifest.generation);
  write.number("analyzer_version", manifest.analyzer_version);
  write.string("created_by", manifest.created_by);
  write.string("base", manifest.base);
  std::string roots = "[";
  for (const std::string& root : manifest.roots) append(roots, roots.size() > 1 ? ", " : "", bytes_json(root));
  write.raw("roots", roots + "]");
  write.boolean("governed", manifest.governed);
  write.boolean("tenants", manifest.tenants);
  write.boolean("labels", manifest.labels);
  write.number("chunk_size", manifest.chunk_size);
  write.number("chunk_overlap", manifest.chunk_overlap);
  write.string("language", manifest.language);
  write.number("next_segment", manifest.next_segment);
  if (!manifest.versions.empty()) write.string("versions", manifest.versions);
  std::string segments = "[";
  for (const SegmentEntry& segment : manifest.segments)
    append(segments, segments.size() > 1 ? ",\n    " : "\n    ", segment_json(segment));
  write.raw("segments", segments + "]");
  append(out, kChecksumLine, checksum_text(out), "\"\n}\n");
  return out;
}

Result<Manifest> read_manifest(const Storage& storage) {
  auto file = storage.map(kManifestFile);
  if (!file && file.error().kind == ErrorKind::kNotFound)
    return fail(ErrorKind::kNotFound, cat("'", storage.describe(), "' is no ragline index: it has no MANIFEST: build one with rag-index build"));
  if (!file) return std::unexpected(std::move(file).error());
  const std::string_view bytes = (*file)->bytes();
  const std::string where = cat(storage.describe(), "/", kManifestFile);
  auto corrupt = [&](std::string_view what) {
    return fail(ErrorKind::kCorrupt, cat(where, ": ", what, ": build the index anew, or restore it from a copy"));
  };
  // Of every format, now and later: JSON, a "format", and last the checksum line.
  const std::size_t line = bytes.rfind(kChecksumLine);
  if (line == bytes.npos) return corrupt("the checksum is missing");
  if (bytes.substr(line) != cat(kChecksumLine, checksum_text(bytes.substr(0, line)), "\"\n}\n"))
    return corrupt("the checksum does not fit");
  Parsed parsed = parse(bytes);
  if (parsed.format > kFormatVersion)
    return fail(ErrorKind::kVersion, cat(where, ": format ", parsed.format, " is newer than ", kFormatVersion,
                                         ", the newest this program reads: update ragline, or build the index anew"));
  if (!parsed.ok || !is_sound(parsed.manifest)) return corrupt("a member is missing or wrong");
  return std::move(parsed.manifest);
}

Status write_manifest(Storage& storage, const Manifest& manifest) {
  RAGLINE_TRY(const auto file, storage.create(kManifestDraft));
  RAGLINE_CHECK(file->append(manifest_text(manifest)));
  RAGLINE_CHECK(file->sync());
  RAGLINE_CHECK(file->close());
  RAGLINE_CHECK(storage.rename(kManifestDraft, kManifestFile));
  return storage.sync_folder("");
}

}  // namespace ragline
