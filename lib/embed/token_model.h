#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "embed/vocabulary.h"

// The last step of a tokenizer: one piece of normalised text to ids. Three kinds, as `model` of
// tokenizer.json has them; each gives what the reference (the Rust package `tokenizers`) gives.
// Immutable, so any number of threads may encode.
namespace ragline {

class TokenModel {
 public:
  virtual ~TokenModel() = default;
  // Appends the ids of `piece`, which is UTF-8 and not empty.
  virtual void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const = 0;
};

// WordPiece: the longest token that begins the word, then the longest that goes on, and so on; the
// whole word is unknown when one step finds nothing.
struct WordPieceOptions {
  std::string prefix = "##";  // of tokens that go on
  std::uint32_t unknown = 0;
  std::size_t longest = 100;  // words of more characters are unknown
};
std::unique_ptr<TokenModel> word_piece(const Vocabulary& vocabulary, WordPieceOptions options);

// Byte-pair encoding: characters, merged pair by pair in the order of the list of merges.
struct BpeOptions {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> merges;  // the first has the highest rank
  std::vector<std::uint32_t> merged;                            // what each pair becomes
  std::optional<std::uint32_t> unknown = {};
  bool fuse_unknown = false;   // several unknown characters in a row are one id
  bool byte_fallback = false;  // a character without a token becomes its bytes, "<0xE2>"
  bool ignore_merges = false;  // a piece that is a token is that token
};
std::unique_ptr<TokenModel> byte_pair(const Vocabulary& vocabulary, BpeOptions options);

// Unigram: the cut with the largest sum of scores.
struct UnigramOptions {
  std::vector<double> scores;  // by id
  std::optional<std::uint32_t> unknown = {};
  bool byte_fallback = false;
};
std::unique_ptr<TokenModel> unigram(const Vocabulary& vocabulary, UnigramOptions options);

// "<0x0A>" for '\n'.
std::string byte_token(unsigned char byte);

}  // namespace ragline
