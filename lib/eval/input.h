#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/storage.h"

namespace ragline {

// A text without the byte-order mark that some editors put in front of it.
inline std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

// The bytes of an input file: mapped when it is large, read from standard input for "-", unpacked
// when it begins as gzip, zstd or lz4 data does, whatever its name. Views into bytes() stay valid
// while any copy lives.
class InputText {
 public:
  // kNotFound or kIo with the name; kData for packed data that is damaged or cut short, and
  // for UTF-16.
  static Result<InputText> open(const std::string& path);
  // Over bytes in hand; `name` is for messages.
  InputText(std::string name, std::string bytes);

  std::string_view bytes() const { return bytes_; }
  void skip_mark() { bytes_ = without_mark(bytes_); }
  // For messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  // The line, from 1, on which a byte of bytes() stands.
  std::uint64_t line_of(const char* at) const;
  // "name:12: message", for the line of that byte; "name: message" for a byte that is elsewhere.
  Error error_at(const char* at, std::string_view message) const;

 private:
  InputText(std::string name, std::shared_ptr<const MappedFile> file);
  void own(std::string bytes);

  std::string name_;
  std::shared_ptr<const MappedFile> file_;
  std::shared_ptr<const std::string> owned_;
  std::string_view bytes_;
};

// gzip (several members too), zstd and lz4 (several frames too) to plain bytes, and the CBOR in an
// lz4 file of ranx to JSON; anything else is returned as it is. kData "the gzip data is damaged:
// ...", and for Parquet, which says what converts it.
Result<std::string> unpack(std::string_view packed);
bool is_packed(std::string_view bytes);

}  // namespace ragline
