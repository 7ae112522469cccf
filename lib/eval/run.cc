#include "eval/run.h"

#include <algorithm>

#include "core/text.h"
#include "eval/fields.h"
#include "eval/json_table.h"
#include "eval/number.h"
#include "eval/run_builder.h"

namespace ragline {

Result<Run> Run::read(const std::string& path, const RunOptions& options) {
  RAGLINE_TRY(InputText text, InputText::open(path));
  return parse(std::move(text), options);
}

Result<Run> Run::parse(InputText text, const RunOptions& options) {
  Run run(std::move(text), options);
  RunBuilder builder(run);
  const bool ours = options.dialect == Dialect::kOurs;
  if (ours) run.text_.skip_mark();
  const std::string_view bytes = run.text_.bytes();
  const bool records = ours && !is_json_table(bytes) && is_record_run(bytes);
  if (records)
    RAGLINE_CHECK(builder.take_records(options));
  else if (ours && is_json_table(bytes))
    RAGLINE_CHECK(builder.take_json());
  else
    builder.index_lines();
  if (options.gold && !records) RAGLINE_CHECK(builder.attach(*options.gold));
  RAGLINE_CHECK(builder.finish());
  return run;
}

const Run::Query* Run::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(queries_, id, {}, &Query::id);
  return found != queries_.end() && found->id == id ? &*found : nullptr;
}

Status Run::read(const Query& query, std::vector<RunHit>& hits) const {
  hits.clear();
  for (std::uint32_t at = query.first_part;; at = parts_[at].next) {
    const Part& part = parts_[at];
    if (holds_hits_) {
      hits.insert(hits.end(), hits_.begin() + static_cast<std::ptrdiff_t>(part.begin),
                  hits_.begin() + static_cast<std::ptrdiff_t>(part.begin + part.size));
    } else {
      LineWalker lines(text_.bytes().substr(part.begin, part.size));
      std::string_view line;
      while (lines.next(line)) RAGLINE_CHECK(read_line(line, hits));
    }
    if (at == query.last_part) return {};
  }
}

Status Run::check() const {
  std::vector<RunHit> hits;
  for (const Query& query : queries_) RAGLINE_CHECK(read(query, hits));
  return {};
}

Status Run::read_line(std::string_view line, std::vector<RunHit>& hits) const {
  FieldWalker walk(line);
  std::string_view fields[6];
  std::size_t count = 0;
  while (count < 6) {
    fields[count] = walk.next();
    if (fields[count].empty()) break;
    ++count;
  }
  if (count == 0 || (fields[0].starts_with('#') && dialect_ != Dialect::kTrec9)) return {};
  if (count < 6) {
    const bool is_first = line.data() == text_.bytes().data();
    if (is_first && count == 4 && dialect_ == Dialect::kOurs && read_grade(fields[3], dialect_))
      return BadRows::stop(
          bad_, RowFault::kSwapped,
          text_.error_at(line.data(),
                         "this is a line of judgements: give the judgements first, then the run"));
    return fault_at(RowFault::kShort, line.data(),
                    cat(count, count == 1 ? " field" : " fields",
                        ": a line of a run has 6: query, Q0, document, rank, score, tag"));
  }
  const auto score = read_score(fields[4], dialect_);
  if (!score)
    return fault_at(RowFault::kNumber, line.data(),
                    cat("the score '", fields[4], "' is no finite number: give one"));
  hits.push_back({fields[2], *score, fields[3], {}});
  return {};
}

Status Run::fault_at(RowFault fault, const char* at, std::string_view message) const {
  return BadRows::note(bad_, fault, text_, at, message);
}

Status Run::fault(RowFault fault, const RunHit& hit, std::string_view message) const {
  return fault_at(fault, hit.document.data(), message);
}

void RunBuilder::index_lines() {
  const std::string_view bytes = run_.text_.bytes();
  const bool comments = run_.dialect_ != Dialect::kTrec9;
  LineWalker lines(bytes);
  std::string_view line, last_line;
  std::string_view current;
  std::uint64_t begin = 0, end = 0;
  while (lines.next(line)) {
    const std::string_view query = FieldWalker(line).next();
    if (query.empty() || (comments && query.starts_with('#'))) continue;
    last_line = line;
    const auto at = static_cast<std::uint64_t>(line.data() - bytes.data());
    if (query != current || at + line.size() - begin > UINT32_MAX) {
      if (end > begin) add(current, begin, end);
      current = query;
      begin = at;
    }
    end = at + line.size();
  }
  if (end > begin) add(current, begin, end);
  FieldWalker walk(last_line);
  for (int field = 0; field < 5; ++field) walk.next();
  run_.tag_ = walk.next();
}

Status RunBuilder::take_json() {
  run_.holds_hits_ = true;
  return read_json_table(
      run_.text_, run_.strings_, run_.bad_,
      [&](std::string_view query, std::string_view document, std::string_view number) -> Status {
        const auto score = read_score(number, run_.dialect_);
        if (!score)
          return run_.fault_at(RowFault::kNumber, number.data(),
                               cat("the score ", number, " is no finite number: give one"));
        add_hit(query, {document, *score, {}, {}});
        return {};
      });
}

void RunBuilder::add_hit(std::string_view query, const RunHit& hit) {
  run_.holds_hits_ = true;
  const std::uint64_t at = run_.hits_.size();
  run_.hits_.push_back(hit);
  add(query, at, at + 1);
}

std::string_view RunBuilder::keep(std::string text) {
  return run_.strings_.emplace_back(std::move(text));
}

std::span<const std::uint32_t> RunBuilder::keep(std::vector<std::uint32_t> evidence) {
  return run_.evidence_.emplace_back(std::move(evidence));
}

// A part that follows the one before it is joined to it.
void RunBuilder::add(std::string_view query, std::uint64_t begin, std::uint64_t end) {
  const auto [place, is_new] =
      places_.try_emplace(query, static_cast<std::uint32_t>(run_.queries_.size()));
  const auto here = static_cast<std::uint32_t>(run_.parts_.size());
  if (is_new) {
    run_.queries_.push_back({query, here, here});
  } else {
    Run::Query& known = run_.queries_[place->second];
    Run::Part& last = run_.parts_[known.last_part];
    if (last.begin + last.size == begin && end - last.begin <= UINT32_MAX) {
      last.size = static_cast<std::uint32_t>(end - last.begin);
      return;
    }
    last.next = here;
    known.last_part = here;
  }
  run_.parts_.push_back({begin, static_cast<std::uint32_t>(end - begin), 0});
}

Status RunBuilder::finish() {
  if (run_.queries_.empty())
    return BadRows::stop(
        run_.bad_, RowFault::kEmpty,
        {ErrorKind::kData, cat(run_.name(),
                               ": no hit in it: give a run (query, Q0, document, rank, score, "
                               "tag), or hit records")});
  std::ranges::sort(run_.queries_, {}, &Run::Query::id);
  return {};
}

}  // namespace ragline
