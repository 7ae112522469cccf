#include "eval/citation_marks.h"

#include <algorithm>

#include "core/text.h"
#include "record/evidence.h"

namespace ragline {

namespace {

constexpr std::string_view kOpenCjk = "\xE3\x80\x90", kCloseCjk = "\xE3\x80\x91";
constexpr std::uint64_t kMostOfRange = 100;

std::optional<std::uint64_t> mark_number(std::string_view text) {
  text = trim(text);
  if (text.starts_with('^')) text.remove_prefix(1);
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != text.npos)
    return std::nullopt;
  return static_cast<std::uint64_t>(*parse_integer(text));
}

bool is_evidence_id(std::string_view text) {
  return text.find('#') != text.npos && parse_evidence_id(text).has_value();
}

// The members between brackets: numbers, ranges and evidence ids; false when anything else is
// there.
bool read_list(std::string_view inside, CitationMark mark, std::vector<CitationMark>& out) {
  std::vector<CitationMark> found;
  for (std::string_view part : split(inside, inside.find(';') != inside.npos ? ';' : ',')) {
    part = trim(part);
    mark.number.reset();
    mark.id = {};
    const std::size_t dash = std::min(part.find('-'), part.find("\xE2\x80\x93"));
    if (is_evidence_id(part)) {
      mark.id = part;
      found.push_back(mark);
    } else if (const auto single = mark_number(part)) {
      mark.number = single;
      found.push_back(mark);
    } else if (dash != part.npos) {
      const auto first = mark_number(part.substr(0, dash));
      const auto last = mark_number(part.substr(dash + (part[dash] == '-' ? 1 : 3)));
      if (!first || !last || *first > *last || *last - *first >= kMostOfRange) return false;
      for (std::uint64_t number = *first; number <= *last; ++number) {
        mark.number = number;
        found.push_back(mark);
      }
    } else {
      if (!is_evidence_id(trim(inside))) return false;
      mark.id = trim(inside);
      found = {mark};
      break;
    }
  }
  out.insert(out.end(), found.begin(), found.end());
  return !found.empty();
}

constexpr std::size_t kLongestMark = 4096;  // bytes between the brackets

// Where the word that holds `at` begins and ends; brackets, quotes and blanks are its borders.
std::pair<std::size_t, std::size_t> word_around(std::string_view text, std::size_t at) {
  constexpr std::string_view kBorders = " \t\n()[]<>\"'`";
  const std::size_t before = text.substr(0, at).find_last_of(kBorders);
  const std::size_t behind = text.find_first_of(kBorders, at);
  return {before == text.npos ? 0 : before + 1, std::min(behind, text.size())};
}

}  // namespace

std::vector<CitationMark> citation_marks(std::string_view answer) {
  std::vector<CitationMark> out;
  for (std::size_t at = 0; at < answer.size();) {
    const bool cjk = answer.substr(at).starts_with(kOpenCjk);
    if (answer[at] == '[' || cjk) {
      const std::size_t begin = at + (cjk ? kOpenCjk.size() : 1);
      const std::string_view near = answer.substr(0, begin + kLongestMark);
      const std::size_t close = cjk ? near.find(kCloseCjk, begin) : near.find(']', begin);
      const std::size_t end = close == answer.npos ? close : close + (cjk ? kCloseCjk.size() : 1);
      const bool link = end < answer.size() && answer[end] == '(';
      if (close != answer.npos && !link &&
          read_list(answer.substr(begin, close - begin), {at, end, std::nullopt, {}}, out)) {
        at = end;
        continue;
      }
    } else if (answer[at] == '#' && at + 1 < answer.size() && answer[at + 1] >= '0' &&
               answer[at + 1] <= '9') {
      auto [begin, end] = word_around(answer, at);
      // A full stop or comma behind a bare id is the sentence's.
      while (end > at && std::string_view(".,;:!?").contains(answer[end - 1])) --end;
      if (!out.empty()) begin = std::max(begin, out.back().end);
      if (begin < at && is_evidence_id(answer.substr(begin, end - begin))) {
        out.push_back({begin, end, std::nullopt, answer.substr(begin, end - begin)});
        at = end;
        continue;
      }
    }
    ++at;
  }
  return out;
}

std::string without_marks(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const CitationMark& mark : citation_marks(text)) {
    if (mark.begin < at) continue;  // the next member of a list
    out += text.substr(at, mark.begin - at);
    out.erase(out.find_last_not_of(' ') + 1);
    at = mark.end;
    const bool parted = at < text.size() && !std::string_view(" \n.,;:!?)[").contains(text[at]);
    if (parted) out += ' ';
  }
  return out += text.substr(at);
}

}  // namespace ragline
