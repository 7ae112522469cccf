#include "record/base64.h"

#include "catch.h"
#include "random_records.h"

using namespace ragline;

TEST_CASE("base64 as RFC 4648 has it") {
  const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    CHECK(base64_encode(bytes) == text);
    CHECK(base64_decode(text) == bytes);
  }
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const std::string bytes = RandomRecords(seed).bytes();
    REQUIRE(base64_decode(base64_encode(bytes)) == bytes);
  }
}

TEST_CASE("only the one right form is decoded") {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm 9", "Zm9-", "Zm9\n"}) {
    INFO(text);
    CHECK(!base64_decode(text));
  }
}
