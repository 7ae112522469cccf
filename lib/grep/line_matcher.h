#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "grep/pike.h"
#include "grep/re2_program.h"
#include "grep/regex.h"
#include "record/record.h"

namespace ragline {

// Whether and where a pattern matches on one line: the authority that every fast route is measured against.
//
//   Line      without its newline; a CR at its end may stay. A pattern matches when it does on the line without that CR (so $
//             works in files of either kind) or on the line with it (so \r can be found)
//   Unicode   ASCII lines take RE2's ASCII form; others its UTF-8 form, or, with \b or -w in the pattern, our PikeVm.
//             Ill-formed bytes match nothing but themselves in no pattern, as in ripgrep
//   -w        a span that no word character touches; later and shorter spans are tried, so patterns that begin or end with
//             other characters work (ripgrep #389)
//   Memory    engines are made when the first line needs them
//   Threads   one; copies share nothing
class LineMatcher {
 public:
  // `regex` must outlive it and have no -w of its own.
  LineMatcher(const Regex& regex, bool word);

  bool matches(std::string_view line);
  // The first match that begins at `from` or later, in the line as it is (a CR is a character like others).
  bool find(std::string_view line, std::size_t from, ByteSpan& span);
  // Every match, none overlapping another; an empty one never touches the one before.
  void spans(std::string_view line, std::vector<ByteSpan>& out);
  // Captures of the match of exactly `span`; for --replace.
  bool captures(std::string_view line, ByteSpan span, std::vector<ByteSpan>& groups);
  int capture_named(std::string_view name);
  int capture_count();

 private:
  bool find_literal(std::string_view line, std::size_t from, ByteSpan& span) const;
  bool find_ascii(std::string_view line, std::size_t from, ByteSpan& span);
  bool spans_of(std::string_view line, std::vector<ByteSpan>& out);
  const Re2Program* program(std::optional<Re2Program>& slot, const std::string& text, Re2Program::Encoding encoding);
  PikeVm& pike();
  const Re2Program* capturing();

  const Regex& regex_;
  bool word_, boundary_;
  std::optional<std::string> literal_;
  std::optional<Re2Program> ascii_, ascii_inside_, unicode_, capturing_;
  std::unique_ptr<Regex> whole_;
  std::unique_ptr<PikeVm> pike_;
};

}  // namespace ragline
