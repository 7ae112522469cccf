#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// Little-endian integers in byte strings, fixed width and LEB128 ("varint").
namespace ragline {

static_assert(std::endian::native == std::endian::little, "index files are mapped as they are: little-endian only");

template <class T>
void put_fixed(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}
template <class T>
T get_fixed(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

inline void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}
inline void put_string(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

// Reads in order; once anything runs past the end, ok() is false and every further read yields zero or empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}
  bool ok() const { return ok_; }
  bool at_end() const { return at_ == end_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  const char* at() const { return at_; }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && at_ < end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  // A varint that must fit 32 bits.
  std::uint32_t varint32() {
    const std::uint64_t value = varint();
    if (value > UINT32_MAX) fail();
    return static_cast<std::uint32_t>(value);
  }
  template <class T>
  T fixed() {
    if (left() < sizeof(T)) {
      fail();
      return T{};
    }
    const T value = get_fixed<T>(at_);
    at_ += sizeof(T);
    return value;
  }
  std::string_view bytes(std::uint64_t count) {
    if (count > left()) {
      fail();
      return {};
    }
    std::string_view view(at_, static_cast<std::size_t>(count));
    at_ += count;
    return view;
  }
  std::string_view string() { return bytes(varint()); }

 private:
  void fail() {
    ok_ = false;
    at_ = end_;
  }
  const char* at_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace ragline
