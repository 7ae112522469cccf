#include "eval/overlap.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

#include "core/utf8.h"

namespace ragline {

namespace {

double ratio(std::size_t part, std::size_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// How many of the items occur in both, as bags. Sorts its arguments.
template <class Item>
std::size_t common(std::vector<Item>& a, std::vector<Item>& b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::size_t count = 0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    if (*left == *right) {
      ++count, ++left, ++right;
    } else {
      ++(*left < *right ? left : right);
    }
  }
  return count;
}

// Each n-gram as one string; no token holds a blank.
std::vector<std::string> n_grams(const Tokens& tokens, std::size_t n) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin + n <= tokens.size(); ++begin) {
    std::string& gram = out.emplace_back();
    for (std::size_t i = begin; i < begin + n; ++i) (gram += tokens[i]) += ' ';
  }
  return out;
}

std::u32string characters(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    // Python's str.isspace(), which sacreBLEU's split() goes by.
    const bool space = c == ' ' || (c >= 0x9 && c <= 0xD) || (c >= 0x1C && c <= 0x1F) ||
                       c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
                       c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
    if (!space) out += c;
  }
  return out;
}

std::vector<std::u32string_view> character_grams(std::u32string_view text, std::size_t n) {
  std::vector<std::u32string_view> out;
  for (std::size_t begin = 0; begin + n <= text.size(); ++begin)
    out.push_back(text.substr(begin, n));
  return out;
}

}  // namespace

PrecisionRecall token_overlap(const Tokens& found, const Tokens& reference) {
  if (found.empty() && reference.empty()) return {1, 1};
  Tokens a = found, b = reference;
  const std::size_t shared = common(a, b);
  return {ratio(shared, found.size()), ratio(shared, reference.size())};
}

bool contains_tokens(const Tokens& text, const Tokens& needle) {
  return !needle.empty() && !std::ranges::search(text, needle).empty();
}

PrecisionRecall rouge_n(const Tokens& found, const Tokens& reference, std::size_t n) {
  std::vector<std::string> a = n_grams(found, n), b = n_grams(reference, n);
  const std::size_t shared = common(a, b);
  return {ratio(shared, a.size()), ratio(shared, b.size())};
}

PrecisionRecall rouge_l(const Tokens& found, const Tokens& reference) {
  const std::size_t shared = longest_common_subsequence(found, reference);
  return {ratio(shared, found.size()), ratio(shared, reference.size())};
}

// Row by row of the textbook table, of which only the steps matter: bit i of `row` is 0 where the
// entry grows from column i - 1 to i. Adding the matching bits lets a carry run to the next such
// place; a word's carry goes on into the next word. The length is the number of zeros at the end.
std::size_t longest_common_subsequence(const Tokens& a, const Tokens& b) {
  const std::size_t words = (a.size() + 63) / 64;
  std::unordered_map<std::string_view, std::vector<std::uint64_t>> places;
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto& mask = places[a[i]];
    mask.resize(words);
    mask[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  std::vector<std::uint64_t> row(words, ~std::uint64_t{0});
  for (const std::string& token : b) {
    const auto found = places.find(token);
    if (found == places.end()) continue;
    std::uint64_t carry = 0;
    for (std::size_t word = 0; word < words; ++word) {
      const std::uint64_t before = row[word], matches = before & found->second[word];
      const std::uint64_t sum = before + matches, with_carry = sum + carry;
      carry = (sum < before) | (with_carry < sum);
      row[word] = with_carry | (before & ~matches);
    }
  }
  std::size_t zeros = 0;
  for (const std::uint64_t word : row) zeros += static_cast<std::size_t>(64 - std::popcount(word));
  return zeros;  // the bits behind a's end match nothing and stay 1
}

double chrf(std::string_view found, std::string_view reference) {
  constexpr std::size_t kOrders = 6;
  constexpr double kBetaSquared = 4;
  const std::u32string a = characters(found), b = characters(reference);
  double precision = 0, recall = 0;
  std::size_t orders = 0;
  for (std::size_t n = 1; n <= kOrders; ++n) {
    auto left = character_grams(a, n), right = character_grams(b, n);
    if (left.empty() || right.empty()) break;
    const std::size_t shared = common(left, right);
    precision += ratio(shared, left.size());
    recall += ratio(shared, right.size());
    ++orders;
  }
  if (precision + recall == 0) return 0;
  precision /= static_cast<double>(orders);
  recall /= static_cast<double>(orders);
  return (1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall);
}

}  // namespace ragline
