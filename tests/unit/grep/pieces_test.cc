#include "grep/pieces.h"

#include <algorithm>

#include "catch.h"
#include "grep/engine.h"
#include "rounds.h"
#include "temporary_folder.h"
#include "twin.h"

using namespace ragline;
using namespace ragline::grep_test;

namespace {

// A file in a folder of its own, gone with the object.
class OneFile {
 public:
  std::string path() const { return folder_.at("file.txt"); }
  void write(std::string_view text) const { folder_.write("file.txt", text); }

 private:
  testing::TemporaryFolder folder_;
};

struct Ran {
  std::string output;
  EngineReport report;
};

Ran run(const std::shared_ptr<const GrepQuery>& query, const OneFile& file, const EngineOptions& options, bool resumed = false) {
  Ran ran;
  auto report = run_engine(query, list_targets({file.path()}, "/"), resumed ? file.path() : "", {}, options,
                           [&](std::string_view bytes) -> Status {
                             ran.output += bytes;
                             return {};
                           },
                           {});
  REQUIRE(report);
  ran.report = std::move(*report);
  return ran;
}

EngineOptions random_options(Random& random) {
  static constexpr PrintForm kForms[] = {PrintForm::kText, PrintForm::kRecords, PrintForm::kJson, PrintForm::kCount};
  EngineOptions options;
  options.print.form = kForms[random.below(std::size(kForms))];
  options.scan.only_count = options.print.form == PrintForm::kCount;
  options.scan.invert = random.one_in(4);
  options.scan.number_lines = options.print.form != PrintForm::kText || random.one_in(2);
  options.print.numbers = options.scan.number_lines;
  if (!options.scan.only_count) {
    options.scan.before = random.below(4);
    options.scan.after = random.below(4);
    if (random.one_in(6)) options.scan.before = 60;
  }
  options.print.context_lines = options.scan.before + options.scan.after;
  // ripgrep's events tell how far was read, which with a bound depends on the size of the pieces (but not on the threads).
  if (options.print.form != PrintForm::kJson && random.one_in(4)) options.scan.most = random.below(6);
  if (random.one_in(4)) options.budgets.matches = 1 + random.below(8);
  if (random.one_in(6)) options.budgets.output_bytes = 1 + random.below(2000);
  options.print.keep_marks = options.budgets.needs_marks();
  options.most_line_bytes = random.one_in(3) ? 24 + random.below(40) : 1 << 20;
  return options;
}

}  // namespace

TEST_CASE("a file in pieces gives the bytes that it gives in one, for any number of threads") {
  const unsigned seed = 20261130;
  Random random(seed);
  const OneFile file;
  for (std::size_t round = 0; round < testing::rounds(150, 10); ++round) {
    std::string text = random_text(random, 1000, random.one_in(2));
    if (random.one_in(3)) text.insert(random.below(text.size() + 1), std::string(random.below(300), 'x'));
    std::erase(text, '\0');  // in the first block it would make the file binary
    file.write(text);
    std::vector<std::string> patterns{random_pattern(random)};
    if (random.one_in(3)) patterns.push_back(random_pattern(random));
    const auto query = ask(patterns, {.ignore_case = random.one_in(3), .word = random.one_in(5)}, kRoutes[random.below(std::size(kRoutes))]);
    REQUIRE(query);
    EngineOptions options = random_options(random);
    const bool resumed = random.one_in(4);
    if (resumed) options.start_offset = random.below(text.size() + 2);
    INFO("seed " << seed << ", round " << round << ", pattern '" << patterns[0] << "', longest line " << options.most_line_bytes << ", text '" << text << "'");

    options.large_bytes = 1 << 20;
    const Ran whole = run(*query, file, options, resumed);
    options.large_bytes = 1;
    options.block_bytes = 16 + random.below(200);
    const Ran one = run(*query, file, options, resumed);
    CHECK(one.output == whole.output);
    CHECK(one.report.lines == whole.report.lines);
    CHECK(one.report.long_lines == whole.report.long_lines);
    CHECK(one.report.stop_reason == whole.report.stop_reason);
    CHECK(one.report.next == whole.report.next);
    if (options.scan.most == ScanOptions{}.most) CHECK(one.report.bytes == whole.report.bytes);
    for (const int threads : {2, 4}) {
      options.threads = threads;
      const Ran more = run(*query, file, options, resumed);
      CHECK(more.output == one.output);
      CHECK(more.report.bytes == one.report.bytes);
      CHECK(more.report.next == one.report.next);
    }
  }
}

TEST_CASE("a line is cut where its length says, however the buffer has grown before") {
  const auto query = ask({"x"});
  REQUIRE(query);
  const std::string line = std::string(60, 'x') + "\n" + std::string(70, 'x') + "\n";
  auto pieces_of = [&](std::size_t block) {
    BlockReader reader({block, 64, 0});
    const std::string first(1000, 'y');
    MemorySource before(first), source(line);
    LineBlock piece;
    reader.start(before);  // the buffer grows
    while (*reader.next(piece)) {
    }
    reader.start(source);
    std::vector<std::size_t> ends;
    while (*reader.next(piece)) ends.push_back(piece.offset + piece.text.size());
    return ends;
  };
  const std::vector<std::size_t> expected{61, 125, 132};
  CHECK(pieces_of(16) == expected);
  CHECK(pieces_of(128) == expected);
}
