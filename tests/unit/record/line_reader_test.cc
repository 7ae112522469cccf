#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include "catch.h"
#include "core/text.h"
#include "record/reader.h"

using namespace ragline;

namespace {

// A file that is gone at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes) {
    const int descriptor = ::mkstemp(path_);
    REQUIRE(descriptor >= 0);
    FILE* file = ::fdopen(descriptor, "wb");
    REQUIRE(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
    std::fclose(file);
  }
  ~TemporaryFile() { ::unlink(path_); }
  std::string path() const { return path_; }

 private:
  char path_[32] = "/tmp/ragline_lines_XXXXXX";
};

using Lines = std::vector<std::pair<std::uint64_t, std::string>>;

Lines all(LineReader& reader) {
  Lines lines;
  Line line;
  while (true) {
    const auto more = reader.next(line);
    if (!more) {
      lines.emplace_back(line.number, cat("error: ", more.error().message));
      if (more.error().kind != ErrorKind::kData) return lines;
      continue;
    }
    if (!*more) return lines;
    lines.emplace_back(line.number, line.bytes);
  }
}

Lines from_memory(std::string_view bytes) {
  LineReader reader("memory", bytes);
  return all(reader);
}

Lines from_file(std::string_view bytes, std::size_t max_line = LineReader::kMaxLine) {
  TemporaryFile file(bytes);
  auto reader = LineReader::open(file.path(), max_line);
  REQUIRE(reader);
  CHECK(reader->name() == file.path());
  return all(*reader);
}

}  // namespace

TEST_CASE("lines lose their ends, blank ones are counted but skipped") {
  const std::string bytes(
      "\xEF\xBB\xBF"
      "a\r\n\n  \t\r\nb\0c\nlast",
      20);
  const Lines expected = {{1, "a"}, {4, std::string("b\0c", 3)}, {5, "last"}};
  CHECK(from_memory(bytes) == expected);
  CHECK(from_file(bytes) == expected);
  CHECK(from_memory("") == Lines{});
  CHECK(from_file("\n\n") == Lines{});
  CHECK(from_memory("a\rb\n") == Lines{{1, "a\rb"}});
}

TEST_CASE("lines cross blocks") {
  std::mt19937 random(11);
  std::string bytes;
  Lines expected;
  while (bytes.size() < 5u << 20) {
    const std::size_t length = 1 + random() % (random() % 20 == 0 ? 700'000 : 3000);
    expected.emplace_back(expected.size() + 1,
                          std::string(length, static_cast<char>('a' + random() % 26)));
    bytes += expected.back().second + '\n';
  }
  CHECK((from_file(bytes) == expected));
  CHECK((from_memory(bytes) == expected));
}

TEST_CASE("a line of 100 MB is a line") {
  std::string bytes(100'000'000, 'x');
  bytes += "\nnext\n";
  TemporaryFile file(bytes);
  auto reader = LineReader::open(file.path());
  Line line;
  REQUIRE(*reader->next(line));
  CHECK(line.bytes.size() == 100'000'000);
  REQUIRE(*reader->next(line));
  CHECK(line.bytes == "next");
}

TEST_CASE("a line over the limit is reported and reading goes on behind it") {
  const std::string too_long =
      "error: the line is longer than 1.0 kB: split the record, rag-chunk reads whole files";
  const std::string bytes = "a\n" + std::string(1001, 'x') + "\n" + std::string(1000, 'y') + "\nb";
  CHECK(from_file(bytes, 1000) ==
        Lines{{1, "a"}, {2, too_long}, {3, std::string(1000, 'y')}, {4, "b"}});
  const std::string huge = std::string(5'000'000, 'x');
  CHECK(from_file(huge + "\nb\n", 1000) == Lines{{1, too_long}, {2, "b"}});
  CHECK(from_file(huge, 1000) == Lines{{1, too_long}});
}

TEST_CASE("a file that cannot be read is named with the remedy") {
  const auto missing = LineReader::open("/nonexistent/queries.jsonl");
  REQUIRE(!missing);
  CHECK(missing.error().kind == ErrorKind::kNotFound);
  CHECK(missing.error().message ==
        "cannot open '/nonexistent/queries.jsonl': No such file or directory: give a readable "
        "file, or - for standard input");
  const auto folder = LineReader::open("/");
  REQUIRE(!folder);
  CHECK(folder.error().kind == ErrorKind::kIo);
  CHECK(folder.error().message == "cannot read '/': it is a directory: give a file of JSON Lines");
}

TEST_CASE("UTF-16 is named as such") {
  const auto lines = from_memory(std::string_view("\xFF\xFE{\0}\0", 6));
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].second == "error: the file is UTF-16: convert it with iconv -f UTF-16 -t UTF-8");
}

TEST_CASE("standard input is read by the name -") {
  TemporaryFile file("one\ntwo\n");
  const int saved = ::dup(STDIN_FILENO);
  REQUIRE(std::freopen(file.path().c_str(), "rb", stdin));
  auto reader = LineReader::open("-");
  REQUIRE(reader);
  CHECK(reader->name() == "standard input");
  CHECK(all(*reader) == Lines{{1, "one"}, {2, "two"}});
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}
