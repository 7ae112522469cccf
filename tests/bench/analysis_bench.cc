// Splitting text into words and words into terms, against ICU alone: its word break over the same UTF-8, and its case
// folding with the same Snowball stemmer. Texts of our own making, 8 MB each; CPU time, median of 5 runs with the spread.
// Usage: bench_analysis [megabytes]
#include <libstemmer.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "analysis/analyzer.h"

namespace {

using namespace ragline;

double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Rate {
  double median, low, high;
};

template <class Work>
Rate rate_of(double amount, Work work) {
  work();
  std::vector<double> rates;
  for (int run = 0; run < 5; ++run) {
    const double start = cpu_seconds();
    work();
    rates.push_back(amount / (cpu_seconds() - start));
  }
  std::ranges::sort(rates);
  return {rates[2], rates[0], rates[4]};
}

void print(const char* what, const char* unit, Rate ours, Rate theirs) {
  std::printf("%-28s ours %8.1f (%.1f-%.1f) %s, ICU %7.2f (%.2f-%.2f), ratio %.1f\n", what, ours.median, ours.low, ours.high,
              unit, theirs.median, theirs.low, theirs.high, ours.median / theirs.median);
}

struct Kind {
  const char* name;
  Language language;
  std::vector<const char*> words;
  const char* space;
};

const std::vector<Kind> kKinds = {
    {"English prose", Language::kEnglish,
     {"the", "order", "was", "cancelled", "before", "it", "shipped", "refunds", "customers", "state", "of", "to", "a",
      "updating", "status", "in", "isn't", "well-known", "1,000", "(see", "below).", "information,", "system."}, " "},
    {"source code", Language::kEnglish,
     {"updateOrderStatus(", "order_id,", "std::vector<int>", "x", "=", "i++;", "return", "const", "HttpRequest&", "0x1f",
      "foo.bar->baz", "//", "{", "}", "if", "(!status)", "\n   "}, " "},
    {"German", Language::kGerman,
     {"die", "Größe", "der", "Bestellung", "wurde", "geändert,", "über", "Straßen", "und", "Länder.", "für", "nicht",
      "Kunden", "Rückerstattung", "„nämlich“", "ist"}, " "},
    {"Russian", Language::kRussian, {"заказ", "был", "отменён", "до", "отправки,", "возврат", "и", "покупатели."}, " "},
    {"Chinese", Language::kChinese, {"订单", "状态", "，", "退款", "在", "发货", "之前", "取消", "。", "客户"}, ""},
    {"Thai", Language::kThai, {"ภาษา", "ไทย", "ง่าย", "คำสั่ง", "ซื้อ", " "}, ""},
};

std::string make_text(const Kind& kind, std::size_t size) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < size) text.append(kind.words[random() % kind.words.size()]).append(kind.space);
  return text;
}

std::size_t icu_words(UBreakIterator* iterator, std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  UText view = UTEXT_INITIALIZER;
  utext_openUTF8(&view, text.data(), static_cast<std::int64_t>(text.size()), &status);
  ubrk_setUText(iterator, &view, &status);
  std::size_t words = 0;
  while (ubrk_next(iterator) != UBRK_DONE) words += ubrk_getRuleStatus(iterator) >= UBRK_WORD_NUMBER;
  utext_close(&view);
  return words;
}

std::size_t icu_terms(const std::vector<std::string_view>& words, sb_stemmer* stemmer) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* fold = icu::Normalizer2::getNFKCCasefoldInstance(status);
  std::size_t bytes = 0;
  std::string folded;
  for (const std::string_view word : words) {
    folded.clear();
    icu::StringByteSink<std::string> sink(&folded);
    fold->normalizeUTF8(0, {word.data(), static_cast<std::int32_t>(word.size())}, sink, nullptr, status);
    sb_stemmer_stem(stemmer, reinterpret_cast<const sb_symbol*>(folded.data()), static_cast<int>(folded.size()));
    bytes += static_cast<std::size_t>(sb_stemmer_length(stemmer));
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t size = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 8) << 20;
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator* iterator = ubrk_open(UBRK_WORD, "", nullptr, 0, &status);
  Analyzer analyzer;
  std::vector<RawWord> words;
  std::size_t kept = 0;  // so that no work is optimised away
  for (const Kind& kind : kKinds) {
    const std::string text = make_text(kind, size);
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    const Rate split = rate_of(megabytes, [&] { analyzer.split_words(text, words); });
    const Rate icu_split = rate_of(megabytes, [&] { kept += icu_words(iterator, text); });
    print(kind.name, "MB/s", split, icu_split);

    std::vector<std::string_view> some;
    for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), 100000); ++i) {
      some.push_back(std::string_view(text).substr(words[i].begin, words[i].end - words[i].begin));
    }
    const char* stemmer_name = kind.language == Language::kGerman ? "german"
                               : kind.language == Language::kRussian ? "russian" : "porter";
    sb_stemmer* stemmer = sb_stemmer_new(stemmer_name, nullptr);
    const double count = static_cast<double>(some.size()) / 1e6;
    Expansion expansion;
    const Rate expand = rate_of(count, [&] {
      for (const std::string_view word : some) {
        analyzer.expand(word, kind.language, expansion);
        kept += expansion.terms.size();
      }
    });
    const Rate icu_expand = rate_of(count, [&] { kept += icu_terms(some, stemmer); });
    print("  words to terms", "M/s", expand, icu_expand);
    sb_stemmer_delete(stemmer);
  }
  ubrk_close(iterator);
  return kept == 0;
}
