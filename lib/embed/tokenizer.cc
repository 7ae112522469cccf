#include "embed/tokenizer.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "core/files.h"
#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

bool is_word_before(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  std::size_t begin = utf8_floor(text, at - 1);
  const auto c = static_cast<UChar32>(next_code_point(text, begin));
  return u_isUAlphabetic(c) || u_isdigit(c) || c == '_';
}

bool is_word_behind(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const auto c = static_cast<UChar32>(next_code_point(text, at));
  return u_isUAlphabetic(c) || u_isdigit(c) || c == '_';
}

bool is_blank_at(std::string_view text, std::size_t at) {
  return u_isUWhiteSpace(static_cast<UChar32>(next_code_point(text, at)));
}

// Cuts `text` at the added tokens in it, the leftmost and of these the longest: token(id) for each,
// rest(text, first) for what lies between.
template <class Token, class Rest>
void each_part(std::string_view text, const std::vector<AddedToken>& tokens, bool first,
               Token token, Rest rest) {
  std::size_t begin = 0;
  bool firsts[256] = {};
  for (const AddedToken& added : tokens)
    firsts[static_cast<unsigned char>(added.content[0])] = true;
  for (std::size_t at = 0; !tokens.empty() && at < text.size(); ++at) {
    if (!firsts[static_cast<unsigned char>(text[at])]) continue;
    for (const AddedToken& added : tokens) {
      if (!text.substr(at).starts_with(added.content)) continue;
      std::size_t from = at, to = at + added.content.size();
      if (added.single_word && (is_word_before(text, from) || is_word_behind(text, to))) break;
      while (added.strip_left && from > begin && is_blank_at(text, utf8_floor(text, from - 1)))
        from = utf8_floor(text, from - 1);
      while (added.strip_right && to < text.size() && is_blank_at(text, to))
        next_code_point(text, to);
      if (from > begin) rest(text.substr(begin, from - begin), first && begin == 0);
      token(added.id);
      begin = to;
      at = to - 1;
      break;
    }
  }
  if (begin < text.size()) rest(text.substr(begin), first && begin == 0);
}

}  // namespace

Tokenizer::Tokenizer(TokenizerParts parts)
    : parts_(std::move(parts)), size_(parts_.vocabulary.size()) {
  if (parts_.bert) bert_ = std::make_unique<BertCharacters>(*parts_.bert);
  std::stable_sort(
      parts_.added.begin(), parts_.added.end(),
      [](const AddedToken& a, const AddedToken& b) { return a.content.size() > b.content.size(); });
  for (const AddedToken& token : parts_.added) {
    (token.normalised ? normalised_ : raw_).push_back(token);
    size_ = std::max(size_, std::size_t{token.id} + 1);
    if (!token.normalised) continue;
    // What is looked for in normalised text is normalised too.
    for (const TextStep& step : parts_.normalizers) step(normalised_.back().content);
    if (normalised_.back().content.empty()) normalised_.pop_back();
  }
}

Result<Tokenizer> Tokenizer::load(const std::string& path) {
  RAGLINE_TRY(const auto file, read_file(path));
  auto out = parse(file->bytes());
  if (!out) return fail(out.error().kind, cat(path, ": ", out.error().message));
  return out;
}

std::optional<std::uint32_t> Tokenizer::id_of(std::string_view token) const {
  for (const AddedToken& added : parts_.added)
    if (added.content == token) return added.id;
  return parts_.vocabulary.find(token);
}

void Tokenizer::encode(std::string_view text, std::vector<std::uint32_t>& ids) const {
  if (!is_valid_utf8(text)) return encode(to_valid_utf8(text), ids);
  each_part(
      text, raw_, true, [&](std::uint32_t id) { ids.push_back(id); },
      [&](std::string_view rest, bool first) { encode_plain(rest, first, ids); });
}

void Tokenizer::encode_plain(std::string_view text, bool first,
                             std::vector<std::uint32_t>& ids) const {
  if (bert_ && normalised_.empty()) {
    bert_->each_word(text, [&](std::string_view word) { parts_.model->encode(word, ids); });
    return;
  }
  std::string changed(text);
  for (const TextStep& step : parts_.normalizers) step(changed);
  each_part(
      changed, normalised_, first, [&](std::uint32_t id) { ids.push_back(id); },
      [&](std::string_view rest, bool at_start) {
        encode_normalised(std::string(rest), at_start, ids);
      });
}

void Tokenizer::encode_normalised(std::string text, bool first,
                                  std::vector<std::uint32_t>& ids) const {
  Pieces pieces{{std::move(text), first}};
  for (const SplitStep& step : parts_.splits) step(pieces);
  for (const Piece& piece : pieces)
    if (!piece.text.empty()) parts_.model->encode(piece.text, ids);
}

}  // namespace ragline
