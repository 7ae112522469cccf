#include "rag-eval/end_record.h"

#include "core/text.h"
#include "record/writer.h"

namespace ragline {

std::string end_record(std::vector<std::pair<std::string, std::uint64_t>> counts,
                       const BadRows& bad, std::string members) {
  End end;
  end.counts = std::move(counts);
  end.skipped = bad.counts();
  end.complete = end.skipped.empty();
  end.extra = std::move(members);
  std::string out;
  write_record(out, end);
  return out;
}

std::string fault_record(RowFault fault) {
  End end;
  end.complete = false;
  end.stop_reason = cat("fault:", row_fault_name(fault));
  std::string out;
  write_record(out, end);
  return out;
}

std::string bad_rows_text(const BadRows& bad) {
  std::string out =
      cat(count_text(bad.total()), bad.total() == 1 ? " bad row" : " bad rows", " left out (");
  bool is_first = true;
  for (const auto& [name, count] : bad.counts()) {
    append(out, is_first ? "" : ", ", count_text(count), " ", name);
    is_first = false;
  }
  return cat(out, "); the first: ", bad.first());
}

}  // namespace ragline
