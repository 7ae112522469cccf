#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/filter.h"

// How two values of a filter compare.
namespace ragline {

// A value as a number and as a time, where it is one; no text is both.
struct FilterValue {
  std::string_view text;
  std::optional<std::int64_t> integer;  // compared exactly where both sides are
  std::optional<double> number;
  std::optional<TimePoint> time;

  explicit FilterValue(std::string_view value);
  bool is_bytes() const { return !number && !time; }
};

// The comparison of one predicate, its right side read once.
class FilterTest {
 public:
  // How the name's values are ordered and told apart.
  enum class Order { kMetadata, kBytes, kNatural, kLanguage };
  // Keeps views of `value`, which must outlive it. kNotEqual is the caller's: it negates the test
  // of kEqual.
  FilterTest(FilterNode::Op op, std::string_view value, Order order)
      : op_(op), value_(value), order_(order) {}
  bool operator()(std::string_view value) const;

 private:
  FilterNode::Op op_;
  FilterValue value_;
  Order order_;
};

bool holds(FilterNode::Op op, TimePoint left, TimePoint right);

// Negative, zero, positive. Bytes, but runs of digits as numbers: "1.9" < "1.10". Total: equal
// numbers ("1.01", "1.1") are told apart by bytes.
int natural_order(std::string_view left, std::string_view right);

// Tags of one language: "de" and "de-AT"; tags that are none of ours, but for case.
bool same_language(std::string_view left, std::string_view right);

}  // namespace ragline
