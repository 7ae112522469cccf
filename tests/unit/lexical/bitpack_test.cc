#include "lexical/bitpack.h"

#include <random>
#include <vector>

#include "catch.h"

using namespace ragline;

TEST_CASE("128 integers of every width come back") {
  std::mt19937 random(7);
  for (int bits = 0; bits <= 32; ++bits) {
    INFO("bits " << bits);
    std::vector<std::uint32_t> in(128), out(128);
    for (auto& value : in) value = bits == 0 ? 0 : static_cast<std::uint32_t>(random()) >> (32 - bits);
    std::string packed;
    pack128(in.data(), bits, packed);
    REQUIRE(packed.size() == static_cast<std::size_t>(bits) * 16);
    unpack128(packed.data(), bits, out.data());
    REQUIRE(out == in);
  }
}

TEST_CASE("runs of every width and many lengths come back") {
  std::mt19937 random(8);
  for (int bits = 0; bits <= 32; ++bits)
    for (std::size_t count : {0, 1, 2, 7, 8, 9, 127, 300}) {
      INFO("bits " << bits << " count " << count);
      std::vector<std::uint32_t> in(count), out(count);
      for (auto& value : in) value = bits == 0 ? 0 : static_cast<std::uint32_t>(random()) >> (32 - bits);
      std::string packed;
      pack_run(in.data(), count, bits, packed);
      REQUIRE(packed.size() == run_bytes(count, bits));
      packed.append(8, '\0');
      unpack_run(packed.data(), count, bits, out.data());
      REQUIRE(out == in);
    }
}
