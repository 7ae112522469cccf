#pragma once
#include <random>
#include <string>

#include "record/record.h"
#include "record/writer.h"

// Records of every type with hostile content, for property tests. Deterministic in the seed.
namespace ragline {

class RandomRecords {
 public:
  explicit RandomRecords(std::uint32_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool coin() { return below(2) == 0; }

  // Any bytes at all.
  std::string bytes() {
    std::string out(below(40), '\0');
    for (char& c : out) c = static_cast<char>(static_cast<unsigned char>(random_()));
    return out;
  }
  // UTF-8 made of what escapers and parsers trip over.
  std::string text() {
    static const std::string kPieces[] = {"a",      "word ",    "\"",
                                          "\\",     "\\u0041",  "\n",
                                          "\r\n",   "\t",       std::string(1, '\0'),
                                          "\x1f",   "\x7f",     "/",
                                          "<",      "é",        "\u2028",
                                          "\u2029", "中文",     "😀",
                                          "\uFFFD", "{\"a\":[", "]}",
                                          "#1-2@",  "12345678", "        "};
    std::string out;
    for (auto n = below(12); n > 0; --n) out += kPieces[below(std::size(kPieces))];
    return coin() ? out : "";
  }
  std::uint64_t count() { return coin() ? below(100) : random_() * 0x9E3779B97F4A7C15u; }
  double number() {
    switch (below(4)) {
      case 0:
        return static_cast<double>(below(1000));
      case 1:
        return static_cast<double>(random_()) / 977.0;
      case 2:
        return -1e-300 * static_cast<double>(below(9));
      default:
        return 1e300 / static_cast<double>(1 + below(9));
    }
  }
  std::vector<std::string> list() {
    std::vector<std::string> out(below(4));
    for (auto& item : out) item = text();
    return out;
  }
  RawJson object() {
    static const RawJson kObjects[] = {"", "{}", R"({"a": 1, "b":[1,{"c":null}]})",
                                       R"({"big":123456789012345678901234567890})",
                                       R"({"u":"\u0000\ud83d\ude00"})"};
    return kObjects[below(std::size(kObjects))];
  }
  std::string extra() {
    static const std::string kMembers[] = {
        R"("x1":-1)",       R"("big":123456789012345678901234567890)",
        R"("k\"ey":"v\n")", R"("nested":{"type":"chunk", "text":[]})",
        R"("f":1.50e+10)",  R"("n":null)",
        R"("":"")"};
    std::string out;
    for (auto n = below(4); n > 0; --n) {
      if (!out.empty()) out += ',';
      out += kMembers[below(std::size(kMembers))];
    }
    return out;
  }
  Governance governance() {
    Governance g;
    g.tenant = text();
    if (coin()) g.acl = list();
    g.effective_from = text();
    g.effective_to = text();
    return g;
  }
  Document document() {
    return {text(), text(), coin() ? bytes() : text(),
            text(), text(), governance(),
            text(), text(), object(),
            text(), extra()};
  }
  Chunk chunk() {
    Chunk c;
    c.evidence_id = text();
    c.document_id = text();
    c.version = text();
    c.ordinal = count();
    c.parent_id = text();
    c.path = coin() ? bytes() : text();
    c.title = text();
    c.section_path = list();
    if (coin()) c.page = count();
    c.block_type = text();
    if (coin()) c.lines = LineSpan{1 + below(50), 100 + below(50)};
    if (coin()) c.bytes = ByteSpan{below(50), UINT64_MAX - below(50)};
    c.text = text();
    c.context = text();
    c.media_type = text();
    c.language = text();
    c.governance = governance();
    c.checksum = text();
    c.extractor = text();
    c.metadata = object();
    if (coin()) c.vector = coin() ? "[0.5,-1e-3]" : R"("AACAPw==")";
    c.extra = extra();
    return c;
  }
  Query query() {
    Query q{text(), text(), list(), list(), text(), "", extra()};
    if (coin()) q.vector = "[1,2]";
    return q;
  }
  Hit hit() {
    Hit h;
    h.query_id = text();
    h.rank = count();
    h.score = number();
    h.method = text();
    for (auto n = below(3); n > 0; --n) h.scores.push_back({text(), number(), count(), extra()});
    h.chunk = chunk();
    h.explain = object();
    if (coin()) h.spans = "[[0,4],[9,12]]";
    return h;
  }
  End end() {
    End e;
    e.query_id = text();
    if (coin()) e.counts = {{"hits", count()}, {"matched", count()}, {"odd \" name", count()}};
    e.complete = coin();
    e.stop_reason = text();
    e.next = text();
    for (auto n = below(3); n > 0; --n) e.skipped.emplace_back(text(), count());
    e.warnings = list();
    e.suggestions = list();
    e.facets = object();
    e.as_of = text();
    for (auto n = below(3); n > 0; --n) e.stats.emplace_back(text(), number());
    e.extra = extra();
    return e;
  }
  Record record() {
    switch (below(6)) {
      case 0:
        return document();
      case 1:
        return chunk();
      case 2:
        return query();
      case 3:
        return hit();
      case 4:
        return end();
      default: {
        std::string line = R"({"type":"match","text":)";
        append_json_string(line, text());
        return OtherRecord{"match", line + R"(, "n":12345678901234567890123})"};
      }
    }
  }

 private:
  std::mt19937 random_;
};

}  // namespace ragline
