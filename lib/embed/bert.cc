#include "embed/bert.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <algorithm>

#include "core/utf8.h"

namespace ragline {

namespace {

// The categories of Unicode 8, as the reference has them: a character that is younger is in none.
// Models were trained so.
constexpr std::uint8_t kUnicode = 8;

bool in_category(char32_t c, std::uint32_t mask) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] <= kUnicode && U_GET_GC_MASK(static_cast<UChar32>(c)) & mask;
}

bool is_blank(char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)); }

bool is_control(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  return in_category(c, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK | U_GC_CS_MASK);
}

// The ranges of BERT's own source.
bool is_chinese(char32_t c) {
  constexpr char32_t kRanges[][2] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF},
                                     {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF},
                                     {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [&](const auto& range) { return c >= range[0] && c <= range[1]; });
}

std::u32string decompose(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(error);
  icu::UnicodeString text;
  if (U_FAILURE(error) || !nfd->getDecomposition(static_cast<UChar32>(c), text)) return {c};
  std::u32string out;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    out += static_cast<char32_t>(text.char32At(i));
  return out;
}

}  // namespace

bool is_bert_punctuation(char32_t c) {
  if (c < 0x80) return c > ' ' && c < 0x7F && !u_isalnum(static_cast<UChar32>(c));
  return in_category(c, U_GC_P_MASK);
}

BertCharacters::BertCharacters(BertOptions options) : options_(options) {}

BertCharacters::~BertCharacters() {
  for (auto& page : pages_) delete page.load();
}

BertCharacters::Entry BertCharacters::make(char32_t c) const {
  Entry out;
  if (options_.clean && (c == 0 || c == 0xFFFD || is_control(c))) return out;
  std::string bytes;
  std::size_t characters = 0;
  char32_t last = 0;
  for (char32_t part : options_.strip_accents ? decompose(c) : std::u32string{c}) {
    if (options_.strip_accents && in_category(part, U_GC_MN_MASK)) continue;
    if (options_.clean && is_blank(part)) part = ' ';
    // The one character whose lower case is two.
    if (options_.lowercase && part == 0x130) append_utf8(bytes, 'i'), part = 0x307;
    last = options_.lowercase ? static_cast<char32_t>(u_tolower(static_cast<UChar32>(part))) : part;
    append_utf8(bytes, last);
    ++characters;
  }
  out.size = static_cast<std::uint8_t>(std::min(bytes.size(), sizeof out.bytes));
  std::copy_n(bytes.data(), out.size, out.bytes);
  if (characters == 0) return out;
  out.kind = Kind::kText;
  if (characters == 1 && is_blank(last)) out.kind = Kind::kBlank;
  if (characters == 1 && is_bert_punctuation(last)) out.kind = Kind::kPunctuation;
  if (options_.chinese && is_chinese(c)) out.kind = Kind::kChinese;
  return out;
}

const BertCharacters::Page& BertCharacters::page(std::size_t number) const {
  const Page* found = pages_[number].load(std::memory_order_acquire);
  if (found) return *found;
  auto made = std::make_unique<Page>();
  for (std::size_t i = 0; i < made->size(); ++i)
    (*made)[i] = make(static_cast<char32_t>(number * 256 + i));
  // Another thread may have been faster; then its page stays.
  if (pages_[number].compare_exchange_strong(found, made.get(), std::memory_order_acq_rel))
    return *made.release();
  return *found;
}

const BertCharacters::Entry& BertCharacters::next(std::string_view text, std::size_t& at) const {
  const auto byte = static_cast<unsigned char>(text[at]);
  const char32_t c = byte < 0x80 ? ++at, byte : next_code_point(text, at);
  return page(c >> 8)[c & 0xFF];
}

std::string BertCharacters::normalise(std::string_view text) const {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Entry& entry = next(text, at);
    if (entry.kind == Kind::kChinese) out += ' ';
    out.append(entry.bytes, entry.size);
    if (entry.kind == Kind::kChinese) out += ' ';
  }
  return out;
}

}  // namespace ragline
