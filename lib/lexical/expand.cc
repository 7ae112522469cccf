#include "lexical/expand.h"

#include <algorithm>
#include <tuple>

#include "core/utf8.h"
#include "lexical/edit_distance.h"

namespace ragline {

namespace {

constexpr std::size_t kKeyHead = 2;  // field and language
// A dead beginning shorter than this many terms is stepped over; for more of them a seek is
// cheaper.
constexpr int kStepsBeforeSeek = 16;

bool is_exact_form(std::string_view key) { return key.size() > kKeyHead && key[kKeyHead] == '='; }

std::size_t shared_bytes(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

// The least key above all that begin with `prefix`; empty when there is none.
std::string after_all(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.pop_back();
  if (!prefix.empty())
    prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

struct Candidate {
  std::string term;
  std::uint32_t distance, chunks;
};

std::uint32_t chunks_of(const TermInfo& info, const CountChunks& count) {
  return count ? count(info) : info.doc_freq;
}

// A walk of the dictionary as of a trie: `ends` holds where each character of the beginning that
// distances are known for ends.
std::vector<Candidate> find_near(const SegmentPostings& segment, const std::string& head,
                                 std::string_view word, std::uint32_t edits,
                                 const CountChunks& count) {
  std::vector<Candidate> found;
  EditDistance distance(word, edits);
  std::vector<std::size_t> ends;
  std::string beginning;  // the characters pushed
  bool dead = false;      // no term that begins so is near
  int steps = 0;          // over terms of a dead beginning
  std::string last_seek;
  TermIterator at = segment.seek(head);
  while (at.valid() && at.key().starts_with(head)) {
    const std::string_view term = std::string_view(at.key()).substr(head.size());
    const std::size_t shared = shared_bytes(beginning, term);
    if (dead && shared == beginning.size()) {
      if (++steps < kStepsBeforeSeek) {
        at.next();
        continue;
      }
      const std::string past = after_all(head + beginning);
      if (past.empty()) break;
      if (past <= last_seek) {  // keys go back: only in a damaged file
        segment.mark_corrupted();
        break;
      }
      at = segment.seek(past);
      last_seek = past;
      steps = 0;
      continue;
    }
    dead = false;
    steps = 0;
    while (!ends.empty() && ends.back() > shared) ends.pop_back();
    distance.pop_to(ends.size());
    std::size_t end = ends.empty() ? 0 : ends.back();
    while (end < term.size() && !dead) {
      dead = !distance.push(next_code_point(term, end));
      ends.push_back(end);
    }
    beginning.assign(term.substr(0, end));
    if (!dead && distance.value() <= edits && !is_exact_form(at.key()))
      if (const std::uint32_t chunks = chunks_of(at.info(), count))
        found.push_back({std::string(term), distance.value(), chunks});
    at.next();
  }
  return found;
}

}  // namespace

ExpandedTerms expand_prefix(const SegmentPostings& segment, Field field, Language language,
                            std::string_view prefix, std::size_t limit,
                            const CountChunks& count) {
  ExpandedTerms out;
  const std::string key = term_key(field, language, prefix);
  for (TermIterator at = segment.seek(key); at.valid() && at.key().starts_with(key); at.next()) {
    if (is_exact_form(at.key()) || chunks_of(at.info(), count) == 0) continue;
    out.cut = out.terms.size() == limit;
    if (out.cut) break;
    out.terms.push_back(at.key().substr(kKeyHead));
  }
  return out;
}

ExpandedTerms expand_fuzzy(const SegmentPostings& segment, Field field, Language language,
                           std::string_view term, std::uint32_t edits, std::size_t limit,
                           const CountChunks& count) {
  std::vector<Candidate> found =
      find_near(segment, term_key(field, language, ""), term, edits, count);
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.distance, b.chunks, a.term) < std::tie(b.distance, a.chunks, b.term);
  });
  ExpandedTerms out;
  out.cut = found.size() > limit;
  if (out.cut) found.resize(limit);
  for (Candidate& candidate : found) out.terms.push_back(std::move(candidate.term));
  return out;
}

}  // namespace ragline
