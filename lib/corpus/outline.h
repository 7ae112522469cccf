#pragma once
#include <cstdint>
#include <string_view>

#include "corpus/document.h"

namespace ragline {

// Builds the blocks and sections of a document in order; what every parser writes to.
//   Each call closes one block, which began where the last one ended (the first at 0) and ends at
//   `end`. An empty block is not added. finish() closes the open sections at the end of the text.
class Outline {
 public:
  explicit Outline(ParsedDocument& parsed);

  void block(std::string_view type, std::uint64_t end, ByteSpan header = {});
  // Opens a section of level 1 to 6. An empty title opens one without a name.
  void heading(int level, std::string_view title, std::uint64_t end);
  void finish(std::uint64_t end);

  std::uint64_t position() const { return begin_; }

 private:
  void close_sections(int level, std::uint64_t end);

  ParsedDocument& parsed_;
  std::uint64_t begin_ = 0;
  std::uint32_t open_ = 0;  // the innermost open section
};

}  // namespace ragline
