#include "embed/charsmap.h"

#include "catch.h"
#include "core/bytes.h"

using namespace ragline;

namespace {

// A double array with the keys "A" and "e\u0301", in the words of charsmap.h.
std::string two_keys() {
  std::vector<std::uint32_t> units(2048);
  const auto offset = [](std::uint32_t value) { return value << 10; };
  units[0] = offset(256);
  // "A": a child of the root, with a value at once.
  units[256 ^ 'A'] = offset((256 ^ 'A') ^ 600) | 0x100 | 'A';
  units[600] = 0x80000000 | 0;
  // "e", 0xCC, 0x81.
  units[256 ^ 'e'] = offset((256 ^ 'e') ^ 1024) | 'e';
  units[1024 ^ 0xCC] = offset((1024 ^ 0xCC) ^ 1280) | 0xCC;
  units[1280 ^ 0x81] = offset((1280 ^ 0x81) ^ 700) | 0x100 | 0x81;
  units[700] = 0x80000000 | 2;
  std::string out;
  put_fixed<std::uint32_t>(out, static_cast<std::uint32_t>(units.size() * 4));
  for (const std::uint32_t unit : units) put_fixed(out, unit);
  return out + std::string("a\0é\0", 5);
}

}  // namespace

TEST_CASE("graphemes, else characters, are replaced by the rules") {
  const auto map = Charsmap::parse(two_keys());
  REQUIRE(map);
  CHECK(map->normalise("AbA") == "aba");
  CHECK(map->normalise("Ae\u0301 e \u0301") == "aé e \u0301");
  CHECK(map->normalise("") == "");
  // A grapheme of six bytes is taken character by character.
  CHECK(map->normalise("A\u0301\u0301\u0301") == "a\u0301\u0301\u0301");
}

TEST_CASE("rules that do not fit are refused") {
  const std::string whole = two_keys();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{3}, std::size_t{4}, whole.size() - 6, whole.size() - 1}) {
    INFO(size);
    CHECK(!Charsmap::parse(whole.substr(0, size)));
  }
  CHECK(!Charsmap::parse(std::string(8, '\0')));
}
