#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace ragline {

// SentencePiece's compiled normalization rules ("precompiled_charsmap"): a double-array trie from
// characters to offsets among NUL-ended replacements.
//
//   uint32  size of the trie in bytes
//   uint32  units of the trie          (the layout of Darts-clone)
//   bytes   replacements
//
// As the reference does it, text is replaced grapheme by grapheme (up to five bytes) and else
// character by character, by the shortest key that begins there.
class Charsmap {
 public:
  // kData for a trie that does not fit, or replacements that do not end.
  static Result<Charsmap> parse(std::string_view bytes);
  std::string normalise(std::string_view text) const;

 private:
  const char* find(std::string_view text) const;  // the replacement, or nullptr
  std::vector<std::uint32_t> units_;
  std::string replacements_;
};

}  // namespace ragline
