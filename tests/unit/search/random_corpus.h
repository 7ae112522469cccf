#pragma once
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "../index/sample.h"
#include "catch.h"

// Made-up documents and queries for the tests of search: few words, so that they meet.
namespace ragline::random_corpus {

using Words = std::vector<const char*>;

inline const char* pick(std::mt19937& random, const Words& from) {
  // The first words are the frequent ones.
  const std::size_t limit = 1 + random() % from.size();
  return from[random() % limit];
}

inline const Words kEnglish = {"order",   "the",    "refund", "status",       "orders",   "ship",
                               "shipped", "e-mail", "naïve",  "orderStatus",  "v1.0.21",  "order_id",
                               "refunds", "café",   "die",    "a@b.example",  "shipping", "XMLHttpRequest"};
inline const Words kGerman = {"die",     "Bestellung", "und",    "Größe", "Straße", "order",
                              "Größen",  "bestellen",  "refund", "v1.0.21", "Füße",  "Haus-Tür"};
inline const Words kChinese = {"订单", "退款", "的", "订单状态", "order", "发货", "状态退款", "v1.0.21"};

inline const Words& words_of(const std::string& language) {
  return language == "de" ? kGerman : language == "zh" ? kChinese : kEnglish;
}

inline std::string text(std::mt19937& random, const std::string& language, int most = 25) {
  std::string out;
  for (int n = 1 + int(random() % unsigned(most)); n > 0; --n)
    append(out, out.empty() ? "" : random() % 9 ? " " : ". ", pick(random, words_of(language)));
  return out;
}

// languages: what documents are written in.
inline ChunkedDocument document(std::mt19937& random, std::string id, const Words& languages) {
  const std::string language = languages[random() % languages.size()];
  std::vector<std::string> texts;
  for (int n = 1 + int(random() % 3); n > 0; --n) texts.push_back(text(random, language));
  ChunkedDocument out = sample::document(std::move(id), std::move(texts));
  Document& document = out.document;
  document.language = language;
  if (random() % 3 == 0) {
    document.path = document.document_id;
  } else if (random() % 2) {
    document.title = text(random, language, 4);
  }
  std::vector<std::string> section;
  if (random() % 2) section = {text(random, language, 3), text(random, language, 2)};
  const std::string context = random() % 4 ? "" : text(random, language, 3);
  for (Chunk& chunk : out.chunks) {
    chunk.language = language;
    chunk.path = document.path;
    chunk.title = document.title;
    chunk.section_path = section;
    chunk.context = context;
  }
  return out;
}

inline std::string word(std::mt19937& random) {
  static const Words kLanguages = {"en", "en", "de", "zh"};
  std::string out = pick(random, words_of(kLanguages[random() % kLanguages.size()]));
  if (random() % 20 == 0) out = "zebra";
  if (random() % 12 == 0) out = "order-status";
  if (random() % 16 == 0) out = "款";
  return out;
}

// A query of the whole language.
inline std::string query(std::mt19937& random, int depth = 0) {
  std::string out;
  for (int n = 1 + int(random() % 4); n > 0; --n) {
    if (!out.empty()) out += random() % 12 ? " " : random() % 2 ? " OR " : " AND ";
    if (random() % 4 == 0) out += random() % 2 ? "+" : "-";
    if (random() % 8 == 0) out += Words{"title:", "section:", "path:", "text:"}[random() % 4];
    switch (random() % 9) {
      case 0:
      case 1: {
        out += '"';
        for (int words = 1 + int(random() % 3); words > 0; --words)
          append(out, word(random), words > 1 ? " " : "");
        out += '"';
        if (random() % 2) append(out, "~", 1 + random() % 6);
        break;
      }
      case 2: append(out, std::string(word(random)).substr(0, 3), "*"); break;
      case 3: append(out, word(random), "~", 1 + random() % 2); break;
      case 4:
        if (depth < 2) {
          append(out, "(", query(random, depth + 1), ")");
          break;
        }
        [[fallthrough]];
      default: out += word(random);
    }
    if (random() % 10 == 0) append(out, "^", 1 + random() % 5, ".5");
  }
  return out;
}

}  // namespace ragline::random_corpus
