#include "index/filter_value.h"

#include "analysis/language.h"
#include "core/text.h"

namespace ragline {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Dates all begin "YYYY-"; parse_time words an error for everything else, which is too dear for a
// whole dictionary.
std::optional<TimePoint> as_time(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || !is_digit(text[0])) return std::nullopt;
  const auto time = parse_time(text);
  return time ? std::optional(*time) : std::nullopt;
}

template <class T>
bool holds_for(FilterNode::Op op, const T& left, const T& right) {
  switch (op) {
    case FilterNode::Op::kEqual:
      return left == right;
    case FilterNode::Op::kNotEqual:
      return left != right;
    case FilterNode::Op::kLess:
      return left < right;
    case FilterNode::Op::kLessEqual:
      return left <= right;
    case FilterNode::Op::kGreater:
      return left > right;
    case FilterNode::Op::kGreaterEqual:
      return left >= right;
  }
  return false;
}

// The run of digits at the front, without leading zeros; `text` moves past it.
std::string_view take_number(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  std::string_view number = text.substr(0, length);
  text.remove_prefix(length);
  while (number.size() > 1 && number[0] == '0') number.remove_prefix(1);
  return number;
}

int natural_parts(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    std::string_view a = left.substr(0, 1), b = right.substr(0, 1);
    if (is_digit(a[0]) && is_digit(b[0])) {
      a = take_number(left);
      b = take_number(right);
      if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    } else {
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
    if (const int order = a.compare(b)) return order;
  }
  return static_cast<int>(!left.empty()) - static_cast<int>(!right.empty());
}

}  // namespace

FilterValue::FilterValue(std::string_view value)
    : text(value),
      integer(parse_integer(value)),
      number(parse_double(value)),
      time(as_time(value)) {}

bool FilterTest::operator()(std::string_view value) const {
  if (order_ == Order::kLanguage && op_ == FilterNode::Op::kEqual)
    return same_language(value, value_.text);
  if (order_ == Order::kNatural && op_ != FilterNode::Op::kEqual)
    return holds_for(op_, natural_order(value, value_.text), 0);
  if (order_ != Order::kMetadata || value_.is_bytes()) return holds_for(op_, value, value_.text);
  const FilterValue left(value);
  if (value_.integer && left.integer) return holds_for(op_, *left.integer, *value_.integer);
  if (value_.number && left.number) return holds_for(op_, *left.number, *value_.number);
  if (value_.time && left.time) return holds_for(op_, *left.time, *value_.time);
  return false;
}

bool holds(FilterNode::Op op, TimePoint left, TimePoint right) {
  return holds_for(op, left, right);
}

int natural_order(std::string_view left, std::string_view right) {
  const int order = natural_parts(left, right);
  return order ? order : left.compare(right);
}

bool same_language(std::string_view left, std::string_view right) {
  const auto a = language_from_code(left), b = language_from_code(right);
  return a || b ? a == b : ascii_lower(left) == ascii_lower(right);
}

}  // namespace ragline
