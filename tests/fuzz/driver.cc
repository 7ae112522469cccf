// Runs a fuzz target without libFuzzer: every file given, then mutations of them (mutate.h).
//
//   fuzz_<name> [--runs N] [--ms M] PATH...
//
// PATH is an input, or a folder of them. M bounds the time of the mutations, never that of the files. The inputs run in
// a child process; when it dies the parent knows by a shared counter which input did it, writes that input to
// ./crash-<name>-<number> and exits with 1. Running the program with that file alone shows the crash again.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.h"
#include "mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace ragline::fuzz {
namespace {

struct Plan {
  std::uint64_t runs = 20000;
  std::int64_t milliseconds = 1500;
  std::vector<std::string> seeds;
};

[[noreturn]] void quit(const std::string& message) {
  std::fputs(cat("fuzz: ", message, "\n").c_str(), stderr);
  std::exit(2);
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) quit(cat("cannot read ", path.string()));
  return {std::istreambuf_iterator<char>(in), {}};
}

// A folder that does not exist is an empty corpus.
void add_seeds(Plan& plan, const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  } else if (std::filesystem::exists(path)) {
    files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) plan.seeds.push_back(contents(file));
}

Plan read_arguments(int count, char** values) {
  Plan plan;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = values[i];
    if (argument != "--runs" && argument != "--ms") {
      add_seeds(plan, argument);
      continue;
    }
    const auto number = i + 1 < count ? parse_integer(values[++i]) : std::nullopt;
    if (!number || *number < 0) quit(cat(argument, " takes a number"));
    if (argument == "--ms") plan.milliseconds = *number;
    if (argument == "--runs") plan.runs = static_cast<std::uint64_t>(*number);
  }
  return plan;
}

// Input 0, 1, ... are the seeds themselves, then come their mutations.
std::string input(const Plan& plan, std::uint64_t n) {
  return n < plan.seeds.size() ? plan.seeds[n] : mutated(plan.seeds, n - plan.seeds.size());
}

void run_all(const Plan& plan, volatile std::uint64_t& current) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(plan.milliseconds);
  for (std::uint64_t n = 0; n < plan.seeds.size() + plan.runs; ++n) {
    if (n >= plan.seeds.size() && std::chrono::steady_clock::now() > end) break;
    current = n;
    const std::string bytes = input(plan, n);
    // A copy of exactly its size, so that a read past the end is one that AddressSanitizer sees.
    const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    current = n + 1;
  }
}

int main(int count, char** values) {
  const Plan plan = read_arguments(count, values);
  void* shared = mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) quit("cannot map a page");
  volatile std::uint64_t& current = *static_cast<std::uint64_t*>(shared);

  const std::string name = std::filesystem::path(values[0]).filename().string();
  const pid_t child = fork();
  if (child < 0) quit("cannot fork");
  if (child == 0) {
    run_all(plan, current);
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status == 0) {
    std::puts(cat(name, ": ", current, " inputs, ", plan.seeds.size(), " of them seeds").c_str());
    return 0;
  }
  const std::string file = cat("crash-", name, "-", current);
  std::ofstream(file, std::ios::binary) << input(plan, current);
  std::fputs(cat(name, ": died on input ", current, ", written to ", file, "\n").c_str(), stderr);
  return 1;
}

}  // namespace
}  // namespace ragline::fuzz

int main(int count, char** values) { return ragline::fuzz::main(count, values); }
