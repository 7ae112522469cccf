#include "rag-search/render.h"

#include <cmath>
#include <cstdio>

#include "core/text.h"

namespace ragline {

namespace {

std::string place_of(const Chunk& chunk) {
  std::string place = chunk.path.empty() ? chunk.document_id : chunk.path;
  if (!chunk.lines) return place;
  append(place, ":", chunk.lines->first);
  if (chunk.lines->last != chunk.lines->first) append(place, "-", chunk.lines->last);
  return place;
}

std::string score_text(double score) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", score);
  return text;
}

}  // namespace

void render_hit(std::string& out, const Hit& hit, const Snippet& snippet, const std::string& file, const Painter& painter) {
  painter.paint(out, Ink::kDim, cat(hit.rank));
  out += "  ";
  const std::string place = place_of(hit.chunk);
  if (file.empty()) {
    painter.paint(out, Ink::kPath, place);
  } else {
    painter.link(out, Ink::kPath, place, file, hit.chunk.lines ? hit.chunk.lines->first : 1);
  }
  if (!hit.chunk.section_path.empty() || !hit.chunk.title.empty()) {
    std::string section;
    for (const std::string& heading : hit.chunk.section_path) append(section, section.empty() ? "" : " > ", heading);
    out += "  ";
    painter.paint(out, Ink::kHeading, section.empty() ? hit.chunk.title : section);
  }
  out += "  ";
  painter.paint(out, Ink::kNumber, score_text(hit.score));
  out += "\n   ";
  std::size_t at = 0;
  for (const ByteSpan& match : snippet.matches) {
    painter.paint(out, Ink::kPlain, std::string_view(snippet.text).substr(at, match.begin - at));
    painter.paint(out, Ink::kMatch, std::string_view(snippet.text).substr(match.begin, match.end - match.begin));
    at = match.end;
  }
  painter.paint(out, Ink::kPlain, std::string_view(snippet.text).substr(at));
  out += "\n\n";
}

void render_end(std::string& out, const End& end, const Painter& painter) {
  for (const auto& [name, count] : end.counts)
    if (name == "hits" && count == 0) out += "nothing found\n";
  for (const std::string& suggestion : end.suggestions) {
    out += "try: ";
    painter.paint(out, Ink::kPlain, suggestion);
    out += '\n';
  }
  for (const std::string& warning : end.warnings) {
    out += "note: ";
    painter.paint(out, Ink::kPlain, warning);
    out += '\n';
  }
  if (!end.facets.empty()) append(out, "facets: ", end.facets, "\n");
}

}  // namespace ragline
