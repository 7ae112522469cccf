// The files beside the segments: deletes and lists of ids.
#include "catch.h"
#include "core/text.h"
#include "index/deletes.h"
#include "index/versions.h"
#include "sample.h"

using namespace ragline;

TEST_CASE("deletes are read back, for sizes around a word") {
  auto storage = memory_storage();
  for (std::uint32_t size : {1u, 63u, 64u, 65u, 1000u}) {
    Bitmap deleted(size);
    for (std::uint32_t i = 0; i < size; i += 3) deleted.set(i);
    REQUIRE(write_deletes(*storage, "d", deleted));
    CHECK(read_deletes(*storage, "d", size, static_cast<std::uint32_t>(deleted.count())).value() ==
          deleted);
    CHECK_FALSE(read_deletes(*storage, "d", size, static_cast<std::uint32_t>(deleted.count()) + 1));
    CHECK_FALSE(
        read_deletes(*storage, "d", size + 64, static_cast<std::uint32_t>(deleted.count())));
  }
}

TEST_CASE("lists of ids are read back") {
  auto storage = memory_storage();
  for (const std::vector<std::string>& ids :
       {std::vector<std::string>{}, {"a"}, {"a", "b\n", "b\xFF"}}) {
    REQUIRE(write_versions(*storage, "v", ids));
    CHECK(read_versions(*storage, "v").value() == ids);
  }
  REQUIRE(write_versions(*storage, "v", {"b", "a"}));
  CHECK_FALSE(read_versions(*storage, "v"));
}

TEST_CASE("side files with any byte changed are corrupt") {
  auto storage = memory_storage();
  REQUIRE(write_deletes(*storage, "d", Bitmap(70, true)));
  REQUIRE(write_versions(*storage, "v", {"a", "b"}));
  for (const auto& [name, bytes] : sample::files(*storage))
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ 0x40);
      sample::put(*storage, name, changed);
      if (name == "d")
        REQUIRE_FALSE(read_deletes(*storage, name, 70, 70));
      else
        REQUIRE_FALSE(read_versions(*storage, name));
    }
}
