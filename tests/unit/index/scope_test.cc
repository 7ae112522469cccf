// Scopes: bitmaps against a second reading of the rules, straight over the records.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "catch.h"
#include "core/text.h"
#include "index/filter.h"
#include "index/filter_evaluate.h"
#include "rounds.h"
#include "sample.h"

using namespace ragline;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// A document as the rules read it.
struct Entry {
  ChunkedDocument document;
  Pairs metadata;  // path, value
  std::string from, to;

  const std::string& id() const { return document.document.document_id; }
  const std::string& version() const { return document.document.version; }
  const Governance& governance() const { return document.document.governance; }
};

// (id, version, ordinal).
using ChunkName = std::tuple<std::string, std::string, std::uint32_t>;
using Chunks = std::set<ChunkName>;

Chunks names(const Snapshot& snapshot, const std::vector<std::optional<Bitmap>>& bitmaps) {
  Chunks out;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    const Segment& segment = *snapshot.segments[s];
    for (std::uint32_t chunk = 0; chunk < segment.chunk_count(); ++chunk) {
      if (bitmaps[s] && !bitmaps[s]->test(chunk)) continue;
      const DocumentEntry entry = segment.document(segment.document_of(chunk));
      out.emplace(entry.document_id, entry.version, chunk - entry.first_chunk);
    }
  }
  return out;
}

const char* pick(std::mt19937& random, std::initializer_list<const char*> from) {
  return from.begin()[random() % from.size()];
}

Entry random_entry(std::mt19937& random) {
  Entry entry;
  const std::string id =
      cat(pick(random, {"src", "docs", "notes"}), '/', random() % 12, pick(random, {".md", ".cc"}));
  entry.document = sample::document(id, std::vector<std::string>(1 + random() % 3, "some text"),
                                    pick(random, {"", "1.2", "1.10", "2"}));
  Document& document = entry.document.document;
  document.path = random() % 4 ? id : "";
  document.media_type = pick(random, {"text/plain", "text/markdown", "application/json", ""});
  document.title = pick(random, {"Orders", "Refunds", ""});
  for (Chunk& chunk : entry.document.chunks) {
    chunk.language = pick(random, {"en", "de", "de-AT", "xx"});
    chunk.block_type = pick(random, {"paragraph", "table"});
  }
  document.governance.tenant = pick(random, {"", "acme", "umbrella"});
  if (random() % 4) {
    document.governance.acl.emplace();
    for (auto n = random() % 3; n > 0; --n)
      document.governance.acl->push_back(pick(random, {"ann", "bob", "staff", "*"}));
  }
  if (random() % 2)
    document.governance.effective_from = entry.from =
        pick(random, {"2024-01-01", "2025-01-01", "2026-01-01"});
  if (random() % 3 == 0)
    document.governance.effective_to = entry.to =
        pick(random, {"2025-01-01", "2026-06-01", "2027-01-01"});
  auto add = [&](std::string path, std::string value) {
    entry.metadata.emplace_back(std::move(path), std::move(value));
  };
  std::string json = "{\"n\":0";
  add("n", "0");
  if (random() % 2) {
    const std::string year =
        pick(random, {"2019", "2020", "2020.0", "2021", "\"2020\"", "\"soon\""});
    append(json, ",\"year\":", year);
    add("year", year[0] == '"' ? year.substr(1, year.size() - 2) : year);
  }
  if (random() % 2) {
    json += ",\"tags\":[\"a b\",\"c\"],\"who\":{\"name\":\"Ann\"}";
    add("tags", "a b");
    add("tags", "c");
    add("who.name", "Ann");
  }
  if (random() % 3 == 0) {
    const std::string due = pick(random, {"2025-03-01", "2026-03-01T12:00:00Z"});
    append(json, ",\"due\":\"", due, "\",\"language\":\"klingon\"");
    add("due", due);
    add("language", "klingon");
  }
  document.metadata = json + "}";
  return entry;
}

// An index of random documents in several commits, some replaced or removed, and what of them is
// live.
struct Corpus {
  std::shared_ptr<Storage> storage = memory_storage();
  std::shared_ptr<const Snapshot> snapshot;
  std::vector<Entry> live;

  Corpus(std::uint32_t seed, bool governed, int commits, int documents) {
    std::mt19937 random(seed);
    for (int c = 0; c < commits; ++c) {
      auto writer = IndexWriter::open(storage, sample::options(1)).value();
      writer->manifest().governed = governed;
      for (int i = 0; i < documents; ++i) {
        Entry entry = random_entry(random);
        std::erase_if(live, [&](const Entry& other) {
          return other.id() == entry.id() && other.version() == entry.version();
        });
        live.push_back(entry);
        REQUIRE(writer->add(std::move(entry.document)).has_value());
      }
      if (c > 0) {
        const std::string gone = live[random() % live.size()].id();
        std::erase_if(live, [&](const Entry& other) { return other.id() == gone; });
        REQUIRE(writer->remove(gone).has_value());
      }
      REQUIRE(writer->commit().has_value());
    }
    snapshot = open_snapshot(*storage).value();
  }
};

// --- the rules, a second time ---

std::optional<double> slow_number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789.-e") != text.npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end ? std::nullopt : std::optional(value);
}
std::optional<TimePoint> slow_time(const std::string& text) {
  const auto time = parse_time(text);
  return time ? std::optional(*time) : std::nullopt;
}
template <class T>
bool compare(FilterNode::Op op, const T& a, const T& b) {
  using Op = FilterNode::Op;
  return op == Op::kEqual       ? a == b
         : op == Op::kLess      ? a < b
         : op == Op::kLessEqual ? a <= b
         : op == Op::kGreater   ? a > b
                                : a >= b;
}
bool compare_metadata(FilterNode::Op op, const std::string& value, const std::string& literal) {
  if (const auto right = slow_number(literal)) {
    const auto left = slow_number(value);
    return left && compare(op, *left, *right);
  }
  if (const auto right = slow_time(literal)) {
    const auto left = slow_time(value);
    return left && compare(op, *left, *right);
  }
  return compare(op, value, literal);
}
// "1.10" -> 1, 10; enough for the versions above.
std::vector<int> version_parts(const std::string& version) {
  std::vector<int> parts;
  if (!version.empty())
    for (std::string_view part : split(version, '.'))
      parts.push_back(std::atoi(std::string(part).c_str()));
  return parts;
}

bool holds(const FilterNode& filter, const Entry& entry, const Chunk& chunk) {
  using Kind = FilterNode::Kind;
  using Op = FilterNode::Op;
  auto all = [&](auto test) { return test(filter.children[0]) && test(filter.children[1]); };
  auto inside = [&](const FilterNode& child) { return holds(child, entry, chunk); };
  if (filter.kind == Kind::kAnd) return all(inside);
  if (filter.kind == Kind::kOr)
    return !all([&](const FilterNode& child) { return !inside(child); });
  if (filter.kind == Kind::kNot) return !inside(filter.children[0]);
  if (filter.kind == Kind::kCompare && filter.op == Op::kNotEqual) {
    FilterNode equal = filter;
    equal.op = Op::kEqual;
    return !holds(equal, entry, chunk);
  }
  const Op op = filter.kind == Kind::kIn ? Op::kEqual : filter.op;
  const Document& document = entry.document.document;
  const std::string& name = filter.name;
  auto any_value = [&](auto test) {
    return std::any_of(filter.values.begin(), filter.values.end(), test);
  };
  if (name == "effective_from" || name == "effective_to") {
    const bool from = name == "effective_from";
    const std::string& text = from ? entry.from : entry.to;
    if (filter.kind == Kind::kExists) return !text.empty();
    const TimePoint time = text.empty() ? (from ? kMinTime : kMaxTime) : *slow_time(text);
    return any_value(
        [&](const std::string& value) { return compare(op, time, *slow_time(value)); });
  }
  const Pairs own = {{"path", document.path},
                     {"document_id", entry.id()},
                     {"version", entry.version()},
                     {"title", document.title},
                     {"media_type", document.media_type},
                     {"tenant", entry.governance().tenant},
                     {"language", chunk.language},
                     {"block_type", chunk.block_type}};
  const auto field =
      std::find_if(own.begin(), own.end(), [&](const auto& one) { return one.first == name; });
  if (field != own.end()) {
    const std::string& mine = field->second;
    if (filter.kind == Kind::kExists) return !mine.empty();
    if (mine.empty())
      return name == "path" &&
             any_value([&](const std::string& value) { return compare(op, mine, value); });
    if (name == "language" && op == Op::kEqual)
      return any_value([&](const std::string& value) {
        return mine == value || (mine.substr(0, 2) == value.substr(0, 2) && mine != "xx");
      });
    if (name == "version" && op != Op::kEqual)
      return any_value([&](const std::string& value) {
        return compare(op, version_parts(mine), version_parts(value));
      });
    return any_value([&](const std::string& value) { return compare(op, mine, value); });
  }
  const std::string key = name.starts_with("metadata.") ? name.substr(9) : name;
  return std::any_of(entry.metadata.begin(), entry.metadata.end(), [&](const auto& pair) {
    if (filter.kind == Kind::kExists) return pair.first == key || pair.first.starts_with(key + '.');
    return pair.first == key && any_value([&](const std::string& value) {
             return compare_metadata(op, pair.second, value);
           });
  });
}

bool may_see(const Entry& entry, const Scope& scope, bool governed) {
  const Governance& rules = entry.governance();
  if (!scope.principals.empty()) {
    if (!rules.acl && governed) return false;
    auto is_for = [&](const std::string& name) {
      return name == "*" || std::find(scope.principals.begin(), scope.principals.end(), name) !=
                                scope.principals.end();
    };
    if (rules.acl && std::none_of(rules.acl->begin(), rules.acl->end(), is_for)) return false;
  }
  if (scope.tenant && rules.tenant != *scope.tenant && (governed || !rules.tenant.empty()))
    return false;
  return true;
}

bool is_effective(const Entry& entry, TimePoint as_of) {
  return (entry.from.empty() || *slow_time(entry.from) <= as_of) &&
         (entry.to.empty() || as_of < *slow_time(entry.to));
}

Chunks slow_scope(const Corpus& corpus, const Scope& scope, bool governed) {
  std::vector<const Entry*> left;
  for (const Entry& entry : corpus.live)
    if (may_see(entry, scope, governed) &&
        (scope.all_versions || is_effective(entry, *scope.as_of)))
      left.push_back(&entry);
  auto rank = [](const Entry& entry) {
    return std::pair(entry.from.empty() ? kMinTime : *slow_time(entry.from),
                     version_parts(entry.version()));
  };
  Chunks chunks;
  for (const Entry* entry : left) {
    const bool superseded =
        !scope.all_versions && std::any_of(left.begin(), left.end(), [&](const Entry* other) {
          return other->id() == entry->id() &&
                 other->governance().tenant == entry->governance().tenant &&
                 rank(*other) > rank(*entry);
        });
    if (superseded) continue;
    for (const Chunk& chunk : entry->document.chunks)
      if (std::all_of(scope.filters.begin(), scope.filters.end(),
                      [&](const FilterNode& filter) { return holds(filter, *entry, chunk); }))
        chunks.emplace(entry->id(), entry->version(), static_cast<std::uint32_t>(chunk.ordinal));
  }
  return chunks;
}

const char* const kFilters[] = {"year = 2020",
                                "year >= 2020",
                                "year != 2020",
                                "year < 2021",
                                "year > a",
                                "2019 < year <= 2020",
                                "year in (2019, soon)",
                                "year exists",
                                "tags = \"a b\"",
                                "tags = c and year exists",
                                "who exists",
                                "who.name = Ann",
                                "wh exists",
                                "n = 0.0",
                                "nobody exists",
                                "nobody != 1",
                                "due > 2025-06-01",
                                "due = 2026-03-01T12:00:00+00:00",
                                "language = de",
                                "language = de-CH",
                                "language != xx",
                                "language exists",
                                "metadata.language = klingon",
                                "block_type = table",
                                "media_type in (text/plain, text/markdown)",
                                "title = Orders",
                                "not title exists",
                                "tenant = acme",
                                "version >= 1.10",
                                "version = 1.2",
                                "version < 1.10",
                                "version exists",
                                "path >= notes",
                                "path exists",
                                "path = \"\"",
                                "document_id < notes",
                                "effective_from >= 2025-01-01",
                                "effective_to exists",
                                "effective_to <= 2026-06-01",
                                "effective_from < 2024-06-01",
                                "(year = 2020 or language = en) and not block_type = table",
                                "not (year exists or due exists)"};

Scope random_scope(std::mt19937& random) {
  Scope scope;
  scope.as_of = *slow_time(pick(random, {"2023-06-01", "2024-06-01", "2025-01-01", "2025-06-01",
                                         "2026-07-01", "2028-01-01"}));
  scope.all_versions = random() % 4 == 0;
  for (auto n = random() % 3; n > 0; --n)
    scope.principals.push_back(pick(random, {"ann", "bob", "staff", "eve", "*"}));
  if (random() % 2) scope.tenant = pick(random, {"acme", "umbrella", "other"});
  for (auto n = random() % 3; n > 0; --n)
    scope.filters.push_back(parse_filter(kFilters[random() % std::size(kFilters)]).value());
  return scope;
}

std::size_t count(const Chunks& chunks) { return chunks.size(); }

}  // namespace

TEST_CASE("a filter holds for exactly the chunks that the rules say") {
  const Corpus corpus(1, false, 4, 30);
  Scope scope;
  scope.all_versions = true;
  scope.as_of = 0;
  for (const char* text : kFilters) {
    scope.filters = {parse_filter(text).value()};
    INFO(text);
    const auto bitmaps = apply_scope(*corpus.snapshot, scope);
    REQUIRE(bitmaps.has_value());
    CHECK(names(*corpus.snapshot, bitmaps->chunks) == slow_scope(corpus, scope, false));
  }
}

TEST_CASE("random scopes equal the rules") {
  for (const bool governed : {false, true}) {
    const std::uint32_t seed = governed ? 21 : 20;
    const Corpus corpus(seed, governed, 5, 25);
    std::mt19937 random(seed);
    for (int i = 0; i < 800; ++i) {
      Scope scope = random_scope(random);
      if (governed && scope.principals.empty()) scope.principals = {"ann"};
      if (governed && !scope.tenant) scope.tenant = "acme";
      INFO("seed " << seed << " round " << i
                   << (scope.filters.empty() ? "" : filter_text(scope.filters[0])));
      const auto bitmaps = apply_scope(*corpus.snapshot, scope);
      REQUIRE(bitmaps.has_value());
      const Chunks expected = slow_scope(corpus, scope, governed);
      REQUIRE(names(*corpus.snapshot, bitmaps->chunks) == expected);
      REQUIRE(bitmaps->passing == count(expected));
    }
  }
}

TEST_CASE("a million random callers of a governed index see nothing that is not theirs") {
  const Corpus corpus(31, true, 2, 20);
  std::mt19937 random(32);
  const std::vector<std::string> principals = {"ann",
                                               "bob",
                                               "staff",
                                               "eve",
                                               "*",
                                               "Ann",
                                               "an",
                                               "ann\x1F",
                                               "acme",
                                               "m.n",
                                               std::string(400, 'a')};
  const std::vector<std::string> tenants = {"acme", "umbrella", "other", "acm", "acme\x1F", "*"};
  // What the rules let each pair of principal and tenant see, as bitmaps.
  std::vector<std::vector<Bitmap>> allowed;
  for (const std::string& principal : principals)
    for (const std::string& tenant : tenants) {
      Scope scope;
      scope.principals = {principal};
      scope.tenant = tenant;
      auto& bitmaps = allowed.emplace_back();
      for (const auto& segment : corpus.snapshot->segments) {
        Bitmap& bitmap = bitmaps.emplace_back(segment->chunk_count());
        for (std::uint32_t chunk = 0; chunk < segment->chunk_count(); ++chunk) {
          const DocumentEntry of = segment->document(segment->document_of(chunk));
          const auto entry =
              std::find_if(corpus.live.begin(), corpus.live.end(), [&](const Entry& one) {
                return one.id() == of.document_id && one.version() == of.version;
              });
          const bool deleted = segment->deleted() && segment->deleted()->test(chunk);
          if (!deleted && entry != corpus.live.end() && may_see(*entry, scope, true))
            bitmap.set(chunk);
        }
      }
    }
  std::vector<FilterNode> filters;
  for (const char* text : kFilters) filters.push_back(parse_filter(text).value());

  std::uint64_t leaks = 0, wrong = 0;
  Scope scope;
  for (std::size_t i = 0; i < testing::rounds(1'000'000, 50); ++i) {
    const std::size_t p = random() % principals.size(), t = random() % tenants.size();
    scope.principals.assign(1, principals[p]);
    scope.tenant = tenants[t];
    scope.all_versions = random() % 2;
    scope.as_of =
        1'700'000'000'000'000 + static_cast<TimePoint>(random() % 100'000) * 1'000'000'000;
    scope.filters.clear();
    if (random() % 8 == 0) scope.filters.push_back(filters[random() % filters.size()]);
    const auto bitmaps = apply_scope(*corpus.snapshot, scope);
    const auto& mine = allowed[p * tenants.size() + t];
    for (std::size_t s = 0; s < mine.size(); ++s) {
      wrong += !bitmaps->visible[s] || *bitmaps->visible[s] != mine[s];
      Bitmap foreign = *bitmaps->chunks[s];
      leaks += foreign.and_not(mine[s]).count() > 0;
    }
  }
  CHECK(leaks == 0);
  CHECK(wrong == 0);
}

TEST_CASE("governed indexes refuse whoever does not say who they are") {
  const Corpus corpus(41, true, 1, 30);
  REQUIRE(corpus.snapshot->manifest.tenants);
  Scope scope;
  auto message = [&] {
    const auto status = check_scope(*corpus.snapshot, scope);
    const auto applied = apply_scope(*corpus.snapshot, scope);
    CHECK(status.has_value() == applied.has_value());
    return status ? std::string()
                  : cat(error_kind_name(status.error().kind), ": ", status.error().message);
  };
  const std::string where = cat("denied: '", corpus.snapshot->where, "' is governed");
  CHECK(message() == where + ": say who asks with --principal NAME");
  scope.principals = {"ann"};
  CHECK(message() == where + " and holds tenants' documents: say whose with --tenant NAME");
  scope.tenant = "acme";
  CHECK(message().empty());
  scope.tenant = "";
  CHECK(message() == "usage: --tenant is empty: give a name (is a variable unset?)");
  scope.principals = {"ann", ""};
  CHECK(message() == "usage: --principal is empty: give a name (is a variable unset?)");
}

TEST_CASE("without a scope nothing is spent") {
  const std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(
      sample::session(storage, {sample::document("a", {"x", "y"}), sample::document("b", {"z"})})
          .has_value());
  const auto snapshot = open_snapshot(*storage).value();
  const auto bitmaps = apply_scope(*snapshot, {});
  REQUIRE(bitmaps.has_value());
  CHECK(bitmaps->passing == 3);
  for (const auto& chunks : bitmaps->chunks) CHECK(!chunks);
  for (const auto& visible : bitmaps->visible) CHECK(!visible);
}

TEST_CASE("path globs, languages and media types") {
  const Corpus corpus(51, false, 2, 40);
  Scope scope;
  scope.all_versions = true;
  auto chosen = [&] {
    return names(*corpus.snapshot, apply_scope(*corpus.snapshot, scope).value().chunks);
  };
  auto expected = [&](auto test) {
    Chunks chunks;
    for (const Entry& entry : corpus.live)
      for (const Chunk& chunk : entry.document.chunks)
        if (test(entry, chunk))
          chunks.emplace(entry.id(), entry.version(), static_cast<std::uint32_t>(chunk.ordinal));
    CHECK(!chunks.empty());
    return chunks;
  };
  scope.path_globs = {"src", "*.md", "!notes/"};
  CHECK(chosen() == expected([](const Entry& entry, const Chunk&) {
          return (entry.id().starts_with("src/") || entry.id().ends_with(".md")) &&
                 !entry.id().starts_with("notes/");
        }));
  scope.path_globs.clear();
  scope.languages = {"de", "XX"};
  CHECK(chosen() ==
        expected([](const Entry&, const Chunk& chunk) { return chunk.language != "en"; }));
  scope.languages.clear();
  scope.media_types = {"text/*"};
  CHECK(chosen() == expected([](const Entry& entry, const Chunk&) {
          return entry.document.document.media_type.starts_with("text/");
        }));
  scope.media_types = {"application/json", "text/plain"};
  CHECK(chosen() == expected([](const Entry& entry, const Chunk&) {
          const std::string& type = entry.document.document.media_type;
          return type == "application/json" || type == "text/plain";
        }));
}
