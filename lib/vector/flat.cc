// The scan behind flat.h: blocks of 64 rows, one word of the filter each, meet one query or four at
// a time.
//
// Per query a Selection keeps `floor`, the k-th largest lower bound so far, and every row whose
// upper bound reaches it. It only rises, so what was left out stays out. The slow twin in
// flat_test.cc scores every row in double precision.
#include "vector/flat.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>

#include "vector/half.h"
#include "vector/kernels.h"

namespace ragline {

namespace {

constexpr std::size_t kBlock = 64;
// Below this many rows of a block, each is fetched alone.
constexpr int kSparse = 24;
constexpr float kLowest = -std::numeric_limits<float>::infinity();

// ---- exact scores

// Products of two floats are exact in double; four sums in a fixed order give the same bits on
// every machine.
template <class Value>
float exact_dot(std::span<const float> query, Value value, double scale) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= query.size(); i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane)
      sums[lane] += static_cast<double>(query[i + lane]) * static_cast<double>(value(i + lane));
  for (; i < query.size(); ++i)
    sums[0] += static_cast<double>(query[i]) * static_cast<double>(value(i));
  return static_cast<float>(((sums[0] + sums[1]) + (sums[2] + sums[3])) * scale);
}

float exact_score(const FlatRows& rows, std::span<const float> query, std::size_t row) {
  const std::size_t at = row * rows.dimensions;
  if (!rows.floats.empty()) {
    const float* values = rows.floats.data() + at;
    return exact_dot(query, [&](std::size_t i) { return values[i]; }, 1);
  }
  if (!rows.halves.empty()) {
    const std::uint16_t* values = rows.halves.data() + at;
    return exact_dot(query, [&](std::size_t i) { return from_half(values[i]); }, 1);
  }
  const std::int8_t* codes = rows.codes.data() + row * padded_dimensions(rows.dimensions);
  return exact_dot(
      query, [&](std::size_t i) { return static_cast<float>(codes[i]); },
      static_cast<double>(rows.scales[row].scale));
}

// ---- one query's candidates

struct Candidate {
  float upper, lower;
  std::uint32_t row;
};

class Selection {
 public:
  Selection(const FlatRows& rows, const QuantisedQuery& query, std::size_t k)
      : k_(k), scale_(query.scale) {
    const bool copies = !rows.floats.empty() || !rows.halves.empty();
    per_residual_ = copies ? query.length : 0;
    // |x| <= scale · 127 · sqrt(dimensions); the last term is for the rounding of scores to float.
    per_scale_ = 127 * std::sqrt(static_cast<float>(rows.dimensions)) *
                 (query.residual + 1e-6f * query.length);
  }

  // Sums of rows [first, first + count); only those whose bit in `word` is set.
  void take_block(const std::int32_t* sums, const RowScale* scales, std::uint32_t first,
                  std::size_t count, std::uint64_t word) {
    float upper[kBlock];
    std::uint64_t reaching = 0;
    for (std::size_t i = 0; i < count; ++i) upper[i] = score(sums[i], scales[i]) + bound(scales[i]);
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) any |= upper[i] >= floor_;
    if (!any) return;
    for (std::size_t i = 0; i < count; ++i)
      reaching |= static_cast<std::uint64_t>(upper[i] >= floor_) << i;
    for (reaching &= word; reaching; reaching &= reaching - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(reaching));
      take(sums[i], scales[i], first + static_cast<std::uint32_t>(i));
    }
  }

  void take(std::int32_t sum, const RowScale& scale, std::uint32_t row) {
    const float middle = score(sum, scale), off = bound(scale), lower = middle - off;
    if (middle + off < floor_) return;
    found_.push_back({middle + off, lower, row});
    if (lowers_.size() < k_) {
      lowers_.push(lower);
    } else if (lower > lowers_.top()) {
      lowers_.pop();
      lowers_.push(lower);
    }
    if (lowers_.size() == k_) floor_ = lowers_.top();
    if (found_.size() >= prune_at_) prune();
  }

  std::vector<Neighbour> finish(const FlatRows& rows, std::span<const float> query) {
    prune();
    std::sort(found_.begin(), found_.end(), [](const Candidate& a, const Candidate& b) {
      return a.upper != b.upper ? a.upper > b.upper : a.row < b.row;
    });
    const auto better = [](const Neighbour& a, const Neighbour& b) {
      return a.score != b.score ? a.score > b.score : a.row < b.row;
    };
    std::vector<Neighbour> best;  // a heap whose front is the worst
    for (const Candidate& candidate : found_) {
      if (best.size() == k_ && candidate.upper < best.front().score) break;
      const Neighbour next{candidate.row, exact_score(rows, query, candidate.row)};
      if (best.size() == k_) {
        if (!better(next, best.front())) continue;
        std::pop_heap(best.begin(), best.end(), better);
        best.pop_back();
      }
      best.push_back(next);
      std::push_heap(best.begin(), best.end(), better);
    }
    std::sort_heap(best.begin(), best.end(), better);
    return best;
  }

 private:
  float score(std::int32_t sum, const RowScale& row) const {
    return static_cast<float>(sum) * (row.scale * scale_);
  }
  float bound(const RowScale& row) const {
    return per_residual_ * row.residual + per_scale_ * row.scale;
  }

  void prune() {
    std::erase_if(found_, [&](const Candidate& candidate) { return candidate.upper < floor_; });
    prune_at_ = std::max<std::size_t>(4096, 2 * found_.size());
  }

  std::size_t k_;
  float scale_, per_residual_, per_scale_;
  float floor_ = kLowest;
  std::size_t prune_at_ = 4096;
  std::priority_queue<float, std::vector<float>, std::greater<>> lowers_;
  std::vector<Candidate> found_;
};

// ---- the scan

// Calls visit(first row, rows, word) for every block with a row that counts.
template <class Visit>
void for_each_block(std::size_t rows, std::span<const std::uint64_t> filter, Visit visit) {
  for (std::size_t first = 0; first < rows; first += kBlock) {
    const std::uint64_t word = filter.empty() ? ~0ull : filter[first / kBlock];
    if (word) visit(first, std::min(kBlock, rows - first), word);
  }
}

bool is_sparse(std::uint64_t word) { return std::popcount(word) < kSparse; }

void scan_one(const FlatRows& rows, const QuantisedQuery& query,
              std::span<const std::uint64_t> filter, Selection& selection) {
  const std::size_t width = padded_dimensions(rows.dimensions);
  const auto one_query = kernels().one_query;
  // Rows of sparse blocks wait here, so that the memory of later ones is on its way when their turn
  // comes.
  std::array<std::uint32_t, 8> waiting;
  std::size_t count = 0;
  const auto take = [&](std::uint32_t row) {
    std::int32_t sum;
    one_query(rows.codes.data() + row * width, 1, width, query.codes.data(), &sum);
    selection.take(sum, rows.scales[row], row);
  };
  for_each_block(rows.size(), filter, [&](std::size_t first, std::size_t size, std::uint64_t word) {
    if (is_sparse(word)) {
      for (; word; word &= word - 1) {
        const auto row =
            static_cast<std::uint32_t>(first + static_cast<std::size_t>(std::countr_zero(word)));
        const char* bytes = reinterpret_cast<const char*>(rows.codes.data() + row * width);
        for (std::size_t i = 0; i < width; i += 64) __builtin_prefetch(bytes + i);
        __builtin_prefetch(&rows.scales[row]);
        std::uint32_t& slot = waiting[count++ % waiting.size()];
        if (count > waiting.size()) take(slot);
        slot = row;
      }
      return;
    }
    std::int32_t sums[kBlock];
    one_query(rows.codes.data() + first * width, size, width, query.codes.data(), sums);
    selection.take_block(sums, rows.scales.data() + first, static_cast<std::uint32_t>(first), size,
                         word);
  });
  const std::size_t left = std::min(count, waiting.size());
  for (std::size_t i = count - left; i < count; ++i) take(waiting[i % waiting.size()]);
}

// Four queries, `codes` one after the other; selections beyond the queries are not there.
void scan_block(const FlatRows& rows, std::size_t first, std::size_t size, std::uint64_t word,
                const std::int16_t* codes, std::span<Selection> selections) {
  const std::size_t width = padded_dimensions(rows.dimensions);
  std::int32_t sums[4 * kBlock];
  if (is_sparse(word)) {
    for (; word; word &= word - 1) {
      const std::size_t row = first + static_cast<std::size_t>(std::countr_zero(word));
      kernels().four_queries(rows.codes.data() + row * width, 1, width, codes, sums);
      for (std::size_t q = 0; q < selections.size(); ++q)
        selections[q].take(sums[q], rows.scales[row], static_cast<std::uint32_t>(row));
    }
    return;
  }
  kernels().four_queries(rows.codes.data() + first * width, size, width, codes, sums);
  for (std::size_t q = 0; q < selections.size(); ++q)
    selections[q].take_block(sums + q * size, rows.scales.data() + first,
                             static_cast<std::uint32_t>(first), size, word);
}

}  // namespace

std::vector<Neighbour> search_flat(const FlatRows& rows, std::span<const float> query,
                                   const FlatOptions& options) {
  if (options.k == 0 || rows.size() == 0) return {};
  const QuantisedQuery quantised = quantise_query(query);
  Selection selection(rows, quantised, options.k);
  scan_one(rows, quantised, options.filter, selection);
  return selection.finish(rows, query);
}

std::vector<std::vector<Neighbour>> search_flat_batch(const FlatRows& rows,
                                                      std::span<const float> queries,
                                                      const FlatOptions& options) {
  const std::size_t count = queries.size() / rows.dimensions;
  std::vector<std::vector<Neighbour>> out(count);
  if (options.k == 0 || rows.size() == 0) return out;
  const std::size_t width = padded_dimensions(rows.dimensions);
  // A last group of fewer than four is filled up with zeros.
  std::vector<std::int16_t> codes((count + 3) / 4 * 4 * width);
  std::vector<Selection> selections;
  for (std::size_t q = 0; q < count; ++q) {
    const QuantisedQuery quantised =
        quantise_query(queries.subspan(q * rows.dimensions, rows.dimensions));
    std::copy(quantised.codes.begin(), quantised.codes.end(),
              codes.begin() + static_cast<std::ptrdiff_t>(q * width));
    selections.emplace_back(rows, quantised, options.k);
  }
  for_each_block(
      rows.size(), options.filter, [&](std::size_t first, std::size_t size, std::uint64_t word) {
        for (std::size_t q = 0; q < count; q += 4)
          scan_block(rows, first, size, word, codes.data() + q * width,
                     std::span(selections).subspan(q, std::min<std::size_t>(4, count - q)));
      });
  for (std::size_t q = 0; q < count; ++q)
    out[q] = selections[q].finish(rows, queries.subspan(q * rows.dimensions, rows.dimensions));
  return out;
}

std::vector<float> score_rows(const FlatRows& rows, std::span<const float> query,
                              std::span<const std::uint32_t> which) {
  std::vector<float> out;
  out.reserve(which.size());
  for (const std::uint32_t row : which) out.push_back(exact_score(rows, query, row));
  return out;
}

void FlatBuilder::append(std::span<const float> row) {
  const std::size_t width = padded_dimensions(dimensions_);
  codes_.resize(codes_.size() + width);
  const std::span<std::int8_t> codes = std::span(codes_).last(width);
  if (copies_ != FlatCopies::kHalf) {
    scales_.push_back(quantise(row, codes));
    if (copies_ == FlatCopies::kFloat) floats_.insert(floats_.end(), row.begin(), row.end());
    return;
  }
  // The codes' residual is measured against what the scores are exact for.
  std::vector<float> rounded;
  for (const float value : row) {
    halves_.push_back(to_half(value));
    rounded.push_back(from_half(halves_.back()));
  }
  scales_.push_back(quantise(rounded, codes));
}

}  // namespace ragline
