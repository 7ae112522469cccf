#include "lexical/query.h"

#include <ctime>
#include <random>
#include <string>

#include "catch.h"
#include "rounds.h"

using namespace ragline;

namespace {

// A tree in one line that is easy to read and to get right by hand: every text in [ ], every
// attribute spelled out.
std::string shape(const QueryNode& node, bool root = true) {
  std::string out;
  if (node.occur == Occur::kMust) out += '+';
  if (node.occur == Occur::kMustNot) out += '-';
  if (!node.any_field) out += std::string(1, static_cast<char>(node.field)) + ':';
  switch (node.kind) {
    case QueryNode::Kind::kText:
      out += '[' + node.text + ']';
      break;
    case QueryNode::Kind::kPhrase:
      out += "phrase[" + node.text + ']';
      break;
    case QueryNode::Kind::kPrefix:
      out += "prefix[" + node.text + ']';
      break;
    case QueryNode::Kind::kFuzzy:
      out += "fuzzy[" + node.text + ']';
      break;
    case QueryNode::Kind::kGroup:
      if (!root) out += '(';
      for (std::size_t i = 0; i < node.children.size(); ++i)
        out += (i ? " " : "") + shape(node.children[i], false);
      if (!root) out += ')';
      break;
  }
  if (node.distance) out += '~' + std::to_string(node.distance);
  if (node.boost != 1) out += '^' + std::to_string(node.boost).substr(0, 4);
  return out;
}
std::string parsed(std::string_view query) { return shape(parse_query(query)); }
// The whole query is one run of text.
bool is_text(const std::string& query) { return parsed(query) == '[' + query + ']'; }

void check_round_trip(const std::string& query) {
  const QueryNode tree = parse_query(query);
  const std::string text = query_text(tree);
  INFO("query: " << query << "\ntree:  " << shape(tree) << "\ntext:  " << text
                 << "\nagain: " << parsed(text));
  REQUIRE(parse_query(text) == tree);
}

std::size_t count_nodes(const QueryNode& node) {
  std::size_t count = 1;
  for (const QueryNode& child : node.children) count += count_nodes(child);
  return count;
}

}  // namespace

TEST_CASE("words are one run of text") {
  CHECK(parsed("refund of an unshipped order") == "[refund of an unshipped order]");
  CHECK(parsed("  how\tdoes \n it work?  ") == "[how\tdoes \n it work?]");
  CHECK(parsed("").empty());
  CHECK(parsed(" \t\r\n").empty());
}

TEST_CASE("phrases, slop, prefixes, fuzzy words, boosts") {
  CHECK(parsed(R"("exact phrase")") == "phrase[exact phrase]");
  CHECK(parsed(R"(a "b c"~3 d)") == "[a] phrase[b c]~3 [d]");
  CHECK(parsed(R"("b c"^2.5)") == "phrase[b c]^2.50");
  CHECK(parsed(R"("b c"~2^2.5)") == "phrase[b c]~2^2.50");
  CHECK(parsed("pre* fix") == "prefix[pre] [fix]");
  CHECK(parsed("term~1 term~2") == "fuzzy[term]~1 fuzzy[term]~2");
  CHECK(parsed("foo.bar* foo_*") == "prefix[foo.bar] prefix[foo_]");
  CHECK(parsed("a b^2 c") == "[a] [b]^2.00 [c]");
  CHECK(parsed("pre*^0.5") == "prefix[pre]^0.50");
  CHECK(parsed("a b^1 c") == "[a b c]");
  CHECK(parsed("größ* 北京*") == "prefix[größ] prefix[北京]");
}

TEST_CASE("signs apply to the word, phrase or group that follows without a blank") {
  CHECK(parsed("a +b -c d") == "[a] +[b] -[c] [d]");
  CHECK(parsed(R"(+"a b" -(c d))") == "+phrase[a b] -([c d])");
  CHECK(parsed("-title:draft +path:src/lib") == "-t:[draft] +p:[src/lib]");
  CHECK(parsed("-pre* +foo~1") == "-prefix[pre] +fuzzy[foo]~1");
  CHECK(parsed("-5 +5") == "[-5 +5]");
  CHECK(parsed(R"(-"5")") == "-phrase[5]");
  CHECK(parsed("how to -verbose") == "[how to] -[verbose]");
  CHECK(parsed("-été") == "-[été]");
}

TEST_CASE("groups, OR and AND") {
  CHECK(parsed("(a OR b) c") == "([a] [b]) [c]");
  CHECK(parsed("(a b)^2") == "([a b])^2.00");
  CHECK(parsed("x a AND b y") == "[x] +[a] +[b] [y]");
  CHECK(parsed("a AND b AND c") == "+[a] +[b] +[c]");
  CHECK(parsed("a AND -b") == "+[a] -[b]");
  CHECK(parsed(R"("a b" AND (c OR d))") == "+phrase[a b] +([c] [d])");
  CHECK(parsed("refund policy AND 404") == "[refund] +[policy] +[404]");
  CHECK(parsed("((a))") == "(([a]))");
  CHECK(parsed("title:(a \"b c\") d") == "t:([a] phrase[b c]) [d]");
}

TEST_CASE("AND and OR are words where they link nothing") {
  for (const char* query :
       {"OR", "AND a", "a OR", "or and", "a\nAND", "SUPPLY AND DEMAND", "404 OR 500"})
    CHECK(is_text(query));
  CHECK(parsed("(OR a) b") == "([OR a]) [b]");
  CHECK(parsed("a OR OR b") == "[a] [OR b]");
  CHECK(parsed("a \\AND b") == "[a AND b]");
  CHECK(parsed("a ANDROID b") == "[a ANDROID b]");
}

TEST_CASE("fields") {
  CHECK(parsed("title:x section:y path:z text:w") == "t:[x] s:[y] p:[z] c:[w]");
  CHECK(parsed(R"(title:"order state"~2)") == "t:phrase[order state]~2");
  CHECK(parsed("path:/usr/include/x.h") == "p:[/usr/include/x.h]");
  CHECK(parsed("title:pre*") == "t:prefix[pre]");
  for (const char* query : {"title:", "title: x", "Title:x", "author:x", "path::join", "title:\"x",
                            "xtitle:y", "text:()"})
    CHECK(is_text(query));
}

TEST_CASE("pasted text is text") {
  for (const char* query : {"http://x",
                            "https://example.com/a?b=c&d=(e)#f",
                            "C++",
                            "a:b",
                            "- item",
                            "12:30",
                            ":-(",
                            ":-)",
                            ";)",
                            "foo -- bar",
                            "--flag",
                            "ls --all --color=auto",
                            "C:\\new\\test.txt",
                            "x = y * z",
                            "a - b",
                            "1 + 1",
                            "5\" pipe",
                            "say \"hello",
                            "\"",
                            "\"\"",
                            "(",
                            ")",
                            "()",
                            "( )",
                            ")(",
                            "((",
                            "f(x)",
                            "f(a, b) -> c",
                            "[x for x in y]",
                            "{\"name\": 1}",
                            "std::vector<int>",
                            "**bold**",
                            "*.cc",
                            "/* c */",
                            "// d",
                            "i++;",
                            "--i;",
                            "x->y",
                            "~/notes",
                            "main.c~",
                            "a^b^c",
                            "^",
                            "x^",
                            "x^-1",
                            "x^0",
                            "~",
                            "*",
                            "+",
                            "-",
                            "-- ",
                            "$HOME",
                            "<a href='x'>",
                            "50%",
                            "#include <x>",
                            "@user",
                            "e.g. this",
                            "what's that?",
                            "a & b | c",
                            "!important",
                            "x~3",
                            "x^99999",
                            "-1 -2.5 +3",
                            "-> <-",
                            "\\",
                            "a\\"}) {
    const std::string text = query;
    INFO(text);
    CHECK(is_text(text.substr(0, text.find_last_not_of(' ') + 1)));
    CHECK(parse_query(text).children[0].occur == Occur::kShould);
  }
  CHECK(parsed("Traceback (most recent call last):") ==
        "[Traceback] ([most recent call last]) [:]");
  CHECK(parsed("at Foo.bar(Foo.java:12) [x.jar:1.0]") == "[at Foo.bar(Foo.java:12) [x.jar:1.0]]");
  CHECK(parsed("printf(\"%s\\n\", name)") == "[printf(\"%s\\n\", name)]");
  CHECK(parsed("\"Ann\", aged 3") == "phrase[Ann] [, aged 3]");
  CHECK(parsed("(call f(a, b) now) x") == "([call f(a, b) now]) [x]");
  CHECK(parsed("\"not\nclosed\" here") == "[\"not\nclosed\" here]");
}

TEST_CASE("operators inside something unpaired are text") {
  CHECK(parsed("(-foo bar") == "[(-foo bar]");
  CHECK(parsed("(\"a b\" c") == "[(] phrase[a b] [c]");
  CHECK(parsed("((a) b") == "[(] ([a]) [b]");
  CHECK(parsed("(a OR b") == "[(a] [b]");
  CHECK(parsed("\"a b\"-c") == "phrase[a b] [-c]");
}

TEST_CASE("a backslash makes an operator a character") {
  CHECK(parsed("\\+a \\\"b \\(c\\)") == "[+a \"b (c)]");
  CHECK(parsed("x\\^2 pre\\* t\\~1") == "[x^2 pre* t~1]");
  CHECK(parsed("title\\:x") == "[title:x]");
  CHECK(parsed(R"("say \"hi\"")") == "phrase[say \"hi\"]");
  CHECK(parsed("x\\\\^2") == "[x\\]^2.00");
  CHECK(parsed("\\\\server\\share") == "[\\server\\share]");
  CHECK(parsed("\\d+ \\w") == "[\\d+ \\w]");
}

TEST_CASE("qmd_563_dotted_and_hyphenated_names_are_one_text") {
  for (const char* query : {"state-of-the-art", "1.0.21", "node.js", "foo_bar", "x86-64",
                            "a@b.example", "llama.cpp-b1234"})
    CHECK(is_text(query));
}

TEST_CASE("spans say where a node stands") {
  const QueryNode tree = parse_query("ab +cd \"e f\"~2 (g h)");
  REQUIRE(tree.children.size() == 4);
  const std::uint32_t spans[][2] = {{0, 2}, {3, 6}, {7, 14}, {15, 20}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(tree.children[i].begin == spans[i][0]);
    CHECK(tree.children[i].end == spans[i][1]);
  }
}

TEST_CASE("round trips of chosen queries") {
  for (const char* query : {"404 AND timeout",
                            "x AND 404",
                            "5* AND 6~1",
                            "a OR b c OR d",
                            "a AND AND",
                            "AND AND AND x",
                            "title:\\:x",
                            "title:-x",
                            "-AND",
                            "+OR x",
                            "title:AND",
                            "\"\\AND\"",
                            "\"x AND y\"",
                            "\"a\\\\\" b",
                            "a \\OR b",
                            "x\\^3^2",
                            "x^2^3",
                            "title:title:x",
                            "+title\\:x",
                            "(5 AND 6) x",
                            "a b 5 AND +c",
                            "(a OR (b OR c)) d",
                            "\\\\AND a",
                            "(a\\)b)",
                            "5^2 AND b",
                            "\"a\"\\~3"})
    check_round_trip(query);
}

TEST_CASE("round trips of random queries") {
  static const std::string kPieces[] = {"a",
                                        "b1",
                                        "5",
                                        "é",
                                        "北",
                                        "AND",
                                        "OR",
                                        "and",
                                        "X",
                                        " ",
                                        " ",
                                        " ",
                                        " ",
                                        "\t",
                                        "\n",
                                        "\"",
                                        "\"",
                                        "(",
                                        ")",
                                        "(",
                                        ")",
                                        "+",
                                        "-",
                                        "~1",
                                        "~2",
                                        "~3",
                                        "*",
                                        "^2",
                                        "^1",
                                        "^0.5",
                                        "^",
                                        "\\",
                                        "\\",
                                        "title:",
                                        "path:",
                                        "text:",
                                        ":",
                                        ".",
                                        "_",
                                        "/",
                                        std::string(1, '\0'),
                                        "\xFF",
                                        "foo",
                                        "\\AND",
                                        "\\OR",
                                        " AND ",
                                        " OR ",
                                        " -a",
                                        " +b",
                                        "\"c d\"",
                                        "(e f)"};
  std::mt19937 random(20260101);
  for (std::size_t i = 0; i < testing::rounds(60'000); ++i) {
    std::string query;
    for (auto n = random() % 16; n > 0; --n) query += kPieces[random() % std::size(kPieces)];
    check_round_trip(query);
  }
}

TEST_CASE("deep nesting becomes text") {
  const std::string deep = std::string(40, '(') + "a" + std::string(40, ')');
  int depth = 0;
  const QueryNode tree = parse_query(deep);
  for (const QueryNode* node = &tree; !node->children.empty(); node = &node->children[0]) ++depth;
  CHECK(depth == 33);
  check_round_trip(deep);
}

TEST_CASE("too many nodes make the query one text") {
  std::string query;
  for (int i = 0; i < 5000; ++i) query += "+w" + std::to_string(i) + " ";
  const QueryNode tree = parse_query(query);
  REQUIRE(tree.children.size() == 1);
  CHECK(tree.children[0].kind == QueryNode::Kind::kText);
  CHECK(tree.children[0].text == query.substr(0, query.size() - 1));
  check_round_trip(query);
  query.resize(query.find("+w4096"));
  CHECK(count_nodes(parse_query(query)) == 4097);
}

TEST_CASE("hostile queries take linear time") {
  const std::size_t size = testing::rounds(1 << 18, 16);
  for (const char* piece :
       {"(",  ")",  "\"",     "\" ", "\"\\\"", "((\"", "OR ",    "AND  ", "a OR ",    "\\",
        "^2", "-(", "title:", "f(",  "(a) ",   "a* ",  "\"a\" ", "+",     "title:\"", "x\\^2"}) {
    std::string query;
    while (query.size() < size) query += piece;
    INFO(piece);
    const std::clock_t start = std::clock();
    const QueryNode tree = parse_query(query);
    CHECK(count_nodes(tree) <= 4097);
    CHECK(parse_query(query_text(tree)) == tree);
    // Of processor time. Linear is a few ms; quadratic would be minutes.
    CHECK((std::clock() - start) / CLOCKS_PER_SEC < 5);
  }
}
