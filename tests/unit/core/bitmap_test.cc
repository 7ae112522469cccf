#include "core/bitmap.h"

#include <random>
#include <vector>

#include "catch.h"

using namespace ragline;

TEST_CASE("sets of random sizes agree with a vector of flags") {
  std::mt19937 random(20261130);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = random() % 300;
    Bitmap a(size), b(size, true);
    std::vector<bool> slow_a(size), slow_b(size, true);
    for (std::size_t i = 0; i < size; ++i) {
      if (random() % 2) a.set(i), slow_a[i] = true;
      if (random() % 3 == 0) b.reset(i), slow_b[i] = false;
    }
    std::size_t begin = size ? random() % size : 0, end = begin + (size ? random() % (size - begin + 1) : 0);
    a.set_range(begin, end);
    for (; begin < end; ++begin) slow_a[begin] = true;
    Bitmap both = a, either = a, only_a = a, not_a = a;
    both &= b;
    either |= b;
    only_a.and_not(b);
    not_a.flip();
    std::size_t count = 0;
    std::vector<std::size_t> members, slow_members;
    a.for_each([&](std::size_t i) { members.push_back(i); });
    for (std::size_t i = 0; i < size; ++i) {
      REQUIRE(a.test(i) == slow_a[i]);
      REQUIRE(both.test(i) == (slow_a[i] && slow_b[i]));
      REQUIRE(either.test(i) == (slow_a[i] || slow_b[i]));
      REQUIRE(only_a.test(i) == (slow_a[i] && !slow_b[i]));
      REQUIRE(not_a.test(i) == !slow_a[i]);
      count += slow_a[i];
      if (slow_a[i]) slow_members.push_back(i);
    }
    REQUIRE(a.count() == count);
    REQUIRE(not_a.count() == size - count);
    REQUIRE(members == slow_members);
  }
}
