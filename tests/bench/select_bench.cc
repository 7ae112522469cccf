// Selection in process, one thread: the program that ../shared/peers/bench_select.py and
// tests/bench/select run beside pyversity and dppy.
//
//   bench_select METHOD VECTORS.f32 SCORES.f32 OUT.i32 QUERIES M DIM K DIVERSITY
//
// METHOD is dpp, mmr or sample (a k-DPP). Vectors and scores are raw little-endian floats, QUERIES
// times M (times DIM). DIVERSITY is the peers': weight exp((1 - diversity) z) in dpp, (1 -
// diversity) * score - diversity * cosine in mmr, without rescaling. Writes K indices a query and
// prints
// {"us_per_query": ...}, the median of 7 rounds after one to warm up, everything but reading the
// files included: lengths, scores, choice.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/bytes.h"
#include "core/files.h"
#include "core/text.h"
#include "select/objectives.h"
#include "select/relevance.h"
#include "select/sample.h"

using namespace ragline;

namespace {

std::vector<float> floats_of(const char* path) {
  const auto file = read_file(path);
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    std::exit(2);
  }
  const std::string_view bytes = (*file)->bytes();
  std::vector<float> out(bytes.size() / 4);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = get_fixed<float>(bytes.data() + 4 * i);
  return out;
}

struct Setting {
  std::string method;
  std::size_t queries, m, dimensions, k;
  double diversity;
};

std::vector<Pick> choose(const Setting& setting, std::span<const float> vectors,
                         std::span<const float> scores) {
  Pool pool{.size = setting.m, .dimensions = setting.dimensions, .vectors = vectors};
  pool.relevance.assign(scores.begin(), scores.end());
  ObjectiveOptions options{.diversity = setting.diversity, .jitter = 0};
  if (setting.method == "sample") {
    pool.relevance = z_scores(pool.relevance);
    const auto sampler = DppSampler::create(pool, 2 * (1 - setting.diversity), 0);
    Random random(1);
    std::vector<Pick> picks;
    for (const std::uint32_t i : sampler->draw(setting.k, random)) picks.push_back({i, 0});
    return picks;
  }
  if (setting.method == "dpp") {
    // Their gain is 2 (1 - d) z + log d^2, ours (1 - t) z + t log d^2.
    options.diversity = 1 / (1 + 2 * (1 - setting.diversity));
    pool.relevance = z_scores(pool.relevance);
  }
  const auto objective =
      setting.method == "dpp" ? make_dpp(pool, options) : make_mmr(pool, options);
  return choose_greedily(*objective, setting.m, {.count = setting.k});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 10) {
    std::fprintf(stderr, "bench_select METHOD VECTORS SCORES OUT QUERIES M DIM K DIVERSITY\n");
    return 2;
  }
  const auto number = [&](int at) { return static_cast<std::size_t>(std::atoll(argv[at])); };
  const Setting setting{argv[1], number(5), number(6), number(7), number(8), std::atof(argv[9])};
  const auto vectors = floats_of(argv[2]), scores = floats_of(argv[3]);
  if (vectors.size() != setting.queries * setting.m * setting.dimensions ||
      scores.size() != setting.queries * setting.m) {
    std::fprintf(stderr, "bench_select: the files do not hold QUERIES x M rows\n");
    return 2;
  }
  std::vector<double> times;
  std::string out;
  for (int round = 0; round < 8; ++round) {
    out.clear();
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t q = 0; q < setting.queries; ++q)
      for (const Pick& pick : choose(setting,
                                     std::span(vectors).subspan(q * setting.m * setting.dimensions,
                                                                setting.m * setting.dimensions),
                                     std::span(scores).subspan(q * setting.m, setting.m)))
        put_fixed(out, static_cast<std::int32_t>(pick.candidate));
    const std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - start;
    if (round > 0) times.push_back(elapsed.count() / static_cast<double>(setting.queries));
  }
  std::ranges::sort(times);
  if (const Status status = write_file_atomically(argv[4], out); !status) {
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 2;
  }
  std::printf("{\"us_per_query\": %s}\n", number_text(times[times.size() / 2]).c_str());
  return 0;
}
