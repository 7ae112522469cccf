#pragma once
#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "grep/regex.h"

namespace ragline {

// A pattern that is one character class after another, as in \w{5}\s+\w{5} or [A-Za-z_]+\([a-z]+, reduced to what decides whether
// a text holds a match, over the ASCII members of its classes. It's searched for in bit streams: a bit for each byte of the text
// and each class, and steps that move a stream of ends one byte on (R. D. Cameron et al., "Bitwise Data Parallelism in Regular
// Expression Matching", PACT 2014). The time grows with the steps, and does not depend on the text.
class ClassSequence {
 public:
  // nullopt for patterns that have something else in them, match the empty string, name no ASCII character in one of their classes or
  // take too many steps.
  static std::optional<ClassSequence> of(const Regex& regex);

  // Bit i of `ends` is set where text[i] is the last byte of a match of the reduced pattern. Bytes beyond ASCII match nothing.
  // `ends` is resized to one word for 64 bytes of text.
  void mark(std::string_view text, std::vector<std::uint64_t>& ends) const;

  // Whether no class accepts more than ASCII: then a text holds a match of the pattern where a bit is set, and only there.
  // Otherwise this holds for lines of ASCII alone.
  bool covers_all() const { return covers_all_; }

 private:
  enum class Kind : std::uint8_t { kOne, kOptional, kPlus, kStar };
  struct Step {
    Kind kind;
    std::uint8_t set;  // index into sets_
  };
  // The bytes of a set as two tables: a byte is in it when by_low[byte & 15] and by_high[byte >> 4] share a bit.
  struct Set {
    std::bitset<128> members;
    unsigned char by_low[16] = {}, by_high[16] = {};
  };
  struct Kernel;

  bool add(const Regex& node);
  bool add_set(const Regex& node, Kind kind, int times);
  void reduce();

  std::vector<Set> sets_;
  std::vector<Step> steps_;
  bool covers_all_ = true;
};

}  // namespace ragline
