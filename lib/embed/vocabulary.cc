#include "embed/vocabulary.h"

#include <algorithm>
#include <bit>

#include "core/hash.h"

namespace ragline {

void Vocabulary::add(std::string_view token, std::uint32_t id) {
  if (id >= tokens_.size()) tokens_.resize(std::size_t{id} + 1);
  tokens_[id] = {bytes_.size(), static_cast<std::uint32_t>(token.size())};
  bytes_ += token;
  longest_ = std::max(longest_, token.size());
  if (2 * count_ >= slots_.size()) resize(std::max<std::size_t>(1024, 2 * slots_.size()));
  const auto hash = static_cast<std::uint32_t>(hash64(token));
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at].used; at = (at + 1) & (slots_.size() - 1))
    if (slots_[at].hash == hash && this->token(slots_[at].id) == token) {
      slots_[at].id = id;
      return;
    }
  slots_[at] = {hash, id, 1};
  ++count_;
}

void Vocabulary::reserve(std::size_t tokens) {
  tokens_.reserve(tokens);
  if (2 * tokens > slots_.size()) resize(std::bit_ceil(2 * tokens));
}

void Vocabulary::resize(std::size_t slots) {
  std::vector<Slot> old(slots);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (!slot.used) continue;
    std::size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].used) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view token) const {
  if (slots_.empty()) return std::nullopt;
  const auto hash = static_cast<std::uint32_t>(hash64(token));
  for (std::size_t at = hash & (slots_.size() - 1); slots_[at].used;
       at = (at + 1) & (slots_.size() - 1))
    if (slots_[at].hash == hash && this->token(slots_[at].id) == token) return slots_[at].id;
  return std::nullopt;
}

std::string_view Vocabulary::token(std::uint32_t id) const {
  if (id >= tokens_.size()) return {};
  return std::string_view(bytes_).substr(tokens_[id].begin, tokens_[id].size);
}

}  // namespace ragline
