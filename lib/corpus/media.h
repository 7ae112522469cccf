#pragma once
#include <string_view>

namespace ragline {

// What a file is, by its name and its first bytes (a few hundred are enough): "text/markdown",
// "text/html", "text/csv", "text/tab-separated-values", "application/jsonl", "application/json",
// "text/x-log", "text/x-c++", "text/x-python", ...; "text/plain" for text of no known kind;
// "application/pdf" and other formats that have no parser here, and "application/octet-stream" for
// names that are never text ("x.png"). Whether the bytes are text is decode_text's verdict. Names
// decide before content; content decides for scripts ("#!"), logs and HTML without a telling name.
std::string_view media_type_of(std::string_view path, std::string_view head);

// Source code and configuration, whatever the language: cut by lines and blank lines, kept as it
// is.
bool is_code(std::string_view media_type);

// False for formats whose text this build cannot reach.
bool has_parser(std::string_view media_type);

}  // namespace ragline
