#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../index/sample.h"
#include "analysis/analyzer.h"
#include "catch.h"
#include "lexical/edit_distance.h"
#include "lexical/query.h"
#include "lexical/rank.h"
#include "search/searcher.h"

// A slow searcher for tests: it analyses every stored text again, looks at every chunk for every
// leaf of the plan, and knows no posting list, block, cache or bound. What it finds is the
// definition of what Searcher finds.
namespace ragline::twin {

// One chunk of the index, deleted ones included.
struct Text {
  std::uint32_t segment = 0, chunk = 0;
  std::string document_id, version;
  std::uint64_t ordinal = 0;
  Language language = Language::kNone;
  std::array<std::uint32_t, kTextFieldCount> length{};
  std::map<std::string, std::set<std::uint32_t>> positions;  // by key
  bool counts = true;   // in statistics
  bool passes = true;   // the scope
};

struct Found {
  std::string document_id, version;
  std::uint64_t ordinal = 0;
  double score = 0;
  bool operator==(const Found&) const = default;
};

inline std::vector<Found> found(const Snapshot& snapshot, const SearchResult& result) {
  std::vector<Found> out;
  for (const ChunkHit& hit : result.hits) {
    const Segment& segment = *snapshot.segments[hit.segment];
    const DocumentEntry document = segment.document(segment.document_of(hit.chunk));
    out.push_back({std::string(document.document_id), std::string(document.version),
                   hit.chunk - document.first_chunk, hit.score});
  }
  return out;
}

class Twin {
 public:
  // Documents have a title or a path, not both: then a title is part of the content.
  Twin(const Snapshot& snapshot, const ScopeBitmaps& scope) {
    for (std::uint32_t s = 0; s < snapshot.segments.size(); ++s)
      for (std::uint32_t c = 0; c < snapshot.segments[s]->chunk_count(); ++c)
        read(s, c, snapshot.segments[s]->chunk(c).value(), scope);
    for (const Text& text : texts_) {
      if (!text.counts) continue;
      LanguageStatistics& entry = statistics_[text.language];
      ++entry.chunks;
      ++total_;
      for (std::size_t f = 0; f < kTextFieldCount; ++f) entry.length[f] += text.length[f];
    }
  }

  std::vector<Found> search(std::string_view query, const SearchOptions& options) {
    plan_ = make_plan(parse_query(query), languages(), fields(), options.fields, analyzer_,
                      expansions_);
    if (plan_.only_exclusions) return {};
    weigh();
    std::vector<std::pair<std::uint32_t, const Text*>> scored;
    for (const Text& text : texts_) {
      if (!text.passes) continue;
      if (plan_.root_gate >= 0 && !meets(text, plan_.gates[std::size_t(plan_.root_gate)])) continue;
      const std::uint32_t score = score_of(text, options);
      if (score > 0 && score >= options.min_score * scale_) scored.emplace_back(score, &text);
    }
    std::sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) {
      auto id = [](const Text& text) {
        return std::tie(text.document_id, text.version, text.ordinal, text.segment);
      };
      return a.first != b.first ? a.first > b.first : id(*a.second) < id(*b.second);
    });
    std::vector<Found> out;
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto& [score, text] : scored)
      if (!options.collapse_documents || seen.emplace(text->document_id, text->version).second)
        out.push_back({text->document_id, text->version, text->ordinal, score / scale_});
    const std::size_t first = std::min<std::size_t>(options.offset, out.size());
    out.erase(out.begin(), out.begin() + std::ptrdiff_t(first));
    if (out.size() > options.top) out.resize(options.top);
    return out;
  }

 private:
  using Places = std::set<std::int64_t>;

  void read(std::uint32_t segment, std::uint32_t number, const Chunk& chunk,
            const ScopeBitmaps& scope) {
    Text text;
    text.segment = segment;
    text.chunk = number;
    text.document_id = chunk.document_id;
    text.version = chunk.version;
    text.ordinal = chunk.ordinal;
    text.language = language_from_code(chunk.language).value_or(Language::kNone);
    text.counts = !scope.visible[segment] || scope.visible[segment]->test(number);
    text.passes = !scope.chunks[segment] || scope.chunks[segment]->test(number);
    std::uint32_t position = 0;
    for (const std::string* part : {&chunk.title, &chunk.context, &chunk.text})
      if (!part->empty()) position = analyse(text, Field::kContent, *part, position) + 100;
    std::string section;
    for (const std::string& heading : chunk.section_path)
      append(section, section.empty() ? "" : " ", heading);
    analyse(text, Field::kTitle, chunk.title, 0);
    analyse(text, Field::kSection, section, 0);
    analyse(text, Field::kPath, chunk.path, 0);
    texts_.push_back(std::move(text));
  }

  std::uint32_t analyse(Text& text, Field field, const std::string& bytes, std::uint32_t position) {
    std::vector<RawWord> words;
    Expansion expansion;
    analyzer_.split_words(bytes, words);
    for (const RawWord& word : words) {
      analyzer_.expand(std::string_view(bytes).substr(word.begin, word.end - word.begin),
                       text.language, expansion);
      for (const Term& term : expansion.terms)
        text.positions[term_key(field, text.language, term.text)].insert(position + term.position);
      position += expansion.positions;
      text.length[field_index(field)] += expansion.length;
    }
    return position;
  }

  std::vector<Language> languages() const {
    std::vector<Language> out;
    for (const auto& [language, entry] : statistics_) out.push_back(language);
    return out;
  }
  std::vector<Field> fields() const {
    std::vector<Field> out;
    for (Field field : kTextFields)
      for (const auto& [language, entry] : statistics_)
        if (entry.length[field_index(field)] > 0 && (out.empty() || out.back() != field))
          out.push_back(field);
    return out;
  }

  // ---- term frequencies

  static std::uint32_t count(const Text& text, const std::string& key) {
    const auto at = text.positions.find(key);
    return at == text.positions.end() ? 0 : std::uint32_t(at->second.size());
  }

  static std::uint32_t frequency(const Text& text, const Leaf& leaf) {
    std::uint32_t tf = 0;
    if (leaf.kind == Leaf::Kind::kPhrase) return phrase_frequency(text, leaf);
    if (leaf.kind == Leaf::Kind::kTerms) {
      for (const std::string& key : leaf.keys) tf = std::max(tf, count(text, key));
      return tf;
    }
    const std::set<std::string> given(leaf.keys.begin(), leaf.keys.end());
    for (const auto& [key, positions] : text.positions)
      if (given.contains(key) || stands_for(key, leaf)) tf += std::uint32_t(positions.size());
    return tf;
  }

  static bool stands_for(const std::string& key, const Leaf& leaf) {
    const std::string& from = leaf.keys[0];
    if (key.substr(0, 2) != from.substr(0, 2) || key[2] == '=') return false;
    if (leaf.kind == Leaf::Kind::kPrefix) return key.starts_with(from);
    return edit_distance(from.substr(2), key.substr(2), leaf.slop) <= leaf.slop;
  }

  // Matches by their leftmost word, of words at the same place the first in the phrase: one for
  // every (place, slot) from which all other slots have a place within the slop, no position twice
  // for one word.
  static std::uint32_t phrase_frequency(const Text& text, const Leaf& leaf) {
    std::vector<Places> slots;
    for (const Leaf::Slot& slot : leaf.slots) {
      Places& places = slots.emplace_back();
      for (const std::string& key : slot.keys)
        if (const auto at = text.positions.find(key); at != text.positions.end())
          for (std::uint32_t position : at->second)
            places.insert(std::int64_t{position} - slot.offset);
    }
    std::uint32_t matches = 0;
    for (std::size_t left = 0; left < slots.size(); ++left)
      for (std::int64_t place : slots[left]) {
        std::vector<std::int64_t> chosen;
        matches += can_choose(leaf, slots, left, place, chosen);
      }
    return matches;
  }
  static bool can_choose(const Leaf& leaf, const std::vector<Places>& slots, std::size_t left,
                         std::int64_t place, std::vector<std::int64_t>& chosen) {
    const std::size_t slot = chosen.size();
    if (slot == slots.size()) return true;
    for (std::int64_t at : slots[slot]) {
      bool fits = slot == left ? at == place
                               : at <= place + leaf.slop && (at > place || (at == place && slot > left));
      for (std::size_t other = 0; other < slot && fits; ++other)
        fits = leaf.slots[other].keys != leaf.slots[slot].keys ||
               chosen[other] + leaf.slots[other].offset != at + leaf.slots[slot].offset;
      if (!fits) continue;
      chosen.push_back(at);
      if (can_choose(leaf, slots, left, place, chosen)) return true;
      chosen.pop_back();
    }
    return false;
  }

  // ---- conditions

  bool meets(const Text& text, const Condition& condition) const {
    auto meets_child = [&](const Condition& child) { return meets(text, child); };
    const auto& children = condition.children;
    switch (condition.kind) {
      case Condition::Kind::kLeaf: return frequency(text, plan_.leaves[condition.leaf]) > 0;
      case Condition::Kind::kAny: return std::any_of(children.begin(), children.end(), meets_child);
      case Condition::Kind::kAll: return std::all_of(children.begin(), children.end(), meets_child);
      case Condition::Kind::kNot: return !meets(text, children.front());
    }
    return false;
  }

  std::uint32_t gated_frequency(const Text& text, const Leaf& leaf) const {
    for (int gate : leaf.gates)
      if (!meets(text, plan_.gates[std::size_t(gate)])) return 0;
    return frequency(text, leaf);
  }

  // ---- weights, by the formulas of search/weights.h

  double share(Language language, double doc_freq, double everywhere) const {
    const auto at = statistics_.find(language);
    const double chunks = at == statistics_.end() ? 0 : double(at->second.chunks);
    return (doc_freq + kPrior * everywhere / total_) / (chunks + kPrior);
  }
  double idf(Language language, double doc_freq, double everywhere) const {
    const double d =
        statistics_.size() == 1 ? doc_freq : share(language, doc_freq, everywhere) * total_;
    return std::log(1 + (total_ - d + 0.5) / (d + 0.5));
  }
  double average_length(Language language, Field field) const {
    double all = 0, own = 0, chunks = 0;
    for (const auto& [code, entry] : statistics_) {
      all += double(entry.length[field_index(field)]);
      if (code != language) continue;
      own = double(entry.length[field_index(field)]);
      chunks = double(entry.chunks);
    }
    if (statistics_.size() == 1) return own / total_;
    return (own + kPrior * all / total_) / (chunks + kPrior);
  }

  void weigh() {
    const std::size_t count = plan_.leaves.size();
    std::vector<double> doc_freq(count), factor(count, 1), weight(count);
    std::map<std::pair<std::uint32_t, Field>, double> everywhere;
    for (std::size_t i = 0; i < count; ++i) {
      const Leaf& leaf = plan_.leaves[i];
      if (leaf.boost <= 0) continue;
      for (const Text& text : texts_) doc_freq[i] += text.counts && gated_frequency(text, leaf) > 0;
      if (leaf.kind != Leaf::Kind::kPhrase) everywhere[{leaf.word, leaf.field}] += doc_freq[i];
    }
    set_factors(doc_freq, factor);
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Leaf& leaf = plan_.leaves[i];
      if (doc_freq[i] > 0) weight[i] = leaf.boost * leaf_idf(leaf, doc_freq[i], everywhere) * factor[i];
      total += weight[i];
    }
    scale_ = total > 0 ? std::exp2(std::floor(std::log2(std::exp2(30) / total))) : 1;
    scaled_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i)
      if (doc_freq[i] > 0) scaled_[i] = std::max(float(weight[i] * scale_), 256.0f);
  }

  double leaf_idf(const Leaf& leaf, double doc_freq,
                  const std::map<std::pair<std::uint32_t, Field>, double>& everywhere) const {
    if (leaf.kind != Leaf::Kind::kPhrase)
      return idf(leaf.language, doc_freq, everywhere.at({leaf.word, leaf.field}));
    double sum = 0;
    for (const Leaf::Slot& slot : leaf.slots) {
      double most = 0;
      for (const std::string& key : slot.keys) {
        double chunks = 0;
        for (const Text& text : texts_) chunks += text.counts && count(text, key) > 0;
        most = std::max(most, chunks);
      }
      sum += idf(leaf.language, most, most);
    }
    return sum;
  }

  // How likely each language is the query's.
  void set_factors(const std::vector<double>& doc_freq, std::vector<double>& factor) const {
    if (statistics_.size() == 1) return;
    std::map<std::uint32_t, std::map<Language, double>> words;
    for (std::size_t i = 0; i < plan_.leaves.size(); ++i)
      if (plan_.leaves[i].boost > 0 && plan_.leaves[i].field == Field::kContent)
        words[plan_.leaves[i].word][plan_.leaves[i].language] = doc_freq[i];
    std::map<std::uint32_t, double> everywhere;
    for (std::size_t i = 0; i < plan_.leaves.size(); ++i)
      if (plan_.leaves[i].boost > 0 && plan_.leaves[i].field == Field::kContent)
        everywhere[plan_.leaves[i].word] += doc_freq[i];
    std::map<Language, double> likelihood;
    double most = -HUGE_VAL;
    for (const auto& [language, entry] : statistics_) {
      double& sum = likelihood[language];
      for (const auto& [number, word] : words) {
        const auto at = word.find(language);
        sum += std::log(at == word.end() ? 0.5 : share(language, at->second, everywhere[number] + 0.5));
      }
      most = std::max(most, sum);
    }
    for (std::size_t i = 0; i < factor.size(); ++i)
      factor[i] = std::max(kForeign, std::exp(likelihood[plan_.leaves[i].language] - most));
  }

  std::uint32_t score_of(const Text& text, const SearchOptions& options) const {
    std::uint32_t score = 0;
    for (std::size_t i = 0; i < plan_.leaves.size(); ++i) {
      const Leaf& leaf = plan_.leaves[i];
      if (scaled_[i] <= 0) continue;
      const std::uint32_t tf = gated_frequency(text, leaf);
      if (tf == 0) continue;
      const double average = average_length(leaf.language, leaf.field);
      const double per_word = average > 0 ? options.b / average : 0;
      const std::uint32_t length = text.length[field_index(leaf.field)];
      score += contribution(scaled_[i], tf, float(options.k1 * (1 - options.b + per_word * length)));
    }
    return score;
  }

  Analyzer analyzer_;
  ExpansionCache expansions_;
  std::vector<Text> texts_;
  Statistics statistics_;
  double total_ = 0;
  Plan plan_;
  double scale_ = 1;
  std::vector<float> scaled_;
};

}  // namespace ragline::twin
