#include "index/manifest.h"

#include <charconv>
#include <concepts>
#include <type_traits>
#include <utility>

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

// The members in the order of the file: the one list behind reading and writing.
template <class M, class Visit>
  requires std::same_as<std::remove_const_t<M>, SegmentEntry>
void each_member(M& segment, Visit visit) {
  visit("name", segment.name);
  visit("chunks", segment.chunks);
  visit("documents", segment.documents);
  visit("bytes", segment.bytes);
  visit("vectors", segment.vectors);
  visit("deletes", segment.deletes);
  visit("deleted_chunks", segment.deleted_chunks);
  visit("deleted_documents", segment.deleted_documents);
}
template <class M, class Visit>
  requires std::same_as<std::remove_const_t<M>, Manifest>
void each_member(M& manifest, Visit visit) {
  visit("generation", manifest.generation);
  visit("analyzer_version", manifest.analyzer_version);
  visit("created_by", manifest.created_by);
  visit("base", manifest.base);
  visit("roots", manifest.roots);
  visit("governed", manifest.governed);
  visit("tenants", manifest.tenants);
  visit("labels", manifest.labels);
  visit("labels_file", manifest.labels_file);
  visit("trust_labels", manifest.trust_labels);
  visit("chunk_size", manifest.chunk_size);
  visit("chunk_overlap", manifest.chunk_overlap);
  visit("language", manifest.language);
  visit("embedder", manifest.embedder);
  visit("model", manifest.model);
  visit("dimensions", manifest.dimensions);
  visit("hidden", manifest.hidden);
  visit("ignore_files", manifest.ignore_files);
  visit("follow_links", manifest.follow_links);
  visit("max_file_size", manifest.max_file_size);
  visit("next_segment", manifest.next_segment);
  visit("versions", manifest.versions);
  visit("segments", manifest.segments);
}

// Paths are bytes; JSON is UTF-8. A string that is not is written as {"base64": "..."}.
std::string to_json(const std::string& bytes) {
  return is_valid_utf8(bytes) ? json_string(bytes)
                              : cat("{\"base64\": ", json_string(base64_encode(bytes)), "}");
}
std::string to_json(bool value) { return value ? "true" : "false"; }
std::string to_json(std::uint64_t value) { return cat(value); }
std::string to_json(std::uint32_t value) { return cat(value); }
std::string to_json(const SegmentEntry& segment) {
  std::string out;
  each_member(segment, [&](const char* name, const auto& value) {
    append(out, out.empty() ? "{\"" : ", \"", name, "\": ", to_json(value));
  });
  return out + "}";
}
// One element a line, so that two manifests can be compared with diff.
template <class T>
std::string to_json(const std::vector<T>& list) {
  std::string out;
  for (const T& value : list) append(out, out.empty() ? "[\n    " : ",\n    ", to_json(value));
  return out.empty() ? "[]" : out + "]";
}

// Reads values of the kind that a member must have; once anything else comes, ok() is false.
class MemberReader {
 public:
  explicit MemberReader(std::string_view json) : scan_(json) {}
  bool ok() const { return ok_; }

  void read(std::string& out) {
    if (next() == JsonToken::kOpenObject) {
      members([&](std::string_view name) {
        std::string text;
        if (name != "base64") return skip();
        read(text);
        const auto bytes = base64_decode(text);
        ok_ &= bytes.has_value();
        if (bytes) out = *bytes;
      });
      return;
    }
    out.clear();
    ok_ = ok_ && token_ == JsonToken::kString && append_unescaped(out, scan_.raw());
  }
  template <std::unsigned_integral N>
  void read(N& out) {
    if (next() != JsonToken::kNumber) return fail();
    const std::string_view text = scan_.raw();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || end != text.data() + text.size()) fail();
  }
  void read(bool& out) {
    out = next() == JsonToken::kTrue;
    ok_ &= out || token_ == JsonToken::kFalse;
  }
  template <class T>
  void read(std::vector<T>& out) {
    if (next() != JsonToken::kOpenArray) return fail();
    while (ok_) {
      const JsonToken token = next();
      if (token == JsonToken::kCloseArray) return;
      pushed_ = token;
      read(out.emplace_back());
    }
  }
  void read(SegmentEntry& out) {
    object(out, [](std::string_view) { return false; });
  }

  // Members of `out` by each_member; others are `special`, or passed over when that says false:
  // within a format, only such may be added that a reader can do without.
  template <class M, class Special>
  void object(M& out, Special special) {
    if (next() != JsonToken::kOpenObject) return fail();
    members([&](std::string_view name) {
      bool known = special(name);
      each_member(out, [&](std::string_view member, auto& value) {
        if (known || member != name) return;
        known = true;
        read(value);
      });
      if (!known) skip();
    });
  }
  void end() {
    if (next() != JsonToken::kEnd) fail();
  }

 private:
  JsonToken next() {
    token_ = pushed_ != JsonToken::kEnd ? std::exchange(pushed_, JsonToken::kEnd) : scan_.next();
    if (token_ == JsonToken::kFault) ok_ = false;
    return token_;
  }
  void fail() { ok_ = false; }
  void skip() {
    int open = 0;
    do {
      const JsonToken token = next();
      open += token == JsonToken::kOpenObject || token == JsonToken::kOpenArray;
      open -= token == JsonToken::kCloseObject || token == JsonToken::kCloseArray;
    } while (ok_ && open > 0);
  }
  template <class Member>
  void members(Member member) {
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

struct Parsed {
  Manifest manifest;
  std::uint64_t format = 0;
  bool ok = false;
};

Parsed parse(std::string_view json) {
  Parsed parsed;
  MemberReader in(json);
  in.object(parsed.manifest, [&](std::string_view name) {
    if (name != "format") return false;
    in.read(parsed.format);
    return true;
  });
  in.end();
  parsed.ok = in.ok() && parsed.format > 0;
  return parsed;
}

// A name that this index could have written: it is used as a path.
bool is_own_name(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) &&
         name.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.-") == name.npos;
}

bool is_sound(const Manifest& manifest) {
  if (!manifest.versions.empty() && !is_own_name(manifest.versions, "versions-")) return false;
  for (const SegmentEntry& segment : manifest.segments)
    if (!is_own_name(segment.name, "seg-") || segment.documents == 0 ||
        segment.chunks < segment.documents || segment.deleted_chunks > segment.chunks ||
        segment.deleted_documents > segment.documents || segment.vectors > segment.chunks ||
        (!segment.deletes.empty() && !is_own_name(segment.deletes, segment.name)))
      return false;
  return true;
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  std::string out = cat("{\n  \"format\": ", kFormatVersion, ",\n");
  each_member(manifest, [&](const char* name, const auto& value) {
    append(out, "  \"", name, "\": ", to_json(value), ",\n");
  });
  append(out, kChecksumLine, checksum_text(out), "\"\n}\n");
  return out;
}

Result<Manifest> read_manifest(const Storage& storage) {
  auto file = storage.map(kManifestFile);
  if (!file && file.error().kind == ErrorKind::kNotFound)
    return fail(ErrorKind::kNotFound,
                cat("'", storage.describe(),
                    "' is no ragline index: it has no MANIFEST: build one with rag-index build"));
  if (!file) return std::unexpected(std::move(file).error());
  const std::string_view bytes = (*file)->bytes();
  const std::string where = cat(storage.describe(), "/", kManifestFile);
  auto corrupt = [&](std::string_view what) {
    return fail(ErrorKind::kCorrupt,
                cat(where, ": ", what, ": build the index anew, or restore it from a copy"));
  };
  // Of every format, now and later: JSON, a "format", and last the checksum line.
  const std::size_t line = bytes.rfind(kChecksumLine);
  if (line == bytes.npos) return corrupt("the checksum is missing");
  if (bytes.substr(line) != cat(kChecksumLine, checksum_text(bytes.substr(0, line)), "\"\n}\n"))
    return corrupt("the checksum does not fit");
  Parsed parsed = parse(bytes);
  if (parsed.format > kFormatVersion)
    return fail(ErrorKind::kVersion,
                cat(where, ": format ", parsed.format, " is newer than ", kFormatVersion,
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
