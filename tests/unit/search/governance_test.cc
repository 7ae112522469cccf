// What a principal may not see leaves no trace: neither in hits, scores and hints nor in statistics.
#include <random>

#include "catch.h"
#include "random_corpus.h"
#include "rounds.h"
#include "search/facets.h"
#include "search/suggest.h"
#include "twin.h"

using namespace ragline;

namespace {

const std::vector<std::string> kPrincipals = {"ann", "bob", "staff", "eve"}, kTenants = {"acme", "umbrella"};

struct Entry {
  ChunkedDocument document;
  std::string secret;  // a word that stands nowhere else
};

// Letters only, so that suggestions look at it, and far from other secrets.
std::string secret_word(std::mt19937& random) {
  std::string out = "q";
  for (int i = 0; i < 11; ++i) out += "bcdfghjklmnpqrtvwxz"[random() % 19];
  return out;
}

Entry random_entry(std::mt19937& random, int number) {
  Entry entry{random_corpus::document(random, cat("docs/order", number, ".md"), {"en", "en", "de", "zh"}), secret_word(random)};
  Governance governance;
  governance.tenant = random() % 12 ? kTenants[random() % 2] : "";
  if (random() % 10) {
    governance.acl.emplace();
    for (auto n = random() % 3; n > 0; --n) governance.acl->push_back(random() % 5 ? kPrincipals[random() % 4] : "*");
  }
  entry.document.document.governance = governance;
  entry.document.document.metadata = cat(R"({"kind":"k)", random() % 5, R"(","code":")", entry.secret, R"("})");
  for (Chunk& chunk : entry.document.chunks) {
    chunk.governance = governance;
    chunk.text += " " + entry.secret;
  }
  entry.document.document.text.clear();
  return entry;
}

// The rules of governance once more, straight over the document.
bool may_see(const Governance& governance, const std::vector<std::string>& principals, const std::string& tenant) {
  if (governance.tenant != tenant || !governance.acl) return false;
  return std::any_of(governance.acl->begin(), governance.acl->end(), [&](const std::string& name) {
    return name == "*" || std::find(principals.begin(), principals.end(), name) != principals.end();
  });
}

// In several sessions, so that there are several segments; governed.
std::shared_ptr<const Snapshot> index_of(const std::vector<const Entry*>& entries, std::size_t in_session) {
  const std::shared_ptr<Storage> storage = memory_storage();
  for (std::size_t begin = 0; begin == 0 || begin < entries.size(); begin += in_session) {
    auto writer = IndexWriter::open(storage, sample::options(1)).value();
    writer->manifest().governed = true;
    for (std::size_t i = begin; i < std::min(begin + in_session, entries.size()); ++i)
      REQUIRE(writer->add(ChunkedDocument(entries[i]->document)).has_value());
    REQUIRE(writer->commit().has_value());
  }
  return open_snapshot(*storage).value();
}

Scope scope_of(std::vector<std::string> principals, std::string tenant) {
  Scope scope;
  scope.principals = std::move(principals);
  scope.tenant = std::move(tenant);
  return scope;
}

// Everything that a search tells: as one text, to be compared.
struct Told {
  std::vector<twin::Found> hits;
  std::string rest;
};

Told tell(const Snapshot& snapshot, const ScopeBitmaps& bitmaps, Searcher& searcher, std::string_view query, const SearchOptions& options) {
  const SearchResult result = searcher.search(query, options).value();
  Told told{twin::found(snapshot, result), cat(result.cut, result.only_exclusions)};
  for (const auto* words : {&result.words, &result.dropped, &result.unknown})
    for (const std::string& word : *words) append(told.rest, " ", word);
  for (const std::string& word : result.unknown)
    for (const std::string& near : suggest_spellings(snapshot, bitmaps, word)) append(told.rest, " near ", near);
  for (const ChunkHit& hit : result.hits)
    for (const Contribution& part : searcher.explain(hit))
      append(told.rest, "\n", part.leaf.label, " ", part.leaf.doc_freq, " ", part.tf, " ", part.length, " ", part.leaf.idf, " ",
             part.leaf.boost, " ", part.average_length, " ", part.score);
  const std::vector<Bitmap> matching = searcher.matching();
  for (const char* field : {"kind", "code", "language", "tenant", "block_type"})
    for (const auto& [value, count] : count_facets(snapshot, matching, field)) append(told.rest, "\n", field, " ", value, " ", count);
  return told;
}

}  // namespace

TEST_CASE("a principal's search equals that of an index with nothing else in it") {
  const std::uint32_t seed = 20261130u;
  std::mt19937 random(seed);
  INFO("seed " << seed);
  std::size_t hits = 0;
  for (int round = 0; round < 8; ++round) {
    std::vector<Entry> entries;
    for (int i = 0; i < 90; ++i) entries.push_back(random_entry(random, i));
    const std::vector<std::string> principals = {kPrincipals[random() % 4], kPrincipals[random() % 4]};
    const std::string tenant = kTenants[random() % 2];
    std::vector<const Entry*> all, seen;
    for (const Entry& entry : entries) {
      all.push_back(&entry);
      if (may_see(entry.document.document.governance, principals, tenant)) seen.push_back(&entry);
    }
    const auto whole = index_of(all, 40), part = index_of(seen, 7);
    const Scope scope = scope_of(principals, tenant);
    const ScopeBitmaps whole_scope = apply_scope(*whole, scope).value(), part_scope = apply_scope(*part, scope).value();
    REQUIRE(whole_scope.passing == part_scope.passing);
    Searcher in_whole(*whole, whole_scope), in_part(*part, part_scope);
    for (int i = 0; i < 60; ++i) {
      std::string query = random_corpus::query(random);
      if (i % 4 == 0) {  // a hidden word, as it is, begun or misspelt
        std::string word = entries[random() % entries.size()].secret;
        if (i % 8 == 0) word.resize(word.size() - 1);
        append(query, " ", word, i % 12 == 0 ? "*" : i % 16 == 0 ? "~2" : "");
      }
      INFO("query " << query);
      SearchOptions options;
      options.fields.by_field = {1, 0.5, 0.5, 0.5};
      const Told one = tell(*whole, whole_scope, in_whole, query, options), two = tell(*part, part_scope, in_part, query, options);
      REQUIRE(one.hits == two.hits);
      REQUIRE(one.rest == two.rest);
      hits += one.hits.size();
    }
  }
  CHECK(hits > 500);
}

TEST_CASE("agenticos_1656_no_question_shows_a_hidden_word") {
  const std::uint32_t seed = 20261130u;
  std::mt19937 random(seed);
  INFO("seed " << seed);
  std::vector<Entry> entries;
  for (int i = 0; i < 60; ++i) entries.push_back(random_entry(random, i));
  std::vector<const Entry*> all;
  for (const Entry& entry : entries) all.push_back(&entry);
  const auto snapshot = index_of(all, 25);

  const std::size_t questions = testing::rounds(1'000'000, 100), callers = 40;
  std::size_t found_hidden = 0, found_seen = 0;
  for (std::size_t caller = 0; caller < callers; ++caller) {
    std::vector<std::string> principals = {kPrincipals[random() % 4]};
    if (random() % 2) principals.push_back(random() % 3 ? kPrincipals[random() % 4] : "nobody");
    const std::string tenant = random() % 8 ? kTenants[random() % 2] : "other";
    const ScopeBitmaps bitmaps = apply_scope(*snapshot, scope_of(principals, tenant)).value();
    Searcher searcher(*snapshot, bitmaps);
    SearchOptions options;
    options.top = 3;
    for (std::size_t i = 0; i < questions / callers; ++i) {
      const Entry& target = entries[random() % entries.size()];
      const bool seen = may_see(target.document.document.governance, principals, tenant);
      std::string asked = target.secret;
      switch (random() % 8) {
        case 0: append(asked, " order"); break;
        case 1: asked = cat("+", asked, " refund"); break;
        case 2: asked = cat("\"order ", asked, "\"~5"); break;
        case 3: asked = cat(asked.substr(0, 8), "*"); break;
        case 4: asked = i % 40 ? asked : cat(asked.substr(0, 11), "~1"); break;
        default: break;
      }
      const SearchResult result = searcher.search(asked, options).value();
      const bool only = asked == target.secret || asked.ends_with('*') || asked.ends_with('~') || asked.starts_with('+');
      if (only && result.hits.empty() == seen) ++found_hidden;
      for (const ChunkHit& hit : result.hits) {
        const Segment& segment = *snapshot->segments[hit.segment];
        const std::string_view id = segment.document(segment.document_of(hit.chunk)).document_id;
        const auto at = std::size_t(std::stoi(std::string(id.substr(10))));
        if (!may_see(entries[at].document.document.governance, principals, tenant)) ++found_hidden;
        ++found_seen;
      }
      if (seen) continue;
      // As unknown as a word that is nowhere (to who sees nothing no language is known to look it up in), and no term of it
      // in what the search counted.
      if (asked == target.secret && bitmaps.passing > 0 && result.unknown != std::vector<std::string>{target.secret}) ++found_hidden;
      for (const ChunkHit& hit : result.hits)
        for (const Contribution& part : searcher.explain(hit)) found_hidden += part.leaf.label == target.secret;
      if (i % 50 == 0) {
        for (const std::string& near : suggest_spellings(*snapshot, bitmaps, target.secret.substr(0, 11) + "y"))
          found_hidden += near == target.secret;
        for (const auto& [value, count] : count_facets(*snapshot, searcher.matching(), "code")) found_hidden += value == target.secret;
      }
    }
  }
  CHECK(found_hidden == 0);
  CHECK(found_seen > questions / 10);
}

TEST_CASE("hidden words take no place from those that a beginning stands for") {
  std::mt19937 random(5);
  std::vector<Entry> entries;
  auto add = [&](const std::string& text, const char* principal) {
    Entry& entry = entries.emplace_back();
    entry.document = sample::document(cat("d", entries.size()), {text});
    entry.document.document.governance.acl = {principal};
  };
  std::string many;
  for (int i = 0; i < 2000; ++i) append(many, "prefa", char('a' + i / 100), char('a' + i / 10 % 10), char('a' + i % 10), "x ");
  add(many, "bob");
  add("prefzzz and prefyyy", "ann");
  const auto snapshot = index_of({&entries[0], &entries[1]}, 10);
  Scope scope;
  scope.principals = {"ann"};
  const ScopeBitmaps bitmaps = apply_scope(*snapshot, scope).value();
  Searcher searcher(*snapshot, bitmaps);
  const SearchResult result = searcher.search("pref*", {}).value();
  REQUIRE(result.hits.size() == 1);
  CHECK(!result.cut);
  CHECK(searcher.explain(result.hits[0]).at(0).tf == 2);
  CHECK(!searcher.terms().contains("prefaaaax"));
  scope.principals = {"bob"};
  const ScopeBitmaps others = apply_scope(*snapshot, scope).value();
  CHECK(Searcher(*snapshot, others).search("pref*", {}).value().cut);
}

TEST_CASE("openrag_1336_a_governed_index_wants_a_principal") {
  std::mt19937 random(3);
  const Entry entry = random_entry(random, 0);
  const auto snapshot = index_of({&entry}, 10);
  const auto refused = apply_scope(*snapshot, {});
  REQUIRE(!refused.has_value());
  CHECK(refused.error().kind == ErrorKind::kDenied);
  CHECK(refused.error().message.find("--principal") != std::string::npos);
}
