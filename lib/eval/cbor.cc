#include "eval/cbor.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/text.h"
#include "record/writer.h"

namespace ragline {

namespace {

// An item begins with a byte: three bits of type, five of an argument or of its length.
enum Major : unsigned { kUnsigned = 0, kNegative = 1, kText = 3, kMap = 5, kSimple = 7 };
constexpr unsigned kHalf = 25, kSingle = 26, kDouble = 27, kIndefinite = 31;
constexpr unsigned char kBreak = 0xff;
constexpr int kDeepest = 8;

class CborReader {
 public:
  explicit CborReader(std::string_view bytes) : bytes_(bytes) {}

  Result<std::string> read() {
    RAGLINE_CHECK(value(0));
    if (at_ != bytes_.size()) return wrong("there is more behind its map");
    return std::move(json_);
  }

 private:
  static std::unexpected<Error> wrong(std::string_view what) {
    return fail(ErrorKind::kData, cat("the CBOR data is not as ranx writes it: ", what,
                                      ": give {\"query\": {\"document\": number}} as JSON"));
  }

  // The number behind the first byte.
  Result<std::uint64_t> argument(unsigned low) {
    if (low < 24) return low;
    if (low > kDouble) return wrong("an item of unknown length");
    const std::size_t size = std::size_t{1} << (low - 24);
    if (bytes_.size() - at_ < size) return wrong("it ends too early");
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
      number = number << 8 | static_cast<unsigned char>(bytes_[at_++]);
    return number;
  }

  Result<unsigned> first_byte() {
    if (at_ == bytes_.size()) return wrong("it ends too early");
    return static_cast<unsigned char>(bytes_[at_++]);
  }

  Status text(unsigned low) {
    RAGLINE_TRY(const std::uint64_t size, argument(low));
    if (size > bytes_.size() - at_) return wrong("it ends too early");
    append_json_string(json_, bytes_.substr(at_, size));
    at_ += size;
    return {};
  }

  Status map(unsigned low, int depth) {
    if (depth == kDeepest) return wrong("its maps are nested too deep");
    std::uint64_t members = 0;
    if (low != kIndefinite) {
      RAGLINE_TRY(members, argument(low));
    }
    json_ += '{';
    for (std::uint64_t i = 0; low == kIndefinite || i < members; ++i) {
      RAGLINE_TRY(const unsigned key, first_byte());
      if (low == kIndefinite && key == kBreak) break;
      if (i > 0) json_ += ',';
      if (key >> 5 != kText) return wrong("a key that is no text");
      RAGLINE_CHECK(text(key & 31));
      json_ += ':';
      RAGLINE_CHECK(value(depth + 1));
    }
    json_ += '}';
    return {};
  }

  static double half_value(std::uint64_t bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 1023);
    const double size = exponent == 0    ? std::ldexp(fraction, -24)
                        : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                         : std::ldexp(fraction + 1024, exponent - 25);
    return bits >> 15 & 1 ? -size : size;
  }

  Status number(unsigned low) {
    if (low != kHalf && low != kSingle && low != kDouble) return wrong("a value that is no number");
    RAGLINE_TRY(const std::uint64_t bits, argument(low));
    const double value = low == kHalf     ? half_value(bits)
                         : low == kSingle ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                          : std::bit_cast<double>(bits);
    if (!std::isfinite(value)) return wrong("a number that is not finite");
    json_ += number_text(value);
    return {};
  }

  Status value(int depth) {
    RAGLINE_TRY(const unsigned first, first_byte());
    const unsigned low = first & 31;
    switch (first >> 5) {
      case kUnsigned:
      case kNegative: {
        RAGLINE_TRY(const std::uint64_t number, argument(low));
        if (first >> 5 == kUnsigned)
          append(json_, number);
        else
          json_ += number_text(-1 - static_cast<double>(number));
        return {};
      }
      case kText:
        return text(low);
      case kMap:
        return map(low, depth);
      case kSimple:
        return number(low);
    }
    return wrong("a list, a tag or raw bytes");
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string json_;
};

}  // namespace

bool is_cbor_map(std::string_view bytes) {
  return !bytes.empty() && static_cast<unsigned char>(bytes.front()) >> 5 == kMap;
}

Result<std::string> cbor_to_json(std::string_view bytes) { return CborReader(bytes).read(); }

}  // namespace ragline
