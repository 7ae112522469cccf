#include "eval/support.h"

#include "catch.h"
#include "core/text.h"

using namespace ragline;

namespace {

// "number:5 km|identifier:x_y"
std::string facts(std::string_view sentence) {
  std::string out;
  for (const Fact& fact : facts_of(sentence))
    append(out, out.empty() ? "" : "|", fact_kind_name(fact.kind), ":", fact.text);
  return out;
}

bool supported(std::string_view sentence, std::string_view passage) {
  const auto all = facts_of(sentence);
  INFO(sentence);
  REQUIRE(all.size() == 1);
  return PassageFacts(passage).holds(all[0]);
}

}  // namespace

TEST_CASE("facts of a sentence, by kind, marks left out") {
  CHECK(facts("It sold 5 km in 2019 [3].") == "number:5 km|number:2019");
  CHECK(facts("On February 7, 2021 it rose 3.2% [1][2].") == "date:February 7, 2021|number:3.2%");
  CHECK(facts("Call update_order_status or std::move, see CVE-2024-12 and 1.0.21.") ==
        "identifier:update_order_status|identifier:std::move|identifier:CVE-2024-12|identifier:1.0."
        "21");
  CHECK(facts("updateOrder of the 3rd kind costs $5m") == "identifier:updateOrder|number:$5m");
  CHECK(facts("He said \"the cat sat down\" and \"no\".") == "quote:the cat sat down");
  CHECK(facts("他说“北京是首都”，“好”。") == "quote:北京是首都");
  CHECK(facts("Plain words, nothing more.").empty());
}

TEST_CASE("numbers are supported by value and unit") {
  CHECK(supported("It is 1.5 km long.", "a length of 1,500 metres"));
  CHECK(supported("It cost $3 million.", "3,000,000 dollars"));
  CHECK_FALSE(supported("It is 15 km long.", "a length of 1.5 km"));
  CHECK(supported("新增1361万人", "城镇新增就业13,610,000人"));
}

TEST_CASE("dates are supported in any form that is as precise") {
  CHECK(supported("on 7 February 2021", "2021-02-07"));
  CHECK(supported("in February 2021", "on 7. Februar 2021"));
  CHECK_FALSE(supported("on 7 February 2021", "in February 2021"));
}

TEST_CASE("identifiers are whole words") {
  CHECK(supported("use order_status", "the ORDER_STATUS column"));
  CHECK_FALSE(supported("use order_status", "the order_status_id column"));
  CHECK(supported("see CVE-2024-1", "(CVE-2024-1)"));
  CHECK_FALSE(supported("see CVE-2024-1", "CVE-2024-12"));
}

TEST_CASE("quotes are words in order, punctuation and case aside") {
  CHECK(supported("\"Within 30 days, of purchase\"",
                  "Refunds are made within 30 days\nof purchase."));
  CHECK(
      supported("\"refunds are ... of purchase\"", "Refunds are made within 30 days of purchase."));
  CHECK_FALSE(
      supported("\"of purchase ... refunds are\"", "Refunds are made within 30 days of purchase."));
  CHECK_FALSE(supported("\"within 60 days\"", "within 30 days"));
  CHECK(supported("「北京是首都」", "众所周知，北京 是首都。"));
}

TEST_CASE("lexical support is the share of words that stand there") {
  const PassageFacts cat("The cat sat"), mat("on the mat.");
  const PassageFacts* const passages[] = {&cat, &mat};
  CHECK(lexical_support("The cat sat on a mat [1].", passages) == 1);
  CHECK(lexical_support("The cat slept.", passages) == 0.5);
  CHECK(lexical_support("of the", passages) == 1);
  CHECK(lexical_support("Dogs", {}) == 0);
}
