#include "embed/npy.h"

#include <cmath>

#include "catch.h"
#include "core/text.h"

using namespace ragline;

namespace {

std::string file(std::string_view header, std::string_view data) {
  return cat("\x93NUMPY\x01", '\0', static_cast<char>(header.size()), '\0', header, data);
}

}  // namespace

TEST_CASE("a matrix is read as it was written, at an aligned place") {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const std::string bytes = npy_bytes(values, 3);
  CHECK((bytes.size() - values.size() * 4) % 64 == 0);
  const auto matrix = parse_npy(bytes);
  REQUIRE(matrix);
  CHECK(matrix->rows == 2);
  CHECK(matrix->columns == 3);
  CHECK(matrix->values == values);
  CHECK(parse_npy(npy_bytes({}, 3))->rows == 0);
}

TEST_CASE("halves and doubles are read too") {
  const auto halves = parse_npy(file("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }",
                                     std::string("\x00\x3C\x00\xC0", 4)));
  REQUIRE(halves);
  CHECK(halves->values == std::vector<float>{1, -2});
  const auto doubles = parse_npy(file("{'shape': (1,1), 'descr': '<f8', 'fortran_order': False}",
                                      std::string("\0\0\0\0\0\0\xF0\x3F", 8)));
  REQUIRE(doubles);
  CHECK(doubles->values == std::vector<float>{1});
}

TEST_CASE("a matrix that cannot be used is refused") {
  const std::string good = npy_bytes(std::vector<float>{1, 2}, 2);
  for (std::size_t size = 0; size < good.size(); ++size) {
    INFO(size);
    REQUIRE(!parse_npy(good.substr(0, size)));
  }
  const std::string data(8, '\0');
  for (const char* header :
       {"{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2), }",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2), }", "{}"}) {
    INFO(header);
    CHECK(!parse_npy(file(header, data)));
  }
  CHECK(!parse_npy(npy_bytes(std::vector<float>{1, std::nanf("")}, 2)));
}
