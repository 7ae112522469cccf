#include "grep/pieces.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "grep/bytes.h"

namespace ragline {

namespace {

constexpr std::size_t kMostPieces = 16;
constexpr std::size_t kHead = 4 << 10;   // room for lines kept before a piece
constexpr std::size_t kSlack = 4 << 10;  // read beyond a piece at once: most lines end there

// Up to `size` bytes; fewer at the end of the file, or where it cannot be read.
std::size_t read_at(int descriptor, char* to, std::size_t size, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor, to + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace

void PiecePool::serve(Matcher& matcher) {
  std::unique_lock guard(lock_);
  ++idle_;
  if (idle_ == threads_) change_.notify_all();
  while (idle_ < threads_) {
    const auto found = std::ranges::find_if(readers_, [](const PieceReader* reader) { return reader->has_work(); });
    if (found != readers_.end()) {
      (*found)->look_at_one(guard, matcher);
    } else {
      change_.wait(guard);
    }
  }
}

PieceReader::PieceReader(PiecePool& pool, const PieceOptions& options, const PieceFile& file, Matcher& matcher, FileText& rest)
    : pool_(pool),
      options_(options),
      file_(file),
      matcher_(matcher),
      rest_(rest),
      count_((file.size + options.piece_bytes - 1) / options.piece_bytes),
      pieces_(std::min(kMostPieces, 2 * static_cast<std::size_t>(pool.threads_) + 2)) {
  const std::lock_guard guard(pool_.lock_);
  pool_.readers_.push_back(this);
  pool_.change_.notify_all();
}

PieceReader::~PieceReader() {
  std::unique_lock guard(pool_.lock_);
  std::erase(pool_.readers_, this);
  pool_.change_.wait(guard, [&] { return looking_ == 0; });
}

void PieceReader::Piece::reserve(std::size_t size) {
  if (size <= capacity) return;
  AlignedBuffer larger = aligned_buffer(size);
  if (end > begin) std::memcpy(larger.get() + begin, buffer.get() + begin, end - begin);
  buffer = std::move(larger);
  capacity = size;
}

// Takes the next piece that nobody has; the lock is let go while it is looked through.
void PieceReader::look_at_one(std::unique_lock<std::mutex>& guard, Matcher& matcher) {
  const std::uint64_t number = claimed_++;
  Piece& piece = slot(number);
  piece.ready = false;
  ++looking_;
  guard.unlock();
  look(number, piece, matcher);
  guard.lock();
  piece.ready = true;
  --looking_;
  pool_.change_.notify_all();
}

// False when the piece is none that can be looked through apart from the others.
bool PieceReader::read_lines(std::uint64_t number, Piece& piece) const {
  // The bytes before its own tell whether a line begins at the very first.
  const std::uint64_t own = number * options_.piece_bytes;
  const auto lead = static_cast<std::size_t>(std::min<std::uint64_t>(own, kBufferAlign));
  const std::uint64_t offset = own - lead;
  piece.begin = piece.end = 0;
  piece.reserve(kHead + lead + options_.piece_bytes + kSlack);
  piece.begin = kHead;
  std::size_t got = read_at(file_.descriptor, piece.buffer.get() + kHead, lead + options_.piece_bytes + kSlack, offset);
  if (got <= lead) return false;
  piece.end = kHead + got;

  const std::size_t limit = std::min(got, lead + options_.piece_bytes);  // lines that begin before it are ours
  std::size_t first = 0;
  if (lead > 0) {
    const std::size_t newline = piece.text().substr(0, limit - 1).find('\n', lead - 1);
    if (newline == std::string_view::npos) {
      piece.end = piece.begin;
      return true;
    }
    first = newline + 1;
  }
  std::size_t newline = piece.text().find('\n', limit - 1);
  while (newline == std::string_view::npos && got - first <= options_.most_line_bytes) {
    piece.reserve(kHead + got + options_.piece_bytes);
    const std::size_t more = read_at(file_.descriptor, piece.buffer.get() + kHead + got, options_.piece_bytes, offset + got);
    if (more == 0) break;
    piece.end += more;
    newline = piece.text().find('\n', got);
    got += more;
  }
  piece.end = kHead + std::min(newline, got - 1) + 1;
  piece.begin += first;
  piece.offset = offset + first;
  return piece.text().size() <= options_.most_line_bytes;
}

void PieceReader::look(std::uint64_t number, Piece& piece, Matcher& matcher) const {
  piece.hits.clear();
  piece.regular = read_lines(number, piece);
  const std::string_view text = piece.text();
  if (!piece.regular || text.empty()) return;
  if (options_.count_newlines) piece.newlines = count_newlines(text);
  if (piece.offset + text.size() <= file_.from) return;
  matcher.finder().start(text);
  LinePlace line;
  for (std::size_t from = 0; matcher.next_candidate(text, from, line); from = line.behind)
    if (matcher.accepts(text.substr(line.begin, line.end - line.begin)))
      piece.hits.push_back({static_cast<std::uint32_t>(line.begin), static_cast<std::uint32_t>(line.end)});
}

// The next piece in order; null behind the last. Meanwhile the owner looks through what nobody else has.
PieceReader::Piece* PieceReader::await_piece() {
  std::unique_lock guard(pool_.lock_);
  while (given_ < count_) {
    Piece& piece = slot(given_);
    if (given_ < claimed_ && piece.ready) return &piece;
    if (has_work()) {
      look_at_one(guard, matcher_);
    } else {
      pool_.change_.wait(guard);
    }
  }
  return nullptr;
}

// The piece given last is done with, but for its last lines.
void PieceReader::release() {
  if (shown_ && options_.keep_lines > 0) {
    // What is kept stands right before the text.
    const std::string_view all{shown_->buffer.get() + shown_->begin - kept_.size(), kept_.size() + shown_->text().size()};
    kept_ = std::string(all.substr(last_lines(all, options_.keep_lines)));
  }
  shown_ = nullptr;
  const std::lock_guard guard(pool_.lock_);
  ++given_;
  pool_.change_.notify_all();
}

std::string_view PieceReader::put_before(Piece& piece) {
  if (kept_.size() > piece.begin) {
    Piece moved;
    moved.begin = kept_.size();
    moved.end = kept_.size() + piece.text().size();
    moved.reserve(moved.end);
    std::ranges::copy(piece.text(), moved.buffer.get() + moved.begin);
    piece.buffer = std::move(moved.buffer);
    piece.capacity = moved.capacity;
    piece.begin = moved.begin;
    piece.end = moved.end;
  }
  char* to = piece.buffer.get() + piece.begin - kept_.size();
  std::ranges::copy(kept_, to);
  return {to, kept_.size()};
}

Result<bool> PieceReader::next(LineBlock& block) {
  if (shown_) release();
  while (!in_rest_) {
    Piece* piece = await_piece();
    if (!piece || !piece->regular || (!piece->text().empty() && piece->offset != reached_)) {
      in_rest_ = true;
      RAGLINE_CHECK(rest_.start_at(reached_, kept_));
    } else if (piece->text().empty()) {
      release();
    } else {
      const std::string_view before = put_before(*piece);
      block = {piece->text(), before, reached_, false, &piece->hits, {}};
      if (options_.count_newlines) block.newlines = piece->newlines;
      reached_ += piece->text().size();
      shown_ = piece;
      return true;
    }
  }
  return rest_.reader().next(block);
}

}  // namespace ragline
