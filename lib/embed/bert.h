#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ragline {

// The characters of BERT's tokenizers: what the normalizer makes of each, and where the
// pre-tokenizer cuts. Both work character by character, so one table does for both, in pages of 256
// made on first need. Any number of threads.
struct BertOptions {
  bool clean = true;          // drop control characters, make every blank a space
  bool chinese = true;        // Chinese characters are words of their own
  bool strip_accents = true;  // decompose, drop marks
  bool lowercase = true;
};

class BertCharacters {
 public:
  explicit BertCharacters(BertOptions options);
  ~BertCharacters();

  // The normalizer alone.
  std::string normalise(std::string_view text) const;

  // Normalizer and pre-tokenizer in one pass: calls visit(word) for every word, in order; the view
  // is valid in the call.
  template <class Visit>
  void each_word(std::string_view text, Visit visit) const {
    std::string word;
    const auto end_word = [&] {
      if (!word.empty()) visit(std::string_view(word));
      word.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
      const Entry& entry = next(text, at);
      switch (entry.kind) {
        case Kind::kDrop:
          break;
        case Kind::kText:
          word.append(entry.bytes, entry.size);
          break;
        case Kind::kBlank:
          end_word();
          break;
        case Kind::kChinese:
        case Kind::kPunctuation:
          end_word();
          visit(std::string_view(entry.bytes, entry.size));
      }
    }
    end_word();
  }

 private:
  enum class Kind : std::uint8_t { kDrop, kText, kBlank, kPunctuation, kChinese };
  struct Entry {
    Kind kind = Kind::kDrop;
    std::uint8_t size = 0;
    char bytes[14] = {};
  };
  using Page = std::array<Entry, 256>;

  // The entry of the character at text[at]; moves `at` behind it.
  const Entry& next(std::string_view text, std::size_t& at) const;
  const Page& page(std::size_t number) const;
  Entry make(char32_t c) const;

  BertOptions options_;
  mutable std::array<std::atomic<const Page*>, 0x1100> pages_{};
};

// Where BERT's pre-tokenizer cuts, for text that another normalizer has made.
bool is_bert_punctuation(char32_t c);

}  // namespace ragline
