// Reads and writes chunk records with about 2 kB of text: the rates that record/reader.h and
// record/writer.h promise. CPU time, so that a busy machine does not blur it. Usage: record_bench
// [megabytes], 256 by default.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "record/reader.h"
#include "record/writer.h"

namespace {

using namespace ragline;

double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// One kind of text: how many words in a hundred are quoted (and so hold two escapes), and how many
// are not ASCII.
struct Kind {
  const char* name;
  unsigned quoted, chinese;
};

// Lines of about 80 characters.
std::string prose(std::mt19937& random, std::size_t size, const Kind& kind) {
  static const char* const kWords[] = {"the",     "order",  "was",      "cancelled", "before", "it",
                                       "shipped", "refund", "customer", "state",     "of",     "to",
                                       "a",       "update", "status",   "in"};
  std::string text;
  std::size_t line = 0;
  while (text.size() < size) {
    std::string word =
        random() % 100 < kind.chinese ? "订单状态" : kWords[random() % std::size(kWords)];
    if (random() % 100 < kind.quoted) word = '"' + word + '"';
    text += word;
    line += word.size() + 1;
    text += line > 80 ? '\n' : ' ';
    if (line > 80) line = 0;
  }
  return text;
}

Chunk sample(std::mt19937& random, const Kind& kind) {
  Chunk chunk;
  chunk.document_id = chunk.path = "docs/guide/orders-and-refunds.md";
  chunk.evidence_id = chunk.document_id + "#1204-3310@9f2c51aa03de";
  chunk.ordinal = random() % 100;
  chunk.title = "Orders and refunds";
  chunk.section_path = {"Orders", "Cancelling", "Refunds"};
  chunk.block_type = "paragraph";
  chunk.lines = LineSpan{40, 66};
  chunk.bytes = ByteSpan{1204, 3310};
  chunk.text = prose(random, 2048, kind);
  chunk.media_type = "text/markdown";
  chunk.language = "en";
  chunk.checksum = "0123456789abcdef";
  chunk.metadata = R"({"author":"someone","year":2026})";
  return chunk;
}

template <class Work>
double best_rate(std::size_t bytes, Work work) {
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const double start = cpu_seconds();
    work();
    best = std::max(best, static_cast<double>(bytes) / (cpu_seconds() - start));
  }
  return best;
}

void measure(const Kind& kind, std::size_t megabytes) {
  std::mt19937 random(1);
  std::vector<Chunk> chunks;
  for (int i = 0; i < 1000; ++i) chunks.push_back(sample(random, kind));
  const std::size_t target = megabytes << 20;
  std::string lines;
  lines.reserve(target + 4096);
  for (std::size_t i = 0; lines.size() < target; ++i)
    write_record(lines, chunks[i % chunks.size()]);

  const double write = best_rate(lines.size(), [&] {
    std::string out;
    std::size_t written = 0;
    for (std::size_t i = 0; written < lines.size(); ++i) {
      const std::size_t before = out.size();
      write_record(out, chunks[i % chunks.size()]);
      written += out.size() - before;
      if (out.size() > (1u << 20)) out.clear();
    }
  });
  std::size_t text = 0;
  const double read = best_rate(lines.size(), [&] {
    LineReader reader("memory", lines);
    RecordParser parser;
    for (Line line; *reader.next(line);)
      text += std::get<Chunk>(*parser.parse(line.bytes)).text.size();
  });
  const double check = best_rate(lines.size(), [&] {
    LineReader reader("memory", lines);
    for (Line line; *reader.next(line);) text += check_json(line.bytes).has_value();
  });
  std::printf("%-8s read %5.2f GB/s   write %5.0f MB/s   check %5.2f GB/s   (%zu)\n", kind.name,
              read / 1e9, write / 1e6, check / 1e9, text % 10);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t megabytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 256;
  for (const Kind& kind :
       {Kind{"prose", 1, 0}, {"code", 10, 0}, {"mixed", 1, 12}, {"chinese", 1, 100}})
    measure(kind, megabytes);
}
