#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/flags.h"

// Output for people: whether a terminal is there, what it can show, and text that cannot harm it.
namespace ragline {

bool is_terminal(int descriptor);
// Columns of the terminal at `descriptor`: COLUMNS, else the kernel's word, else 80; at least 40.
int terminal_width(int descriptor, GetVariable variable = system_variable);

// --color: "always" and "never" decide; "auto" is a terminal without NO_COLOR (not empty) and with
// TERM other than dumb.
bool use_color(std::string_view choice, bool terminal, GetVariable variable = system_variable);

// Where links lead. Empty: no links. `{path}` is the absolute path, percent-encoded, `{line}` the
// line, `{host}` this machine's name: "file://{host}{path}", "vscode://file{path}:{line}".
//   RAGLINE_HYPERLINKS: "never" or "0", "always" or "1", or such a format; unset: only on terminals
//   known to show links (VTE 0.50 and newer, kitty, iTerm, WezTerm, foot, Konsole, Windows
//   Terminal, VS Code, Ghostty, Alacritty).
std::string link_format(bool terminal, GetVariable variable = system_variable);

// Text of a corpus or of a message, safe to print to a terminal: control characters but tab and
// newline become their pictures (ESC is U+241B), C1 controls and bidirectional overrides
// "<U+202E>", ill-formed bytes U+FFFD. Text without such is returned as it is.
std::string harmless_text(std::string_view text);

enum class Ink { kPlain, kPath, kNumber, kMatch, kHeading, kDim };

// Writes coloured, linked and harmless text. For a pipe without colour it writes the text as it is.
class Painter {
 public:
  Painter(bool harmless, bool color, std::string link_format)
      : harmless_(harmless), color_(color), link_format_(std::move(link_format)) {}
  // For standard output, from --color.
  static Painter standard(std::string_view color_choice);

  bool color() const { return color_; }
  void paint(std::string& out, Ink ink, std::string_view text) const;
  // `text` as a link to a file's line (OSC 8) where links are shown. `path` may be relative to the
  // current directory.
  void link(std::string& out, Ink ink, std::string_view text, std::string_view path,
            std::uint64_t line) const;

 private:
  bool harmless_, color_;
  std::string link_format_;
};

}  // namespace ragline
