#pragma once
#include <string>
#include <string_view>

#include "core/result.h"

namespace ragline {

// Whether the bytes begin as a CBOR map does.
bool is_cbor_map(std::string_view bytes);

// A CBOR map of text, numbers and such maps (RFC 8949) as the JSON object that says the same, which
// is how ranx's .lz4 files are read. kData for anything else, for bytes that end early, and for
// bytes behind the map.
Result<std::string> cbor_to_json(std::string_view bytes);

}  // namespace ragline
