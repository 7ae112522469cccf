#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "record/record.h"

// Reading JSON Lines.
//
// Cost: about 1 GB/s on chunk records of 2 kB (tests/bench/record_bench.cc). Every byte of a line
// is checked to be JSON and UTF-8, fields that are only kept too. Nesting deeper than 1024 levels
// is an error.
//
// Memory: a parser keeps a few times its longest line; a reader twice its longest line, or 2 MiB.
//
// Threads: a reader or parser belongs to one thread; give each thread its own.
namespace ragline {

struct Line {
  std::string_view bytes;  // without the newline (and a CR before it); valid until the next call
  std::uint64_t number;    // from 1
};

// Lines of a file or of standard input ("-"), in blocks, of any length up to max_line bytes.
class LineReader {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{1} << 30;
  // name: a path, or "-" for standard input. kNotFound or kIo, with the name and the remedy.
  static Result<LineReader> open(const std::string& name, std::size_t max_line = kMaxLine);
  // Over bytes in hand, which must outlive the reader. `name` is for messages.
  LineReader(std::string name, std::string_view bytes);
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;
  ~LineReader();

  // False at the end. Blank lines are skipped (but counted). A UTF-8 byte-order mark at the start
  // is dropped. kData for a line that is too long (or UTF-16): line.number names it, and the next
  // call goes on behind it. kIo ends the reading.
  Result<bool> next(Line& line);
  // For messages: the path, or "standard input".
  const std::string& name() const;

 private:
  struct State;
  explicit LineReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// How rows without a `type` are taken: BEIR rows {"_id","title","text","metadata"} are documents or
// queries, whichever the tool reads; a numeric _id is taken as its text. Other rows without a type
// are documents when they have document_id and text, queries when they have `query`.
enum class RowKind { kDocument, kQuery };

class RecordParser {
 public:
  explicit RecordParser(RowKind untyped = RowKind::kDocument);
  RecordParser(RecordParser&&) noexcept;
  RecordParser& operator=(RecordParser&&) noexcept;
  ~RecordParser();

  // One line to one record. Members may come in any order; of a repeated one the last counts (in
  // `extra` and in the counts of `end` all are kept). A known member that is null is absent. Half a
  // surrogate pair becomes U+FFFD. No member is required: a tool checks for those that it needs.
  // The error, always kData, says what is wrong and what would be right, without the place: callers
  // add "file:line: " with at_line().
  Result<Record> parse(std::string_view line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// "name:number: message", the same kind.
Error at_line(const Error& error, std::string_view name, std::uint64_t number);

// Flat access to any JSON value, for metadata filters and for options in JSON. Path "a.b" reaches
// into objects.
struct JsonScalar {
  enum class Kind { kNull, kBool, kNumber, kString } kind = Kind::kNull;
  bool boolean = false;
  double number = 0;
  std::string text;  // the string; for a number its text as written
};
// Calls visit(key path, scalar) for every scalar in a JSON object, depth first; each element of a
// list is visited under the list's own path. Keys that contain '.' are visited as they are. kData
// on invalid JSON.
Status for_each_scalar(std::string_view json,
                       const std::function<void(std::string_view, const JsonScalar&)>& visit);
// kData unless `json` is one valid JSON value.
Status check_json(std::string_view json);

}  // namespace ragline
