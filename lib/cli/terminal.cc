#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "core/files.h"
#include "core/text.h"
#include "core/utf8.h"

namespace ragline {

namespace {

std::string_view variable_text(GetVariable variable, const char* name) {
  const char* text = variable(name);
  return text ? text : "";
}

bool shows_links(GetVariable variable) {
  const auto term = variable_text(variable, "TERM");
  if (term.starts_with("screen") || term.starts_with("tmux"))
    return false;  // passed on by new versions only
  for (std::string_view known : {"xterm-kitty", "foot", "alacritty", "xterm-ghostty", "wezterm"})
    if (term.starts_with(known)) return true;
  const auto program = variable_text(variable, "TERM_PROGRAM");
  for (std::string_view known : {"iTerm.app", "WezTerm", "vscode", "ghostty"})
    if (program == known) return true;
  if (!variable_text(variable, "KONSOLE_VERSION").empty() ||
      !variable_text(variable, "WT_SESSION").empty())
    return true;
  return parse_integer(variable_text(variable, "VTE_VERSION")).value_or(0) >= 5000;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

std::string percent_encoded(std::string_view path) {
  static constexpr std::string_view kPlain = "-._~/";
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       kPlain.find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      append(out, '%', hex(static_cast<unsigned char>(c), 2));
  }
  return out;
}

const char* escape_of(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kPath:
      return "\x1b[35m";
    case Ink::kNumber:
      return "\x1b[32m";
    case Ink::kMatch:
      return "\x1b[1;31m";
    case Ink::kHeading:
      return "\x1b[1m";
    case Ink::kDim:
      return "\x1b[2m";
  }
  return "";
}

std::string upper_hex(char32_t c) {
  std::string digits = hex(c, 4);
  for (char& digit : digits)
    if (digit >= 'a') digit = static_cast<char>(digit - 'a' + 'A');
  return digits;
}

bool is_bidi_control(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);  // overrides and isolates, not the plain marks
}

}  // namespace

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int terminal_width(int descriptor, GetVariable variable) {
  std::int64_t width = parse_integer(variable_text(variable, "COLUMNS")).value_or(0);
  winsize size{};
  if (width <= 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width <= 0) width = 80;
  return static_cast<int>(std::clamp<std::int64_t>(width, 40, 1000));
}

bool use_color(std::string_view choice, bool terminal, GetVariable variable) {
  if (choice == "always") return true;
  if (choice == "never" || !terminal) return false;
  return variable_text(variable, "NO_COLOR").empty() && variable_text(variable, "TERM") != "dumb";
}

std::string link_format(bool terminal, GetVariable variable) {
  static constexpr const char* kFileFormat = "file://{host}{path}";
  const auto choice = variable_text(variable, "RAGLINE_HYPERLINKS");
  if (choice == "never" || choice == "0" || !terminal) return "";
  if (choice == "always" || choice == "1") return kFileFormat;
  if (!choice.empty()) return std::string(choice);
  return shows_links(variable) ? kFileFormat : "";
}

std::string harmless_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char byte = text[at];
    if (byte >= 0x20 && byte < 0x7f) {
      out += byte;
      ++at;
      continue;
    }
    const char32_t c = next_code_point(text, at);
    if (c == '\n' || c == '\t')
      out += static_cast<char>(c);
    else if (c < 0x20)
      append_utf8(out, 0x2400 + c);
    else if (c == 0x7f)
      append_utf8(out, 0x2421);
    else if ((c >= 0x80 && c < 0xa0) || is_bidi_control(c))
      append(out, "<U+", upper_hex(c), '>');
    else
      append_utf8(out, c);
  }
  return out;
}

Painter Painter::standard(std::string_view color_choice) {
  const bool terminal = is_terminal(STDOUT_FILENO);
  const bool color = use_color(color_choice, terminal);
  return Painter(terminal || color, color, color ? ragline::link_format(terminal) : std::string());
}

void Painter::paint(std::string& out, Ink ink, std::string_view text) const {
  const bool painted = color_ && ink != Ink::kPlain && !text.empty();
  if (painted) out += escape_of(ink);
  if (harmless_)
    out += harmless_text(text);
  else
    out += text;
  if (painted) out += "\x1b[0m";
}

void Painter::link(std::string& out, Ink ink, std::string_view text, std::string_view path,
                   std::uint64_t line) const {
  if (link_format_.empty()) return paint(out, ink, text);
  std::string target;
  for (std::size_t at = 0; at < link_format_.size();) {
    const std::string_view rest = std::string_view(link_format_).substr(at);
    if (rest.starts_with("{path}"))
      append(target, percent_encoded(absolute_path(path))), at += 6;
    else if (rest.starts_with("{line}"))
      append(target, line), at += 6;
    else if (rest.starts_with("{host}"))
      append(target, host_name()), at += 6;
    else
      target += link_format_[at++];
  }
  append(out, "\x1b]8;;", harmless_text(target), "\x1b\\");
  paint(out, ink, text);
  out += "\x1b]8;;\x1b\\";
}

}  // namespace ragline
