#include "corpus-read/run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "cli/terminal.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "corpus-read/requests.h"
#include "corpus/tokens.h"
#include "grep/budget.h"
#include "grep/byte_source.h"
#include "grep/opener.h"
#include "grep/span_text.h"
#include "index/lookup.h"
#include "record/base64.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr std::size_t kMostFile = 256 << 20;

// A piece of a document, ready to be shown.
struct Passage {
  std::string document_id, path, extractor, text;
  LineSpan lines;
  ByteSpan bytes;
  std::uint64_t document_lines = 0;
};

class ReadRun {
 public:
  explicit ReadRun(ToolRun& run) : run_(run), flags_(run.flags) {}

  Status go() {
    RAGLINE_TRY(std::vector<ReadRequest> requests, read_requests(flags_));
    if (requests.empty() && flags_.positionals().empty())
      return fail(ErrorKind::kUsage, "nothing to read: give path:FIRST-LAST, an evidence id, or - for records");
    RAGLINE_CHECK(open_index());
    if (flags_.has("root")) {
      RAGLINE_TRY(opener_, Opener::beneath(absolute_path(flags_.text("root"))));
      if (::chdir(flags_.text("root").c_str()) != 0) return fail(ErrorKind::kIo, errno_text("--root: cannot enter", flags_.text("root")));
    }
    std::vector<Passage> passages;
    RAGLINE_CHECK(collect(requests, passages));
    RAGLINE_CHECK(show(passages));
    return first_error_ ? std::unexpected(*first_error_) : Status{};
  }

 private:
  Status open_index() {
    if (!flags_.has("index")) {
      if (flags_.given("principal") || flags_.given("tenant") || flags_.given("neighbours"))
        return fail(ErrorKind::kUsage, "--principal, --tenant and --neighbours need an index: name it with --index");
      return {};
    }
    const auto storage = disk_storage(absolute_path(flags_.text("index")));
    RAGLINE_TRY(snapshot_, open_snapshot(*storage));
    Scope scope;
    scope.principals = flags_.list("principal");
    if (flags_.has("tenant")) scope.tenant = flags_.text("tenant");
    RAGLINE_TRY(lookup_, Lookup::open(*snapshot_, scope));
    return {};
  }

  // Whether the caller may read the document, by the index; one that it does not hold is not readable under it.
  bool may_read(const std::string& document_id) const { return !lookup_ || lookup_->find(document_id).has_value(); }

  void refuse(Error error) {
    if (first_error_) run_.note(error.message);
    if (!first_error_) first_error_ = std::move(error);
  }

  // ---- from requests to passages

  struct Document {
    std::string path;
    std::vector<const ReadRequest*> requests;
  };

  Status collect(const std::vector<ReadRequest>& requests, std::vector<Passage>& passages) {
    std::vector<Document> documents;
    std::map<std::string, std::size_t> numbers;
    for (const ReadRequest& request : requests) {
      const auto [place, fresh] = numbers.try_emplace(request.span.path, documents.size());
      if (fresh) documents.push_back({request.span.path, {}});
      documents[place->second].requests.push_back(&request);
    }
    for (const Document& document : documents) {
      if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
      if (Status status = read(document, passages); !status) refuse(status.error());
    }
    return {};
  }

  Status read(const Document& document, std::vector<Passage>& passages) {
    const std::string document_id = relative_path(current_directory(), absolute_path(document.path));
    if (!may_read(document_id) && !may_read(document.path))
      return fail(ErrorKind::kNotFound, cat("cannot read '", document.path, "': the index holds no such document, or not for you"));
    const ReadRequest& first = *document.requests.front();
    auto bytes = read_bytes(document.path);
    // A document that is no file: the index has its text.
    if (!bytes && lookup_ && first.span.id) return read_indexed(document, passages);
    if (!bytes) return std::unexpected(bytes.error());
    auto text = SpanText::of(std::move(*bytes), first.span.id);
    if (!text) return fail(text.error().kind, cat("cannot read '", document.path, "': ", text.error().message));
    std::vector<ByteSpan> spans;
    for (const ReadRequest* request : document.requests) {
      auto span = resolve(*request, *text);
      if (!span) {
        refuse(span.error());
        continue;
      }
      spans.push_back(*span);
    }
    for (ByteSpan span : merge_spans(std::move(spans))) {
      span = cut_lines(span, *text);
      passages.push_back({document_id, document.path, text->extractor(),
                          std::string(text->text().substr(span.begin, span.end - span.begin)), text->lines_of(span), span, text->line_count()});
    }
    return {};
  }

  Result<std::string> read_bytes(const std::string& path) {
    Target target;
    target.path = path;
    target.named = true;
    Opener::Opened opened = opener_.open(target, true);
    if (opened.descriptor < 0) {
      const bool outside = opened.reason == SkipReason::kLinkOutside;
      return fail(outside ? ErrorKind::kDenied : ErrorKind::kIo, cat("cannot read '", path, "': ", opened.detail));
    }
    struct Closer {
      int descriptor;
      ~Closer() { ::close(descriptor); }
    } closer{opened.descriptor};
    struct stat info {};
    if (::fstat(opened.descriptor, &info) == 0 && S_ISDIR(info.st_mode))
      return fail(ErrorKind::kIo, cat("cannot read '", path, "': it is a directory"));
    FileSource source(opened.descriptor, false);
    std::string bytes(static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)) + 1, '\0');
    std::size_t size = 0;
    while (true) {
      if (size == bytes.size()) bytes.resize(bytes.size() * 2 + (64 << 10));
      if (size > kMostFile) return fail(ErrorKind::kLimit, cat("'", path, "' has more than 256 MB: cut it with other tools"));
      const auto got = source.read(bytes.data() + size, bytes.size() - size);
      if (!got) return fail(ErrorKind::kIo, cat("cannot read '", path, "': ", got.error().message));
      if (*got == 0) break;
      size += *got;
    }
    bytes.resize(size);
    return bytes;
  }

  Result<ByteSpan> resolve(const ReadRequest& request, const SpanText& text) {
    ByteSpan span{0, text.text().size()};
    const SpanRequest& asked = request.span;
    if (asked.id) {
      RAGLINE_TRY(span, resolve_id(*asked.id, asked.text, text));
    } else if (asked.lines) {
      auto found = text.bytes_of(*asked.lines);
      if (!found) return fail(found.error().kind, cat("'", asked.text, "': ", found.error().message));
      span = *found;
    } else if (asked.last_lines > 0 && text.line_count() > 0) {
      const std::uint64_t first = text.line_count() > asked.last_lines ? text.line_count() - asked.last_lines + 1 : 1;
      RAGLINE_TRY(span, text.bytes_of({first, UINT64_MAX}));
    } else if (text.line_count() > 0) {
      RAGLINE_TRY(span, text.bytes_of({1, UINT64_MAX}));
    }
    RAGLINE_TRY(span, widen(request, span, text));
    return text.with_context(span, static_cast<std::uint64_t>(flags_.integer("context")));
  }

  Result<ByteSpan> resolve_id(const EvidenceId& id, const std::string& shown, const SpanText& text) {
    if (text.holds(id)) return id.bytes;
    const auto moved = text.find_moved(id);
    if (!moved)
      return fail(ErrorKind::kNotFound, cat("'", shown, "': the text was edited: its bytes are nowhere in the file any more: search for it again"));
    if (flags_.on("follow-moved")) return *moved;
    const LineSpan lines = text.lines_of(*moved);
    return fail(ErrorKind::kNotFound, cat("'", shown, "': the text has moved to lines ", lines.first, "-", lines.last, ", ",
                                          format_evidence_id(id.document_id, *moved, id.hash), ": --follow-moved reads it there"));
  }

  Result<ByteSpan> widen(const ReadRequest& request, ByteSpan span, const SpanText& text) {
    if (flags_.on("parent")) {
      if (!request.parent_id.empty()) {
        if (const auto parent = parse_evidence_id(request.parent_id); parent && text.holds(*parent)) return parent->bytes;
      }
      return text.enclosing_section(span, request.span.path);
    }
    if (flags_.text("enclosing") == "section") return text.enclosing_section(span, request.span.path);
    if (flags_.text("enclosing") == "paragraph") return text.enclosing_block(span, request.span.path);
    if (flags_.integer("neighbours") > 0) return with_neighbours(request, span);
    return span;
  }

  // From the chunks of the document that the span touches, so many to either side.
  Result<ByteSpan> with_neighbours(const ReadRequest& request, ByteSpan span) {
    const std::string& id = request.span.id ? request.span.id->document_id : request.span.path;
    RAGLINE_TRY(const std::vector<Chunk> chunks, lookup_->find(id));
    std::vector<ByteSpan> spans;
    for (const Chunk& chunk : chunks)
      if (chunk.bytes) spans.push_back(*chunk.bytes);
    std::ranges::sort(spans, {}, &ByteSpan::begin);
    const auto touches = [&](const ByteSpan& each) { return each.end > span.begin && each.begin < std::max(span.end, span.begin + 1); };
    auto first = std::ranges::find_if(spans, touches);
    if (first == spans.end()) return span;
    auto last = std::find_if_not(first, spans.end(), touches) - 1;
    const auto around = static_cast<std::ptrdiff_t>(flags_.integer("neighbours"));
    first -= std::min(around, first - spans.begin());
    last += std::min(around, spans.end() - 1 - last);
    return ByteSpan{std::min(span.begin, first->begin), std::max(span.end, last->end)};
  }

  Status read_indexed(const Document& document, std::vector<Passage>& passages) {
    for (const ReadRequest* request : document.requests) {
      if (!request->span.id) continue;
      RAGLINE_TRY(const std::vector<Chunk> chunks, lookup_->find(request->span.text));
      for (const Chunk& chunk : chunks)
        passages.push_back({chunk.document_id, chunk.path.empty() ? chunk.document_id : chunk.path, chunk.extractor, chunk.text,
                            chunk.lines.value_or(LineSpan{1, 1}), chunk.bytes.value_or(ByteSpan{}), 0});
    }
    return {};
  }

  ByteSpan cut_lines(ByteSpan span, const SpanText& text) const {
    const LineSpan lines = text.lines_of(span);
    LineSpan kept = lines;
    if (flags_.has("head")) kept.last = std::min(kept.last, kept.first + static_cast<std::uint64_t>(flags_.integer("head")) - 1);
    if (flags_.has("tail")) {
      const auto most = static_cast<std::uint64_t>(flags_.integer("tail"));
      if (kept.last - kept.first + 1 > most) kept.first = kept.last - most + 1;
    }
    if (kept == lines) return span;
    return text.bytes_of(kept).value_or(span);
  }

  // ---- from passages to output

  Status show(const std::vector<Passage>& passages) {
    const bool as_text = run_.format() == "text" || flags_.on("count");
    const auto most_bytes = flags_.size("max-output-bytes");
    const auto most_tokens = static_cast<std::uint64_t>(flags_.integer("max-tokens"));
    Hasher hasher;
    for (const std::string& argument : flags_.positionals()) hasher.add(argument);
    for (const Passage& passage : passages) hasher.add(format_evidence_id(passage.document_id, passage.bytes, evidence_hash(passage.text)));
    std::size_t number = 0, offset = 0;
    if (flags_.has("cursor")) {
      RAGLINE_TRY(const Cursor cursor, parse_cursor(flags_.text("cursor"), hasher.value()));
      number = static_cast<std::size_t>(parse_integer(cursor.path).value_or(0));
      offset = static_cast<std::size_t>(cursor.offset);
    }
    End end;
    std::uint64_t bytes = 0, tokens = 0, shown = 0;
    for (; number < passages.size(); ++number, offset = 0) {
      const Passage& passage = passages[number];
      const std::string_view rest = std::string_view(passage.text).substr(std::min(offset, passage.text.size()));
      const std::size_t fits = lines_that_fit(rest, most_bytes == 0 ? UINT64_MAX : most_bytes - bytes, most_tokens == 0 ? UINT64_MAX : most_tokens - tokens);
      if (fits > 0 || rest.empty()) {
        RAGLINE_CHECK(show_part(passage, offset, rest.substr(0, fits), as_text));
        ++shown;
        bytes += fits;
        tokens += estimate_tokens(rest.substr(0, fits));
      }
      if (fits < rest.size()) {
        end.complete = false;
        end.stop_reason = most_bytes > 0 && most_bytes - bytes < rest.size() - fits ? "limit:max-output-bytes" : "limit:max-tokens";
        std::size_t next = offset + fits;
        if (next < passage.text.size() && passage.text[next] == '\n') ++next;
        end.next = cursor_text({hasher.value(), next, cat(number)});
        if (shown == 0) end.warnings.push_back("not one line fits the budget: raise it");
        break;
      }
    }
    if (shown > 0) run_.outcome.set_found();
    if (!end.complete) run_.outcome.set_limit_hit();
    if (end.complete) end.stop_reason = "exhausted";
    if (first_error_) end.complete = false;
    end.counts = {{"passages", shown}, {"bytes", bytes}, {"tokens", tokens}};
    if (first_error_) end.warnings.push_back(first_error_->message);
    if (as_text) {
      if (!end.next.empty()) run_.note(cat("cut by ", end.stop_reason, "; to go on: --cursor '", end.next, "'"));
      return {};
    }
    std::string line;
    write_record(line, end);
    return run_.out.write(line);
  }

  // How much of `text` the budgets allow: all of it, or whole lines.
  static std::size_t lines_that_fit(std::string_view text, std::uint64_t bytes, std::uint64_t tokens) {
    if (text.size() <= bytes && (tokens == UINT64_MAX || estimate_tokens(text) <= tokens)) return text.size();
    std::size_t fits = 0;
    std::uint64_t used = 0;
    while (fits < text.size()) {
      std::size_t end = std::min(text.find('\n', fits + (fits > 0)), text.size());
      used += tokens == UINT64_MAX ? 0 : estimate_tokens(text.substr(fits, end - fits));
      if (end > bytes || used > tokens) break;
      fits = end;
    }
    return fits;
  }

  Status show_part(const Passage& passage, std::size_t offset, std::string_view text, bool as_text) {
    const auto skipped = static_cast<std::uint64_t>(std::ranges::count(std::string_view(passage.text).substr(0, offset), '\n'));
    const auto newlines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    const LineSpan lines{passage.lines.first + skipped, passage.lines.first + skipped + newlines};
    std::string out;
    if (flags_.on("count")) {
      append(out, passage.path, ":", lines.first, "-", lines.last, "\t", newlines + 1, " lines\t", text.size(), " bytes\t", estimate_tokens(text),
             " tokens\n");
      return run_.out.write(out);
    }
    if (as_text) {
      append(out, "==> ", harmless(passage.path), ":", lines.first, "-", lines.last, " <==\n");
      std::uint64_t number = lines.first;
      for (const std::string_view line : split(text, '\n')) {
        const std::string digits = cat(number++);
        append(out, std::string(digits.size() < 6 ? 6 - digits.size() : 0, ' '), digits, "\t", harmless(line), "\n");
      }
      return run_.out.write(out);
    }
    const ByteSpan bytes{passage.bytes.begin + offset, passage.bytes.begin + offset + text.size()};
    JsonObject record(out);
    record.add("type", "passage").add("evidence_id", std::string_view(format_evidence_id(passage.document_id, bytes, evidence_hash(text))));
    record.add("document_id", std::string_view(passage.document_id)).add("path", std::string_view(passage.path));
    if (!is_valid_utf8(passage.path)) record.add("path_b64", std::string_view(base64_encode(passage.path)));
    record.raw("lines", cat("[", lines.first, ",", lines.last, "]")).raw("bytes", cat("[", bytes.begin, ",", bytes.end, "]"));
    record.add("text", text);
    if (!passage.extractor.empty()) record.add("extractor", std::string_view(passage.extractor));
    record.close();
    out += '\n';
    return run_.out.write(out);
  }

  std::string harmless(std::string_view text) const { return run_.out.is_terminal() ? harmless_text(text) : std::string(text); }

  ToolRun& run_;
  const Flags& flags_;
  Opener opener_;
  std::shared_ptr<const Snapshot> snapshot_;
  std::optional<Lookup> lookup_;
  std::optional<Error> first_error_;
};

}  // namespace

Status corpus_read(ToolRun& run) { return ReadRun(run).go(); }

}  // namespace ragline
