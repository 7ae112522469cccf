#include "grep/re2_program.h"

#include <re2/re2.h>

#include "core/text.h"

namespace ragline {

namespace {

constexpr std::int64_t kMemory = 64 << 20;  // DFA and program; the default of 8 MB falls back to the slow NFA too early

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

// What works here instead of what RE2 refuses by principle.
std::string advice(std::string_view pattern, std::string_view fragment) {
  static constexpr std::string_view kLooks[] = {"(?=", "(?!", "(?<=", "(?<!"};
  for (std::string_view look : kLooks)
    if (pattern.find(look) != pattern.npos && fragment.starts_with(look.substr(0, 2)))
      return cat(": lookaround is not part of RE2: match the whole and narrow with --and PATTERN or --not PATTERN on the same line, "
                 "use \\b or -w for word limits, or -r '$1' to print a part");
  if (fragment.size() == 2 && fragment[0] == '\\' && fragment[1] >= '1' && fragment[1] <= '9')
    return ": backreferences are not part of RE2: list the alternatives (a.*a|b.*b), or search wider and compare afterwards";
  if (fragment.starts_with("(?>") || fragment.ends_with("+") || fragment.starts_with("(?P="))
    return ": atomic groups, possessive repeats and references are not part of RE2, which never backtracks: leave them out";
  return "";
}

}  // namespace

struct Re2Program::State {
  State(const std::string& text, const re2::RE2::Options& options) : regex(text, options) {}
  re2::RE2 regex;
};

Status check_re2_syntax(std::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMemory);
  const re2::RE2 regex(piece(pattern), options);
  if (regex.ok()) return {};
  std::string message = regex.error();
  if (regex.error_code() == re2::RE2::ErrorPatternTooLarge)
    return fail(ErrorKind::kUsage, "the pattern is too large: lower its {n,m} bounds, or split it into several -e patterns");
  const std::string fragment = regex.error_arg();
  const auto at = fragment.empty() ? pattern.npos : pattern.find(fragment);
  append(message, advice(pattern, fragment));
  if (at != pattern.npos) return fail(ErrorKind::kUsage, cat("at ", at + 1, ": ", message));
  return fail(ErrorKind::kUsage, std::move(message));
}

Re2Program::Re2Program(std::unique_ptr<State> state) : state_(std::move(state)) {}
Re2Program::Re2Program(Re2Program&&) noexcept = default;
Re2Program& Re2Program::operator=(Re2Program&&) noexcept = default;
Re2Program::~Re2Program() = default;

Result<Re2Program> Re2Program::compile(const std::string& text, Encoding encoding) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMemory);
  options.set_encoding(encoding == Encoding::kLatin1 ? re2::RE2::Options::EncodingLatin1 : re2::RE2::Options::EncodingUTF8);
  options.set_never_nl(encoding == Encoding::kUtf8Lines);
  auto state = std::make_unique<State>(text, options);
  if (!state->regex.ok()) return fail(ErrorKind::kLimit, state->regex.error());
  return Re2Program(std::move(state));
}

bool Re2Program::matches(std::string_view text) const {
  return state_->regex.Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

bool Re2Program::find(std::string_view text, std::size_t from, ByteSpan& span, int group) const {
  re2::StringPiece found[2];
  if (!state_->regex.Match(piece(text), from, text.size(), re2::RE2::UNANCHORED, found, group + 1)) return false;
  const auto begin = static_cast<std::uint64_t>(found[group].data() - text.data());
  span = {begin, begin + found[group].size()};
  return true;
}

bool Re2Program::captures(std::string_view text, ByteSpan span, std::vector<ByteSpan>& groups) const {
  std::vector<re2::StringPiece> found(static_cast<std::size_t>(capture_count()) + 1);
  // Anchored at both ends of the span, with the text around it in sight.
  if (!state_->regex.Match(piece(text), span.begin, span.end, re2::RE2::ANCHOR_BOTH, found.data(), static_cast<int>(found.size())))
    return false;
  groups.clear();
  for (const re2::StringPiece& each : found) {
    if (each.data() == nullptr) {
      groups.push_back({1, 0});
    } else {
      const auto begin = static_cast<std::uint64_t>(each.data() - text.data());
      groups.push_back({begin, begin + each.size()});
    }
  }
  return true;
}

int Re2Program::capture_count() const { return state_->regex.NumberOfCapturingGroups(); }

int Re2Program::capture_named(std::string_view name) const {
  const auto& names = state_->regex.NamedCapturingGroups();
  const auto found = names.find(std::string(name));
  return found == names.end() ? 0 : found->second;
}

}  // namespace ragline
