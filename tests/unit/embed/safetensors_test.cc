#include "embed/safetensors.h"

#include "catch.h"
#include "model_files.h"

using namespace ragline;
using namespace ragline::testing;

TEST_CASE("tensors are found with their shape, type and values") {
  const std::string file =
      safetensors({{"a", "F32", "[2,2]", values(std::vector<float>{1, 2, 3, 4})},
                   {"b", "BF16", "[2]", values(std::vector<std::uint16_t>{0x3F80, 0xC000})},
                   {"c", "I64", "[1]", values(std::vector<std::int64_t>{-7})},
                   {"d", "F8_E4M3", "[3]", "xyz"}});
  const auto tensors = Safetensors::parse(file);
  REQUIRE(tensors);
  CHECK(tensors->tensors().size() == 4);
  CHECK(tensors->find("a")->count() == 4);
  CHECK(float_values(*tensors->find("a")) == std::vector<float>{1, 2, 3, 4});
  CHECK(float_values(*tensors->find("b")) == std::vector<float>{1, -2});
  CHECK(float_values(*tensors->find("c")) == std::vector<float>{-7});
  CHECK(!float_values(*tensors->find("d")));
  CHECK(tensors->find("e") == nullptr);
}

TEST_CASE("a file cut anywhere, or with a lying header, is an error") {
  const std::string file = safetensors({{"a", "F32", "[2]", values(std::vector<float>{1, 2})}});
  for (std::size_t size = 0; size < file.size(); ++size) {
    INFO(size);
    REQUIRE(!Safetensors::parse(file.substr(0, size)));
  }
  for (const char* shape :
       {"[3]", "[]", "[4294967296,4294967296,4294967296]", "[-2]", "[\"2\"]", "2"}) {
    INFO(shape);
    CHECK(
        !Safetensors::parse(safetensors({{"a", "F32", shape, values(std::vector<float>{1, 2})}})));
  }
}
