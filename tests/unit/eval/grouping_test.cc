#include "eval/grouping.h"

#include "catch.h"

using namespace ragline;
using Values = std::vector<std::string>;

TEST_CASE("values of a field of a row") {
  const std::string row =
      R"({"id":1,"kind":"x","risk":{"kind":"y","tags":["b","a","b"]},"a.b":true,"none":null})";
  CHECK(row_values(row, "kind") == Values{"x"});
  CHECK(row_values(row, "risk.kind") == Values{"y"});
  CHECK(row_values(row, "risk.tags") == Values{"a", "b"});
  CHECK(row_values(row, "a.b") == Values{"true"});
  CHECK(row_values(row, "id") == Values{"1"});
  CHECK(row_values(row, "none").empty());
  CHECK(row_values(row, "risk").empty());
  CHECK(row_values("", "kind").empty());
  CHECK(row_values("no json", "kind").empty());
}
