#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "index/documents.h"

// What the reader and the writer of the file "documents" agree on.
namespace ragline {

inline constexpr std::string_view kDocumentsKind = "DOCS";
inline constexpr std::uint32_t kDocumentsVersion = 1;
// Behind the columns: for each {offset, size, width, 0}; then documents, chunks, and a hash of the
// tail before it.
inline constexpr std::size_t kDocumentsTail = kColumns * 24 + 4 + 4 + 8;
inline constexpr std::size_t kColumnAlignment = 64;

}  // namespace ragline
