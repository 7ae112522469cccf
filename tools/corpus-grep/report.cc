#include "corpus-grep/report.h"

#include <algorithm>

#include "core/text.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr std::size_t kMostNamed = 100;

bool looks_literal_broken(std::string_view pattern) {
  // A pattern copied from code: its parentheses and dots were meant.
  return pattern.find_first_of("()[]{}*+?.^$|\\") != pattern.npos;
}

}  // namespace

End end_record(const EngineReport& report, const GrepQuery& query, const Flags& flags) {
  End end;
  end.counts = {{"files", report.seen},       {"searched", report.searched}, {"matched", report.matched},
                {"matches", report.lines},    {"bytes", report.bytes}};
  end.complete = report.stop_reason.empty() && report.unreadable.empty() && report.capped_files == 0;
  end.stop_reason = !report.stop_reason.empty() ? report.stop_reason
                    : report.capped_files > 0   ? "limit:max-matches-per-file"
                                                : "exhausted";
  end.next = report.next;
  for (const auto& [reason, count] : report.skipped) end.skipped.emplace_back(skip_reason_name(reason), count);
  if (report.capped_files > 0)
    end.warnings.push_back(cat(report.capped_files, " files have more matches than --max-matches-per-file"));
  if (report.long_lines > 0)
    end.warnings.push_back(cat(report.long_lines, " lines of more than 1 MB were searched in pieces: a match across a cut is not seen"));
  for (const Skip& skip : report.unreadable)
    end.warnings.push_back(cat("cannot read ", skip.path, skip.detail.empty() ? "" : ": ", skip.detail));
  for (const std::string& path : report.binary_named) end.warnings.push_back(cat("binary, not searched: ", path, ": -a searches it as text"));
  if (!report.stop_reason.empty() && report.printed == 0 && report.lines > 0)
    end.warnings.push_back("the next match alone exceeds the budget: raise it, or cut lines with --max-columns");
  if (report.lines == 0 && report.stop_reason.empty()) end.suggestions = suggestions(report, query, flags);
  if (query.terms().size() > 1 && std::ranges::find(report.pattern_hit, true) != report.pattern_hit.end()) {
    std::string list = "\"unmatched_patterns\":[";
    std::size_t named = 0;
    for (const auto term : query.shown()) {
      if (report.pattern_hit[term]) continue;
      if (++named > kMostNamed) continue;
      append(list, named > 1 ? "," : "", json_string(query.terms()[term].id));
    }
    list += ']';
    if (named > kMostNamed) append(list, ",\"unmatched_pattern_count\":", named);
    if (named > 0) end.extra = std::move(list);
  }
  return end;
}

std::vector<std::string> suggestions(const EngineReport& report, const GrepQuery& query, const Flags& flags) {
  std::vector<std::string> tries;
  const bool folded = flags.on("ignore-case");
  const bool capitals = std::ranges::any_of(query.terms(), [](const auto& term) { return term.regex.holds_upper_case(); });
  if (report.searched == 0)
    tries.push_back(report.seen == 0 ? "no file was found: check the paths" : "every file was skipped: see `skipped`");
  if (!folded && capitals && !flags.on("smart-case")) tries.push_back("other cases: -i");
  if (flags.on("word-regexp")) tries.push_back("parts of words: leave out -w");
  if (flags.on("line-regexp")) tries.push_back("parts of lines: leave out -x");
  if (!flags.on("fixed-strings") && std::ranges::any_of(query.terms(), [](const auto& term) { return looks_literal_broken(term.text); }))
    tries.push_back("the pattern as it is written, not as a regular expression: -F");
  if (!flags.list("and").empty() || !flags.list("file-and").empty()) tries.push_back("one of the conditions alone, or near: --near 5");
  if (report.skips(SkipReason::kIgnored) > 0) tries.push_back("what ignore rules leave out: -u");
  if (report.skips(SkipReason::kHidden) > 0) tries.push_back("hidden files: --hidden");
  if (report.skips(SkipReason::kBinary) > 0) tries.push_back("binary files: -a");
  if (tries.empty()) tries.push_back("a shorter or different pattern");
  return tries;
}

}  // namespace ragline
