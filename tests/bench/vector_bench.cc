// Flat vector search as ../shared/peers/bench_vectors.py asks for it, beside Faiss, usearch and
// hnswlib:
//
//   DIR/bin/python bench_vectors.py --only flat filter --ours
//     'build/release/bin/bench_vector {method} {base} {queries} {dim} {k} {threads} {filter} {out}'
//
// With one thread it asks one query a call; with more it hands each thread its share of the queries
// as one batch. With `batch` for {method} one thread has all queries as batches of 100. It also
// prints processor time, which is what can be compared on a busy machine.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "core/bitmap.h"
#include "core/files.h"
#include "vector/flat.h"
#include "vector/kernels.h"

using namespace ragline;

namespace {

std::vector<float> read_floats(const char* path) {
  const auto file = read_file(path);
  if (!file) {
    std::fprintf(stderr, "bench_vector: %s\n", file.error().message.c_str());
    std::exit(2);
  }
  std::vector<float> out((*file)->bytes().size() / sizeof(float));
  std::memcpy(out.data(), (*file)->bytes().data(), out.size() * sizeof(float));
  return out;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9 || (std::strcmp(argv[1], "flat") != 0 && std::strcmp(argv[1], "batch") != 0)) {
    std::fprintf(stderr,
                 "usage: bench_vector flat|batch BASE QUERIES DIMENSIONS K THREADS FILTER|- OUT\n");
    return 2;
  }
  const std::vector<float> base = read_floats(argv[2]), queries = read_floats(argv[3]);
  const auto dimensions = static_cast<std::size_t>(std::atoi(argv[4]));
  const auto threads = static_cast<std::size_t>(std::atoi(argv[6]));
  const std::size_t rows = base.size() / dimensions, asked = queries.size() / dimensions;

  auto start = std::chrono::steady_clock::now();
  FlatBuilder builder(dimensions, FlatCopies::kFloat);
  for (std::size_t r = 0; r < rows; ++r)
    builder.append(std::span(base).subspan(r * dimensions, dimensions));
  const double build_s = seconds_since(start);

  FlatOptions options{.k = static_cast<std::size_t>(std::atoi(argv[5]))};
  Bitmap filter(rows);
  if (std::strcmp(argv[7], "-") != 0) {
    const auto bytes = read_file(argv[7]);
    if (!bytes || (*bytes)->bytes().size() != rows) return 2;
    for (std::size_t r = 0; r < rows; ++r)
      if ((*bytes)->bytes()[r]) filter.set(r);
    options.filter = filter.words();
  }

  std::vector<std::vector<Neighbour>> found(asked);
  const auto batch = [&](std::size_t begin, std::size_t end) {
    const auto part = search_flat_batch(
        builder.view(), std::span(queries).subspan(begin * dimensions, (end - begin) * dimensions),
        options);
    for (std::size_t q = begin; q < end; ++q) found[q] = part[q - begin];
  };
  start = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  if (std::strcmp(argv[1], "batch") == 0) {
    for (std::size_t q = 0; q < asked; q += 100) batch(q, std::min(asked, q + 100));
  } else if (threads == 1) {
    for (std::size_t q = 0; q < asked; ++q)
      found[q] = search_flat(builder.view(), std::span(queries).subspan(q * dimensions, dimensions),
                             options);
  } else {
    std::vector<std::jthread> workers;
    for (std::size_t t = 0; t < threads; ++t)
      workers.emplace_back([&, t] { batch(asked * t / threads, asked * (t + 1) / threads); });
  }
  const double qps = static_cast<double>(asked) / seconds_since(start);
  const double cpu_us =
      1e6 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC / static_cast<double>(asked);

  std::vector<std::int32_t> ids(asked * options.k, -1);
  for (std::size_t q = 0; q < asked; ++q)
    for (std::size_t i = 0; i < found[q].size(); ++i)
      ids[q * options.k + i] = static_cast<std::int32_t>(found[q][i].row);
  const std::string_view bytes(reinterpret_cast<const char*>(ids.data()),
                               ids.size() * sizeof ids[0]);
  if (!write_file_atomically(argv[8], bytes)) return 2;
  std::printf("{\"build_s\": %.3f, \"qps\": %.1f, \"cpu_us\": %.1f, \"kernel\": \"%s\"}\n", build_s,
              qps, cpu_us, kernels().name);
}
