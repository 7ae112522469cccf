#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grep/block_reader.h"
#include "grep/file_searcher.h"
#include "grep/matcher.h"
#include "grep/pike.h"
#include "grep/re2_program.h"
#include "grep/sink.h"

namespace ragline {

// -U: matches that may go over line ends, in a window that slides over the file. A match of up to ScanOptions::window bytes is found
// wherever it lies; a longer one may be cut or missed. What is shown are the whole lines that a match touches; matches that share a
// line are shown as one.
//   Memory   two windows
//   ^ $ \A   ^ and $ are line ends; \A and \z are the ends of the file
class MultilineSearcher {
 public:
  MultilineSearcher(Matcher& matcher, const ScanOptions& options) : matcher_(matcher), options_(options) {}
  Result<ScanResult> search(BlockReader& reader, Sink& sink, const GoOn& go_on, std::uint64_t from = 0);

 private:
  bool find(std::string_view text, std::size_t from, ByteSpan& span);
  // Handles the matches that begin before `limit`. False: enough of this file.
  bool search_window(Sink& sink, std::size_t limit);
  bool show(Sink& sink, std::size_t begin, std::size_t end);
  void give_lines(Sink& sink, std::size_t begin, std::size_t end, bool before);
  std::size_t line_begin(std::size_t at) const;
  std::size_t line_behind(std::size_t at) const;
  std::uint64_t number_of(std::size_t at);
  void slide(std::size_t to);

  Matcher& matcher_;
  const ScanOptions options_;
  std::optional<Re2Program> program_;
  std::unique_ptr<Regex> whole_;
  std::unique_ptr<PikeVm> pike_;

  ScanResult result_;
  std::string text_;
  std::uint64_t offset_ = 0;       // of text_[0]
  std::size_t at_ = 0;             // searched up to here
  std::size_t shown_ = 0;          // lines before it were handed out
  std::size_t counted_ = 0;
  std::uint64_t line_number_ = 1, after_left_ = 0;
  bool any_shown_ = false;
  std::vector<ByteSpan> spans_;
};

}  // namespace ragline
