#include "search/suggest.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/analyzer.h"
#include "core/utf8.h"
#include "lexical/edit_distance.h"
#include "lexical/expand.h"

namespace ragline {

namespace {

// More terms than this within two edits of one word come from data that no suggestion helps with.
constexpr std::size_t kMostTerms = 2000;
// Chunks read for the spelling of a term, and terms whose spelling is looked for.
constexpr std::size_t kChunksRead = 3, kTermsRead = 12;

struct Candidate {
  std::string term;
  Language language = Language::kNone;
  std::uint32_t distance = 0;
  bool other_first = false;  // the first letter is another one
  std::uint64_t chunks = 0;  // that hold it, within the scope
  // The first of them, by segment.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
};

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
  return count;
}

std::string_view first_letter(std::string_view text) {
  std::size_t end = 0;
  if (!text.empty()) next_code_point(text, end);
  return text.substr(0, end);
}

// What the word is in the index: its only term of a language, or all of it.
std::string term_of(std::string_view word, Language language, Analyzer& analyzer) {
  Expansion expansion;
  analyzer.expand(word, language, expansion);
  std::string term;
  int words = 0;
  for (const Term& one : expansion.terms) {
    if (one.role != TermRole::kWord) continue;
    term = one.text;
    ++words;
  }
  return words == 1 ? term : fold_text(word);
}

void count_postings(const PostingList& list, const std::optional<Bitmap>& allowed,
                    std::uint32_t segment, Candidate& candidate) {
  std::uint32_t docs[kBlock], tfs[kBlock];
  for (std::uint32_t block = 0; block < list.block_count(); ++block) {
    const std::uint32_t count = list.decode(block, docs, tfs);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (allowed && !allowed->test(docs[i])) continue;
      ++candidate.chunks;
      if (candidate.places.size() < kChunksRead) candidate.places.emplace_back(segment, docs[i]);
    }
  }
}

// Terms near the word that some chunk within the scope holds.
std::vector<Candidate> find_candidates(const Snapshot& snapshot, const ScopeBitmaps& scope,
                                       std::string_view word, std::uint32_t edits,
                                       Analyzer& analyzer) {
  std::map<std::pair<Language, std::string>, Candidate> by_term;
  for (std::uint32_t s = 0; s < snapshot.segments.size(); ++s) {
    const SegmentPostings& postings = snapshot.segments[s]->postings();
    for (const auto& [language, statistics] : postings.statistics()) {
      const std::string term = term_of(word, language, analyzer);
      const std::string_view first = first_letter(term);
      for (std::string& near :
           expand_fuzzy(postings, Field::kContent, language, term, edits, kMostTerms).terms) {
        Candidate& candidate = by_term[{language, near}];
        count_postings(postings.list(term_key(Field::kContent, language, near)), scope.chunks[s], s,
                       candidate);
        candidate.language = language;
        candidate.distance = edit_distance(term, near, edits);
        candidate.other_first = first_letter(near) != first;
        candidate.term = std::move(near);
      }
    }
  }
  std::vector<Candidate> found;
  for (auto& [key, candidate] : by_term)
    if (candidate.chunks > 0) found.push_back(std::move(candidate));
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.distance, a.other_first, b.chunks, a.term, a.language) <
           std::tie(b.distance, b.other_first, a.chunks, b.term, b.language);
  });
  return found;
}

// The word of `text` nearest to `word` among those that stand for the term; empty when none does.
std::string spelling_in(std::string_view text, const Candidate& candidate, std::string_view word,
                        Analyzer& analyzer) {
  std::vector<RawWord> words;
  Expansion expansion;
  std::string best;
  std::uint32_t best_distance = UINT32_MAX;
  analyzer.split_words(text, words);
  for (const RawWord& raw : words) {
    const std::string_view whole = text.substr(raw.begin, raw.end - raw.begin);
    analyzer.expand(whole, candidate.language, expansion);
    for (const Term& term : expansion.terms) {
      if (term.text != candidate.term) continue;
      std::string spelling = fold_text(whole.substr(term.begin, term.end - term.begin));
      const std::uint32_t distance = edit_distance(word, spelling, 8);
      if (std::tie(distance, spelling) >= std::tie(best_distance, best)) continue;
      best = std::move(spelling);
      best_distance = distance;
    }
  }
  return best;
}

std::string spelling_of(const Snapshot& snapshot, const Candidate& candidate, std::string_view word,
                        Analyzer& analyzer) {
  std::string best;
  for (const auto& [segment, ordinal] : candidate.places) {
    const auto chunk = snapshot.segments[segment]->chunk(ordinal);
    if (!chunk) continue;  // damage is reported by what shows the chunk
    for (const std::string* text : {&chunk->text, &chunk->context, &chunk->title}) {
      std::string spelling = spelling_in(*text, candidate, word, analyzer);
      if (spelling.empty()) continue;
      if (best.empty() || std::pair(edit_distance(word, spelling, 8), spelling) <
                              std::pair(edit_distance(word, best, 8), best))
        best = std::move(spelling);
    }
  }
  return best;
}

}  // namespace

std::vector<std::string> suggest_spellings(const Snapshot& snapshot, const ScopeBitmaps& scope,
                                           std::string_view word, std::size_t most) {
  std::vector<std::string> spellings;
  const std::string folded = fold_text(word);
  const std::size_t characters = length(folded);
  if (characters < 3 || folded.find_first_of("0123456789") != folded.npos) return spellings;
  Analyzer analyzer;
  std::size_t read = 0;
  for (const Candidate& candidate :
       find_candidates(snapshot, scope, folded, characters > 5 ? 2 : 1, analyzer)) {
    if (spellings.size() == most || read++ == kTermsRead) break;
    const std::string spelling = spelling_of(snapshot, candidate, folded, analyzer);
    const bool known = spelling.empty() || spelling == folded ||
                       std::find(spellings.begin(), spellings.end(), spelling) != spellings.end();
    if (!known) spellings.push_back(spelling);
  }
  return spellings;
}

}  // namespace ragline
