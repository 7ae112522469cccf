#pragma once
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "grep/block_reader.h"
#include "grep/file_text.h"
#include "grep/matcher.h"

// One large file, searched by all threads that are free. It is cut into pieces; whoever is free reads a piece (pread), finds the
// lines for which the line condition holds and counts its newlines. The thread whose file it is takes the pieces in order as blocks
// with known hits, so context, numbers, -m, -v, budgets and cursors are the FileSearcher's as ever and know nothing of threads.
//
//   Piece    number k holds the lines that begin in bytes [k p, (k+1) p), to the end of the last of them; maybe none
//   Rest     a line over the bound, a file that shrinks, grows or fails while it is read: from there on the owner reads alone, block by
//            block, so that there is one rule for all of that. Where that happens depends on the file alone, and so do blocks
//   Memory   2 threads + 2 pieces, at most 16, each of p bytes or its longest line, and 8 bytes for each hit
namespace ragline {

struct PieceOptions {
  std::size_t piece_bytes = 128 << 10;
  std::size_t most_line_bytes = 1 << 20;  // as BlockOptions
  std::uint64_t keep_lines = 0;           // as BlockOptions
  bool count_newlines = true;
};

// A file to cut: plain text, whose first `size` bytes are divided. Lines before `from` need no look.
struct PieceFile {
  int descriptor = -1;
  std::uint64_t size = 0, from = 0;
};

class PieceReader;

// The threads of one search and the files that are being cut. Thread-safe.
class PiecePool {
 public:
  // `threads`: how many will come to serve().
  explicit PiecePool(int threads) : threads_(threads) {}
  // For a thread that has no file left: looks through pieces of others' files, until all threads have come here.
  void serve(Matcher& matcher);

 private:
  friend class PieceReader;
  const int threads_;
  std::mutex lock_;  // of all here, and of the readers' counters
  std::condition_variable change_;
  std::vector<PieceReader*> readers_;
  int idle_ = 0;
};

// The owner's side: blocks of one file. Open to the pool's threads for as long as it exists.
class PieceReader : public BlockStream {
 public:
  // `rest` has been opened on the same file. All outlive the reader.
  PieceReader(PiecePool& pool, const PieceOptions& options, const PieceFile& file, Matcher& matcher, FileText& rest);
  ~PieceReader() override;
  PieceReader(const PieceReader&) = delete;
  PieceReader& operator=(const PieceReader&) = delete;

  Result<bool> next(LineBlock& block) override;

 private:
  friend class PiecePool;
  struct Piece {
    AlignedBuffer buffer;
    std::size_t capacity = 0, begin = 0, end = 0;  // of the text in the buffer; before it is room for the lines kept
    std::uint64_t offset = 0, newlines = 0;
    std::vector<HitLine> hits;
    bool ready = false;
    bool regular = false;  // else the rest begins here

    std::string_view text() const { return {buffer.get() + begin, end - begin}; }
    void reserve(std::size_t size);
  };

  Piece& slot(std::uint64_t number) { return pieces_[number % pieces_.size()]; }
  bool has_work() const { return claimed_ < count_ && claimed_ < given_ + pieces_.size(); }
  void look_at_one(std::unique_lock<std::mutex>& guard, Matcher& matcher);
  void look(std::uint64_t number, Piece& piece, Matcher& matcher) const;
  bool read_lines(std::uint64_t number, Piece& piece) const;
  Piece* await_piece();
  void release();
  std::string_view put_before(Piece& piece);

  PiecePool& pool_;
  const PieceOptions options_;
  const PieceFile file_;
  Matcher& matcher_;
  FileText& rest_;
  const std::uint64_t count_;
  std::vector<Piece> pieces_;                     // a ring
  std::uint64_t claimed_ = 0, given_ = 0;         // pieces taken by a thread; pieces that the owner is done with
  int looking_ = 0;                               // threads inside look()
  std::uint64_t reached_ = 0;                     // offset behind the last block given
  std::string kept_;                              // lines before it
  Piece* shown_ = nullptr;                        // whose views are out
  bool in_rest_ = false;
};

}  // namespace ragline
