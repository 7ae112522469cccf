#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "grep/block_reader.h"
#include "grep/matcher.h"
#include "grep/sink.h"

namespace ragline {

struct ScanOptions {
  std::uint64_t before = 0, after = 0;  // lines of context
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  // matching lines a file, -m
  bool invert = false;
  bool number_lines = true;
  bool only_count = false;  // no line is handed out
  bool look_past = false;   // read on behind the last of `most` lines to tell whether there is another
  std::uint64_t near = 0;   // lines within which the other conjuncts of the line condition may hold
  std::uint64_t window = 8 << 20;  // bytes that a match across lines may have
};

struct ScanResult {
  std::uint64_t lines = 0;   // matching lines (matches, across lines)
  std::uint64_t bytes = 0;   // of canonical text looked at
  bool stopped = false;      // `go_on` or the sink ended it before the end of the file
  bool capped = false;       // there are more than `most` matching lines
};

// Whether to go on, asked between blocks: `offset` is how far the file has been searched.
using GoOn = std::function<bool(std::uint64_t offset)>;

// Searches one file after the other: blocks from a reader, lines to a sink. The lines before `from` (an offset at which a line begins
// or within one) are counted, not searched: that is how a cursor is taken up. The line that holds byte `from` - 1 belongs to what
// was before.
//   Threads  one, with its Matcher
//   Errors   those of the reader
class FileSearcher {
 public:
  FileSearcher(Matcher& matcher, const ScanOptions& options) : matcher_(matcher), options_(options) {}
  Result<ScanResult> search(BlockStream& reader, Sink& sink, const GoOn& go_on, std::uint64_t from = 0);

  // Matching lines of the search that is under way.
  std::uint64_t lines_so_far() const { return result_.lines; }

  // Whether the file meets the query's file condition. Reads no further than it needs.
  Result<bool> meets_file_condition(BlockReader& reader, const GoOn& go_on);
  // For `near`: reads the whole file and remembers where the conjuncts hold, for the search() that follows.
  Status note_near(BlockReader& reader, const GoOn& go_on);

 private:
  using Line = LinePlace;
  std::size_t line_begin(std::size_t at, std::size_t least) const;
  Line line_at(std::size_t begin) const;
  bool next_hit(std::size_t from, Line& line);
  bool next_known_hit(std::size_t from, Line& line);
  bool next_match(std::size_t from, Line& line);
  void advance_hit(std::size_t from);

  void start_block(const LineBlock& block);
  void end_block(const LineBlock& block);
  bool search_block(Sink& sink, std::size_t from);
  bool take_match(Sink& sink, const Line& line);
  void give_before(Sink& sink, std::size_t match_begin);
  void give_after(Sink& sink, std::size_t limit);
  void give_tail(Sink& sink, std::size_t from);
  std::uint64_t number_of(std::size_t at);
  FoundLine found_line(const Line& line);
  bool is_near(std::string_view text, std::uint64_t number);

  Matcher& matcher_;
  const ScanOptions options_;
  ScanResult result_;

  // The block: the lines kept from the one before it, then its own.
  std::string_view text_;
  std::size_t own_ = 0;       // where its own lines begin
  std::uint64_t offset_ = 0;  // of text_[0]
  const std::vector<HitLine>* hits_ = nullptr;  // of its own lines, where they are known
  std::size_t hit_at_ = 0;                      // the first of them that is not behind us
  std::uint64_t first_number_ = 1;              // of the line that its own text begins in
  std::size_t counted_ = 0;   // newlines before this place are in line_number_
  std::uint64_t line_number_ = 1;
  std::size_t shown_ = 0;     // lines before this place were handed out, or cannot be any more
  std::uint64_t after_left_ = 0;
  bool any_shown_ = false;
  bool skipped_ = false;      // lines behind the last one shown have left the buffer
  bool draining_ = false;     // `most` was reached: only lines behind the last match are still due
  Line hit_;                  // with invert: the next line that does match
  bool has_hit_ = false;

  std::vector<std::vector<std::uint64_t>> near_lines_;  // by term, ascending
};

}  // namespace ragline
