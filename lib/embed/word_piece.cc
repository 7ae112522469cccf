#include <algorithm>

#include "core/utf8.h"
#include "embed/token_model.h"

namespace ragline {

namespace {

class WordPiece final : public TokenModel {
 public:
  WordPiece(const Vocabulary& vocabulary, WordPieceOptions options)
      : vocabulary_(vocabulary), options_(std::move(options)) {}

  void encode(std::string_view word, std::vector<std::uint32_t>& ids) const override {
    if (word.size() <= options_.longest) {
      if (const auto whole = vocabulary_.find(word)) {
        ids.push_back(*whole);
        return;
      }
    } else if (characters(word) > options_.longest) {
      ids.push_back(options_.unknown);
      return;
    }
    const std::size_t before = ids.size();
    std::string text(
        word);  // what is left of the word, behind the first step with the prefix before it
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t size = utf8_floor(text, std::min(text.size(), vocabulary_.longest()));
      std::optional<std::uint32_t> id;
      while (size > begin && !(id = vocabulary_.find(std::string_view(text).substr(0, size))))
        size = utf8_floor(text, size - 1);
      if (!id) {
        ids.resize(before);
        ids.push_back(options_.unknown);
        return;
      }
      ids.push_back(*id);
      text.replace(0, size, options_.prefix);
      begin = options_.prefix.size();
    }
  }

 private:
  static std::size_t characters(std::string_view word) {
    return static_cast<std::size_t>(
        std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }

  Vocabulary vocabulary_;
  WordPieceOptions options_;
};

}  // namespace

std::unique_ptr<TokenModel> word_piece(const Vocabulary& vocabulary, WordPieceOptions options) {
  return std::make_unique<WordPiece>(vocabulary, std::move(options));
}

}  // namespace ragline
