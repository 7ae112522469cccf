#include "core/files.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "catch.h"
#include "core/hash.h"
#include "core/text.h"

using namespace ragline;

namespace {

// A folder that is gone afterwards.
struct Folder {
  std::string path = "/tmp/ragline-files-XXXXXX";
  Folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  ~Folder() { (void)disk_storage("/tmp")->remove_folder(path.substr(5)); }
  std::string operator/(std::string_view name) const { return cat(path, "/", name); }
};

std::string bytes_of(std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i * 2654435761u >> 13);
  return out;
}

}  // namespace

TEST_CASE("files of any size are read, mapped and hashed alike") {
  const Folder folder;
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{300'000}, (std::size_t{1} << 20) - 1,
                           std::size_t{1} << 20, (std::size_t{2} << 20) + 5}) {
    INFO(size);
    const std::string bytes = bytes_of(size), path = folder / "file";
    REQUIRE(write_file_atomically(path, bytes).has_value());
    CHECK(read_file(path).value()->bytes() == bytes);
    CHECK(map_file(path).value()->bytes() == bytes);
    const InputFile input = InputFile::open(path).value();
    CHECK(input.hash().value() == hash64(bytes));
    CHECK(input.read(0, size + 10).value() == bytes);
    CHECK(input.read(size / 2, 7).value() == bytes.substr(size / 2, 7));
    CHECK(input.read(size + 1, 7).value().empty());
  }
}

TEST_CASE("a file that shrinks while it is open reads short") {
  const Folder folder;
  const std::string path = folder / "file";
  REQUIRE(write_file_atomically(path, bytes_of(500'000)).has_value());
  const auto whole = read_file(path).value();
  const InputFile input = InputFile::open(path).value();
  REQUIRE(::truncate(path.c_str(), 1000) == 0);
  CHECK(whole->bytes() == bytes_of(500'000));
  CHECK(input.read(0, 500'000).value() == bytes_of(500'000).substr(0, 1000));
  CHECK(input.read(1000, 10).value().empty());
}

TEST_CASE("what cannot be opened or read is named") {
  const Folder folder;
  const std::string missing = folder / "missing";
  for (const Error& error : {read_file(missing).error(), map_file(missing).error(), InputFile::open(missing).error()}) {
    CHECK(error.kind == ErrorKind::kNotFound);
    CHECK(error.message == cat("cannot open '", missing, "': No such file or directory"));
  }
  CHECK(read_file(folder.path).error().message == cat("cannot read '", folder.path, "': it is a directory"));
  CHECK(InputFile::open(folder.path).value().read(0, 1).error().kind == ErrorKind::kIo);
}

TEST_CASE("paths are joined and shortened without a look at the disk") {
  CHECK(join_path("a", "b") == "a/b");
  CHECK(join_path("a", "/b") == "/b");
  CHECK(normal_path("/a/./b/../c//d") == "/a/c/d");
  CHECK(normal_path("../a") == "../a");
  CHECK(normal_path("a/..") == ".");
  CHECK(relative_path("/a", "/a/b") == "b");
  CHECK(relative_path("/a", "/ab/c") == "/ab/c");
  CHECK(absolute_path("/x/../y") == "/y");
}
