#include "corpus/gather.h"

#include <algorithm>
#include <string_view>

#include "corpus/tokens.h"

// The text is a row of runs: leading blocks (headings), then the blocks below them up to the next
// heading. Runs never share a piece. Within a run a piece takes blocks until it holds its share,
// which is what is left of the run divided by the least number of pieces; so the last piece is
// about as large as the others.
namespace ragline {

namespace {

CutStyle style_of(std::string_view type) {
  return type == "paragraph" || type == "quote" || type == "list" || type == "heading"
             ? CutStyle::kProse
             : CutStyle::kLines;
}

class Gatherer {
 public:
  Gatherer(const ParsedDocument& parsed, std::uint64_t limit)
      : text_(parsed.document.text), blocks_(parsed.blocks), limit_(limit) {
    weights_.reserve(blocks_.size());
    for (const Block& block : blocks_)
      weights_.push_back(
          weight(text_.substr(block.bytes.begin, block.bytes.end - block.bytes.begin)));
  }

  std::vector<Piece> run() {
    while (block_ < blocks_.size()) {
      std::size_t end = block_;
      while (end < blocks_.size() && leads(blocks_[end])) ++end;
      while (end < blocks_.size() && !leads(blocks_[end])) ++end;
      gather_run(end);
    }
    return std::move(pieces_);
  }

 private:
  void gather_run(std::size_t end) {
    left_ = 0;
    for (std::size_t b = block_; b < end; ++b) left_ += weights_[b];
    start_piece(blocks_[block_].bytes.begin);
    enter_block();
    while (block_ < end) {
      if (fits()) {
        take(blocks_[block_].bytes.end, rest_);
        if (++block_ < end) enter_block();
      } else if (filled_ > 0 && !is_light() && rest_ <= limit_) {
        finish_piece();  // the block goes whole into the next one
      } else if (!take_part()) {
        finish_piece();
      }
    }
    finish_piece();
  }

  void enter_block() {
    from_ = blocks_[block_].bytes.begin;
    rest_ = weights_[block_];
  }

  // What the piece should hold: the run's rest, shared evenly by the least number of pieces.
  std::uint64_t share() const {
    const std::uint64_t total = filled_ + left_;
    const std::uint64_t pieces = std::max<std::uint64_t>(1, (total + limit_ - 1) / limit_);
    return (total + pieces - 1) / pieces;
  }
  // Only headings so far, or a few words: too little to stand alone.
  bool is_light() const { return only_leading_ || filled_ * 8 < limit_; }

  bool fits() const {
    if (filled_ + rest_ > limit_) return false;
    return is_light() || filled_ + rest_ / 2 <= share();
  }

  void start_piece(std::uint64_t begin) {
    begin_ = end_ = begin;
    filled_ = 0;
    first_block_ = block_;
    only_leading_ = true;
  }
  void take(std::uint64_t end, std::uint64_t weighs) {
    end_ = end;
    filled_ += weighs;
    left_ -= std::min(left_, weighs);
    last_block_ = block_;
    only_leading_ = only_leading_ && leads(blocks_[block_]);
  }
  void finish_piece() {
    if (end_ > begin_) pieces_.push_back({{begin_, end_}, first_block_, last_block_});
    start_piece(end_);
  }

  // Cuts what is left of the block so that its begin fills the piece. False when not even a
  // grapheme has room in it.
  bool take_part() {
    const std::uint64_t room = limit_ - std::min(limit_, filled_);
    if (filled_ > 0 && room < 4) return false;
    const std::string_view rest = text_.substr(from_, blocks_[block_].bytes.end - from_);
    const std::uint64_t wanted = share();
    const auto cut = best_cut(rest, wanted > filled_ ? wanted - filled_ : room, room,
                              style_of(blocks_[block_].type));
    const std::uint64_t weighs = weight(rest.substr(0, cut));
    if (weighs > room && filled_ > 0) return false;
    take(from_ + cut, weighs);
    from_ += cut;
    rest_ -= std::min(rest_, weighs);
    if (from_ == blocks_[block_].bytes.end) {
      if (++block_ < blocks_.size()) enter_block();
    } else {
      // Exact once little is left; before that the difference is, and weighing it each time would
      // take quadratic time.
      const std::uint64_t bytes_left = blocks_[block_].bytes.end - from_;
      rest_ = std::max(rest_, (bytes_left + 7) / 8);
      if (rest_ <= limit_ + 16) rest_ = weight(text_.substr(from_, bytes_left));
    }
    finish_piece();
    return true;
  }

  const std::string_view text_;
  const std::vector<Block>& blocks_;
  const std::uint64_t limit_;
  std::vector<std::uint64_t> weights_;
  std::vector<Piece> pieces_;

  // The piece in work.
  std::uint64_t begin_ = 0, end_ = 0, filled_ = 0;
  std::size_t first_block_ = 0, last_block_ = 0;
  bool only_leading_ = true;
  // What is left: of the block in work from `from_` on, and of the run.
  std::size_t block_ = 0;
  std::uint64_t from_ = 0, rest_ = 0, left_ = 0;
};

}  // namespace

bool leads(const Block& block) { return block.type == "heading" || block.type == "front_matter"; }

std::vector<Piece> gather_pieces(const ParsedDocument& parsed, std::uint64_t limit) {
  return Gatherer(parsed, limit).run();
}

}  // namespace ragline
