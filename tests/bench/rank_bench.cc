// Where block-max pruning begins to pay: µs a query of rank_exhaustive and rank_pruned over made-up segments.
//
//   bench_rank [CHUNKS]        100,000 when left out
//
// Lists are random, the worst case for block bounds; each query has one rare, one middling and two common words, top 10.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "core/storage.h"
#include "lexical/postings_writer.h"
#include "lexical/rank.h"

using namespace ragline;

namespace {

double microseconds(auto rank, const std::vector<std::vector<ScoredList>>& queries, std::uint32_t chunks) {
  RankOptions options;
  const auto start = std::chrono::steady_clock::now();
  std::size_t hits = 0;
  for (const auto& query : queries) hits += rank(query, chunks, options).size();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return hits ? seconds * 1e6 / static_cast<double>(queries.size()) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto chunks = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 100'000);
  std::mt19937 random(1);
  ChunkColumns columns;
  for (auto& column : columns.lengths) column.resize(chunks);
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) columns.lengths[0][chunk] = 20 + static_cast<std::uint32_t>(random() % 200);
  columns.languages.assign(chunks, Language::kEnglish);

  std::printf("| share of the common words | postings a query | exhaustive us | pruned us |\n|---|---|---|---|\n");
  for (double common : {0.001, 0.005, 0.02, 0.05, 0.1, 0.3}) {
    auto storage = memory_storage();
    (void)storage->make_folder("seg");
    auto writer = PostingsWriter::create(*storage, "seg", columns);
    if (!writer) return 1;
    const double shares[] = {common, common, common / 10, common / 100};
    for (int list = 0; list < 4; ++list) {
      writer->begin(term_key(Field::kContent, Language::kEnglish, std::string(1, static_cast<char>('a' + list))));
      std::geometric_distribution<std::uint32_t> gap(shares[list]);
      for (std::uint32_t chunk = gap(random); chunk < chunks; chunk += 1 + gap(random)) {
        const std::uint32_t positions[] = {1, 5, 9};
        writer->add(chunk, std::span(positions).first(random() % 5 ? 1 : 1 + random() % 3));
      }
      if (!writer->end()) return 1;
    }
    if (!writer->finish()) return 1;
    const auto segment = SegmentPostings::open(*storage, "seg", chunks);
    if (!segment) return 1;
    const auto norms = bm25_norms(256, 120, 0.9, 0.4);
    std::vector<ScoredList> query;
    std::uint64_t postings = 0;
    for (int list = 0; list < 4; ++list) {
      query.push_back({(*segment)->list(term_key(Field::kContent, Language::kEnglish, std::string(1, static_cast<char>('a' + list)))),
                       static_cast<float>((list + 1) * 1e8), (*segment)->lengths(Field::kContent), norms, nullptr});
      postings += query.back().list.size();
    }
    const std::vector<std::vector<ScoredList>> queries(200, query);
    const double exhaustive = microseconds(rank_exhaustive, queries, chunks), pruned = microseconds(rank_pruned, queries, chunks);
    std::printf("| %.3f | %llu | %.0f | %.0f |\n", common, static_cast<unsigned long long>(postings), exhaustive, pruned);
  }
}
