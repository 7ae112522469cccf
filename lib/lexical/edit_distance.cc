#include "lexical/edit_distance.h"

#include <algorithm>

#include "core/utf8.h"

namespace ragline {

EditDistance::EditDistance(std::string_view word, std::uint32_t most) : most_(most) {
  for (std::size_t at = 0; at < word.size();) word_ += next_code_point(word, at);
  for (std::uint32_t i = 0; i <= word_.size(); ++i) rows_.push_back(i);
}

bool EditDistance::push(char32_t c) {
  text_ += c;
  const std::size_t depth = text_.size(), width = word_.size() + 1;
  rows_.resize((depth + 1) * width);
  std::uint32_t* now = rows_.data() + depth * width;
  const std::uint32_t* last = now - width;
  std::uint32_t least = now[0] = static_cast<std::uint32_t>(depth);
  for (std::size_t i = 1; i < width; ++i) {
    const bool same = word_[i - 1] == c;
    now[i] = std::min({now[i - 1] + 1, last[i] + 1, last[i - 1] + (same ? 0 : 1)});
    if (i > 1 && depth > 1 && word_[i - 2] == c && word_[i - 1] == text_[depth - 2])
      now[i] = std::min(now[i], (last - width)[i - 2] + 1);
    least = std::min(least, now[i]);
  }
  // A later row can reach back two rows, by a swap: to a cell that is above `most` by at most what
  // the swap adds.
  return least <= most_ || *std::min_element(last, last + width) < most_;
}

void EditDistance::pop_to(std::size_t depth) {
  text_.resize(depth);
  rows_.resize((depth + 1) * (word_.size() + 1));
}

std::uint32_t EditDistance::value() const { return row(text_.size())[word_.size()]; }

std::uint32_t edit_distance(std::string_view left, std::string_view right, std::uint32_t most) {
  EditDistance distance(left, most);
  for (std::size_t at = 0; at < right.size();)
    if (!distance.push(next_code_point(right, at))) return most + 1;
  return std::min(distance.value(), most + 1);
}

}  // namespace ragline
