#include "embed/passage.h"

namespace ragline {

namespace {

std::string joined(const std::string& title, const std::string& context, const std::string& text) {
  std::string out;
  if (!title.empty() && text.find(title) == text.npos) out += title + "\n";
  if (!context.empty()) out += context + "\n";
  return out + text;
}

}  // namespace

std::string passage_text(const Chunk& chunk) {
  return joined(chunk.title, chunk.context, chunk.text);
}

std::string passage_text(const Document& document) {
  return joined(document.title, "", document.text);
}

}  // namespace ragline
