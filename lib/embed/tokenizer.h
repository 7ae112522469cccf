#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "embed/normalise.h"
#include "embed/split.h"
#include "embed/token_model.h"
#include "embed/vocabulary.h"

// A tokenizer of tokenizer.json: text to ids, the same ids as the Rust package `tokenizers` gives.
//
//   RAGLINE_TRY(const Tokenizer tokenizer, Tokenizer::load("model/tokenizer.json"));
//   std::vector<std::uint32_t> ids;
//   tokenizer.encode("how do I get my money back", ids);
//
// Text goes through added tokens, normalizer, pre-tokenizer and model, in that order. Models:
// WordPiece, BPE, Unigram. Normalizers: BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD,
// StripAccents, Replace, Prepend, Strip, Precompiled, Sequence. Pre-tokenizers: BertPreTokenizer,
// Whitespace, WhitespaceSplit, Punctuation, Digits, Metaspace, ByteLevel, Split, Sequence. What
// else there is in a file is refused by name, never passed over; truncation and padding are the
// caller's.
//
// BERT's normalizer and pre-tokenizer before WordPiece, which most models have, go in one pass:
// about 20 ns a word. Immutable once made: any number of threads may encode.
namespace ragline {

// A token that is found in the text before anything else is done.
struct AddedToken {
  std::string content;
  std::uint32_t id = 0;
  bool single_word = false, strip_left = false, strip_right = false;
  bool normalised = false;  // looked for in the normalised text
};

// What the file says, in parts: made by parse_tokenizer (tokenizer_json.cc), and by tests.
struct TokenizerParts {
  Vocabulary vocabulary;
  std::unique_ptr<TokenModel> model;
  std::vector<AddedToken> added;
  std::vector<TextStep> normalizers;
  std::vector<SplitStep> splits;
  std::optional<BertOptions> bert;           // both steps are BERT's and the model is WordPiece
  std::vector<std::uint32_t> before, after;  // special tokens around one text
  std::optional<std::uint32_t> unknown;
};

class Tokenizer {
 public:
  explicit Tokenizer(TokenizerParts parts);
  // kData says what is wrong or not known, without the place; parse: of the bytes of
  // tokenizer.json.
  static Result<Tokenizer> parse(std::string_view json);
  static Result<Tokenizer> load(const std::string& path);

  // Appends the ids of `text`, without special tokens. Bytes that are not UTF-8 count as U+FFFD
  // each.
  void encode(std::string_view text, std::vector<std::uint32_t>& ids) const;

  // Special tokens that the model wants around one text: [CLS] and [SEP], <s> and </s>.
  const std::vector<std::uint32_t>& before() const { return parts_.before; }
  const std::vector<std::uint32_t>& after() const { return parts_.after; }
  std::optional<std::uint32_t> unknown() const { return parts_.unknown; }
  std::optional<std::uint32_t> id_of(std::string_view token) const;
  // One more than the largest id, added tokens included.
  std::size_t size() const { return size_; }

 private:
  void encode_plain(std::string_view text, bool first, std::vector<std::uint32_t>& ids) const;
  void encode_normalised(std::string text, bool first, std::vector<std::uint32_t>& ids) const;

  TokenizerParts parts_;
  std::unique_ptr<const BertCharacters> bert_;
  std::vector<AddedToken> raw_, normalised_;  // the longest first
  std::size_t size_ = 0;
};

}  // namespace ragline
