#include "rag-search/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <unordered_set>

#include "cli/progress.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "index/build.h"
#include "rag-search/queries.h"
#include "rag-search/render.h"
#include "record/vector_field.h"
#include "record/writer.h"
#include "scope_flags.h"
#include "search/facets.h"
#include "search/hits.h"
#include "search/hybrid.h"
#include "search/passage_embedder.h"
#include "search/snippet.h"
#include "search/suggest.h"

namespace ragline {

namespace {

// Words without a posting for which near ones are looked up.
constexpr std::size_t kMostHintedWords = 3;

enum class Shape { kRecords, kText, kTrec, kPaths };

Status set_boost(FieldBoosts& boosts, const std::string& text) {
  const auto equals = text.find('=');
  const auto value = equals == text.npos ? std::nullopt : parse_double(text.substr(equals + 1));
  for (Field field : kTextFields) {
    if (!value || *value < 0 || *value > 10000 || text.substr(0, equals) != field_name(field)) continue;
    boosts.by_field[field_index(field)] = *value;
    return {};
  }
  return fail(ErrorKind::kUsage, cat("--boost ", text, ": give content, title, section or path, '=' and a weight from 0 to 10000, as in title=2"));
}

// One search of the tool: everything that its queries share.
class SearchRun {
 public:
  explicit SearchRun(ToolRun& run) : run_(run), flags_(run.flags), painter_(Painter::standard(run.flags.text("color"))) {}

  Status search() {
    RAGLINE_CHECK(read_options());
    RAGLINE_TRY(const std::vector<Query> queries, read_questions());
    RAGLINE_CHECK(open_index());
    RAGLINE_TRY(scope_, scope_of(flags_));
    RAGLINE_CHECK(check_scope(*snapshot_, scope_));
    RAGLINE_TRY(bitmaps_, apply_scope(*snapshot_, scope_));
    RAGLINE_CHECK(choose_arms(queries));
    return threads_ > 1 && queries.size() > 1 ? answer_in_parallel(queries) : answer_in_turn(queries);
  }

 private:
  using Clock = std::chrono::steady_clock;

  Status read_options() {
    options_.top = static_cast<std::uint32_t>(flags_.integer("top"));
    options_.offset = static_cast<std::uint32_t>(flags_.integer("offset"));
    options_.min_score = flags_.number("min-score");
    options_.k1 = flags_.number("k1");
    options_.b = flags_.number("b");
    for (const std::string& boost : flags_.list("boost")) RAGLINE_CHECK(set_boost(options_.fields, boost));
    shape_ = flags_.given("trec") ? Shape::kTrec : flags_.on("paths") || flags_.on("paths0") ? Shape::kPaths
             : run_.format() == "text" ? Shape::kText : Shape::kRecords;
    options_.collapse_documents = shape_ == Shape::kTrec || shape_ == Shape::kPaths || flags_.text("collapse") == "document";
    options_.unknown_words = shape_ == Shape::kRecords || shape_ == Shape::kText;
    threads_ = flags_.has("threads") ? static_cast<int>(flags_.integer("threads")) : 1;
    return {};
  }

  Result<std::vector<Query>> read_questions() {
    const auto& words = flags_.positionals();
    if (flags_.given("queries")) {
      paths_ = words;
      RAGLINE_TRY(auto file, read_queries(flags_.text("queries"), flags_.on("skip-bad")));
      if (file.bad_lines > 0) {
        run_.note(cat(file.bad_lines, " bad lines of queries left out; the first: ", file.first_bad));
        run_.outcome.set_unreadable();
      }
      return std::move(file.queries);
    }
    if (words.empty()) return fail(ErrorKind::kUsage, "no query given: rag-search -i DIR 'what to look for', or --queries FILE");
    if (trim(words[0]).empty()) return fail(ErrorKind::kUsage, "the query is empty: say what to look for");
    paths_.assign(words.begin() + 1, words.end());
    Query query;
    query.query = words[0];
    return std::vector<Query>{std::move(query)};
  }

  Status open_index() {
    if (paths_.empty()) {
      index_ = flags_.text("index");
      if (index_.empty())
        return fail(ErrorKind::kUsage, "no index given: name one with -i DIR (rag-index build makes it), or give the paths to search after the query");
      storage_ = disk_storage(index_);
      RAGLINE_TRY(snapshot_, open_snapshot(*storage_));
      return {};
    }
    if (flags_.given("index"))
      return fail(ErrorKind::kUsage, cat("both an index and the path '", paths_[0], "' given: leave one out, or narrow the index with --path-glob"));
    storage_ = memory_storage();
    BuildOptions build;
    build.root = flags_.text("root");
    build.writer.memory = flags_.size("memory");
    if (flags_.given("threads")) build.writer.threads = threads_;
    Progress bar(run_.show_progress(), "reading", "files");
    const BuildProgress progress{{}, [&](std::uint64_t files) { bar.add(files); }};
    RAGLINE_TRY(const BuildReport report, build_index(storage_, paths_, build, progress));
    bar.finish();
    if (report.unreadable > 0) {
      run_.outcome.set_unreadable();
      for (const std::string& example : report.unreadable_examples) run_.note(cat("cannot read ", example));
    }
    RAGLINE_TRY(snapshot_, open_snapshot(*storage_));
    run_.note(cat("searched ", count_text(report.files), " files without an index; to keep one: rag-index build -i ragline.idx ", paths_[0]));
    return {};
  }

  // --mode. What the index cannot do is an error when it was asked for, and a remark when it was not.
  Status choose_arms(const std::vector<Query>& queries) {
    const std::string& mode = flags_.text("mode");
    const bool has_vectors = std::ranges::any_of(snapshot_->segments, [](const auto& segment) { return segment->vectors() != nullptr; });
    if (!has_vectors && flags_.on("vectors"))
      return fail(ErrorKind::kUsage, "--vectors: the index has none: build it with rag-index build --model MODEL");
    if (mode == "sparse" || (mode == "auto" && !has_vectors)) return {};
    if (!has_vectors)
      return fail(ErrorKind::kUsage, cat("--mode ", mode, ": there are no vectors to search: build the index with rag-index build --model MODEL"));
    hybrid_.arms = mode == "dense" ? Arms::kDense : Arms::kBoth;
    static constexpr std::pair<std::string_view, Fusion> kFusions[] = {
        {"z2", Fusion::kZSquared}, {"z", Fusion::kZ}, {"minmax", Fusion::kMinMax}, {"rrf", Fusion::kRrf}};
    for (const auto& [name, fusion] : kFusions)
      if (name == flags_.text("fusion")) hybrid_.fusion.fusion = fusion;
    hybrid_.fusion.dense_weight = flags_.number("dense-weight");
    hybrid_.fusion.sparse_weight = 1 - hybrid_.fusion.dense_weight;
    hybrid_.fusion.rrf_k = flags_.number("rrf-k");
    hybrid_.signals = flags_.text("signals") == "on";
    if (!std::ranges::all_of(queries, [](const Query& query) { return !query.vector.empty(); })) {
      auto embedder = open_query_embedder(flags_.text("model"), snapshot_->manifest);
      if (!embedder && mode == "auto" && !flags_.given("model")) {
        run_.note(cat("searching by words alone: ", embedder.error().message));
        return {};
      }
      if (!embedder) return std::unexpected(std::move(embedder).error());
      embedder_ = std::move(*embedder);
    }
    use_vectors_ = true;
    return {};
  }

  // Of a query: what its record brings, else what the embedder makes of its text. Empty when the text has no word that it knows.
  Result<std::vector<float>> vector_of(const Query& query) const {
    if (!query.vector.empty()) {
      auto field = read_vector(query.vector);
      if (!field) return fail(field.error().kind, cat("query '", query.query_id, "': ", field.error().message));
      if (!field->model.empty()) RAGLINE_CHECK(check_fingerprint(snapshot_->manifest.embedder, field->model));
      normalise_row(field->values);
      return std::move(field->values);
    }
    const std::string_view text = query.query;
    RAGLINE_TRY(std::vector<float> row, embedder_->embed(std::span(&text, 1), TextRole::kQuery));
    if (is_zero(row)) row.clear();
    return row;
  }

  // ---- answering

  struct Answer {
    std::string bytes;
    std::uint64_t hits = 0;
    double elapsed_ms = 0;
  };

  Status answer_in_turn(const std::vector<Query>& queries) {
    Searcher searcher(*snapshot_, bitmaps_);
    Answer answer;
    for (const Query& query : queries) {
      if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
      answer.bytes.clear();
      RAGLINE_CHECK(answer_one(query, searcher, answer));
      RAGLINE_CHECK(deliver(query, answer));
    }
    return {};
  }

  // Answers are delivered in the order of the queries, a batch at a time.
  Status answer_in_parallel(const std::vector<Query>& queries) {
    constexpr std::size_t kBatch = 512;
    std::vector<std::unique_ptr<Searcher>> searchers;
    for (int i = 0; i < threads_; ++i) searchers.push_back(std::make_unique<Searcher>(*snapshot_, bitmaps_));
    for (std::size_t begin = 0; begin < queries.size(); begin += kBatch) {
      if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
      const std::size_t count = std::min(kBatch, queries.size() - begin);
      std::vector<Answer> answers(count);
      std::vector<Status> statuses(count);
      std::atomic<std::size_t> next{0};
      std::vector<std::thread> threads;
      for (auto& searcher : searchers)
        threads.emplace_back([&, worker = searcher.get()] {
          for (std::size_t i; (i = next++) < count;) statuses[i] = answer_one(queries[begin + i], *worker, answers[i]);
        });
      for (std::thread& thread : threads) thread.join();
      for (std::size_t i = 0; i < count; ++i) {
        RAGLINE_CHECK(statuses[i]);
        RAGLINE_CHECK(deliver(queries[begin + i], answers[i]));
      }
    }
    return {};
  }

  Status deliver(const Query& query, const Answer& answer) {
    if (answer.hits > 0) run_.outcome.set_found();
    run_.summary.hits = run_.summary.hits.value_or(0) + answer.hits;
    if (run_.trace.is_on()) {
      TraceStep step;
      step.query = query.query;
      step.index = index_.empty() ? "(memory)" : index_;
      step.index_version = std::to_string(snapshot_->manifest.generation);
      step.route = !use_vectors_ ? "bm25" : hybrid_.arms == Arms::kDense ? "dense" : "hybrid";
      step.hits = answer.hits;
      step.elapsed_ms = answer.elapsed_ms;
      RAGLINE_CHECK(run_.trace.step(step));
    }
    return run_.out.write(answer.bytes);
  }

  Status answer_one(const Query& query, Searcher& searcher, Answer& answer) {
    const auto start = Clock::now();
    ScopeBitmaps narrowed;
    std::optional<Searcher> own;
    Searcher* used = &searcher;
    if (!query.filter.empty()) {
      // A query's own filter narrows further, for this query only.
      Scope scope = scope_;
      auto filter = parse_filter(query.filter);
      if (!filter) return fail(filter.error().kind, cat("query '", query.query_id, "': ", filter.error().message));
      scope.filters.push_back(std::move(*filter));
      RAGLINE_TRY(narrowed, apply_scope(*snapshot_, scope));
      used = &own.emplace(*snapshot_, narrowed);
    }
    std::vector<float> vector;
    if (use_vectors_) {
      RAGLINE_TRY(vector, vector_of(query));
    }
    HybridResult found;
    if (vector.empty()) {
      RAGLINE_TRY(found.result, used->search(query.query, options_));
    } else {
      RAGLINE_TRY(found, search_hybrid(*used, *snapshot_, query.filter.empty() ? bitmaps_ : narrowed, query.query, vector, options_, hybrid_));
    }
    const SearchResult& result = found.result;
    answer.hits = result.hits.size();
    if (shape_ == Shape::kTrec) {
      write_trec(query, result, answer.bytes);
    } else if (shape_ == Shape::kPaths) {
      write_paths(result, answer.bytes);
    } else {
      RAGLINE_CHECK(write_hits(query, vector, found, *used, answer.bytes, start));
    }
    answer.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return {};
  }

  DocumentEntry document_of(const ChunkHit& hit) const {
    const Segment& segment = *snapshot_->segments[hit.segment];
    return segment.document(segment.document_of(hit.chunk));
  }

  // qid Q0 docid rank score tag. A blank in an id would make two columns of one: it is written as %20 (and % as %25).
  void write_trec(const Query& query, const SearchResult& result, std::string& out) const {
    const std::string id = query.query_id.empty() ? "1" : column_text(query.query_id);
    for (std::size_t i = 0; i < result.hits.size(); ++i) {
      append(out, id, " Q0 ", column_text(document_of(result.hits[i]).document_id), " ", i + 1 + options_.offset, " ");
      append_score(out, result.hits[i].score);
      append(out, " ", flags_.text("trec"), "\n");
    }
  }

  static std::string column_text(std::string_view id) {
    if (id.find_first_of(" \t\n\r\f\v") == id.npos) return std::string(id);
    std::string out;
    for (char c : id) {
      if (std::string_view(" \t\n\r\f\v%").find(c) == std::string_view::npos) {
        out += c;
      } else {
        append(out, "%", hex(static_cast<unsigned char>(c), 2));
      }
    }
    return out;
  }

  // Six decimals, as trec_eval's readers expect.
  static void append_score(std::string& out, double score) {
    const auto millionths = static_cast<std::uint64_t>(score * 1e6 + 0.5);
    const std::string decimals = std::to_string(millionths % 1'000'000);
    append(out, millionths / 1'000'000, ".", std::string_view("000000").substr(decimals.size()), decimals);
  }

  void write_paths(const SearchResult& result, std::string& out) const {
    std::unordered_set<std::string_view> seen;
    for (const ChunkHit& hit : result.hits) {
      const DocumentEntry document = document_of(hit);
      const std::string_view path = document.path.empty() ? document.document_id : document.path;
      if (!seen.insert(path).second) continue;
      out += path;
      out += flags_.on("paths0") ? '\0' : '\n';
    }
  }

  Status write_hits(Query query, std::span<const float> vector, const HybridResult& found, Searcher& searcher, std::string& out,
                    Clock::time_point start) {
    const SearchResult& result = found.result;
    const bool vectors = flags_.on("vectors");
    if (vectors && !vector.empty()) query.vector = vector_json(vector, snapshot_->manifest.embedder);
    if (shape_ == Shape::kRecords) write_record(out, query);
    Analyzer analyzer;
    End end;
    end.query_id = query.query_id;
    std::vector<std::string> stale;
    for (std::size_t i = 0; i < result.hits.size(); ++i) {
      RAGLINE_TRY(Hit hit, make_hit(*snapshot_, result.hits[i], i + 1 + options_.offset, query.query_id, found.details.empty() ? nullptr : &found.details[i]));
      const Language language = language_from_code(hit.chunk.language).value_or(Language::kNone);
      const auto matches = find_matches(hit.chunk.text, language, searcher.terms(), analyzer);
      if (flags_.on("explain")) hit.explain = explain_json(searcher.explain(result.hits[i]));
      const std::string file = file_of(result.hits[i]);
      if (shape_ == Shape::kText) {
        const auto width = static_cast<std::size_t>(terminal_width(1));
        render_hit(out, hit, make_snippet(hit.chunk.text, matches, 3 * width), file, painter_);
        if (!hit.explain.empty()) append(out, "   ", hit.explain, "\n\n");
      } else {
        hit.spans = spans_json(matches);
        if (vectors) {
          const std::vector<float> row = snapshot_->segments[result.hits[i].segment]->vector_of(result.hits[i].chunk);
          if (!row.empty()) hit.chunk.vector = vector_json(row, snapshot_->manifest.embedder);
        }
        write_record(out, hit);
      }
      RAGLINE_TRY(const bool changed, is_stale(result.hits[i], file, hit.chunk.checksum));
      const std::string& name = hit.chunk.path.empty() ? hit.chunk.document_id : hit.chunk.path;
      if (changed && (stale.empty() || stale.back() != name)) stale.push_back(name);
    }
    RAGLINE_CHECK(fill_end(result, searcher, stale, end));
    if (flags_.on("stats")) end.stats = {{"elapsed_ms", std::chrono::duration<double, std::milli>(Clock::now() - start).count()}};
    if (shape_ == Shape::kText) {
      render_end(out, end, painter_);
    } else {
      write_record(out, end);
    }
    return {};
  }

  Status fill_end(const SearchResult& result, Searcher& searcher, const std::vector<std::string>& stale, End& end) {
    end.counts = {{"hits", result.hits.size()}};
    end.stop_reason = result.hits.size() == options_.top ? "top" : "exhausted";
    if (flags_.has("as-of")) end.as_of = format_time(*scope_.as_of);
    for (const std::string& path : stale) end.warnings.push_back(cat("stale: ", path, " has changed since it was indexed: run rag-index build"));
    if (result.cut) end.warnings.push_back(cat("a prefix or misspelt word stands for more than ", SegmentLists::kMostTerms, " terms: the rest was left out"));
    if (result.only_exclusions) end.suggestions.push_back("add a word to look for: a query of exclusions matches nothing");
    if (result.words.empty() && !result.dropped.empty())
      end.suggestions.push_back(cat("add a rarer word: '", result.dropped.front(), "' and the like are stop words and not indexed"));
    // A pasted page may have hundreds.
    const std::size_t hinted = std::min(result.unknown.size(), kMostHintedWords);
    for (std::size_t i = 0; i < hinted; ++i) {
      const std::string& word = result.unknown[i];
      const auto near = suggest_spellings(*snapshot_, bitmaps_, word);
      if (near.empty()) continue;
      std::string hint = cat("'", word, "' is not in the index; near it: ");
      for (const std::string& spelling : near) append(hint, &spelling == &near.front() ? "" : ", ", spelling);
      end.suggestions.push_back(std::move(hint));
    }
    if (result.hits.empty() && end.suggestions.empty() && bitmaps_.passing == 0)
      end.suggestions.push_back("no document passes the filters: loosen --filter, --path-glob, --tenant, --principal or --as-of");
    if (result.hits.empty() && end.suggestions.empty()) end.suggestions.push_back("use other words, or the beginning of one: pre*");
    if (flags_.list("facets").empty()) return {};
    const std::vector<Bitmap> matching = searcher.matching();
    JsonObject facets(end.facets);
    for (const std::string& field : flags_.list("facets")) {
      std::string counts;
      JsonObject values(counts);
      for (const auto& [value, count] : count_facets(*snapshot_, matching, field)) values.add(value, count);
      values.close();
      facets.raw(field, counts);
    }
    facets.close();
    return {};
  }

  static RawJson spans_json(const std::vector<ByteSpan>& spans) {
    if (spans.empty()) return "";
    std::string out = "[";
    for (const ByteSpan& span : spans) append(out, out.size() > 1 ? ",[" : "[", span.begin, ",", span.end, "]");
    return out + "]";
  }

  // Where the hit's document can be opened; empty for documents that are no files.
  std::string file_of(const ChunkHit& hit) const {
    const DocumentEntry document = document_of(hit);
    return document.path.empty() ? "" : join_path(snapshot_->manifest.base, document.path);
  }

  // Whether the file differs from what was indexed: by size and time, and where only the time differs, by its bytes. A file that was
  // touched stays as it is in the index, whatever is built (skim #399).
  Result<bool> is_stale(const ChunkHit& hit, const std::string& file, const std::string& checksum) const {
    if (file.empty() || index_.empty()) return false;
    const Segment& segment = *snapshot_->segments[hit.segment];
    RAGLINE_TRY(const SourceStamp stamp, segment.source(segment.document_of(hit.chunk)));
    if (stamp.mtime_ns == 0) return false;
    const FileStat now = stat_file(file);
    if (!now.exists || now.size != stamp.size) return true;
    if (now.mtime_ns == stamp.mtime_ns) return false;
    const auto input = InputFile::open(file);
    if (!input) return true;
    const auto hash = input->hash();
    return !hash || hex(*hash, 16) != checksum;
  }

  ToolRun& run_;
  const Flags& flags_;
  const Painter painter_;
  SearchOptions options_;
  Shape shape_ = Shape::kRecords;
  int threads_ = 1;
  std::vector<std::string> paths_;
  std::string index_;
  std::shared_ptr<Storage> storage_;
  std::shared_ptr<const Snapshot> snapshot_;
  Scope scope_;
  ScopeBitmaps bitmaps_;
  bool use_vectors_ = false;
  HybridOptions hybrid_;
  std::unique_ptr<const Embedder> embedder_;
};

}  // namespace

Status rag_search(ToolRun& run) { return SearchRun(run).search(); }

}  // namespace ragline
