#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "grep/budget.h"
#include "grep/file_searcher.h"
#include "grep/opener.h"
#include "grep/printer.h"
#include "grep/query.h"
#include "grep/targets.h"

// A whole search: targets → threads that search and print → output in the order of the targets.
//
//   Order     the same bytes for any number of threads: a batch's page is written when all before it are; a thread whose page grows
//             large waits for its turn, so memory stays bounded
//   Large     files are cut into pieces (pieces.h), which threads without a file of their own look through in advance
//   Budgets   are charged when a page is written, in order, so that they do not depend on threads either; the time is the exception
namespace ragline {

struct EngineOptions {
  ScanOptions scan;
  PrintOptions print;
  Budgets budgets;
  std::size_t block_bytes = 128 << 10;
  std::size_t most_line_bytes = 1 << 20;
  std::uint64_t large_bytes = 32 << 20;  // a plain file from this size on is searched by all threads that are free, piece by piece
  std::uint64_t most_file_bytes = 0;  // larger files are skipped; 0: none is
  bool binary_as_text = false;        // -a
  std::string encoding = "auto";      // or "none", or a name that decode_as knows
  bool decompress = false;            // -z
  bool follow_links = false;
  bool only_files = false;            // --files: nothing is opened
  bool without_match = false;         // -L
  bool stop_at_first = false;         // -q
  int threads = 1;
  std::uint64_t search_hash = 0;      // Cursor::search
  std::uint64_t start_offset = 0;     // of the first target: a cursor's
  // Checked before every open, where given: whether the caller may read this document.
  std::function<bool(std::string_view document_id)> may_read;
};

// A file that was not searched, as it is told to the caller, in order.
struct Skip {
  std::string path;
  SkipReason reason{};
  std::string detail;
};

struct EngineReport {
  std::uint64_t seen = 0, searched = 0, matched = 0;  // files
  std::uint64_t lines = 0, spans = 0, bytes = 0, printed = 0;
  std::uint64_t matched_bytes = 0;  // of the files with a match
  std::uint64_t long_lines = 0, capped_files = 0;
  std::vector<std::pair<SkipReason, std::uint64_t>> skipped;  // by reason, in the order of the enumeration
  std::vector<Skip> unreadable;                               // the first hundred
  std::vector<std::string> binary_named;                      // named by the caller and skipped as binary; the first ten
  std::vector<bool> pattern_hit;                              // by term, where the form of output tells
  std::string stop_reason;  // "limit:max-matches", ...; "" when nothing was cut
  std::string next;         // cursor
  std::uint64_t skips(SkipReason reason) const;
};

using Write = std::function<Status(std::string_view)>;

// `write` gets the output up to the budgets, in pieces; `spill`, where given, all of it whatever the output budgets. Errors: those of
// write, kInterrupted; a file that cannot be read is none.
Result<EngineReport> run_engine(std::shared_ptr<const GrepQuery> query, std::unique_ptr<TargetStream> targets, std::string skip_to,
                                const Opener& opener, const EngineOptions& options, const Write& write, const Write& spill);

}  // namespace ragline
