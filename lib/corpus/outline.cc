#include "corpus/outline.h"

#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

// Titles are repeated in every chunk below them, so a heading of a megabyte must not be one.
constexpr std::size_t kMaxTitle = 256;

}  // namespace

Outline::Outline(ParsedDocument& parsed) : parsed_(parsed) {
  parsed_.blocks.clear();
  parsed_.sections.assign(1, Section{});
}

void Outline::block(std::string_view type, std::uint64_t end, ByteSpan header) {
  if (end == begin_) return;
  parsed_.blocks.push_back({{begin_, end}, type, open_, header});
  begin_ = end;
}

void Outline::heading(int level, std::string_view title, std::uint64_t end) {
  close_sections(level, begin_);
  Section section;
  section.bytes.begin = begin_;
  section.parent = open_;
  section.level = level;
  section.title = trim(title.substr(0, utf8_floor(title, kMaxTitle)));
  open_ = static_cast<std::uint32_t>(parsed_.sections.size());
  parsed_.sections.push_back(std::move(section));
  block("heading", end);
}

void Outline::finish(std::uint64_t end) {
  close_sections(0, end);
  parsed_.sections[0].bytes = {0, end};
}

void Outline::close_sections(int level, std::uint64_t end) {
  while (open_ != 0 && parsed_.sections[open_].level >= level) {
    parsed_.sections[open_].bytes.end = end;
    open_ = parsed_.sections[open_].parent;
  }
}

}  // namespace ragline
