// The merging loop keeps symbols in a linked list and possible merges in a queue by rank, then
// place: O(n log n) for a piece of n characters, which matters for models without a pre-tokenizer
// (Llama's), whose piece is the whole text. A queue entry is stale when its pair is no longer
// there; it is then skipped. The slow twin in token_model_test.cc looks for the best pair anew
// after every merge.
#include <queue>
#include <unordered_map>

#include "core/text.h"
#include "core/utf8.h"
#include "embed/token_model.h"

namespace ragline {

std::string byte_token(unsigned char byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return cat("<0x", kDigits[byte >> 4], kDigits[byte & 15], '>');
}

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

class BytePair final : public TokenModel {
 public:
  BytePair(const Vocabulary& vocabulary, BpeOptions options)
      : vocabulary_(vocabulary), options_(std::move(options)), bytes_(256, kNone) {
    merges_.reserve(options_.merges.size());
    for (std::uint32_t rank = 0; rank < options_.merges.size(); ++rank)
      merges_[key(options_.merges[rank].first, options_.merges[rank].second)] = {
          rank, options_.merged[rank]};
    for (int byte = 0; byte < 256 && options_.byte_fallback; ++byte)
      if (const auto id = vocabulary_.find(byte_token(static_cast<unsigned char>(byte))))
        bytes_[static_cast<std::size_t>(byte)] = *id;
  }

  void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const override {
    if (options_.ignore_merges)
      if (const auto whole = vocabulary_.find(piece)) {
        ids.push_back(*whole);
        return;
      }
    std::vector<Symbol> symbols = split(piece);
    merge(symbols);
    for (std::uint32_t at = 0; at < symbols.size(); at = symbols[at].next)
      ids.push_back(symbols[at].id);
  }

 private:
  struct Symbol {
    std::uint32_t id;
    std::uint32_t previous, next;  // kNone at the ends
    bool gone = false;
  };
  struct Merge {
    std::uint32_t rank, merged;
  };
  struct Entry {
    std::uint32_t rank, at, merged;
    bool operator>(const Entry& other) const {
      return rank != other.rank ? rank > other.rank : at > other.at;
    }
  };
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  static std::uint64_t key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }
  const Merge* find(std::uint32_t a, std::uint32_t b) const {
    const auto found = merges_.find(key(a, b));
    return found == merges_.end() ? nullptr : &found->second;
  }

  std::vector<Symbol> split(std::string_view piece) const {
    std::vector<Symbol> out;
    bool unknown = false;
    const auto push = [&](std::uint32_t id) {
      const auto at = static_cast<std::uint32_t>(out.size());
      if (at) out[at - 1].next = at;
      out.push_back({id, at ? at - 1 : kNone, kNone});
    };
    for (std::size_t at = 0; at < piece.size();) {
      const std::size_t begin = at;
      next_code_point(piece, at);
      const std::string_view character = piece.substr(begin, at - begin);
      if (const auto id = vocabulary_.find(character)) {
        push(*id);
        unknown = false;
      } else if (has_bytes(character)) {
        for (const char byte : character) push(bytes_[static_cast<unsigned char>(byte)]);
        unknown = false;
      } else if (options_.unknown) {
        if (!unknown || !options_.fuse_unknown) push(*options_.unknown);
        unknown = true;
      }
    }
    return out;
  }

  bool has_bytes(std::string_view character) const {
    for (const char byte : character)
      if (bytes_[static_cast<unsigned char>(byte)] == kNone) return false;
    return true;
  }

  void merge(std::vector<Symbol>& symbols) const {
    Queue queue;
    const auto offer = [&](std::uint32_t at) {
      if (at == kNone || symbols[at].next == kNone) return;
      if (const Merge* merge = find(symbols[at].id, symbols[symbols[at].next].id))
        queue.push({merge->rank, at, merge->merged});
    };
    for (std::uint32_t at = 0; at < symbols.size(); ++at) offer(at);
    while (!queue.empty()) {
      const Entry top = queue.top();
      queue.pop();
      Symbol& left = symbols[top.at];
      if (left.gone || left.next == kNone) continue;
      Symbol& right = symbols[left.next];
      const Merge* merge = find(left.id, right.id);
      if (!merge || merge->merged != top.merged) continue;
      left.id = top.merged;
      right.gone = true;
      left.next = right.next;
      if (left.next != kNone) symbols[left.next].previous = top.at;
      offer(left.previous);
      offer(top.at);
    }
  }

  Vocabulary vocabulary_;
  BpeOptions options_;
  std::vector<std::uint32_t> bytes_;
  std::unordered_map<std::uint64_t, Merge> merges_;
};

}  // namespace

std::unique_ptr<TokenModel> byte_pair(const Vocabulary& vocabulary, BpeOptions options) {
  return std::make_unique<BytePair>(vocabulary, std::move(options));
}

}  // namespace ragline
