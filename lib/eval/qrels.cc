#include "eval/qrels.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "eval/fields.h"
#include "eval/gold.h"
#include "eval/json_table.h"
#include "eval/number.h"
#include "record/evidence.h"

namespace ragline {

namespace {

// So that no sum of grades overflows.
constexpr double kMostGrade = 1e9;

// nullopt for what is no number, or none that a grade can be.
std::optional<double> sound_grade(std::string_view field, Dialect dialect) {
  const auto grade = read_grade(field, dialect);
  return grade && (dialect != Dialect::kOurs || std::abs(*grade) <= kMostGrade) ? grade
                                                                                : std::nullopt;
}

}  // namespace

class QrelsReader {
 public:
  QrelsReader(Qrels& qrels, Dialect dialect, QrelsFormat format, BadRows* bad)
      : qrels_(qrels), text_(qrels.text_), dialect_(dialect), format_(format), bad_(bad) {}

  Status read(std::vector<Qrels::Row>& rows) {
    rows_ = &rows;
    const std::string_view bytes = text_.bytes();
    if (dialect_ == Dialect::kOurs && is_json_table(bytes)) return read_json();
    tabs_ = dialect_ == Dialect::kOurs && format_ == QrelsFormat::kQrels && is_tsv(bytes);
    LineWalker lines(bytes);
    std::string_view line;
    for (bool first = true; lines.next(line); first = false) {
      if (line.find_first_not_of(" \t\r\n\v\f") == line.npos && dialect_ != Dialect::kTrec9)
        continue;
      if (line.starts_with('#') && dialect_ != Dialect::kTrec9) continue;
      if (tabs_ && first && is_header(line)) continue;
      RAGLINE_CHECK(tabs_ ? take_tsv(line) : take_trec(line));
    }
    return {};
  }

 private:
  // Three columns and tabs between them; a TREC file has four.
  static bool is_tsv(std::string_view bytes) {
    LineWalker lines(bytes);
    std::string_view line;
    while (lines.next(line))
      if (!trim(line).empty() && !line.starts_with('#'))
        return std::ranges::count(trim(line), '\t') == 2;
    return false;
  }

  static bool is_header(std::string_view line) {
    const auto columns = split(trim(line), '\t');
    return columns.size() == 3 && !read_grade(columns[2], Dialect::kOurs);
  }

  Status wrong(RowFault fault, std::string_view line, std::string_view what) const {
    return BadRows::note(bad_, fault, text_, line.data(), what);
  }

  Status take_tsv(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto columns = split(line, '\t');
    if (columns.size() != 3)
      return wrong(RowFault::kShort, line,
                   cat(columns.size(), columns.size() == 1 ? " column" : " columns",
                       ": a TSV of judgements has query, document and grade"));
    const auto grade = sound_grade(trim(columns[2]), dialect_);
    if (!grade)
      return wrong(RowFault::kNumber, line,
                   cat("the grade '", columns[2], "' is no number up to a billion: give one"));
    rows_->push_back({columns[0], {columns[1], *grade, {}, {}}});
    return {};
  }

  Status take_trec(std::string_view line) {
    const std::size_t wanted = format_ == QrelsFormat::kPrefs ? 5 : 4;
    std::string_view fields[7];
    std::size_t count = 0;
    FieldWalker walk(line);
    for (auto field = walk.next(); !field.empty() && count < 7; field = walk.next())
      fields[count++] = field;
    if (count != wanted) return wrong_count(line, fields, count, wanted);
    const std::string_view last = fields[wanted - 1];
    const bool preference = format_ == QrelsFormat::kPrefs || format_ == QrelsFormat::kQrelsPrefs;
    const auto grade =
        preference ? read_score(last, dialect_ == Dialect::kTrec9 ? Dialect::kTrec10 : dialect_)
                   : sound_grade(last, dialect_);
    if (!grade)
      return wrong(RowFault::kNumber, line,
                   cat("the grade '", last, "' is no number up to a billion: give one"));
    if (wanted == 5)
      rows_->push_back({fields[0], {fields[3], *grade, fields[1], fields[2]}});
    else
      rows_->push_back({fields[0], {fields[2], *grade, fields[1], {}}});
    return {};
  }

  Status wrong_count(std::string_view line, const std::string_view* fields, std::size_t count,
                     std::size_t wanted) const {
    if (count >= 6 && wanted == 4 && rows_->empty() && read_score(fields[4], Dialect::kOurs))
      return BadRows::stop(
          bad_, RowFault::kSwapped,
          text_.error_at(line.data(),
                         "this is a line of a run: give the judgements first, then the run"));
    return wrong(
        RowFault::kShort, line,
        cat(count, count == 1 ? " field" : " fields", ": a line of judgements has ", wanted, ": ",
            wanted == 5 ? "query, judge, set, document, level"
                        : "query, iteration, document, grade"));
  }

  Status read_json() {
    return read_json_table(
        text_, qrels_.strings_, bad_,
        [&](std::string_view query, std::string_view document, std::string_view number) -> Status {
          const auto grade = sound_grade(number, dialect_);
          if (!grade)
            return wrong(RowFault::kNumber, number,
                         "the grade is no number up to a billion: give one");
          rows_->push_back({query, {document, *grade, {}, {}}});
          return {};
        });
  }

  Qrels& qrels_;
  const InputText& text_;
  Dialect dialect_;
  QrelsFormat format_;
  BadRows* bad_;
  bool tabs_ = false;
  std::vector<Qrels::Row>* rows_ = nullptr;
};

Result<Qrels> Qrels::read(const std::string& path, Dialect dialect, QrelsFormat format,
                          BadRows* bad) {
  RAGLINE_TRY(InputText text, InputText::open(path));
  return parse(std::move(text), dialect, format, bad);
}

Result<Qrels> Qrels::parse(InputText text, Dialect dialect, QrelsFormat format, BadRows* bad) {
  Qrels qrels(std::move(text));
  if (dialect == Dialect::kOurs) qrels.text_.skip_mark();
  if (dialect == Dialect::kOurs && Gold::is_gold(qrels.text_.bytes())) {
    RAGLINE_TRY(Gold gold, Gold::parse(qrels.text_, bad));
    qrels.gold_ = std::make_shared<const Gold>(std::move(gold));
    for (const GoldQuery& query : qrels.gold_->queries())
      qrels.queries_.push_back(
          {query.id, {}, static_cast<std::uint32_t>(query.pieces.size()), query.hops});
    return qrels;
  }
  std::vector<Row> rows;
  RAGLINE_CHECK(QrelsReader(qrels, dialect, format, bad).read(rows));
  if (rows.empty())
    return BadRows::stop(bad, RowFault::kEmpty,
                         {ErrorKind::kData, cat(qrels.name(),
                                                ": no judgement in it: give a file of judgements "
                                                "(query, iteration, document, grade)")});
  RAGLINE_CHECK(qrels.group(std::move(rows), dialect, format, bad));
  return qrels;
}

// Rows are in order: those of one document and group are neighbours, in the order of the file.
Status Qrels::leave_out_duplicates(std::vector<Row>& rows, BadRows* bad) const {
  std::size_t kept = 0;
  for (const Row& row : rows) {
    const auto same = [&](const Row& other) {
      return other.query == row.query && other.judgement.document == row.judgement.document &&
             other.judgement.group == row.judgement.group;
    };
    if (kept == 0 || !same(rows[kept - 1])) {
      rows[kept++] = row;
      continue;
    }
    RAGLINE_CHECK(
        BadRows::note(bad, RowFault::kDuplicate, text_, row.judgement.document.data(),
                      cat("document '", row.judgement.document, "' is judged twice for query '",
                          row.query, "': keep one of the lines")));
  }
  rows.resize(kept);
  return {};
}

Status Qrels::group(std::vector<Row> rows, Dialect dialect, QrelsFormat format, BadRows* bad) {
  const bool by_group = format == QrelsFormat::kQrelsJg;
  const auto before = [&](const Row& a, const Row& b) {
    if (a.query != b.query) return a.query < b.query;
    if (by_group && a.judgement.group != b.judgement.group)
      return a.judgement.group < b.judgement.group;
    if (a.judgement.document != b.judgement.document)
      return a.judgement.document < b.judgement.document;
    return a.judgement.group < b.judgement.group;
  };
  // Most files are in order already.
  if (!std::ranges::is_sorted(rows, before)) std::ranges::stable_sort(rows, before);
  if (dialect == Dialect::kOurs && format == QrelsFormat::kQrels)
    RAGLINE_CHECK(leave_out_duplicates(rows, bad));
  judgements_.reserve(rows.size());
  for (const Row& row : rows) judgements_.push_back(row.judgement);
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    while (end < rows.size() && rows[end].query == rows[begin].query) ++end;
    queries_.push_back(
        {rows[begin].query, std::span(judgements_).subspan(begin, end - begin), 0, 0});
    begin = end;
  }
  return {};
}

const Judgement* Qrels::duplicate(const JudgedQuery& query) {
  const auto same = [](const Judgement& a, const Judgement& b) { return a.document == b.document; };
  const auto found = std::adjacent_find(query.judgements.begin(), query.judgements.end(), same);
  return found == query.judgements.end() ? nullptr : &*found;
}

bool Qrels::names_evidence() const {
  return !judgements_.empty() && parse_evidence_id(judgements_.front().document).has_value();
}

const JudgedQuery* Qrels::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(queries_, id, {}, &JudgedQuery::id);
  return found != queries_.end() && found->id == id ? &*found : nullptr;
}

}  // namespace ragline
