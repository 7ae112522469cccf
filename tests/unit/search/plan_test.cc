// From query text to leaves and conditions.
#include "search/plan.h"

#include <algorithm>

#include "catch.h"
#include "core/text.h"

using namespace ragline;

namespace {

Plan plan_of(std::string_view query, std::vector<Language> languages = {Language::kEnglish},
             std::vector<Field> fields = {Field::kContent}, FieldBoosts boosts = {}) {
  Analyzer analyzer;
  ExpansionCache expansions;
  return make_plan(parse_query(query), languages, fields, boosts, analyzer, expansions);
}

// "refund order^2 ..." in the order of the plan: labels, with boosts that are not 1.
std::string leaves(const Plan& plan) {
  std::string out;
  for (const Leaf& leaf : plan.leaves) {
    append(out, out.empty() ? "" : " ", leaf.label);
    if (leaf.boost != 1) append(out, "^", std::to_string(leaf.boost).substr(0, 4));
  }
  return out;
}

bool meets(const Condition& condition, const std::vector<bool>& present) {
  auto child_meets = [&](const Condition& child) { return meets(child, present); };
  switch (condition.kind) {
    case Condition::Kind::kLeaf: return present[condition.leaf];
    case Condition::Kind::kAny: return std::any_of(condition.children.begin(), condition.children.end(), child_meets);
    case Condition::Kind::kAll: return std::all_of(condition.children.begin(), condition.children.end(), child_meets);
    case Condition::Kind::kNot: return !meets(condition.children[0], present);
  }
  return false;
}

// Whether a chunk with just these labels meets the query's condition.
bool matches(const Plan& plan, const std::vector<std::string>& labels) {
  std::vector<bool> present;
  for (const Leaf& leaf : plan.leaves) present.push_back(std::find(labels.begin(), labels.end(), leaf.label) != labels.end());
  REQUIRE(plan.root_gate >= 0);
  return meets(plan.gates[std::size_t(plan.root_gate)], present);
}

}  // namespace

TEST_CASE("any word counts, stop words do not") {
  const Plan plan = plan_of("the refunds of orders");
  CHECK(leaves(plan) == "refund order");
  CHECK(plan.root_gate == -1);
  CHECK(plan.words == std::vector<std::string>{"refunds", "orders"});
  CHECK(plan.dropped == std::vector<std::string>{"the", "of"});
  CHECK(plan_of("the of").leaves.empty());
  CHECK(plan_of("").leaves.empty());
  CHECK(plan_of("-> ... !").leaves.empty());
}

TEST_CASE("a word asked twice counts twice in one leaf") {
  CHECK(leaves(plan_of("refund refunds")) == "refund^2.00");
  CHECK(leaves(plan_of("refund^3 refund")) == "refund^4.00");
  CHECK(leaves(plan_of("refund (order refund)^0.5")) == "refund^1.50 order^0.50");
  CHECK(leaves(plan_of("\"order status\" \"order status\"")) == "\"order status\"^2.00");
}

TEST_CASE("musts and exclusions are conditions") {
  const Plan plan = plan_of("+refund order -ship");
  CHECK(matches(plan, {"refund"}));
  CHECK(matches(plan, {"refund", "order"}));
  CHECK(!matches(plan, {"order"}));
  CHECK(!matches(plan, {"refund", "ship"}));
  CHECK(leaves(plan) == "refund order ship^0.00");

  const Plan some = plan_of("refund order -ship");
  CHECK(matches(some, {"order"}));
  CHECK(!matches(some, {"order", "ship"}));
  CHECK(!matches(some, {}));

  const Plan both = plan_of("(refund AND order) OR ship");
  REQUIRE(both.root_gate == -1);
  REQUIRE(both.leaves.size() == 3);
  CHECK(both.leaves[0].gates == both.leaves[1].gates);
  REQUIRE(both.leaves[0].gates.size() == 1);
  CHECK(both.leaves[2].gates.empty());
  CHECK(meets(both.gates[0], {true, true, false}));
  CHECK(!meets(both.gates[0], {true, false, true}));
}

TEST_CASE("a stop word that must be there is no condition") {
  const Plan plan = plan_of("+the +refund");
  CHECK(matches(plan, {"refund"}));
  CHECK(!matches(plan, {}));
}

TEST_CASE("exclusions alone match nothing") {
  CHECK(plan_of("-refund").only_exclusions);
  CHECK(plan_of("-refund -order").only_exclusions);
  CHECK(!plan_of("-refund order").only_exclusions);
  CHECK(!plan_of("the").only_exclusions);
}

TEST_CASE("a word of several parts is there when all of them are") {
  const Plan plan = plan_of("+order-status");
  CHECK(matches(plan, {"order", "statu"}));
  CHECK(!matches(plan, {"order"}));
  CHECK(!matches(plan, {"statu"}));
}

TEST_CASE("each language analyses a word its own way, under one number") {
  const Plan plan = plan_of("the orders", {Language::kEnglish, Language::kGerman});
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> english, german;
  for (const Leaf& leaf : plan.leaves) {
    (leaf.language == Language::kGerman ? german : english).push_back(leaf.label);
    if (leaf.label.starts_with("ord")) numbers.push_back(leaf.word);
  }
  CHECK(english == std::vector<std::string>{"order"});  // "the" is a word in German
  CHECK(german.size() > 1);
  REQUIRE(numbers.size() >= 2);
  CHECK(numbers[0] == numbers[1]);
  CHECK(plan.dropped.empty());
}

TEST_CASE("fields") {
  const std::vector<Field> all = {Field::kContent, Field::kTitle, Field::kSection, Field::kPath};
  FieldBoosts boosts;
  boosts.by_field = {1, 2, 0, 0.5};
  const Plan plan = plan_of("refund", {Language::kEnglish}, all, boosts);
  CHECK(leaves(plan) == "refund refund^2.00 refund^0.50");
  const Plan title = plan_of("title:refund", {Language::kEnglish}, all, boosts);
  REQUIRE(title.leaves.size() == 1);
  CHECK(title.leaves[0].field == Field::kTitle);
  CHECK(title.leaves[0].boost == 1);
  const Plan group = plan_of("section:(refund text:order)", {Language::kEnglish}, all, boosts);
  REQUIRE(group.leaves.size() == 2);
  CHECK(group.leaves[0].field == Field::kSection);
  CHECK(group.leaves[1].field == Field::kContent);
  CHECK(plan_of("title:refund").leaves.empty());  // the index has no titles
  CHECK(plan_of("+title:refund order").root_gate == 0);
}

TEST_CASE("phrases, beginnings, misspelt words") {
  const Plan phrase = plan_of("\"the order of status\"~3");
  REQUIRE(phrase.leaves.size() == 1);
  CHECK(phrase.leaves[0].kind == Leaf::Kind::kPhrase);
  CHECK(phrase.leaves[0].slop == 3);
  REQUIRE(phrase.leaves[0].slots.size() == 2);
  CHECK(phrase.leaves[0].slots[1].offset == 2);  // the stop word keeps its place
  CHECK(plan_of("\"refund\"").leaves.at(0).kind == Leaf::Kind::kTerms);
  CHECK(plan_of("\"the of\"").leaves.empty());

  const Plan prefix = plan_of("Refun*");
  CHECK(prefix.leaves.at(0).kind == Leaf::Kind::kPrefix);
  CHECK(prefix.leaves[0].keys[0] == term_key(Field::kContent, Language::kEnglish, "refun"));
  const Plan fuzzy = plan_of("refnud~2");
  CHECK(fuzzy.leaves.at(0).kind == Leaf::Kind::kFuzzy);
  CHECK(fuzzy.leaves[0].slop == 2);
  CHECK(leaves(fuzzy) == "refnud~2");
}

TEST_CASE("qmd_294_one_chinese_character_is_a_beginning") {
  const Plan one = plan_of("退", {Language::kChinese});
  REQUIRE(one.leaves.size() == 1);
  CHECK(one.leaves[0].kind == Leaf::Kind::kPrefix);
  CHECK(leaves(plan_of("订单退款", {Language::kChinese})) == "订单 单退 退款");
}
