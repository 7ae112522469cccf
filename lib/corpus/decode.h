#pragma once
#include <string>
#include <string_view>

namespace ragline {

// The text of a file's bytes. UTF-8 without a byte-order mark stays as it is (`changed` is false: the canonical text is
// the file); everything else that is text is converted to UTF-8 and `changed` is set. In the order of the tests:
//
//   a byte-order mark     UTF-8, UTF-16 and UTF-32, of either byte order; the mark goes
//   NUL bytes             binary, unless the bytes make plausible UTF-16 text (letters with zero bytes between them, or
//                         another script with the line ends and spaces of text and without one odd code unit)
//   valid UTF-8           text
//   mostly UTF-8          more well-formed than ill-formed non-ASCII sequences: repaired with U+FFFD, encoding "utf-8"
//   the rest              Windows-1252, of which Latin-1's printable part is a subset. Other 8-bit and East Asian
//                         encodings cannot be told from it and come out wrong, or as binary
//
// Binary, whatever the encoding: a NUL character in the result, or more than one control character in twenty (those of
// terminal logs do not count: TAB, LF, VT, FF, CR, BS, BEL, ESC). Lone surrogates and a cut last unit become U+FFFD.
// Known binary formats without NUL bytes are media_type_of's business. Cost: a few reads of the bytes.
struct Decoded {
  bool binary = false;
  bool changed = false;
  // "utf-8", "utf-8-bom", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "windows-1252"; "" when binary.
  const char* encoding = "utf-8";
  std::string converted;  // only when changed
};
Decoded decode_text(std::string_view bytes);

// `bytes`, all of them, read as one of the encodings above; a byte-order mark is a character like others. Encodings other than
// "utf-16le", "utf-16be", "utf-32le", "utf-32be" and "windows-1252" are taken for UTF-8 and repaired.
std::string decode_as(std::string_view bytes, std::string_view encoding);

}  // namespace ragline
