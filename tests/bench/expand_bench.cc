// Misspelt words: expand_fuzzy over a dictionary of a million terms, against reading every term of
// a fitting length with a bit-parallel distance (Hyyrö 2003, the same swaps). Words of our own
// making, one edit away from a term; CPU time of 100 words, median and worst. Usage: bench_expand
// [terms]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/storage.h"
#include "lexical/builder.h"
#include "lexical/expand.h"

namespace {

using namespace ragline;

std::string random_word(std::mt19937& random) {
  static const char* const kSyllables[] = {"ra",  "to",  "mi",  "ne",   "lo",  "ka", "sti", "pre",
                                           "con", "ver", "al",  "in",   "ter", "do", "bu",  "fer",
                                           "gan", "hu",  "que", "ty",   "sh",  "om", "el",  "ast",
                                           "ing", "ed",  "ly",  "ment", "zo",  "xi"};
  std::string word;
  for (auto n = 2 + random() % 4; n > 0; --n) word += kSyllables[random() % std::size(kSyllables)];
  return word;
}

// Distance of `word` (at most 64 ASCII letters) from others.
class BitParallel {
 public:
  explicit BitParallel(const std::string& word) : length_(word.size()) {
    for (std::size_t i = 0; i < word.size(); ++i)
      masks_[static_cast<unsigned char>(word[i])] |= 1ull << i;
  }
  std::uint32_t operator()(std::string_view text) const {
    std::uint64_t vp = ~0ull, vn = 0, d = 0, before = 0;
    auto distance = static_cast<std::uint32_t>(length_);
    const std::uint64_t last = 1ull << (length_ - 1);
    for (char c : text) {
      const std::uint64_t mask = masks_[static_cast<unsigned char>(c)];
      const std::uint64_t swap = ((~d & mask) << 1) & before;
      d = (((mask & vp) + vp) ^ vp) | mask | vn | swap;
      std::uint64_t hp = vn | ~(d | vp), hn = d & vp;
      distance += (hp & last) != 0;
      distance -= (hn & last) != 0;
      hp = hp << 1 | 1;
      hn <<= 1;
      vp = hn | ~(d | hp);
      vn = hp & d;
      before = mask;
    }
    return distance;
  }

 private:
  std::size_t length_;
  std::array<std::uint64_t, 256> masks_{};
};

std::size_t scan(const SegmentPostings& postings, const std::string& word, std::uint32_t edits) {
  const BitParallel distance(word);
  const std::string head = term_key(Field::kContent, Language::kNone, "");
  std::size_t found = 0;
  for (TermIterator at = postings.seek(head); at.valid() && at.key().starts_with(head); at.next()) {
    const std::string_view term = std::string_view(at.key()).substr(head.size());
    const bool fits = term.size() + edits >= word.size() && term.size() <= word.size() + edits;
    found += fits && distance(term) <= edits;
  }
  return found;
}

struct Times {
  double median, worst;
};
template <class Work>
Times measure(const std::vector<std::string>& words, Work work) {
  std::vector<double> times;
  for (const std::string& word : words) {
    const std::clock_t start = std::clock();
    work(word);
    times.push_back(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.back()};
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t terms = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'000'000;
  std::mt19937 random(1);
  PostingsBuilder builder;
  std::string text;
  // So many words have about as many different ones among them as are asked for.
  for (std::size_t made = 0; made < 2 * terms + terms / 2; made += 100) {
    text.clear();
    for (int i = 0; i < 100; ++i) text += random_word(random) + ' ';
    ChunkText chunk;
    chunk.language = Language::kNone;
    chunk.text = text;
    builder.add(chunk);
  }
  const std::uint32_t chunks = builder.chunk_count();
  const auto storage = memory_storage();
  if (!storage->make_folder("s") || !builder.write(*storage, "s")) return 2;
  const auto postings = SegmentPostings::open(*storage, "s", chunks);
  if (!postings) return 2;

  std::vector<std::string> words;
  while (words.size() < 100) {
    std::string word = random_word(random);
    std::swap(word[word.size() / 2], word[word.size() / 2 - 1]);
    words.push_back(std::move(word));
  }
  std::size_t found = 0, scanned = 0;
  std::printf("%llu terms\n", static_cast<unsigned long long>((*postings)->term_count()));
  for (std::uint32_t edits : {1u, 2u}) {
    const Times ours = measure(words, [&](const std::string& word) {
      found += expand_fuzzy(**postings, Field::kContent, Language::kNone, word, edits, SIZE_MAX)
                   .terms.size();
    });
    const Times theirs =
        measure(words, [&](const std::string& word) { scanned += scan(**postings, word, edits); });
    std::printf("%u edits: ours %.2f ms (worst %.2f), scan %.2f ms (worst %.2f), ratio %.1f\n",
                edits, ours.median, ours.worst, theirs.median, theirs.worst,
                theirs.median / ours.median);
  }
  return found == scanned ? 0 : 1;
}
