#include <algorithm>

#include "core/utf8.h"
#include "embed/token_model.h"

namespace ragline {

namespace {

class WordPiece final : public TokenModel {
 public:
  WordPiece(const Vocabulary& vocabulary, WordPieceOptions options) : options_(std::move(options)) {
    for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
      const std::string_view token = vocabulary.token(id);
      // A later token of the same spelling counts, as in the vocabulary itself.
      if (token.empty() || vocabulary.find(token) != id) continue;
      if (!options_.prefix.empty() && token.starts_with(options_.prefix)) {
        const std::string_view rest = token.substr(options_.prefix.size());
        inner_.add(rest, id);
        longest_inner_ = std::max(longest_inner_, rest.size());
      }
      // "##" itself may also begin a word that is written so.
      first_.add(token, id);
      longest_first_ = std::max(longest_first_, token.size());
    }
  }

  void encode(std::string_view word, std::vector<std::uint32_t>& ids) const override {
    if (word.size() <= options_.longest) {
      if (const auto whole = first_.find(word)) {
        ids.push_back(*whole);
        return;
      }
    } else if (characters(word) > options_.longest) {
      ids.push_back(options_.unknown);
      return;
    }
    const Vocabulary& inner = options_.prefix.empty() ? first_ : inner_;
    const std::size_t longest_inner = options_.prefix.empty() ? longest_first_ : longest_inner_;
    const std::size_t before = ids.size();
    for (std::size_t at = 0; at < word.size();) {
      const Vocabulary& tokens = at ? inner : first_;
      const std::string_view rest = word.substr(at);
      std::size_t size =
          utf8_floor(rest, std::min(rest.size(), at ? longest_inner : longest_first_));
      std::optional<std::uint32_t> id;
      while (size > 0 && !(id = tokens.find(rest.substr(0, size))))
        size = utf8_floor(rest, size - 1);
      if (size == 0) {
        ids.resize(before);
        ids.push_back(options_.unknown);
        return;
      }
      ids.push_back(*id);
      at += size;
    }
  }

 private:
  static std::size_t characters(std::string_view word) {
    return static_cast<std::size_t>(
        std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }

  WordPieceOptions options_;
  // Tokens under the text that they match; the ids are sparse in each.
  Vocabulary first_, inner_;
  std::size_t longest_first_ = 0, longest_inner_ = 0;
};

}  // namespace

std::unique_ptr<TokenModel> word_piece(const Vocabulary& vocabulary, WordPieceOptions options) {
  return std::make_unique<WordPiece>(vocabulary, std::move(options));
}

}  // namespace ragline
