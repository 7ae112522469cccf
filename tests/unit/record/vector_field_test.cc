#include "record/vector_field.h"

#include <cstring>
#include <limits>

#include "catch.h"
#include "record/base64.h"

using namespace ragline;

namespace {

std::string packed(const std::vector<float>& values) {
  std::string bytes(values.size() * 4, '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return "\"" + base64_encode(bytes) + "\"";
}

std::string fault(std::string_view json) {
  const auto field = read_vector(json);
  return field ? "" : field.error().message;
}

}  // namespace

TEST_CASE("all forms of a vector are read") {
  const std::vector<float> values{1, -0.5f, 3e-7f, 12345.678f};
  for (const std::string& json : {packed(values), std::string("[1,-0.5, 3e-7 ,\n12345.678]"),
                                  "{\"model\":\"m1\",\"data\":" + packed(values) + "}",
                                  std::string("{\"data\":[1,-0.5,3e-7,1.2345678e4]}")}) {
    const auto field = read_vector(json);
    INFO(json);
    REQUIRE(field.has_value());
    CHECK(field->values == values);
    CHECK(field->model == (json.find("m1") == json.npos ? "" : "m1"));
  }
  CHECK(read_vector("[1e-60, 1]")->values == std::vector<float>{0, 1});
}

TEST_CASE("vectors that cannot be used say why") {
  CHECK(fault("[]") == "the vector is empty");
  CHECK(fault("\"\"") == "the vector is empty");
  CHECK(fault("[0,0.0,-0]") == "the vector is all zeros, which has no direction");
  CHECK(fault("[1,1e60]") == "the vector holds NaN or infinity");
  CHECK(fault(packed({1, std::numeric_limits<float>::quiet_NaN()})) ==
        "the vector holds NaN or infinity");
  CHECK(fault("[1,\"x\"]") == "the vector holds something that is no number");
  CHECK(fault("[1,[2]]") == "the vector holds something that is no number");
  CHECK(fault("\"abc\"") == "the vector is a string, but not base64 of 4-byte floats");
  CHECK(fault("\"AAA=\"") == "the vector is a string, but not base64 of 4-byte floats");
  CHECK(fault("7") == "the vector is no list of numbers, base64 of floats, or object with `data`");
  CHECK(fault("{\"model\":\"m\"}") ==
        "the vector is no list of numbers, base64 of floats, or object with `data`");
}

TEST_CASE("what is written is what is read") {
  const std::vector<float> values{1, -0.5f, 3e-20f};
  const auto field = read_vector(vector_json(values, "static:1:\"x\""));
  REQUIRE(field);
  CHECK(field->values == values);
  CHECK(field->model == "static:1:\"x\"");
}
