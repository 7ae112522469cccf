#include "eval/grouping.h"

#include "catch.h"
#include "eval/json_rows.h"

using namespace ragline;
using Values = std::vector<std::string>;

TEST_CASE("rows of JSON Lines, of a list, and of an object that has one") {
  const auto ids = [](std::string text) {
    std::vector<std::string> out;
    BadRows bad(true);
    const Status status = each_json_row(InputText("x", std::move(text)), &bad,
                                        [&](std::string_view row, RowFault&) -> Status {
                                          const Values id = row_values(row, "id");
                                          if (id.empty()) return fail(ErrorKind::kData, "no id");
                                          out.push_back(id.front());
                                          return {};
                                        });
    CHECK(status);
    if (bad.total() > 0) out.push_back(bad.first());
    return out;
  };
  const Values both = {"1", "2"};
  CHECK(ids("{\"id\":1}\n\n{\"id\":2}\n") == both);
  CHECK(ids("\xEF\xBB\xBF[{\"id\":1},\n {\"id\":2}]\n") == both);
  CHECK(ids("{\"task\": \"x\",\n \"sizes\": [2],\n \"queries\": [{\"id\":1},\n{\"id\":2}]\n}") ==
        both);
  CHECK(ids("{\"id\":1,\"list\":[{\"id\":7}]}\n{\"id\":2}\n") == both);
  CHECK(ids("[{\"id\":1},\n{}]") == Values{"1", "x:2: no id"});
  CHECK(ids("[{\"id\":1},\n") == Values{"x:1: no id"});
  CHECK(ids("[]").empty());
}

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
