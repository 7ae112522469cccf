#include "search/suggest.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/analyzer.h"
#include "core/utf8.h"
#include "lexical/edit_distance.h"
#include "lexical/expand.h"
#include "search/lists.h"

namespace ragline {

namespace {

// More terms than this near one word come from data that no suggestion helps with.
constexpr std::size_t kMostTerms = 2000;
// Chunks read for the spelling of a term, and terms whose spelling is looked for.
constexpr std::size_t kChunksRead = 3, kTermsRead = 12;
// Characters of an ending that a mistake may have hidden from the stemmer.
constexpr std::size_t kLongestEnding = 4, kShortestStem = 3;
// A spelling further than this from the word is not compared.
constexpr std::uint32_t kFar = 8;

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
  return count;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) next_code_point(text, end);
  return text.substr(0, end);
}

// A term that the word may have meant.
struct Candidate {
  std::string term;
  Language language = Language::kNone;
  std::uint32_t distance = UINT32_MAX;  // from the word's own term, or from its beginning
  bool by_beginning = false;
  std::uint64_t chunks = 0;  // that hold it, within the scope
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      places;  // the first of them: segment and chunk
};

class Suggester {
 public:
  Suggester(const Snapshot& snapshot, const ScopeBitmaps& scope, std::string_view word)
      : snapshot_(snapshot), scope_(scope), word_(fold_text(word)), characters_(length(word_)) {}

  std::vector<std::string> suggest(std::size_t most) {
    std::vector<std::string> spellings;
    if (characters_ < 3 || word_.find_first_of("0123456789") != word_.npos) return spellings;
    for (Language language : languages()) find_terms(language);
    std::vector<std::tuple<std::uint32_t, bool, std::int64_t, std::string>> found;
    for (const Candidate& candidate : readable()) {
      std::string spelling = spelling_of(candidate);
      const std::uint32_t far = edit_distance(word_, spelling, kFar);
      if (spelling.empty() || far == 0 || (candidate.by_beginning && far > edits())) continue;
      const bool other_first = first_characters(spelling, 1) != first_characters(word_, 1);
      const std::uint32_t distance =
          candidate.by_beginning ? far : std::min(far, candidate.distance);
      found.emplace_back(distance, other_first, -static_cast<std::int64_t>(candidate.chunks),
                         std::move(spelling));
    }
    std::sort(found.begin(), found.end());
    for (auto& entry : found) {
      std::string& spelling = std::get<3>(entry);
      if (spellings.size() == most) break;
      if (std::find(spellings.begin(), spellings.end(), spelling) == spellings.end())
        spellings.push_back(std::move(spelling));
    }
    return spellings;
  }

 private:
  std::uint32_t edits() const { return characters_ > 5 ? 2 : 1; }

  std::vector<Language> languages() const {
    std::vector<Language> all;
    for (const auto& [language, statistics] : snapshot_.statistics) all.push_back(language);
    return all;
  }

  // What the word is in the index: its only term, or all of it.
  std::string own_term(Language language) {
    Expansion expansion;
    analyzer_.expand(word_, language, expansion);
    std::string term;
    int words = 0;
    for (const Term& one : expansion.terms) {
      if (one.role != TermRole::kWord) continue;
      term = one.text;
      ++words;
    }
    return words == 1 ? term : word_;
  }

  void find_terms(Language language) {
    const std::string own = own_term(language);
    add_near(language, own, 1, false);
    if (std::any_of(candidates_.begin(), candidates_.end(), [](const auto& entry) { return entry.second.chunks > 0; })) return;
    if (edits() > 1) add_near(language, own, edits(), false);
    for (std::size_t ending = 1; ending <= kLongestEnding && ending + kShortestStem <= characters_;
         ++ending) {
      const std::string_view beginning = first_characters(word_, characters_ - ending);
      add_near(language, beginning, characters_ - ending > kShortestStem ? 1 : 0, true);
    }
  }

  void add_near(Language language, std::string_view from, std::uint32_t within, bool by_beginning) {
    std::set<std::string> terms;
    for (std::size_t s = 0; s < snapshot_.segments.size(); ++s) {
      const SegmentPostings& postings = snapshot_.segments[s]->postings();
      CountChunks count;
      if (const auto& chunks = scope_.chunks[s])
        count = [&](const TermInfo& info) { return count_within(postings.list(info), &*chunks); };
      for (std::string& term : expand_fuzzy(postings, Field::kContent, language, from, within, kMostTerms, count).terms)
        terms.insert(std::move(term));
    }
    for (const std::string& term : terms) {
      const auto [entry, is_new] = candidates_.try_emplace({language, term});
      Candidate& candidate = entry->second;
      if (is_new) {
        candidate.term = term;
        candidate.language = language;
        candidate.by_beginning = by_beginning;
        count_chunks(candidate);
      }
      if (candidate.by_beginning == by_beginning)
        candidate.distance = std::min(candidate.distance, edit_distance(from, term, within));
    }
  }

  void count_chunks(Candidate& candidate) const {
    std::uint32_t docs[kBlock], tfs[kBlock];
    const std::string key = term_key(Field::kContent, candidate.language, candidate.term);
    for (std::uint32_t s = 0; s < snapshot_.segments.size(); ++s) {
      const PostingList list = snapshot_.segments[s]->postings().list(key);
      for (std::uint32_t block = 0; block < list.block_count(); ++block) {
        const std::uint32_t count = list.decode(block, docs, tfs);
        for (std::uint32_t i = 0; i < count; ++i) {
          if (scope_.chunks[s] && !scope_.chunks[s]->test(docs[i])) continue;
          ++candidate.chunks;
          if (candidate.places.size() < kChunksRead) candidate.places.emplace_back(s, docs[i]);
        }
      }
    }
  }

  // The most promising terms of either kind.
  std::vector<Candidate> readable() const {
    std::vector<Candidate> all;
    for (const bool by_beginning : {false, true}) {
      std::vector<Candidate> some;
      for (const auto& [key, candidate] : candidates_)
        if (candidate.chunks > 0 && candidate.by_beginning == by_beginning)
          some.push_back(candidate);
      std::sort(some.begin(), some.end(), [this](const Candidate& a, const Candidate& b) {
        const bool other_a = first_characters(a.term, 1) != first_characters(word_, 1);
        const bool other_b = first_characters(b.term, 1) != first_characters(word_, 1);
        return std::tie(a.distance, other_a, b.chunks, a.term, a.language) <
               std::tie(b.distance, other_b, a.chunks, b.term, b.language);
      });
      if (some.size() > kTermsRead) some.resize(kTermsRead);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  // The nearest of the words that stand for the term in its first chunks; empty when none is found.
  std::string spelling_of(const Candidate& candidate) {
    std::pair<std::uint32_t, std::string> best{UINT32_MAX, {}};
    for (const auto& [segment, ordinal] : candidate.places) {
      const auto chunk = snapshot_.segments[segment]->chunk(ordinal);
      if (!chunk) continue;  // damage is reported by what shows the chunk
      for (const std::string* text : {&chunk->text, &chunk->context, &chunk->title})
        read_spellings(*text, candidate, best);
    }
    return best.second;
  }

  void read_spellings(std::string_view text, const Candidate& candidate,
                      std::pair<std::uint32_t, std::string>& best) {
    std::vector<RawWord> words;
    Expansion expansion;
    analyzer_.split_words(text, words);
    for (const RawWord& raw : words) {
      const std::string_view whole = text.substr(raw.begin, raw.end - raw.begin);
      analyzer_.expand(whole, candidate.language, expansion);
      for (const Term& term : expansion.terms) {
        if (term.text != candidate.term) continue;
        std::string spelling = fold_text(whole.substr(term.begin, term.end - term.begin));
        const std::uint32_t distance = edit_distance(word_, spelling, kFar);
        best = std::min(best, {distance, std::move(spelling)});
      }
    }
  }

  const Snapshot& snapshot_;
  const ScopeBitmaps& scope_;
  const std::string word_;
  const std::size_t characters_;
  Analyzer analyzer_;
  std::map<std::pair<Language, std::string>, Candidate> candidates_;
};

}  // namespace

std::vector<std::string> suggest_spellings(const Snapshot& snapshot, const ScopeBitmaps& scope,
                                           std::string_view word, std::size_t most) {
  return Suggester(snapshot, scope, word).suggest(most);
}

}  // namespace ragline
