// Viterbi's algorithm over the places between characters: the best cut of what stands before each
// place. Tokens that begin at a place are found by walking a trie. Where no token is as long as the
// one character that stands there, that character may be cut off as unknown, at ten less than the
// lowest score; neighbouring ones are one unknown piece.
#include <algorithm>
#include <limits>

#include "core/utf8.h"
#include "embed/token_model.h"

namespace ragline {

namespace {

constexpr double kUnknownPenalty = 10;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Children are found in one hash table of (node, byte): a vocabulary of 250,000 tokens has a
// million nodes, most of them with one child.
class Trie {
 public:
  Trie() : ids_{kNone}, slots_(1024) {}
  void add(std::string_view token, std::uint32_t id) {
    std::uint32_t node = 0;
    for (const char c : token) {
      if (2 * ids_.size() > slots_.size()) grow();
      Slot& slot = slots_[place(node, c)];
      if (slot.child == 0) {
        slot = {key(node, c), static_cast<std::uint32_t>(ids_.size())};
        ids_.push_back(kNone);
      }
      node = slot.child;
    }
    ids_[node] = id;
  }
  // The child, or 0.
  std::uint32_t child(std::uint32_t node, char c) const { return slots_[place(node, c)].child; }
  std::uint32_t id(std::uint32_t node) const { return ids_[node]; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t child = 0;
  };
  static std::uint64_t key(std::uint32_t node, char c) {
    return std::uint64_t{node} << 8 | static_cast<unsigned char>(c);
  }
  std::size_t place(std::uint32_t node, char c) const {
    const std::uint64_t wanted = key(node, c);
    std::size_t at = (wanted * 0x9E3779B97F4A7C15u >> 20) & (slots_.size() - 1);
    while (slots_[at].child && slots_[at].key != wanted) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.child)
        slots_[place(static_cast<std::uint32_t>(slot.key >> 8),
                     static_cast<char>(slot.key & 0xFF))] = slot;
  }
  std::vector<std::uint32_t> ids_;  // by node
  std::vector<Slot> slots_;
};

class Unigram final : public TokenModel {
 public:
  Unigram(const Vocabulary& vocabulary, UnigramOptions options)
      : vocabulary_(vocabulary), options_(std::move(options)) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const double score : options_.scores) lowest = std::min(lowest, score);
    unknown_score_ = lowest - kUnknownPenalty;
    for (std::uint32_t id = 0; id < vocabulary_.size(); ++id) {
      const std::string_view token = vocabulary_.token(id);
      if (!token.empty() && vocabulary_.find(token) == id) trie_.add(token, id);
    }
  }

  void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const override {
    const std::vector<Step> best = best_steps(piece);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cuts;  // begin, end; the last first
    bool unknown = false;
    for (auto end = static_cast<std::uint32_t>(piece.size()); end > 0; end = best[end].begin) {
      if (best[end].id == kNone && unknown) {
        cuts.back().first = best[end].begin;
      } else {
        cuts.emplace_back(best[end].begin, end);
      }
      unknown = best[end].id == kNone;
    }
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut)
      push(piece.substr(cut->first, cut->second - cut->first), ids);
  }

 private:
  struct Step {
    double score = 0;
    std::uint32_t begin = kNone;  // of the last token before this place
    std::uint32_t id = kNone;     // kNone: unknown
  };

  std::vector<Step> best_steps(std::string_view piece) const {
    std::vector<Step> best(piece.size() + 1);
    const auto offer = [&](std::size_t end, double score, std::size_t begin, std::uint32_t id) {
      if (best[end].begin != kNone && score <= best[end].score) return;
      best[end] = {score, static_cast<std::uint32_t>(begin), id};
    };
    for (std::size_t at = 0; at < piece.size();) {
      const std::size_t begin = at;
      next_code_point(piece, at);
      bool single = false;
      std::uint32_t node = 0;
      for (std::size_t end = begin; end < piece.size();) {
        node = trie_.child(node, piece[end]);
        if (node == 0) break;
        ++end;
        const std::uint32_t id = trie_.id(node);
        if (id == kNone) continue;
        offer(end, best[begin].score + options_.scores[id], begin, id);
        single = single || end == at;
      }
      if (!single) offer(at, best[begin].score + unknown_score_, begin, kNone);
    }
    return best;
  }

  void push(std::string_view cut, std::vector<std::uint32_t>& ids) const {
    if (const auto id = vocabulary_.find(cut)) {
      ids.push_back(*id);
      return;
    }
    const std::size_t before = ids.size();
    for (const char c : cut) {
      const auto id = options_.byte_fallback
                          ? vocabulary_.find(byte_token(static_cast<unsigned char>(c)))
                          : std::nullopt;
      if (!id) {
        ids.resize(before);
        if (options_.unknown) ids.push_back(*options_.unknown);
        return;
      }
      ids.push_back(*id);
    }
  }

  Vocabulary vocabulary_;
  UnigramOptions options_;
  double unknown_score_ = 0;
  Trie trie_;
};

}  // namespace

std::unique_ptr<TokenModel> unigram(const Vocabulary& vocabulary, UnigramOptions options) {
  return std::make_unique<Unigram>(vocabulary, std::move(options));
}

}  // namespace ragline
