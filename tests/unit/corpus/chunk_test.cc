#include "corpus/chunk.h"

#include <algorithm>
#include <ctime>
#include <functional>

#include "catch.h"
#include "core/text.h"
#include "random_text.h"
#include "record/evidence.h"

using namespace ragline;

namespace {

ParsedDocument parse(std::string_view type, std::string_view text) {
  auto parsed = parse_document("docs/a#b.md", "docs/a#b.md", type, text, {});
  REQUIRE(parsed.has_value());
  return std::move(*parsed);
}

std::vector<Chunk> chunks_of(std::string_view type, std::string_view text, std::uint32_t size = 400,
                             std::uint32_t overlap = 0) {
  return cut_chunks(parse(type, text), {size, overlap});
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// What holds for the chunks of every document.
void check_chunks(const std::string& text, const std::vector<Chunk>& chunks, std::uint32_t size) {
  REQUIRE_FALSE(chunks.empty());
  std::string whole;
  // Line breaks before each byte, so that a check costs no walk over the text.
  std::vector<std::uint64_t> breaks(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i) breaks[i + 1] = breaks[i] + (text[i] == '\n');
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const Chunk& chunk = chunks[i];
    CHECK(chunk.ordinal == i);
    REQUIRE(chunk.bytes.has_value());
    CHECK(text.substr(chunk.bytes->begin, chunk.bytes->end - chunk.bytes->begin) == chunk.text);
    const auto id = parse_evidence_id(chunk.evidence_id);
    REQUIRE(id.has_value());
    CHECK(id->document_id == chunk.document_id);
    CHECK(id->bytes == *chunk.bytes);
    CHECK(id->hash == evidence_hash(chunk.text));
    if (!chunk.text.empty()) {
      CHECK(chunk.lines->first == 1 + breaks[chunk.bytes->begin]);
      CHECK(chunk.lines->last == 1 + breaks[chunk.bytes->end - 1]);
    }
    if (chunk.text.size() > std::string("👩‍👩‍👧").size())
      CHECK(estimate_tokens(chunk.text) <= size);
    whole += chunk.text;
  }
  CHECK(whole == text);
}

}  // namespace

TEST_CASE("chunks of every text type tile random documents") {
  using Make = std::string (test::RandomText::*)();
  const std::pair<const char*, Make> kinds[] = {
      {"text/markdown", &test::RandomText::markdown}, {"text/plain", &test::RandomText::plain},
      {"text/x-log", &test::RandomText::log},         {"text/x-c++", &test::RandomText::code},
      {"text/csv", &test::RandomText::csv},           {"text/x-rst", &test::RandomText::plain},
      {"text/x-asciidoc", &test::RandomText::plain},  {"text/x-org", &test::RandomText::plain},
      {"application/jsonl", &test::RandomText::log}};
  for (auto [type, make] : kinds)
    for (unsigned seed = 1; seed <= 60; ++seed) {
      INFO(type << " seed " << seed);
      test::RandomText random(seed);
      const std::string text = (random.*make)();
      const auto size = static_cast<std::uint32_t>(1 + random.below(seed % 4 ? 60 : 500));
      check_chunks(text, chunks_of(type, text, size), size);
    }
}

TEST_CASE("blocks tile the text and lie in their sections") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const std::string text = test::RandomText(seed).markdown();
    const ParsedDocument parsed = parse("text/markdown", text);
    std::uint64_t at = 0;
    for (const Block& block : parsed.blocks) {
      CHECK(block.bytes.begin == at);
      CHECK(block.bytes.end > at);
      at = block.bytes.end;
      const Section& section = parsed.sections[block.section];
      CHECK(section.bytes.begin <= block.bytes.begin);
      CHECK(block.bytes.end <= section.bytes.end);
    }
    if (!parsed.blocks.empty()) CHECK(at == text.size());
  }
}

TEST_CASE("a heading starts a chunk and never ends one") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    test::RandomText random(seed);
    const std::string text = random.markdown();
    const ParsedDocument parsed = parse("text/markdown", text);
    const auto chunks = cut_chunks(parsed, {400, 0});
    for (std::size_t b = 0; b + 1 < parsed.blocks.size(); ++b) {
      if (parsed.blocks[b].type != "heading") continue;
      const ByteSpan bytes = parsed.blocks[b].bytes;
      for (const Chunk& chunk : chunks) CHECK(chunk.bytes->end != bytes.end);
      const bool after_heading = b > 0 && (parsed.blocks[b - 1].type == "heading" ||
                                           parsed.blocks[b - 1].type == "front_matter");
      if (!after_heading)
        CHECK(std::ranges::any_of(
            chunks, [&](const Chunk& chunk) { return chunk.bytes->begin == bytes.begin; }));
    }
  }
}

// qmd 2.5.0 counted lines from the start of the chunk.
TEST_CASE("qmd_lines_are_file_absolute") {
  const auto chunks = chunks_of("text/markdown", "# A\n\none\n\n# B\n\ntwo\nthree\n");
  REQUIRE(chunks.size() == 2);
  CHECK(chunks[0].lines == LineSpan{1, 4});
  CHECK(chunks[1].lines == LineSpan{5, 8});
}

TEST_CASE("a chunk knows its place") {
  const auto chunks = chunks_of("text/markdown",
                                "# Guide\n\nIntro.\n\n## Refunds\n\n### Unshipped\n\nWithin 14 "
                                "days.\n\n## Contact\n\nMail us.\n");
  REQUIRE(chunks.size() == 3);
  CHECK(chunks[0].section_path == std::vector<std::string>{"Guide"});
  CHECK(chunks[1].section_path == std::vector<std::string>{"Guide", "Refunds", "Unshipped"});
  CHECK(chunks[1].text == "## Refunds\n\n### Unshipped\n\nWithin 14 days.\n\n");
  CHECK(chunks[2].section_path == std::vector<std::string>{"Guide", "Contact"});
  for (const Chunk& chunk : chunks) {
    CHECK(chunk.title == "Guide");
    CHECK(chunk.block_type == "paragraph");
  }
  // The parent is the smallest section that holds more than the chunk.
  const auto parent = parse_evidence_id(chunks[1].parent_id);
  REQUIRE(parent.has_value());
  CHECK(parent->bytes.begin == 0);
  CHECK(chunks[0].parent_id == chunks[1].parent_id);
}

TEST_CASE("a document without sections has no parents") {
  for (const Chunk& chunk : chunks_of("text/plain", repeat("word word word\n\n", 400), 50))
    CHECK(chunk.parent_id.empty());
}

TEST_CASE("sizes are evened out") {
  const auto chunks =
      chunks_of("text/plain", repeat("one two three four five\n\n", 90), 400);  // 90 * 5.25 tokens
  REQUIRE(chunks.size() == 2);
  CHECK(estimate_tokens(chunks[1].text) > 200);
}

TEST_CASE("a few words go with what follows") {
  const auto chunks =
      chunks_of("text/markdown", cat("Example:\n\n```\n", repeat("call(me)\n", 100), "```\n"), 400);
  CHECK(chunks[0].text.starts_with("Example:\n\n```\ncall"));
}

TEST_CASE("a table in pieces carries its header") {
  const auto chunks = chunks_of(
      "text/markdown", cat("| id | name |\n|---|---|\n", repeat("| 1 | some name |\n", 100)), 100);
  REQUIRE(chunks.size() > 2);
  CHECK(chunks[0].context.empty());
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    CHECK(chunks[i].context == "| id | name |\n|---|---|");
    CHECK(chunks[i].block_type == "table");
    CHECK(chunks[i].text.starts_with("| 1"));
  }
}

TEST_CASE("rows of a CSV carry its header") {
  const auto chunks =
      chunks_of("text/csv", cat("id,name\n", repeat("1,\"two\nlines\"\n", 100)), 60);
  REQUIRE(chunks.size() > 2);
  CHECK(chunks[0].context.empty());
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    CHECK(chunks[i].context == "id,name");
    CHECK(chunks[i].text.starts_with("1,\"two"));
    CHECK(chunks[i].block_type == "row");
  }
}

TEST_CASE("a header of a megabyte is not repeated") {
  const auto chunks =
      chunks_of("text/csv", cat(repeat("name,", 1000), "x\n", repeat("1,2\n", 1000)), 100);
  for (const Chunk& chunk : chunks) CHECK(chunk.context.size() <= 1024);
}

TEST_CASE("overlap repeats the end of the chunk before, within a section") {
  const auto chunks = chunks_of(
      "text/markdown", cat("# A\n\n", repeat("one two three four five.\n", 60), "\n# B\n\nend\n"),
      100, 20);
  REQUIRE(chunks.size() > 3);
  for (std::size_t i = 1; i + 1 < chunks.size(); ++i) {
    CHECK(chunks[i].bytes->begin < chunks[i - 1].bytes->end);
    CHECK(estimate_tokens(chunks[i].text) <= 100);
    CHECK(chunks[i].text.starts_with("one"));
    const auto shared = chunks[i].text.substr(0, chunks[i - 1].bytes->end - chunks[i].bytes->begin);
    CHECK(estimate_tokens(shared) <= 20);
  }
  CHECK(chunks.back().text.starts_with("# B"));
  CHECK(chunks[1].lines->first == 1 + 2 + (chunks[1].bytes->begin - 5) / 25);
}

// code-index-mcp PR 22: one minified line flooded the reader.
TEST_CASE("code_index_mcp_22_minified_lines_are_cut") {
  const std::string text = repeat("function(a,b){return a+b};", 40000);  // a megabyte
  const auto chunks = chunks_of("text/javascript", text);
  check_chunks(text, chunks, 400);
  CHECK(chunks.size() > 1000);
}

TEST_CASE("white space and endless words fill no chunk beyond bounds") {
  for (const std::string& text : {repeat(" ", 1 << 20), repeat("\n", 1 << 20), repeat("a", 1 << 20),
                                  "x" + repeat(" \t", 1 << 18) + "y"}) {
    for (const Chunk& chunk : chunks_of("text/x-c", text)) {
      if (text.find_first_not_of(" \n") != text.npos) CHECK(chunk.text.size() <= 400 * 32);
    }
  }
}

TEST_CASE("an empty text is one empty chunk") {
  const auto chunks = chunks_of("text/plain", "");
  REQUIRE(chunks.size() == 1);
  CHECK(chunks[0].text.empty());
  CHECK(chunks[0].bytes == ByteSpan{0, 0});
}

// A quadratic parser or chunker takes 100 times the steps for 10 times the text: the ratio of two
// processor times says so on any machine, with sanitizers too. Short times are noise.
TEST_CASE("hostile input costs linear time") {
  const auto seconds = [](const char* type, const std::string& text) {
    const std::clock_t start = std::clock();
    chunks_of(type, text);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  for (const char* type : {"text/markdown", "text/plain", "text/x-rst", "text/x-org", "text/csv",
                           "text/x-log", "text/x-c", "text/html"})
    for (const std::string_view unit :
         {">",      "[",   "*",       "#",     "`",     "- ",      "> - ",  "\"",
          "|",      "<",   "<b>",     "<div>", "</p>",  "<table>", "<a b=", "<!--",
          "&",      "\n",  " ",       "~~~\n", "# x\n", "- \n",    "|-",    "\xCC\x81",
          "a\n=\n", ",\"", "<td><p>", "===\n", "x<i>"}) {
      INFO(type << " of " << unit);
      const double small = seconds(type, repeat(unit, 2000 / unit.size()));
      const double large = seconds(type, repeat(unit, 20000 / unit.size()));
      CHECK(large < 40 * std::max(small, 0.01));
    }
}
