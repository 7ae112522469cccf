#include "grep/class_sequence.h"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define RAGLINE_AVX2 __attribute__((target("avx2")))
#endif

namespace ragline {

namespace {

using Word = std::uint64_t;

// The text is taken in pieces that fit the first-level cache with all their streams.
constexpr std::size_t kWords = 64, kPiece = kWords * 64;
constexpr std::size_t kMostSets = 8, kMostSteps = 64;

// A stream over one piece. [0] is the last word of the piece before.
using Stream = std::array<Word, kWords + 1>;

// Every place of `in` moved one byte on.
[[gnu::always_inline]] inline Word advanced(const Word* in, std::size_t i) { return in[i] << 1 | in[i - 1] >> 63; }

[[gnu::always_inline]] inline void step_one(const Word* in, const Word* set, Word* __restrict out, std::size_t words) {
  for (std::size_t i = 1; i <= words; ++i) out[i] = advanced(in, i) & set[i];
}

[[gnu::always_inline]] inline void step_optional(const Word* in, const Word* set, Word* __restrict out, std::size_t words) {
  for (std::size_t i = 1; i <= words; ++i) out[i] = in[i] | (advanced(in, i) & set[i]);
}

// From each place on to the end of the run of the set that it's in: adding a bit to a run of ones carries through it. `carry` is
// whether a run goes on from the piece before.
template <bool kKeep>
[[gnu::always_inline]] inline void step_run(const Word* in, const Word* set, Word* out, Word& carry, std::size_t words) {
  for (std::size_t i = 1; i <= words; ++i) {
    const Word start = advanced(in, i) & set[i];
    const Word half = start + set[i], sum = half + carry;
    carry = (half < start) | (sum < half);
    const Word run = ((sum ^ set[i]) | start) & set[i];
    out[i] = kKeep ? in[i] | run : run;
  }
}

}  // namespace

bool ClassSequence::add_set(const Regex& node, Kind kind, int times) {
  Set set;
  switch (node.kind) {
    case Regex::Kind::kLiteral:
      for (const char32_t c : node.fold ? fold_orbit(node.code_point) : std::vector<char32_t>{node.code_point}) {
        if (c < 0x80) {
          set.members.set(c);
        } else {
          covers_all_ = false;
        }
      }
      break;
    case Regex::Kind::kClass:
      set.members = node.set.ascii();
      covers_all_ = covers_all_ && !node.set.beyond_ascii();
      break;
    case Regex::Kind::kAny:
    case Regex::Kind::kDot:
      set.members.set();
      covers_all_ = false;
      break;
    default: return false;
  }
  set.members.reset('\n');
  if (set.members.none()) return false;
  std::size_t number = 0;
  while (number < sets_.size() && sets_[number].members != set.members) ++number;
  if (number == sets_.size()) {
    for (unsigned byte = 0; byte < 128; ++byte)
      if (set.members[byte]) set.by_low[byte & 15] |= static_cast<unsigned char>(1U << (byte >> 4));
    for (unsigned high = 0; high < 8; ++high) set.by_high[high] = static_cast<unsigned char>(1U << high);
    sets_.push_back(set);
  }
  if (sets_.size() > kMostSets || steps_.size() + static_cast<std::size_t>(times) > kMostSteps) return false;
  steps_.insert(steps_.end(), static_cast<std::size_t>(times), Step{kind, static_cast<std::uint8_t>(number)});
  return true;
}

bool ClassSequence::add(const Regex& node) {
  switch (node.kind) {
    case Regex::Kind::kConcat:
    case Regex::Kind::kCapture:
      return std::ranges::all_of(node.children, [&](const Regex& child) { return add(child); });
    case Regex::Kind::kRepeat: {
      const Regex& child = node.children[0];
      if (node.most < 0 && node.least == 0) return add_set(child, Kind::kStar, 1);
      if (node.most < 0) return add_set(child, Kind::kOne, node.least - 1) && add_set(child, Kind::kPlus, 1);
      return add_set(child, Kind::kOne, node.least) && add_set(child, Kind::kOptional, node.most - node.least);
    }
    default: return add_set(node, Kind::kOne, 1);
  }
}

// A match begins and ends with what it must have: xa*b+ is found where xa*b is.
void ClassSequence::reduce() {
  const auto needed = [](const Step& step) { return step.kind == Kind::kOne || step.kind == Kind::kPlus; };
  steps_.erase(steps_.begin(), std::ranges::find_if(steps_, needed));
  while (!steps_.empty() && !needed(steps_.back())) steps_.pop_back();
  if (steps_.empty()) return;
  if (steps_.back().kind == Kind::kPlus) steps_.back().kind = Kind::kOne;
  if (steps_.front().kind == Kind::kPlus) steps_.front().kind = Kind::kOne;
}

std::optional<ClassSequence> ClassSequence::of(const Regex& regex) {
  ClassSequence sequence;
  if (!sequence.add(regex)) return std::nullopt;
  sequence.reduce();
  if (sequence.steps_.empty()) return std::nullopt;
  return sequence;
}

struct ClassSequence::Kernel {
  // Fills sets[i][1 ...] from `text`, at most a piece of it.
  static void classify_plainly(const ClassSequence& sequence, std::string_view text, std::vector<Stream>& sets,
                               std::size_t words) {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const Set& set = sequence.sets_[s];
      std::fill_n(sets[s].begin() + 1, words, 0);
      for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const Word is_member = (set.by_low[byte & 15] & set.by_high[byte >> 4]) != 0;
        sets[s][1 + i / 64] |= is_member << (i % 64);
      }
    }
  }

  [[gnu::always_inline]] static void run(const ClassSequence& sequence, const std::vector<Stream>& sets, std::vector<Stream>& stages,
                                         std::vector<Word>& carries, std::size_t words) {
    const Word* first = sets[sequence.steps_[0].set].data();
    std::copy(first + 1, first + words + 1, stages[0].data() + 1);
    for (std::size_t s = 1; s < sequence.steps_.size(); ++s) {
      const Word* in = stages[s - 1].data();
      const Word* set = sets[sequence.steps_[s].set].data();
      Word* out = stages[s].data();
      switch (sequence.steps_[s].kind) {
        case Kind::kOne: step_one(in, set, out, words); break;
        case Kind::kOptional: step_optional(in, set, out, words); break;
        case Kind::kPlus: step_run<false>(in, set, out, carries[s], words); break;
        case Kind::kStar: step_run<true>(in, set, out, carries[s], words); break;
      }
    }
    for (Stream& stage : stages) stage[0] = stage[words];
  }

#if defined(__x86_64__)
  RAGLINE_AVX2 static void classify_avx2(const ClassSequence& sequence, std::string_view text, std::vector<Stream>& sets,
                                         std::size_t words) {
    alignas(32) char padded[kPiece];
    const char* from = text.data();
    if (text.size() < kPiece) {  // zero bytes at the end are cut off by the caller
      std::memset(padded, 0, 64 * words);
      if (!text.empty()) std::memcpy(padded, text.data(), text.size());
      from = padded;
    }
    const __m256i nibble = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const Set& set = sequence.sets_[s];
      const __m256i by_low = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(set.by_low)));
      const __m256i by_high = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(set.by_high)));
      for (std::size_t i = 0; i < words; ++i) {
        unsigned outside[2];
        for (std::size_t half = 0; half < 2; ++half) {
          const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 64 * i + 32 * half));
          const __m256i low = _mm256_shuffle_epi8(by_low, _mm256_and_si256(bytes, nibble));
          const __m256i high = _mm256_shuffle_epi8(by_high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
          outside[half] = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(low, high), zero)));
        }
        sets[s][i + 1] = ~(static_cast<Word>(outside[1]) << 32 | outside[0]);
      }
    }
  }

  RAGLINE_AVX2 static void run_avx2(const ClassSequence& sequence, const std::vector<Stream>& sets, std::vector<Stream>& stages,
                                    std::vector<Word>& carries, std::size_t words) {
    run(sequence, sets, stages, carries, words);
  }
#endif
};

void ClassSequence::mark(std::string_view text, std::vector<std::uint64_t>& ends) const {
  ends.resize((text.size() + 63) / 64);
  std::vector<Stream> sets(sets_.size()), stages(steps_.size());
  std::vector<Word> carries(steps_.size(), 0);
  for (Stream& stage : stages) stage[0] = 0;
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  const auto classify = has_avx2 ? &Kernel::classify_avx2 : &Kernel::classify_plainly;
  const auto run = has_avx2 ? &Kernel::run_avx2 : &Kernel::run;
#else
  const auto classify = &Kernel::classify_plainly;
  const auto run = &Kernel::run;
#endif
  for (std::size_t begin = 0; begin < text.size(); begin += kPiece) {
    const std::size_t words = std::min(kWords, ends.size() - begin / 64);
    classify(*this, text.substr(begin, kPiece), sets, words);
    run(*this, sets, stages, carries, words);
    std::copy_n(stages.back().begin() + 1, words, ends.begin() + static_cast<std::ptrdiff_t>(begin / 64));
  }
  if (text.size() % 64 != 0) ends.back() &= (Word{1} << text.size() % 64) - 1;
}

}  // namespace ragline
