#include <algorithm>

#include "core/files.h"
#include "core/text.h"
#include "corpus-grep/options.h"
#include "record/reader.h"

namespace ragline {

namespace {

using Kind = HitCondition::Kind;

Result<std::string> read_list(const std::string& file) {
  if (file == "-") return read_standard_input();
  RAGLINE_TRY(const auto mapped, read_file(file));
  return std::string(mapped->bytes());
}

// A pattern a line; the last newline ends the last pattern, an empty line is an empty pattern.
Status add_file(const std::string& file, std::vector<PatternText>& patterns) {
  RAGLINE_TRY(const std::string bytes, read_list(file));
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string line = bytes.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    patterns.push_back({"", std::move(line), cat(file, ":", ++number, ":"), {}, {}});
    begin = end + 1;
  }
  return {};
}

Status add_jsonl(const std::string& file, std::vector<PatternText>& patterns) {
  RAGLINE_TRY(auto lines, LineReader::open(file));
  Line line;
  while (true) {
    RAGLINE_TRY(const bool more, lines.next(line));
    if (!more) return {};
    PatternText pattern;
    bool has_pattern = false;
    const Status read = for_each_scalar(line.bytes, [&](std::string_view key, const JsonScalar& value) {
      if (key == "id" || key == "query_id") pattern.id = value.text;
      if (key == "pattern" && value.kind == JsonScalar::Kind::kString) {
        pattern.text = value.text;
        has_pattern = true;
      }
      if (key == "fixed" && value.kind == JsonScalar::Kind::kBool) pattern.fixed = value.boolean;
      if (key == "ignore_case" && value.kind == JsonScalar::Kind::kBool) pattern.ignore_case = value.boolean;
    });
    if (!read) return std::unexpected(at_line(read.error(), lines.name(), line.number));
    if (!has_pattern)
      return std::unexpected(at_line({ErrorKind::kData, "no pattern: give {\"id\": \"q1\", \"pattern\": \"...\"}"}, lines.name(), line.number));
    pattern.place = cat(lines.name(), ":", line.number, ":");
    patterns.push_back(std::move(pattern));
  }
}

struct Asked {
  std::vector<PatternText> patterns;
  HitCondition line;
  std::optional<HitCondition> file;
  std::size_t positionals = 0;
};

HitCondition terms(std::size_t first, std::size_t last) {
  std::vector<HitCondition> children;
  for (std::size_t i = first; i < last; ++i) children.push_back(term_condition(static_cast<std::uint32_t>(i)));
  return join_conditions(Kind::kOr, std::move(children));
}

HitCondition negated(HitCondition condition) {
  std::vector<HitCondition> children;
  children.push_back(std::move(condition));
  return join_conditions(Kind::kNot, std::move(children));
}

// Adds the conjuncts that a repeatable flag names.
void add_conjuncts(const Flags& flags, std::string_view name, bool negate, std::vector<PatternText>& patterns, std::vector<HitCondition>& out) {
  for (const std::string& text : flags.list(name)) {
    patterns.push_back({"", text, cat("--", name), {}, {}});
    HitCondition term = term_condition(static_cast<std::uint32_t>(patterns.size() - 1));
    out.push_back(negate ? negated(std::move(term)) : std::move(term));
  }
}

Result<Asked> read_patterns(const Flags& flags) {
  Asked asked;
  auto& patterns = asked.patterns;
  for (const std::string& text : flags.list("regexp")) patterns.push_back({"", text, "-e", {}, {}});
  for (const std::string& file : flags.list("file")) RAGLINE_CHECK(add_file(file, patterns));
  if (flags.has("patterns-jsonl")) RAGLINE_CHECK(add_jsonl(flags.text("patterns-jsonl"), patterns));
  const bool named = flags.given("regexp") || flags.given("file") || flags.given("patterns-jsonl");
  const bool no_pattern = flags.on("files") || flags.on("type-list");
  if (flags.has("where") && named)
    return fail(ErrorKind::kUsage, "--where takes the place of -e, -f and --patterns-jsonl: put their patterns into it");
  std::vector<HitCondition> conjuncts;
  if (flags.has("where")) {
    RAGLINE_TRY(HitCondition where, parse_condition(flags.text("where"), "--where", patterns));
    conjuncts.push_back(std::move(where));
  } else {
    if (!named && !no_pattern) {
      if (flags.positionals().empty())
        return fail(ErrorKind::kUsage, "no pattern given: corpus-grep 'what to find' PATH, or -e, -f, --where; --files lists files");
      // A pattern of several lines is several patterns, as in grep.
      for (const std::string_view line : split(flags.positionals()[0], '\n'))
        patterns.push_back({"", std::string(line), "pattern", {}, {}});
      if (flags.on("multiline")) patterns.assign(1, {"", flags.positionals()[0], "pattern", {}, {}});
      asked.positionals = 1;
    }
    conjuncts.push_back(terms(0, patterns.size()));
  }
  add_conjuncts(flags, "and", false, patterns, conjuncts);
  add_conjuncts(flags, "not", true, patterns, conjuncts);
  asked.line = join_conditions(Kind::kAnd, std::move(conjuncts));

  std::vector<HitCondition> file;
  add_conjuncts(flags, "file-and", false, patterns, file);
  add_conjuncts(flags, "file-not", true, patterns, file);
  if (flags.has("file-where")) {
    RAGLINE_TRY(HitCondition where, parse_condition(flags.text("file-where"), "--file-where", patterns));
    file.push_back(std::move(where));
  }
  if (!file.empty()) asked.file = join_conditions(Kind::kAnd, std::move(file));
  if (flags.has("near") && flags.list("and").empty() && flags.list("not").empty())
    return fail(ErrorKind::kUsage, "--near widens --and and --not: give one of them");
  if (flags.on("multiline") && (asked.line.kind == Kind::kAnd || asked.line.kind == Kind::kNot || asked.file))
    return fail(ErrorKind::kUsage, "-U searches across lines: conditions on lines and files do not go with it");
  return asked;
}

}  // namespace

PatternOptions pattern_options(const Flags& flags) {
  return {.fixed = flags.on("fixed-strings"),
          .ignore_case = flags.on("ignore-case"),
          .smart_case = flags.on("smart-case"),
          .word = flags.on("word-regexp"),
          .whole_line = flags.on("line-regexp"),
          .multiline = flags.on("multiline"),
          .dot_newline = flags.on("multiline-dotall"),
          .near = flags.has("near")};
}

Result<std::shared_ptr<const GrepQuery>> ask_again(const Flags& flags, const PatternOptions& options) {
  RAGLINE_TRY(Asked asked, read_patterns(flags));
  return GrepQuery::compile(std::move(asked.patterns), options, std::move(asked.line), std::move(asked.file));
}

Result<Question> read_question(const Flags& flags) {
  RAGLINE_TRY(Asked asked, read_patterns(flags));
  Question question;
  question.positionals = asked.positionals;
  RAGLINE_TRY(question.query,
              GrepQuery::compile(std::move(asked.patterns), pattern_options(flags), std::move(asked.line), std::move(asked.file)));
  return question;
}

}  // namespace ragline
