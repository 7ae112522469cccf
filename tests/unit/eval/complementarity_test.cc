#include "eval/complementarity.h"

#include <cmath>
#include <vector>

#include "catch.h"

using namespace ragline;

using Values = std::vector<double>;

TEST_CASE("the four fields and the ceiling") {
  const Values a = {1, 1, 0.2, 0, 0.5}, b = {1, 0, 0.7, 0, 0.5};
  const Complementarity found = complementarity(a, b, 0.5);
  CHECK(found.both == 2);
  CHECK(found.only_a == 1);
  CHECK(found.only_b == 1);
  CHECK(found.neither == 1);
  CHECK(found.queries() == 5);
  CHECK(found.union_share == 0.8);
  CHECK(std::fabs(found.best_of_two - 0.64) < 1e-12);
  CHECK(std::fabs(found.phi - (2.0 / 5 - 9.0 / 25) / (6.0 / 25)) < 1e-12);
}

// BrowseComp-Plus, notes 3.2: 484 both, 176 only DCI, 76 only the retriever, 94 neither.
TEST_CASE("the union of two published agents is 88.7 %") {
  Values a, b;
  const auto add = [&](int count, double in_a, double in_b) {
    for (int i = 0; i < count; ++i) {
      a.push_back(in_a);
      b.push_back(in_b);
    }
  };
  add(484, 1, 1);
  add(176, 1, 0);
  add(76, 0, 1);
  add(94, 0, 0);
  const Complementarity found = complementarity(a, b, 1);
  CHECK(found.only_a == 176);
  CHECK(std::fabs(found.union_share - 0.887) < 0.0005);
  CHECK(found.best_of_two == found.union_share);
}

TEST_CASE("runs that always or never succeed are not correlated") {
  const Values always = {1, 1, 1}, some = {1, 0, 1};
  CHECK(complementarity(always, some, 1).phi == 0);
  CHECK(std::fabs(complementarity(some, some, 1).phi - 1) < 1e-12);
  CHECK(complementarity({}, {}, 1) == Complementarity{});
}
