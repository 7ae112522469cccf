#include "eval/refusal.h"

#include <array>
#include <span>
#include <vector>

#include "core/text.h"
#include "eval/answer_text.h"

namespace ragline {

namespace {

// A pattern is a row of elements between blanks: a word, alternatives with '|' between them, or '*'
// for at most four words of any kind. Words are those of word_tokens(): "don't" is "don" and "t",
// and Chinese needs no blanks.
constexpr std::string_view kPatterns[] = {
    // English
    "i|we don t know",
    "i|we do not know",
    "i|we am|are not sure",
    "i|we m|re not sure",
    "not enough|sufficient information|context|evidence|data|detail|details",
    "insufficient information|context|evidence|data|documents",
    "no relevant|specific|direct|explicit|such information|evidence|details|mention",
    "there is|are|s no information|mention|evidence|details|indication",
    "no information|details about|on|regarding|in|is|was|available|provided",
    "can|could not|t answer|determine|find|provide|confirm|say|tell|assist|help",
    "cannot answer|determine|find|provide|confirm|say|tell|assist|help",
    "couldn t find|determine|answer",
    "unable|impossible to * answer|determine|find|provide|confirm|say",
    "not able|possible to * answer|determine|find|provide|confirm|say",
    "cannot|not be answered|determined|found|inferred",
    "context|document|documents|passage|passages|text|texts|source|sources|article|articles|"
    "information|evidence|excerpt|excerpts|material|they|it * not|t * contain|contains|mention|"
    "mentions|provide|specify|state|indicate|say|discuss|include|address|answer|cover|give",
    "not * mentioned|specified|stated|provided|given|found|discussed|available|covered in|by "
    "* context|document|documents|passage|passages|text|source|sources|article|articles",
    "question is unanswerable|not answerable",
    "i|we must|have to decline",
    "decline to answer",
    "i|we m|am|are sorry * can|could not|t",
    "i|we m|am|are sorry * cannot",
    "no answer * context|documents|passages|sources|found",
    // German
    "weiß ich nicht",
    "ich weiß * nicht",
    "ich|wir kann|können * nicht beantworten|sagen|finden|bestimmen",
    "kann|können|lässt|lassen ich|wir|sich * nicht beantworten|sagen|finden|bestimmen|ermitteln",
    "kann * nicht * beantwortet|bestimmt|ermittelt|gesagt werden",
    "keine * information|informationen|angabe|angaben|hinweis|hinweise|auskunft|antwort",
    "nicht genug|genügend|ausreichend * information|informationen|angaben|daten",
    "unzureichende information|informationen|angaben|daten",
    "geht|gehen * nicht * hervor",
    "nicht zu entnehmen",
    "kontext|dokument|dokumente|dokumenten|text|texten|quelle|quellen|abschnitt|unterlagen|"
    "passagen "
    "* nicht erwähnt|enthalten|angegeben|genannt|beantwortet|beschrieben",
    "kontext|dokument|dokumente|text|quelle|quellen|abschnitt|unterlagen|passagen|texte "
    "enthält|enthalten|nennt|nennen|erwähnt|erwähnen|sagt|sagen * nicht|nichts|keine|keinen|kein",
    // Chinese
    "不知道",
    "不清楚",
    "信息不足",
    "资料不足",
    "證據不足",
    "证据不足",
    "无法回答",
    "無法回答",
    "不能回答",
    "无法确定",
    "無法確定",
    "无法判断",
    "无法得知",
    "无法提供",
    "无法从 *",
    "無法從 *",
    "没有足够的信息",
    "沒有足夠的資訊",
    "没有足够信息",
    "没有相关信息",
    "沒有相關資訊",
    "没有提供",
    "没有提到",
    "没有提及",
    "未提及",
    "未提到",
    "未提供",
    "没有找到",
    "找不到相关",
    "没有包含",
    "不包含 * 信息",
    "没有明确",
    "抱歉 * 不能",
    "抱歉 * 无法",
    "不存在相关",
};

constexpr std::string_view kContrasts[] = {
    "but",        "however", "nevertheless", "although", "though", "aber", "jedoch",
    "allerdings", "dennoch", "trotzdem",     "但",       "不过",   "然而", "不過"};

struct Element {
  bool gap = false;
  std::vector<Tokens> choices;
};
using Pattern = std::vector<Element>;

std::vector<Pattern> compile() {
  std::vector<Pattern> patterns;
  for (const std::string_view text : kPatterns) {
    Pattern& pattern = patterns.emplace_back();
    for (const std::string_view part : split(text, ' ')) {
      Element& element = pattern.emplace_back();
      element.gap = part == "*";
      if (element.gap) continue;
      for (const std::string_view choice : split(part, '|'))
        element.choices.push_back(word_tokens(choice));
    }
  }
  return patterns;
}

bool stands_at(std::span<const std::string> words, const Tokens& wanted) {
  return words.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), words.begin());
}

// How many words the elements take at the front of `words`; npos when they do not match.
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
std::size_t match(std::span<const Element> elements, std::span<const std::string> words) {
  if (elements.empty()) return 0;
  if (elements.front().gap) {
    for (std::size_t skipped = 0; skipped <= 4 && skipped <= words.size(); ++skipped) {
      const std::size_t rest = match(elements.subspan(1), words.subspan(skipped));
      if (rest != kNone) return skipped + rest;
    }
    return kNone;
  }
  for (const Tokens& choice : elements.front().choices) {
    if (!stands_at(words, choice)) continue;
    const std::size_t rest = match(elements.subspan(1), words.subspan(choice.size()));
    if (rest != kNone) return choice.size() + rest;
  }
  return kNone;
}

// Where the last refusal within the words ends; kNone without one.
std::size_t refusal_end(std::span<const std::string> words) {
  static const std::vector<Pattern> patterns = compile();
  std::size_t end = kNone;
  for (std::size_t at = 0; at < words.size(); ++at)
    for (const Pattern& pattern : patterns) {
      const std::size_t length = match(pattern, words.subspan(at));
      if (length != kNone && (end == kNone || at + length > end)) end = at + length;
    }
  return end;
}

// Whether a contrast stands at the front of the words, or within them, and something is said then.
bool goes_on(std::span<const std::string> words) {
  static const std::vector<Tokens> contrasts = [] {
    std::vector<Tokens> out;
    for (const std::string_view word : kContrasts) out.push_back(word_tokens(word));
    return out;
  }();
  for (std::size_t at = 0; at < words.size(); ++at)
    for (const Tokens& contrast : contrasts)
      if (stands_at(words.subspan(at), contrast) && words.size() - at - contrast.size() >= 3)
        return true;
  return false;
}

double share(std::size_t part, std::size_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

Refusal refusal_of(std::string_view answer) {
  const std::vector<std::string_view> sentences = sentences_of(answer);
  if (sentences.empty()) return Refusal::kRefused;
  Tokens head;
  for (std::size_t i = 0; i < sentences.size() && i < 2; ++i)
    for (std::string& word : word_tokens(sentences[i])) head.push_back(std::move(word));
  const std::size_t end = refusal_end(head);
  if (end == kNone) return Refusal::kAnswered;
  for (std::size_t i = 2; i < sentences.size() && i < 4; ++i)
    for (std::string& word : word_tokens(sentences[i])) head.push_back(std::move(word));
  return goes_on(std::span(head).subspan(end)) ? Refusal::kPartial : Refusal::kRefused;
}

void RefusalMatrix::add(bool refused, bool unanswerable) {
  ++(unanswerable ? (refused ? refused_unanswerable : answered_unanswerable)
                  : (refused ? refused_answerable : answered_answerable));
}

std::size_t RefusalMatrix::total() const {
  return refused_unanswerable + answered_unanswerable + refused_answerable + answered_answerable;
}

double RefusalMatrix::precision() const {
  return share(refused_unanswerable, refused_unanswerable + refused_answerable);
}
double RefusalMatrix::recall() const {
  return share(refused_unanswerable, refused_unanswerable + answered_unanswerable);
}
double RefusalMatrix::f1() const {
  return share(2 * refused_unanswerable,
               2 * refused_unanswerable + refused_answerable + answered_unanswerable);
}
double RefusalMatrix::accuracy() const {
  return share(refused_unanswerable + answered_answerable, total());
}

}  // namespace ragline
