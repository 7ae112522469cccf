#include "eval/refusal.h"

#include <cmath>

#include "catch.h"

using namespace ragline;

TEST_CASE("refusals in three languages") {
  for (const char* text : {"",
                           "  ",
                           "I don't know.",
                           "I don’t know",
                           "I do not know the answer to that.",
                           "I'm not sure.",
                           "The provided documents do not contain information about that.",
                           "The context doesn't mention his birthday.",
                           "There is no information on this topic.",
                           "I cannot answer this question.",
                           "I can't determine that from the passages.",
                           "Unfortunately, I am unable to find an answer.",
                           "Insufficient information.",
                           "There is not enough context to answer.",
                           "This cannot be determined from the text.",
                           "The date is not mentioned in the provided documents.",
                           "I'm sorry, but I can't help with that.",
                           "It was not possible to find the price.",
                           "Das weiß ich nicht.",
                           "Ich weiß es leider nicht.",
                           "Diese Frage kann ich nicht beantworten.",
                           "Das lässt sich nicht beantworten.",
                           "Dazu gibt es keine Informationen.",
                           "Die Dokumente enthalten dazu keine Angaben.",
                           "Das geht aus den Dokumenten nicht hervor.",
                           "Im Text wird das nicht erwähnt.",
                           "Es liegen nicht genügend Informationen vor.",
                           "我不知道。",
                           "文档中没有提到这个问题。",
                           "信息不足，无法回答。",
                           "无法从所提供的资料中得知。",
                           "抱歉，我不能回答这个问题。",
                           "没有足够的信息来回答。"}) {
    INFO(text);
    CHECK(refusal_of(text) == Refusal::kRefused);
  }
}

TEST_CASE("answers that look a little like refusals") {
  for (const char* text :
       {"Paris.", "The bar does not contain nuts.", "No.", "He did not know her name.",
        "The refund cannot be combined with other offers.", "The law does not apply to minors.",
        "No evidence was found against him in 1987, so he was released.",
        "Nicht erstattungsfähig sind Versandkosten.", "Nein, der Umtausch ist kostenlos.", "不是。",
        "他不认识她。", "70个议席",
        "It was released in 2019. Nobody knew how long it would last."}) {
    INFO(text);
    CHECK(refusal_of(text) == Refusal::kAnswered);
  }
}

TEST_CASE("a refusal that goes on is an answer in part") {
  for (const char* text :
       {"The documents do not mention the date, but the event took place in Paris.",
        "There is no information about the price. However, shipping is free.",
        "Der Text enthält keine Angaben zum Preis, aber der Versand ist kostenlos.",
        "文档中没有提到日期，但会议在巴黎举行。"}) {
    INFO(text);
    CHECK(refusal_of(text) == Refusal::kPartial);
  }
  CHECK(refusal_of("I don't know, but sorry.") == Refusal::kRefused);
}

TEST_CASE("only the beginning of an answer refuses") {
  CHECK(refusal_of("It is 5. It grew. I don't know why that is so.") == Refusal::kAnswered);
}

TEST_CASE("the matrix of refusals") {
  RefusalMatrix matrix;
  CHECK(matrix.f1() == 0);
  CHECK(matrix.accuracy() == 0);
  for (int i = 0; i < 3; ++i) matrix.add(true, true);
  matrix.add(false, true);
  for (int i = 0; i < 2; ++i) matrix.add(true, false);
  for (int i = 0; i < 4; ++i) matrix.add(false, false);
  CHECK(matrix.total() == 10);
  CHECK(matrix.precision() == 0.6);
  CHECK(matrix.recall() == 0.75);
  CHECK(std::fabs(matrix.f1() - 2 * 0.6 * 0.75 / 1.35) < 1e-12);
  CHECK(matrix.accuracy() == 0.7);
}
