#include "embed/tokenizer.h"

#include "catch.h"
#include "core/text.h"
#include "core/utf8.h"
#include "embed/bert.h"
#include "record/writer.h"
#include "rounds.h"

using namespace ragline;

namespace {

using Ids = std::vector<std::uint32_t>;

Tokenizer parse(std::string_view json) {
  auto tokenizer = Tokenizer::parse(json);
  INFO((tokenizer ? "" : tokenizer.error().message));
  REQUIRE(tokenizer);
  return std::move(*tokenizer);
}

std::string error_of(std::string_view json) {
  const auto tokenizer = Tokenizer::parse(json);
  REQUIRE(!tokenizer);
  CHECK(tokenizer.error().kind == ErrorKind::kData);
  return tokenizer.error().message;
}

// The pieces that steps make of a text, seen through a model that has each as a token.
std::string pieces(std::string_view steps, std::string_view text,
                   const std::vector<std::string>& tokens) {
  std::string vocabulary = "\"?\":0";
  for (std::size_t i = 0; i < tokens.size(); ++i)
    append(vocabulary, ',', json_string(tokens[i]), ':', i + 1);
  const Tokenizer tokenizer = parse(cat(
      "{", steps,
      R"(,"model":{"type":"WordPiece","unk_token":"?","continuing_subword_prefix":"##","vocab":{)",
      vocabulary, "}}}"));
  Ids ids;
  tokenizer.encode(text, ids);
  std::string out;
  for (const std::uint32_t id : ids) append(out, out.empty() ? "" : "|", id ? tokens[id - 1] : "?");
  return out;
}

constexpr std::string_view kBert =
    R"("normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"})";

}  // namespace

TEST_CASE("BERT's steps lower, strip, clean and cut") {
  CHECK(pieces(kBert, "  Crème\tBRÛLÉE, naïve!", {"creme", "brulee", ",", "naive", "!"}) ==
        "creme|brulee|,|naive|!");
  CHECK(pieces(kBert, "ab水c\u00adde İ", {"ab", "水", "cde", "i"}) == "ab|水|cde|i");
  CHECK(pieces(kBert, std::string("a\0b\xFF", 4) + "c", {"abc"}) == "abc");
}

TEST_CASE("BERT in one pass is BERT step by step") {
  std::mt19937 random(20261130);
  // A Sequence of one is the same step, but not taken for the pair.
  const std::string slow =
      R"("normalizer":{"type":"Sequence","normalizers":[{"type":"BertNormalizer","lowercase":true},{"type":"Prepend","prepend":""}]},"pre_tokenizer":{"type":"BertPreTokenizer"})";
  std::string vocabulary = "\"[UNK]\":0";
  int id = 1;
  for (char32_t c = 0x21; c < 0x500; ++c) {
    std::string letter;
    append_utf8(letter, c);
    append(vocabulary, ",", json_string(letter), ":", id, ",", json_string("##" + letter), ":",
           id + 1);
    id += 2;
  }
  const std::string model =
      cat(R"(,"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{)", vocabulary, "}}}");
  const Tokenizer fast = parse(cat("{", kBert, model)), twin = parse(cat("{", slow, model));
  for (std::size_t round = 0; round < testing::rounds(3000); ++round) {
    std::string text;
    for (std::size_t i = random() % 20; i > 0; --i) {
      const char32_t top = random() % 3 ? 0x80 : random() % 2 ? 0x500 : 0x30000;
      const char32_t c = random() % top;
      if (c < 0xD800 || c > 0xDFFF) append_utf8(text, c);
    }
    Ids a, b;
    fast.encode(text, a);
    twin.encode(text, b);
    INFO("round " << round << ": " << json_string(text));
    REQUIRE(a == b);
  }
}

TEST_CASE("pre-tokenizers cut as they say") {
  const auto split = [](std::string_view step, std::string_view text,
                        const std::vector<std::string>& tokens) {
    return pieces(cat(R"("pre_tokenizer":)", step), text, tokens);
  };
  CHECK(split(R"({"type":"Whitespace"})", "a_1 b.c--d", {"a_1", "b", ".", "c", "--", "d"}) ==
        "a_1|b|.|c|--|d");
  CHECK(split(R"({"type":"WhitespaceSplit"})", " a\u3000b,\n", {"a", "b,"}) == "a|b,");
  CHECK(split(R"({"type":"Digits","individual_digits":true})", "a12", {"a", "1", "2"}) == "a|1|2");
  CHECK(split(R"({"type":"Digits"})", "a12b", {"a", "12", "b"}) == "a|12|b");
  CHECK(split(R"({"type":"Punctuation"})", "a..b", {"a", ".", "b"}) == "a|.|.|b");
  CHECK(split(R"({"type":"Metaspace","replacement":"_","prepend_scheme":"always"})", "ab c",
              {"_ab", "_c"}) == "_ab|_c");
  CHECK(split(R"({"type":"Metaspace","replacement":"_","prepend_scheme":"never"})", "ab c",
              {"ab", "_c"}) == "ab|_c");
  for (const auto& [behaviour, expected] : {std::pair{"Removed", "a|b"},
                                            {"Isolated", "a|-|-|b"},
                                            {"MergedWithPrevious", "a-|-|b"},
                                            {"MergedWithNext", "a|-|-b"},
                                            {"Contiguous", "a|--|b"}})
    CHECK(split(cat(R"({"type":"Split","pattern":{"String":"-"},"behavior":")",
                    std::string_view(behaviour), R"("})"),
                "a--b", {"a", "b", "-", "--", "a-", "-b"}) == expected);
}

TEST_CASE("a run of blanks leaves its last one to the word behind, as in GPT-2") {
  const std::vector<std::string> tokens{"Ġb", "ĠĠ", "a", "'s", "Ġ", "Ċ", "12", "!?", "Ġ12", "Ġ!?"};
  CHECK(pieces(R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false})", "a   b",
               tokens) == "a|ĠĠ|Ġb");
  CHECK(pieces(R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false})", "a's 12 !?  ",
               tokens) == "a|'s|Ġ12|Ġ!?|ĠĠ");
  CHECK(pieces(R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":true})", "b", tokens) ==
        "Ġb");
}

TEST_CASE("normalizers change text as they say") {
  const auto change = [](std::string_view step, std::string_view text,
                         const std::string& expected) {
    INFO(step);
    CHECK(pieces(cat(R"("normalizer":)", step), text, {expected}) == expected);
  };
  change(R"({"type":"Lowercase"})", "ÀİS", "ài\u0307s");
  change(R"({"type":"NFKC"})", "ﬁ", "fi");
  change(R"({"type":"NFD"})", "é", "e\u0301");
  change(R"({"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"StripAccents"}]})", "é", "e");
  change(R"({"type":"Replace","pattern":{"String":"ab"},"content":"x"})", "abcab", "xcx");
  change(R"({"type":"Replace","pattern":{"Regex":" {2,}"},"content":"-"})", "a   b c", "a-b c");
  change(R"({"type":"Prepend","prepend":"_"})", "a", "_a");
  change(R"({"type":"Strip","strip_left":true,"strip_right":true})", " \u00a0a b\n", "a b");
}

TEST_CASE("added tokens are found in the text before anything else") {
  const Tokenizer tokenizer = parse(cat(
      R"({"added_tokens":[{"id":7,"content":"[SEP]","special":true},{"id":8,"content":"[SEP]x","special":true},{"id":9,"content":"Bar","single_word":true,"normalized":true}],)",
      kBert,
      R"(,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[SEP]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"a","type_id":0}}]},"model":{"type":"WordPiece","unk_token":"?","vocab":{"?":0,"a":1,"##bar":2}}})"));
  const auto encode = [&](std::string_view text) {
    Ids ids;
    tokenizer.encode(text, ids);
    return ids;
  };
  CHECK(encode("a[SEP]a") == Ids{1, 7, 1});
  CHECK(encode("[SEP]x[SEP]") == Ids{8, 7});
  CHECK(encode("a BAR abar") == Ids{1, 9, 1, 2});
  CHECK(encode("").empty());
  CHECK(tokenizer.before() == Ids{7});
  CHECK(tokenizer.after() == Ids{1});
  CHECK(tokenizer.size() == 10);
}

// model2vec-rs averaged the vector of [UNK] in, since Unigram has unk_id where the others have
// unk_token.
TEST_CASE("model2vec_rs_51_unigram_names_its_unknown_token_by_id") {
  const Tokenizer tokenizer = parse(
      R"({"model":{"type":"Unigram","unk_id":1,"vocab":[["a",-1.5],["<unk>",0.0],["ab",-2]]}})");
  CHECK(tokenizer.unknown() == 1u);
  Ids ids;
  tokenizer.encode("ab☃☃a", ids);
  CHECK(ids == Ids{2, 1, 0});
}

TEST_CASE("what a tokenizer.json has wrong is named") {
  CHECK(error_of("[]").find("object") != std::string::npos);
  CHECK(error_of("{}").find("no model") != std::string::npos);
  CHECK(
      error_of(R"({"model":{"type":"Dictionary","vocab":{}}})").find("'Dictionary' is not known") !=
      std::string::npos);
  CHECK(error_of(R"({"model":{"type":"WordPiece","unk_token":"?","vocab":{"a":1}}})")
            .find("'?' is not in the vocabulary") != std::string::npos);
  CHECK(error_of(R"({"model":{"type":"WordPiece","unk_token":"a","vocab":{"a":99999999999}}})")
            .find("id of 'a'") != std::string::npos);
  CHECK(error_of(R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}})").find("merges") !=
        std::string::npos);
  CHECK(error_of(R"({"model":{"type":"Unigram","unk_id":5,"vocab":[["a",1]]}})").find("unk_id") !=
        std::string::npos);
  CHECK(error_of(R"({"normalizer":{"type":"Shout"},"model":{"type":"BPE","vocab":{},"merges":[]}})")
            .find("'Shout'") != std::string::npos);
  CHECK(
      error_of(
          R"({"pre_tokenizer":{"type":"Split","behavior":"Isolated","pattern":{"Regex":"(?<=a)b"}},"model":{"type":"BPE","vocab":{},"merges":[]}})")
          .find("lookaround") != std::string::npos);
  CHECK(
      error_of(
          R"({"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"},"model":{"type":"BPE","vocab":{},"merges":[]}})")
          .find("charsmap") != std::string::npos);
}
