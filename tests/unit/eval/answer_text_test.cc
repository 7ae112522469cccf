#include "eval/answer_text.h"

#include <random>

#include "catch.h"

using namespace ragline;

TEST_CASE("answers are normalised as SQuAD does") {
  CHECK(normal_answer("The U.S. (and a lot more)!") == "us and lot more");
  CHECK(normal_answer("state-of-the-art") == "stateoftheart");
  CHECK(normal_answer("  An\tapple \n") == "apple");
  CHECK(normal_answer("Theatre, another") == "theatre another");
  CHECK(normal_answer("the") == "");
  CHECK(normal_answer("$5.20") == "520");
}

TEST_CASE("every CJK character is a token") {
  CHECK(answer_tokens("北京市2008年") == Tokens{"北", "京", "市", "2008", "年"});
  CHECK(answer_tokens("《红楼梦》，作者") == Tokens{"红", "楼", "梦", "作", "者"});
  CHECK(answer_tokens("iPhone手机") == Tokens{"iphone", "手", "机"});
  CHECK(word_tokens("서울특별시") == Tokens{"서", "울", "특", "별", "시"});
}

TEST_CASE("compatibility forms, accents and case") {
  CHECK(answer_tokens("ＡＢＣ１２３") == Tokens{"abc123"});
  CHECK(answer_tokens("Straße") == answer_tokens("STRASSE"));
  CHECK(answer_tokens("Café") == Tokens{"café"});
  CHECK(answer_tokens("cafe\xCC\x81") == Tokens{"café"});  // the accent as a mark of its own
  CHECK(answer_tokens("\xff\xfe ok") == Tokens{"ok"});
}

TEST_CASE("ROUGE's words are cut at everything that is no letter or digit") {
  CHECK(word_tokens("U.S. e-mail, don't") == Tokens{"u", "s", "e", "mail", "don", "t"});
  CHECK(word_tokens("the a an") == Tokens{"the", "a", "an"});
  CHECK(word_tokens("").empty());
}

namespace {

using Views = std::vector<std::string_view>;

}  // namespace

TEST_CASE("sentences end at full stops and keep their citations") {
  CHECK(sentences_of("It rose [1]. It fell.[2] Why? [3][4] So!") ==
        Views{"It rose [1].", "It fell.[2]", "Why? [3][4]", "So!"});
  CHECK(sentences_of("\"Yes.\" (No.) Done") == Views{"\"Yes.\"", "(No.)", "Done"});
  CHECK(sentences_of("One. two is not another. Three") ==
        Views{"One. two is not another.", "Three"});
}

TEST_CASE("points inside numbers, names and abbreviations end nothing") {
  CHECK(sentences_of("Dr. Li paid 3.5 million to J. Smith. Version 1.0.21 is out.") ==
        Views{"Dr. Li paid 3.5 million to J. Smith.", "Version 1.0.21 is out."});
  CHECK(sentences_of("Am 7. Februar kam es z.B. Berlin zugute. Dann nicht.") ==
        Views{"Am 7. Februar kam es z.B. Berlin zugute.", "Dann nicht."});
  CHECK(sentences_of("That was 2019. It ended.") == Views{"That was 2019.", "It ended."});
  CHECK(sentences_of("See a.md for more.") == Views{"See a.md for more."});
}

TEST_CASE("Chinese sentences, with and without white space") {
  CHECK(sentences_of("北京是首都。人口多少？2189万！[2]好") ==
        Views{"北京是首都。", "人口多少？", "2189万！[2]", "好"});
  CHECK(sentences_of("他说：“好。”然后走了。") == Views{"他说：“好。”", "然后走了。"});
}

TEST_CASE("list items and blank lines part sentences; line breaks do not") {
  CHECK(sentences_of("It holds:\n- one thing [1]\n- another\n\nThe end\nof it") ==
        Views{"It holds:", "one thing [1]", "another", "The end\nof it"});
  CHECK(sentences_of("1. first\n2) second\n10. tenth") == Views{"first", "second", "tenth"});
  CHECK(sentences_of("... \n\n !?").empty());
  CHECK(sentences_of("").empty());
}

// No byte is in two sentences, and any bytes end.
TEST_CASE("sentences of random text are in order and do not overlap") {
  const std::vector<std::string> parts = {"a",  ". ", ".", "\n", "- ", "1. ",  "[",  "]",
                                          "。", "\"", "7", " ",  "!",  "\xff", "Dr", "Mai"};
  std::mt19937 random(8);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (std::size_t i = random() % 30; i > 0; --i) text += parts[random() % parts.size()];
    const char* at = text.data();
    for (const std::string_view sentence : sentences_of(text)) {
      CHECK(sentence.data() >= at);
      at = sentence.data() + sentence.size();
    }
    CHECK(at <= text.data() + text.size());
  }
}
