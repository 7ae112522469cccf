#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "embed/regex.h"

// The pre-tokenizers of tokenizer.json: each cuts pieces into smaller ones. They can be called from
// any number of threads.
namespace ragline {

struct Piece {
  std::string text;
  bool first = false;  // it begins where the whole text begins
};
using Pieces = std::vector<Piece>;
using SplitStep = std::function<void(Pieces& pieces)>;

// What becomes of the separators that a split finds.
enum class SplitBehaviour {
  kRemoved,
  kIsolated,
  kMergedWithPrevious,
  kMergedWithNext,
  kContiguous
};

SplitStep split_blanks();  // WhitespaceSplit: at blanks, which are dropped
SplitStep split_words();   // Whitespace: \w+|[^\w\s]+
SplitStep split_bert();    // BertPreTokenizer: at blanks, and punctuation for itself
SplitStep split_punctuation(SplitBehaviour behaviour);
SplitStep split_digits(bool each_alone);
SplitStep split_text(std::string pattern, SplitBehaviour behaviour, bool invert);
SplitStep split_regex(std::shared_ptr<const SplitRegex> pattern, SplitBehaviour behaviour,
                      bool invert);

// Metaspace: spaces become `mark`, one is put in front, and a cut is made before each.
enum class PrependScheme { kAlways, kFirst, kNever };
SplitStep split_metaspace(std::string mark, PrependScheme scheme, bool cut);

// ByteLevel: GPT-2's words, each byte then written as one printable character.
Result<SplitStep> split_byte_level(bool prefix_space, bool cut);
// The 256 characters that stand for bytes, as UTF-8.
const std::vector<std::string>& byte_characters();

}  // namespace ragline
