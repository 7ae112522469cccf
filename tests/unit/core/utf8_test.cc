#include "core/utf8.h"

#include <random>
#include <vector>

#include "catch.h"

using namespace ragline;

namespace {

// Table 3-7 of the Unicode standard, row by row: the length of the well-formed sequence at `at`, or 0.
std::size_t slow_length(std::string_view text, std::size_t at) {
  struct Row {
    int first_low, first_high, second_low, second_high;
    std::size_t length;
  };
  static constexpr Row kRows[] = {
      {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
      {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
      {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : -1; };
  for (const Row& row : kRows) {
    if (byte(at) < row.first_low || byte(at) > row.first_high) continue;
    bool good = row.length == 1 || (byte(at + 1) >= row.second_low && byte(at + 1) <= row.second_high);
    for (std::size_t i = 2; i < row.length; ++i) good = good && byte(at + i) >= 0x80 && byte(at + i) <= 0xBF;
    return good ? row.length : 0;
  }
  return 0;
}

bool slow_valid(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = slow_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace

TEST_CASE("validity and decoding follow the standard's table on random bytes") {
  std::mt19937 random(20261130);
  static constexpr unsigned char kBytes[] = {'a', 'z', 0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                                             0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 3 ? 0 : random() % 40, 'x');
    for (unsigned n = random() % 8; n > 0; --n) text += static_cast<char>(kBytes[random() % sizeof kBytes]);
    const bool valid = slow_valid(text);
    REQUIRE(is_valid_utf8(text) == valid);
    const std::string repaired = to_valid_utf8(text);
    REQUIRE(slow_valid(repaired));
    if (valid) REQUIRE(repaired == text);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = slow_length(text, at), from = at;
      const char32_t c = next_code_point(text, at);
      REQUIRE(at == from + (length ? length : 1));
      std::string again;
      append_utf8(again, c);
      REQUIRE(again == (length ? text.substr(from, length) : "\uFFFD"));
    }
  }
}

TEST_CASE("a cut never splits a code point") {
  const std::string text = "aé北🎉";
  const std::vector<std::size_t> floors = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
  for (std::size_t at = 0; at < floors.size(); ++at) CHECK(utf8_floor(text, at) == floors[at]);
}
