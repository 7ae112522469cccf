#include "search/weights.h"

#include <algorithm>
#include <cmath>

namespace ragline {

double bm25_idf(double doc_freq, double chunks) { return std::log(1 + (chunks - doc_freq + 0.5) / (doc_freq + 0.5)); }

Weights::Weights(const Snapshot& snapshot, const ScopeBitmaps& scope) : snapshot_(snapshot), scope_(scope) {
  for (std::size_t i = 0; i < snapshot.segments.size(); ++i) {
    const SegmentPostings& postings = snapshot.segments[i]->postings();
    if (i >= scope.visible.size() || !scope.visible[i]) {
      for (const auto& [language, entry] : postings.statistics()) statistics_[language] += entry;
      continue;
    }
    scope.visible[i]->for_each([&](std::size_t at) {
      const auto chunk = static_cast<std::uint32_t>(at);
      LanguageStatistics& entry = statistics_[postings.language(chunk)];
      ++entry.chunks;
      for (Field field : kTextFields) entry.length[field_index(field)] += postings.lengths(field)[chunk];
    });
  }
  for (const auto& [language, entry] : statistics_) chunks_ += entry.chunks;
}

std::vector<Language> Weights::languages() const {
  std::vector<Language> out;
  for (const auto& [language, entry] : statistics_) out.push_back(language);
  return out;
}

std::vector<Field> Weights::fields() const {
  std::vector<Field> out;
  for (Field field : kTextFields)
    if (std::any_of(statistics_.begin(), statistics_.end(), [&](const auto& entry) { return entry.second.length[field_index(field)] > 0; }))
      out.push_back(field);
  return out;
}

double Weights::chunks_of(Language language) const {
  const auto found = statistics_.find(language);
  return found == statistics_.end() ? 0 : static_cast<double>(found->second.chunks);
}

double Weights::average_length(Language language, Field field) const {
  double all = 0, own = 0;
  for (const auto& [code, entry] : statistics_) {
    const auto length = static_cast<double>(entry.length[field_index(field)]);
    all += length;
    if (code == language) own = length;
  }
  if (chunks_ == 0) return 0;
  if (statistics_.size() == 1) return own / chunks();
  return (own + kPrior * all / chunks()) / (chunks_of(language) + kPrior);
}

double Weights::idf(Language language, double doc_freq, double doc_freq_all) const {
  if (statistics_.size() <= 1) return bm25_idf(doc_freq, chunks());
  return bm25_idf(share(language, doc_freq, doc_freq_all) * chunks(), chunks());
}

double Weights::share(Language language, double doc_freq, double doc_freq_all) const {
  return (doc_freq + kPrior * doc_freq_all / chunks()) / (chunks_of(language) + kPrior);
}

void Weights::set_language_factors(const Plan& plan, std::vector<LeafWeight>& weights) const {
  if (statistics_.size() <= 1) return;
  struct Word {
    double everywhere = 0;
    std::map<Language, double> doc_freq;
  };
  std::map<std::uint32_t, Word> words;
  for (std::size_t i = 0; i < plan.leaves.size(); ++i) {
    const Leaf& leaf = plan.leaves[i];
    if (leaf.boost <= 0 || leaf.field != Field::kContent) continue;
    Word& word = words[leaf.word];
    word.doc_freq[leaf.language] = static_cast<double>(weights[i].doc_freq);
    word.everywhere += static_cast<double>(weights[i].doc_freq);
  }
  std::map<Language, double> likelihood;  // logarithms
  double most = -HUGE_VAL;
  for (const auto& [language, entry] : statistics_) {
    double sum = 0;
    for (const auto& [number, word] : words) {
      const auto found = word.doc_freq.find(language);
      // A word that this language drops is one of its stop words: half of all its texts would have it.
      sum += std::log(found == word.doc_freq.end() ? 0.5 : share(language, found->second, word.everywhere + 0.5));
    }
    likelihood[language] = sum;
    most = std::max(most, sum);
  }
  for (std::size_t i = 0; i < plan.leaves.size(); ++i)
    weights[i].language_factor = std::max(kForeign, std::exp(likelihood[plan.leaves[i].language] - most));
}

std::uint64_t Weights::count_visible(const PostingList& list, std::size_t segment) const {
  const bool limited = segment < scope_.visible.size() && scope_.visible[segment];
  return count_within(list, limited ? &*scope_.visible[segment] : nullptr);
}

std::vector<Weights::LeafWeight> Weights::weigh(const Plan& plan, std::vector<SegmentLists>& lists) const {
  std::vector<LeafWeight> out(plan.leaves.size());
  // A word's frequency over all languages, by word and field.
  std::map<std::pair<std::uint32_t, Field>, double> over_languages;
  for (std::uint32_t i = 0; i < plan.leaves.size(); ++i) {
    const Leaf& leaf = plan.leaves[i];
    if (leaf.boost <= 0 || leaf.kind == Leaf::Kind::kPhrase) continue;
    for (std::size_t segment = 0; segment < lists.size(); ++segment) out[i].doc_freq += count_visible(lists[segment].list(i), segment);
    over_languages[{leaf.word, leaf.field}] += static_cast<double>(out[i].doc_freq);
  }
  for (std::uint32_t i = 0; i < plan.leaves.size(); ++i) {
    const Leaf& leaf = plan.leaves[i];
    if (leaf.boost <= 0) continue;
    if (leaf.kind != Leaf::Kind::kPhrase) {
      out[i].idf = idf(leaf.language, static_cast<double>(out[i].doc_freq), over_languages[{leaf.word, leaf.field}]);
      continue;
    }
    // A phrase weighs what its words weigh together (Lucene).
    for (std::size_t segment = 0; segment < lists.size(); ++segment) out[i].doc_freq += count_visible(lists[segment].list(i), segment);
    if (out[i].doc_freq == 0) continue;
    for (const Leaf::Slot& slot : leaf.slots) {
      double most = 0;
      for (const std::string& key : slot.keys) {
        double doc_freq = 0;
        for (std::size_t segment = 0; segment < lists.size(); ++segment)
          doc_freq += static_cast<double>(count_visible(snapshot_.segments[segment]->postings().list(key), segment));
        most = std::max(most, doc_freq);
      }
      out[i].idf += idf(leaf.language, most, most);
    }
  }
  set_language_factors(plan, out);
  return out;
}

}  // namespace ragline
