#pragma once
#include <string>
#include <vector>

#include "catch.h"
#include "corpus/document.h"

namespace ragline::test {

inline ParsedDocument parsed(std::string_view type, std::string_view text,
                             const ParseOptions& options = {}) {
  auto document = parse_document("x", "x", type, text, options);
  REQUIRE(document.has_value());
  return std::move(*document);
}

// "type|text" of every block, for whole expectations in one comparison.
inline std::vector<std::string> blocks(const ParsedDocument& document) {
  std::vector<std::string> out;
  for (const Block& block : document.blocks)
    out.push_back(
        std::string(block.type) + "|" +
        document.document.text.substr(block.bytes.begin, block.bytes.end - block.bytes.begin));
  return out;
}
inline std::vector<std::string> blocks(std::string_view type, std::string_view text) {
  return blocks(parsed(type, text));
}

// "level title" of every section but the document's.
inline std::vector<std::string> sections(const ParsedDocument& document) {
  std::vector<std::string> out;
  for (std::size_t i = 1; i < document.sections.size(); ++i)
    out.push_back(std::to_string(document.sections[i].level) + " " + document.sections[i].title);
  return out;
}

using Texts = std::vector<std::string>;

}  // namespace ragline::test
