#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "core/result.h"

namespace ragline {

// The regular expressions of tokenizer.json, on RE2: linear in the text, whatever the pattern. RE2
// has no lookahead, but the one that tokenizers use, `\s+(?!\S)` near the end of a list of
// alternatives (GPT-2, Llama 3, Qwen), says only that a run of blanks leaves its last one to the
// word that follows: that is done here by hand.
class SplitRegex {
 public:
  // kData for a pattern that cannot be had, with its reason.
  static Result<std::shared_ptr<const SplitRegex>> parse(std::string_view pattern);
  virtual ~SplitRegex() = default;
  // Calls visit(begin, end) for the matches, none of them empty, from left to right.
  virtual void each_match(
      std::string_view text,
      const std::function<void(std::size_t begin, std::size_t end)>& visit) const = 0;
};

}  // namespace ragline
