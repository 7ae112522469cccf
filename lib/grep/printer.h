#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grep/matcher.h"
#include "grep/sink.h"

// From what a FileSearcher finds to the bytes that go out. One printer a thread; all write what depends on nothing but the file, so
// that pages can be joined in any number of threads.
namespace ragline {

enum class PrintForm : std::uint8_t {
  kText,     // as ripgrep: path:line:text, or headings
  kRecords,  // `match` records
  kJson,     // ripgrep's events
  kCount,    // path:count (-c)
  kPaths,    // paths of files with a match (-l), or without (-L)
  kNothing
};

struct PrintOptions {
  PrintForm form = PrintForm::kRecords;
  bool path = true, numbers = true, column = false, heading = false, byte_offset = false;
  bool only_matching = false, vimgrep = false, every_column = false;
  bool color = false;
  bool null_after_path = false;       // -0
  bool count_matches = false;         // --count-matches: spans, not lines
  bool include_zero = false;
  bool has_replacement = false;
  std::string replacement;            // $1, ${name}, $0, $$
  std::uint64_t most_columns = 0;     // bytes of a line shown, cut around its first match; 0: all
  std::uint64_t context_lines = 0;    // before and after together: whether gaps are shown
  bool keep_marks = false;            // a Mark for each line, for budgets
  bool extractor = true;
};

// What is known of a file when it is opened.
struct FileIdentity {
  std::string_view path;         // as shown
  std::string_view document_id;  // as ids have it
  std::string_view extractor;    // "" when the canonical text is the file
};

// After a file.
struct FileTotals {
  std::uint64_t lines = 0, bytes = 0;
};

// The end of one line's output (with its context), and where the search would go on behind it.
struct Mark {
  std::size_t end = 0;            // of the page's bytes
  std::uint64_t line_begin = 0;   // offset in the file's canonical text
  std::uint64_t resume = 0;       // the cursor behind the line
};

struct Page {
  std::string bytes;
  std::vector<Mark> marks;
  std::uint64_t spans = 0;  // matches on the lines printed, where the printer looks at them
  std::vector<bool> hits;   // by term: whether it was among them; empty where the printer does not tell
  void clear() {
    bytes.clear();
    marks.clear();
    hits.clear();
    spans = 0;
  }
};

class Printer : public Sink {
 public:
  // Output goes to `page` until the next begin().
  virtual void begin(const FileIdentity& file, Page& page) = 0;
  virtual void end(const FileTotals& totals) = 0;
  // How much of the page is whole: a line that waits for its context is not. For output that is handed on within a file; then
  // taken() says that so many bytes, and all marks, have left the page.
  virtual std::size_t settled() const = 0;
  virtual void taken(std::size_t bytes) = 0;
};

// Both outlive the printer.
std::unique_ptr<Printer> make_printer(const PrintOptions& options, Matcher& matcher);
std::unique_ptr<Printer> make_text_printer(const PrintOptions& options, Matcher& matcher);
std::unique_ptr<Printer> make_record_printer(const PrintOptions& options, Matcher& matcher);
std::unique_ptr<Printer> make_json_printer(const PrintOptions& options, Matcher& matcher);
// ripgrep's closing `summary` event.
struct JsonTotals {
  std::uint64_t searches = 0, with_match = 0, bytes_searched = 0, bytes_printed = 0, lines = 0, matches = 0;
};
void append_json_summary(std::string& out, const JsonTotals& totals);

// The part of a line that is shown when it is longer than `most` bytes: around `focus`, never cut inside a code point.
struct Excerpt {
  std::size_t begin = 0, end = 0;
};
Excerpt cut_excerpt(std::string_view line, ByteSpan focus, std::uint64_t most);

// Replacement text for one match: $1, ${1}, $name, ${name}, $0 and $$.
class Replacement {
 public:
  Replacement(std::string_view text, LineMatcher& matcher);
  void append(std::string& out, std::string_view line, ByteSpan span);

 private:
  struct Piece {
    std::string literal;
    int group = -1;  // or the capture to put in
  };
  LineMatcher& matcher_;
  std::vector<Piece> pieces_;
  std::vector<ByteSpan> groups_;
};

}  // namespace ragline
