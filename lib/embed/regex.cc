#include "embed/regex.h"

#include <re2/re2.h>
#include <unicode/uchar.h>

#include <string>

#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

constexpr std::string_view kLookahead = "\\s+(?!\\S)";
// What \s means where Unicode counts; RE2's is ASCII.
constexpr std::string_view kBlanks =
    "\\t-\\r "
    "\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}";

// \s and \S as Unicode has them. \S inside brackets is left to RE2.
std::string widen_blanks(std::string_view pattern) {
  std::string out;
  bool bracket = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      const char letter = pattern[++i];
      if (letter == 's')
        append(out, bracket ? "" : "[", kBlanks, bracket ? "" : "]");
      else if (letter == 'S' && !bracket)
        append(out, "[^", kBlanks, "]");
      else
        append(out, '\\', letter);
      continue;
    }
    if (pattern[i] == '[') bracket = true;
    if (pattern[i] == ']') bracket = false;
    out += pattern[i];
  }
  return out;
}

bool blank_at(std::string_view text, std::size_t at) {
  return u_isUWhiteSpace(static_cast<UChar32>(next_code_point(text, at)));
}

class Re2Regex final : public SplitRegex {
 public:
  Re2Regex(const std::string& pattern, bool give_back, const RE2::Options& options)
      : regex_(pattern, options), give_back_(give_back) {}
  const RE2& regex() const { return regex_; }

  void each_match(
      std::string_view text,
      const std::function<void(std::size_t begin, std::size_t end)>& visit) const override {
    const re2::StringPiece all(text.data(), text.size());
    re2::StringPiece match[2];
    for (std::size_t at = 0; at < text.size();) {
      if (!regex_.Match(all, at, text.size(), RE2::UNANCHORED, match, 2)) return;
      const auto begin = static_cast<std::size_t>(match[0].data() - text.data());
      std::size_t end = begin + match[0].size();
      // The group is the run of blanks; only a word that follows takes its last one.
      if (give_back_ && match[1].data() && !match[1].empty() && end < text.size() &&
          !blank_at(text, end)) {
        const std::size_t last = utf8_floor(text, end - 1);
        if (last > begin) end = last;
      }
      if (end > begin) visit(begin, end);
      at = end > begin ? end : begin + 1;
      while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
    }
  }

 private:
  RE2 regex_;
  bool give_back_;
};

}  // namespace

Result<std::shared_ptr<const SplitRegex>> SplitRegex::parse(std::string_view pattern) {
  std::string text(pattern);
  const std::size_t lookahead = text.find(kLookahead);
  if (lookahead != text.npos) text.replace(lookahead, kLookahead.size(), "(\\s+)");
  RE2::Options options;
  options.set_log_errors(false);
  auto out = std::make_shared<Re2Regex>(widen_blanks(text), lookahead != text.npos, options);
  if (!out->regex().ok() ||
      out->regex().NumberOfCapturingGroups() > (lookahead != text.npos ? 1 : 64))
    return fail(ErrorKind::kData,
                cat("the pattern '", pattern, "' is not one that RE2 can match (",
                    out->regex().error(), "): use a model whose tokenizer needs no lookaround"));
  return std::shared_ptr<const SplitRegex>(std::move(out));
}

}  // namespace ragline
