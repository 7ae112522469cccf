#include "eval/cbor.h"

#include "catch.h"

using namespace ragline;
using namespace std::string_literals;

TEST_CASE("the forms of text, numbers and maps, after the examples of RFC 8949") {
  CHECK(is_cbor_map("\xa0"));
  CHECK(is_cbor_map("\xbf\xff"));
  CHECK(!is_cbor_map("{}"));
  CHECK(!is_cbor_map(""));
  CHECK(cbor_to_json("\xa0") == "{}"s);
  CHECK(cbor_to_json("\xbf\xff") == "{}"s);
  CHECK(cbor_to_json("\xa1\x61q\xa2\x61"
                     "a\x01\x62\"\xc2\x20"s)
            .has_value());
  CHECK(cbor_to_json("\xa1\x61q\xa1\x61"
                     "d\x18\x64"s) == R"({"q":{"d":100}})"s);
  CHECK(cbor_to_json("\xa1\x61q\x1b\x00\x00\x00\xe8\xd4\xa5\x10\x00"s) ==
        R"({"q":1000000000000})"s);
  CHECK(cbor_to_json("\xa1\x61q\x38\x63"s) == R"({"q":-100})"s);
  CHECK(cbor_to_json("\xa1\x61q\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a"s) == R"({"q":1.1})"s);
  CHECK(cbor_to_json("\xa1\x61q\xfa\x47\xc3\x50\x00"s) == R"({"q":100000})"s);
  CHECK(cbor_to_json("\xa1\x61q\xf9\x3c\x00"s) == R"({"q":1})"s);
  CHECK(cbor_to_json("\xa1\x61q\xf9\xc4\x00"s) == R"({"q":-4})"s);
  CHECK(cbor_to_json("\xa1\x61q\xf9\x00\x01"s) == R"({"q":5.960464477539063e-08})"s);
  CHECK(cbor_to_json("\xbf\x61"
                     "a\x01\x61"
                     "b\x02\xff"s) == R"({"a":1,"b":2})"s);
}

TEST_CASE("what is no map of numbers is refused") {
  for (const std::string& bytes :
       {""s, "\xa1"s, "\xa1\x61"s, "\xa1\x61q"s, "\xa1\x61q\x18"s, "\xa1\x61q\xfb\x00"s,
        "\xa1\x01\x01"s, "\xa1\x61q\x81\x01"s, "\xa1\x61q\xf5"s, "\xa1\x61q\x41z"s,
        "\xa1\x61q\xc1\x01"s, "\xa0\xa0"s, "\xa1\x61q\xf9\x7c\x00"s, "\xa1\x61q\xf9\x7e\x00"s,
        "\xbf\x61"
        "a\x01"s,
        "\xbb\xff\xff\xff\xff\xff\xff\xff\xff"s, "\xa1\x7b\xff\xff\xff\xff\xff\xff\xff\xffq"s,
        "\xa1\x61q\x1c"s}) {
    INFO(bytes.size());
    const auto json = cbor_to_json(bytes);
    REQUIRE(!json);
    CHECK(json.error().kind == ErrorKind::kData);
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "\xa1\x61q";
  CHECK(!cbor_to_json(deep));
}
