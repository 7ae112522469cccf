// Walking unchanged files against `find -type f -printf '%s %T@\n'`, warm cache, one thread, interleaved.
//
//   bench_walk          50,000 files of its own making: 1,000 folders of 50, an ignore file in every tenth
//   bench_walk FOLDER   a tree of yours, with hidden and ignored files left out (find has no such rules: see `files`)
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "corpus/walk.h"

namespace {

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void make_tree(const std::filesystem::path& top) {
  for (int i = 0; i < 1000; ++i) {
    const auto folder = top / ("group" + std::to_string(i / 50)) / ("folder" + std::to_string(i));
    std::filesystem::create_directories(folder);
    if (i % 10 == 0) std::ofstream(folder / ".gitignore") << "*.o\n/build/\n!keep.o\n";
    for (int j = 0; j < 50; ++j) std::ofstream(folder / ("document-" + std::to_string(j) + ".md")) << "text";
  }
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  std::string made = (std::filesystem::temp_directory_path() / "ragline-bench-XXXXXX").string();
  if (argc < 2) {
    if (!::mkdtemp(made.data())) return 2;
    make_tree(made);
  }
  const std::string top = argc < 2 ? made : argv[1];
  const std::string find = "find '" + top + "' -type f -printf '%s %T@\\n' >/dev/null";
  std::size_t files = 0;
  auto ours = [&] {
    files = 0;
    (void)ragline::walk(
        {top}, {},
        [&](ragline::FileEntry&&) -> ragline::Status {
          ++files;
          return {};
        },
        nullptr);
  };
  auto theirs = [&] {
    if (std::system(find.c_str()) != 0) std::fprintf(stderr, "find failed\n");
  };
  ours();
  theirs();
  std::vector<double> walk_times, find_times;
  for (int round = 0; round < 9; ++round) {
    walk_times.push_back(seconds(ours));
    find_times.push_back(seconds(theirs));
  }
  const double walk_time = median(walk_times), find_time = median(find_times);
  std::printf("files %zu  walk %.1f ms (best %.1f)  find %.1f ms (best %.1f)  ratio %.2f\n", files, walk_time * 1e3,
              std::ranges::min(walk_times) * 1e3, find_time * 1e3, std::ranges::min(find_times) * 1e3,
              walk_time / find_time);
  if (argc < 2) std::filesystem::remove_all(made);
  return 0;
}
