#include "cli/progress.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "catch.h"

using namespace ragline;

TEST_CASE("the progress line") {
  CHECK(progress_line("indexing", "files", 20500, 50000, 5, 100) ==
        "indexing [########............]  41 %  20,500 of 50,000 files  4,100/s  7 s left");
  CHECK(progress_line("reading", "lines", 1200, 0, 2, 100) == "reading  1,200 lines  600/s");
  CHECK(progress_line("reading", "lines", 0, 10, 0, 100) ==
        "reading [....................]   0 %  0 of 10 lines");
  CHECK(progress_line("reading", "lines", 20, 10, 1, 100) ==
        "reading [####################] 100 %  20 of 10 lines  20/s");
  CHECK(progress_line("indexing", "files", 1, 100000, 1, 100).ends_with("27 h 46 min left"));
  CHECK(progress_line("indexing", "files", 20500, 50000, 5, 20).size() == 20);
}

TEST_CASE("a bar is drawn on a terminal after half a second, and erased") {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) return;
  const int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  REQUIRE(end >= 0);
  const int saved = dup(2);
  dup2(end, 2);
  {
    Progress progress(true, "indexing", "files");
    progress.add(1);  // too early to show
    std::this_thread::sleep_for(std::chrono::milliseconds(520));
    progress.add(1);
    progress.add(1);  // too soon after the last
  }
  dup2(saved, 2);
  close(saved);
  std::array<char, 400> bytes{};
  const auto got = read(terminal, bytes.data(), bytes.size());
  const std::string text(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  CHECK(text.starts_with("\rindexing  2 files  "));  // the rate depends on the machine
  CHECK(text.ends_with("/s\x1b[K\r\x1b[K"));
  close(end);
  close(terminal);
}

TEST_CASE("counts of several threads add up") {
  Progress progress(false, "counting", "things");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 10000; ++j) progress.add(1);
    });
  for (auto& thread : threads) thread.join();
  CHECK(progress.done() == 40000);
}
