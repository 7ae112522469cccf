#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "grep/regex.h"

// The fast half of a search: from a block of whole lines to the lines that may match. Every finder reports every line that holds
// a match; how far it can be believed about the others is its certainty. What it does not settle, a LineMatcher does.
namespace ragline {

// What a reported line is worth: a match; a match if the line is ASCII; nothing yet.
enum class Certainty : std::uint8_t { kSure, kSureIfAscii, kMaybe };

// Over one block at a time: start(), then next() with rising places. One thread.
class Finder {
 public:
  static constexpr std::size_t kNone = std::string_view::npos;
  virtual ~Finder() = default;
  // `text` stays as it is until the next start().
  virtual void start(std::string_view text) = 0;
  // A place inside the first line reported at `from` or later, where `from` begins a line; kNone at the end.
  virtual std::size_t next(std::size_t from) = 0;
  virtual Certainty certainty() const = 0;
  // Appends the numbers of the patterns that may match on this line, ascending; false: it does not know.
  virtual bool patterns_on(std::string_view line, std::vector<std::uint32_t>& out);
};

// How a set of patterns is looked for, made once and shared; each thread has finders of its own.
class FinderPlan {
 public:
  virtual ~FinderPlan() = default;
  virtual std::unique_ptr<Finder> make() const = 0;
  // For --explain-plan: which route pattern number `i` takes.
  virtual std::string route(std::size_t i) const = 0;
};

struct SoughtPattern {
  const Regex* regex = nullptr;  // outlives plan and finders; without -w of its own
  bool word = false;             // -w
};

// Which engines may be used; all by default. For tests, and for --engine.
struct Engines {
  bool literal = true, hyperscan = true, classes = true;
};
// For tests: so that each route is taken by the patterns that it is for. The last is RE2 alone.
inline constexpr Engines kRoutes[] = {{}, {.literal = false, .classes = false}, {.literal = false, .hyperscan = false},
                                      {.literal = false, .hyperscan = false, .classes = false}};

// The best plan for `patterns`, not empty. kLimit when RE2 finds a pattern too large.
Result<std::unique_ptr<FinderPlan>> plan_finder(const std::vector<SoughtPattern>& patterns, const Engines& engines);

// ---- the routes

// One string, in its own case or in any.
std::unique_ptr<FinderPlan> plan_literal(std::string needle, bool fold, bool word);
// One character class after another, by bit streams. Null when the pattern is something else.
std::unique_ptr<FinderPlan> plan_classes(const Regex& regex);
// Every line: for patterns that match the empty string.
std::unique_ptr<FinderPlan> plan_every_line();
// RE2 over the block.
Result<std::unique_ptr<FinderPlan>> plan_re2(const std::vector<SoughtPattern>& patterns);
// Hyperscan over the block. kLimit when it refuses some: `refused` are their indexes. Null in a build without it.
Result<std::unique_ptr<FinderPlan>> plan_hyperscan(const std::vector<SoughtPattern>& patterns, std::vector<std::size_t>& refused);
bool has_hyperscan();

}  // namespace ragline
