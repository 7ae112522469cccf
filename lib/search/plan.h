#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/analyzer.h"
#include "lexical/postings.h"
#include "lexical/query.h"

// From a query's tree to what is looked up: leaves (things whose postings add to the score) and, where the query has
// musts or exclusions, a condition that a chunk has to meet. Pure: it knows which languages and fields an index has, not its postings.
namespace ragline {

// How much a word counts in each field (kTextFields order) where the query names none, besides its own boost; 0 leaves a field out.
// A title counts with the content, where it is part of it. Headings above a chunk and its path say what it is about, in words that
// the chunk need not repeat.
struct FieldBoosts {
  std::array<double, kTextFieldCount> by_field{1, 0, 0.5, 0.25};
};

// One thing counted in chunks of one language, in one field.
struct Leaf {
  enum class Kind : std::uint8_t {
    kTerms,   // any of `keys`: spellings of one word at one place; tf is the largest of theirs
    kPhrase,  // `slots` at their offsets, within `slop`
    kPrefix,  // keys that begin with keys[0], or are one of the others; tf is their sum
    kFuzzy    // keys within `slop` edits of keys[0]; tf is their sum
  };
  struct Slot {
    std::uint32_t offset = 0;
    std::vector<std::string> keys;
  };
  Kind kind = Kind::kTerms;
  Language language = Language::kNone;
  Field field = Field::kContent;
  std::vector<std::string> keys;
  std::vector<Slot> slots;
  std::uint32_t slop = 0;
  double boost = 1;
  std::uint32_t word = 0;    // leaves with the same number are one word of the query in several languages
  std::string label;         // as --explain names it: the term, or the phrase in quotes
  std::vector<int> gates;    // conditions of the groups around it that have musts or exclusions

  bool same_postings(const Leaf& other) const;
};

// Which chunks may match: an and-or-not tree over leaves.
struct Condition {
  enum class Kind : std::uint8_t { kLeaf, kAll, kAny, kNot } kind = Kind::kAny;
  std::uint32_t leaf = 0;
  std::vector<Condition> children;
};

struct Plan {
  std::vector<Leaf> leaves;
  std::vector<Condition> gates;    // of groups inside; Leaf::gates are indexes
  int root_gate = -1;              // index of the whole query's condition; -1 when any leaf may match
  int meaning_gate = -1;           // likewise, without the words that may but need not match: what retrieval by meaning obeys
  bool only_exclusions = false;    // matches nothing
  std::vector<std::string> words;  // the query's words as typed, without stop words: for hints
  std::vector<std::string> dropped;  // stop words left out of it
};

// Words already expanded, kept from one query to the next.
class ExpansionCache {
 public:
  const Expansion& at(Analyzer& analyzer, std::string_view word, Language language);

 private:
  std::unordered_map<std::string, Expansion> words_;
  std::string key_;
};

// languages: those the index has. fields: those it has any text in.
Plan make_plan(const QueryNode& root, const std::vector<Language>& languages, const std::vector<Field>& fields, const FieldBoosts& boosts,
               Analyzer& analyzer, ExpansionCache& expansions);

}  // namespace ragline
