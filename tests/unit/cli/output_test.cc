#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "catch.h"

using namespace ragline;

namespace {

struct Pipe {
  int ends[2];
  Pipe() { REQUIRE(pipe(ends) == 0); }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
  std::string read_some() {
    std::array<char, 1 << 16> bytes;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    const auto got = read(ends[0], bytes.data(), bytes.size());
    return got > 0 ? std::string(bytes.data(), static_cast<std::size_t>(got)) : std::string();
  }
};

}  // namespace

TEST_CASE("output waits for a full buffer or a flush") {
  Pipe pipe;
  Output out(pipe.ends[1]);
  CHECK_FALSE(out.is_terminal());
  REQUIRE(out.write("one\n"));
  CHECK(pipe.read_some().empty());
  REQUIRE(out.flush());
  CHECK(pipe.read_some() == "one\n");
  REQUIRE(out.write(std::string(60 << 10, 'x')));
  CHECK(pipe.read_some().empty());
  REQUIRE(out.write(std::string(10 << 10, 'y')));
  CHECK(pipe.read_some() == std::string(60 << 10, 'x'));
}

TEST_CASE("a reader that has gone is an error without a message") {
  Pipe pipe;
  close(pipe.ends[0]);
  Output out(pipe.ends[1]);
  REQUIRE(out.write("one\n"));
  const Status status = out.flush();
  REQUIRE_FALSE(status);
  CHECK(status.error().message.empty());
  CHECK(out.reader_gone());
  CHECK_FALSE(out.write("two\n"));
}

TEST_CASE("a full disk is an error that stays") {
  const int full = open("/dev/full", O_WRONLY);
  if (full < 0) return;
  Output out(full);
  REQUIRE(out.write("one\n"));
  const Status status = out.flush();
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "standard output: No space left on device");
  CHECK(status.error().kind == ErrorKind::kIo);
  CHECK_FALSE(out.reader_gone());
  CHECK_FALSE(out.write("two\n"));
  CHECK_FALSE(out.flush());
  close(full);
}
