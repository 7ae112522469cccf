#include "record/object.h"

#include "catch.h"

using namespace ragline;

TEST_CASE("members by name, the last of a name, null as absent") {
  auto row = JsonMembers::parse(R"({"a":1,"b":"x\n","a":2,"c":null,"\u0064":[1,{"e":"]"}]})");
  REQUIRE(row);
  CHECK(row->find("a")->raw == "2");
  CHECK(row->find("c") == nullptr);
  CHECK(row->find("z") == nullptr);
  CHECK(row->find("d")->raw == R"([1,{"e":"]"}])");
  CHECK(row->find({"z", "c", "b", "a"})->key == "b");
  CHECK(row->fields().size() == 5);

  const JsonMembers moved = std::move(*row);
  CHECK(moved.find("b")->raw == R"("x\n")");
}

TEST_CASE("members as values") {
  const auto row =
      JsonMembers::parse(R"({"s":"x\n","n":-1.5,"k":7,"t":true,"l":["p","q"],"o":{}})");
  REQUIRE(row);
  std::string text = "kept";
  CHECK(row->text({"z"}, text));
  CHECK(text == "kept");
  CHECK(row->text({"z", "s"}, text));
  CHECK(text == "x\n");
  CHECK(row->id({"n"}, text));
  CHECK(text == "-1.5");
  std::vector<std::string> list;
  CHECK(row->list("l", list));
  CHECK(list == std::vector<std::string>{"p", "q"});
  std::optional<bool> flag;
  CHECK(row->flag("t", flag));
  CHECK(flag == true);
  std::optional<double> number;
  CHECK(row->number("z", number));
  CHECK_FALSE(number);
  CHECK(row->number("n", number));
  CHECK(number == -1.5);
  std::optional<std::uint64_t> count;
  CHECK(row->count("k", count));
  CHECK(count == 7u);

  CHECK(row->text({"n"}, text).error().message == "field 'n' is -1.5: give a string");
  CHECK(row->id({"o"}, text).error().message == "field 'o' is an object: give a string");
  CHECK(row->count("n", count).error().kind == ErrorKind::kData);
}

TEST_CASE("what is no object is refused with its place") {
  CHECK(JsonMembers::parse("[1]").error().message == "not an object: give one JSON object a line");
  CHECK(JsonMembers::parse("{\"a\":}").error().message.find("byte 5") != std::string::npos);
  CHECK(JsonMembers::parse("{\"a\":\"\xff\"}").error().message.find("UTF-8") != std::string::npos);
  CHECK_FALSE(JsonMembers::parse(""));
}

TEST_CASE("the values of a list") {
  const auto values = json_elements(R"([1, "a]", [2], {"b":[3]}, null])");
  REQUIRE(values);
  CHECK(*values == std::vector<std::string_view>{"1", R"("a]")", "[2]", R"({"b":[3]})", "null"});
  CHECK(json_elements("[]")->empty());
  CHECK_FALSE(json_elements("{}"));
  CHECK_FALSE(json_elements("[1,]"));
  CHECK(json_scalar_text(R"("a\u00e9")") == "a\xc3\xa9");
  CHECK(json_scalar_text("12") == "12");
  CHECK_FALSE(json_scalar_text("[1]"));
  CHECK_FALSE(json_scalar_text("null"));
}
