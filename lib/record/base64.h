#pragma once
#include <optional>
#include <string>
#include <string_view>

// Base64 (RFC 4648, section 4, with padding): how records carry bytes that are not text, such as
// paths and vectors.
namespace ragline {

std::string base64_encode(std::string_view bytes);
// nullopt unless `text` is exactly what base64_encode writes for some bytes.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace ragline
