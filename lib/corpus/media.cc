#include "corpus/media.h"

#include <algorithm>

#include "core/text.h"
#include "corpus/log.h"

namespace ragline {

namespace {

struct Entry {
  std::string_view name, type;
};

// clang-format off

// By extension, lower case.
constexpr Entry kExtensions[] = {
    // Prose.
    {"md", "text/markdown"}, {"markdown", "text/markdown"}, {"mdown", "text/markdown"}, {"mkd", "text/markdown"},
    {"mdx", "text/markdown"}, {"rmd", "text/markdown"}, {"qmd", "text/markdown"}, {"txt", "text/plain"},
    {"text", "text/plain"}, {"rst", "text/x-rst"}, {"adoc", "text/x-asciidoc"}, {"asciidoc", "text/x-asciidoc"},
    {"org", "text/x-org"}, {"tex", "text/x-tex"}, {"eml", "text/plain"}, {"mbox", "text/plain"}, {"html", "text/html"},
    {"htm", "text/html"}, {"xhtml", "text/html"}, {"log", "text/x-log"},
    // Rows.
    {"csv", "text/csv"}, {"tsv", "text/tab-separated-values"}, {"tab", "text/tab-separated-values"},
    {"jsonl", "application/jsonl"}, {"ndjson", "application/jsonl"},
    // Data and configuration.
    {"json", "application/json"}, {"json5", "application/json"}, {"geojson", "application/json"},
    {"ipynb", "application/json"}, {"xml", "text/xml"}, {"svg", "text/xml"}, {"xsd", "text/xml"}, {"xsl", "text/xml"},
    {"plist", "text/xml"}, {"yaml", "text/x-yaml"}, {"yml", "text/x-yaml"}, {"toml", "text/x-toml"},
    {"ini", "text/x-ini"}, {"cfg", "text/x-ini"}, {"conf", "text/x-ini"}, {"properties", "text/x-ini"},
    {"env", "text/x-ini"}, {"service", "text/x-ini"}, {"desktop", "text/x-ini"}, {"diff", "text/x-diff"},
    {"patch", "text/x-diff"},
    // Source code.
    {"c", "text/x-c"}, {"h", "text/x-c"}, {"cc", "text/x-c++"}, {"cpp", "text/x-c++"}, {"cxx", "text/x-c++"},
    {"c++", "text/x-c++"}, {"hh", "text/x-c++"}, {"hpp", "text/x-c++"}, {"hxx", "text/x-c++"}, {"ipp", "text/x-c++"},
    {"inl", "text/x-c++"}, {"cu", "text/x-cuda"}, {"cuh", "text/x-cuda"}, {"m", "text/x-objective-c"},
    {"mm", "text/x-objective-c"}, {"py", "text/x-python"}, {"pyi", "text/x-python"}, {"pyw", "text/x-python"},
    {"pyx", "text/x-cython"}, {"rs", "text/x-rust"}, {"go", "text/x-go"}, {"java", "text/x-java"},
    {"kt", "text/x-kotlin"}, {"kts", "text/x-kotlin"}, {"scala", "text/x-scala"}, {"sc", "text/x-scala"},
    {"groovy", "text/x-groovy"}, {"gradle", "text/x-groovy"}, {"js", "text/javascript"}, {"mjs", "text/javascript"},
    {"cjs", "text/javascript"}, {"jsx", "text/javascript"}, {"ts", "text/x-typescript"}, {"mts", "text/x-typescript"},
    {"cts", "text/x-typescript"}, {"tsx", "text/x-typescript"}, {"vue", "text/x-vue"}, {"svelte", "text/x-svelte"},
    {"cs", "text/x-csharp"}, {"fs", "text/x-fsharp"}, {"fsx", "text/x-fsharp"}, {"vb", "text/x-vb"},
    {"swift", "text/x-swift"}, {"rb", "text/x-ruby"}, {"rake", "text/x-ruby"}, {"gemspec", "text/x-ruby"},
    {"php", "text/x-php"}, {"pl", "text/x-perl"}, {"pm", "text/x-perl"}, {"lua", "text/x-lua"}, {"r", "text/x-r"},
    {"jl", "text/x-julia"}, {"hs", "text/x-haskell"}, {"lhs", "text/x-haskell"}, {"ml", "text/x-ocaml"},
    {"mli", "text/x-ocaml"}, {"erl", "text/x-erlang"}, {"hrl", "text/x-erlang"}, {"ex", "text/x-elixir"},
    {"exs", "text/x-elixir"}, {"clj", "text/x-clojure"}, {"cljs", "text/x-clojure"}, {"edn", "text/x-clojure"},
    {"lisp", "text/x-lisp"}, {"el", "text/x-lisp"}, {"scm", "text/x-scheme"}, {"rkt", "text/x-scheme"},
    {"dart", "text/x-dart"}, {"zig", "text/x-zig"}, {"nim", "text/x-nim"}, {"d", "text/x-d"}, {"pas", "text/x-pascal"},
    {"ada", "text/x-ada"}, {"adb", "text/x-ada"}, {"ads", "text/x-ada"}, {"f", "text/x-fortran"},
    {"f90", "text/x-fortran"}, {"f95", "text/x-fortran"}, {"cob", "text/x-cobol"}, {"cbl", "text/x-cobol"},
    {"asm", "text/x-asm"}, {"s", "text/x-asm"}, {"v", "text/x-verilog"}, {"sv", "text/x-verilog"},
    {"vhd", "text/x-vhdl"}, {"vhdl", "text/x-vhdl"}, {"sol", "text/x-solidity"}, {"sql", "text/x-sql"},
    {"graphql", "text/x-graphql"}, {"gql", "text/x-graphql"}, {"proto", "text/x-protobuf"}, {"thrift", "text/x-thrift"},
    {"sh", "text/x-sh"}, {"bash", "text/x-sh"}, {"zsh", "text/x-sh"}, {"ksh", "text/x-sh"}, {"fish", "text/x-fish"},
    {"ps1", "text/x-powershell"}, {"psm1", "text/x-powershell"}, {"bat", "text/x-batch"}, {"cmd", "text/x-batch"},
    {"awk", "text/x-awk"}, {"tcl", "text/x-tcl"}, {"vim", "text/x-vim"}, {"css", "text/css"}, {"scss", "text/x-scss"},
    {"sass", "text/x-sass"}, {"less", "text/x-less"}, {"tf", "text/x-terraform"}, {"hcl", "text/x-terraform"},
    {"nix", "text/x-nix"}, {"cmake", "text/x-cmake"}, {"mk", "text/x-makefile"}, {"mak", "text/x-makefile"},
    {"bzl", "text/x-starlark"}, {"bazel", "text/x-starlark"}, {"y", "text/x-yacc"}, {"l", "text/x-lex"},
    // Documents whose text needs a parser of their own.
    {"pdf", "application/pdf"}, {"doc", "application/msword"}, {"rtf", "application/rtf"},
    {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {"xls", "application/vnd.ms-excel"}, {"ppt", "application/vnd.ms-powerpoint"},
    {"odt", "application/vnd.oasis.opendocument.text"}, {"ods", "application/vnd.oasis.opendocument.spreadsheet"},
    {"odp", "application/vnd.oasis.opendocument.presentation"}, {"epub", "application/epub+zip"},
    {"msg", "application/vnd.ms-outlook"}, {"zip", "application/zip"}, {"tar", "application/x-tar"},
    {"gz", "application/gzip"}, {"tgz", "application/gzip"}, {"bz2", "application/x-bzip2"},
    {"xz", "application/x-xz"}, {"zst", "application/zstd"}, {"7z", "application/x-7z-compressed"},
    // Never text.
    {"png", "application/octet-stream"}, {"jpg", "application/octet-stream"}, {"jpeg", "application/octet-stream"},
    {"gif", "application/octet-stream"}, {"webp", "application/octet-stream"}, {"ico", "application/octet-stream"},
    {"mp3", "application/octet-stream"}, {"mp4", "application/octet-stream"}, {"woff", "application/octet-stream"},
    {"woff2", "application/octet-stream"}, {"ttf", "application/octet-stream"}, {"exe", "application/octet-stream"},
    {"dll", "application/octet-stream"}, {"so", "application/octet-stream"}, {"o", "application/octet-stream"},
    {"a", "application/octet-stream"}, {"class", "application/octet-stream"}, {"pyc", "application/octet-stream"},
};

// By whole name, lower case.
constexpr Entry kNames[] = {
    {"makefile", "text/x-makefile"}, {"gnumakefile", "text/x-makefile"}, {"cmakelists.txt", "text/x-cmake"},
    {"dockerfile", "text/x-dockerfile"}, {"containerfile", "text/x-dockerfile"}, {"jenkinsfile", "text/x-groovy"},
    {"rakefile", "text/x-ruby"}, {"gemfile", "text/x-ruby"}, {"vagrantfile", "text/x-ruby"},
    {"build", "text/x-starlark"}, {"workspace", "text/x-starlark"}, {"meson.build", "text/x-meson"},
    {"requirements.txt", "text/x-ini"}, {"readme", "text/plain"}, {"syslog", "text/x-log"}, {"messages", "text/x-log"},
};

// By the program after "#!".
constexpr Entry kInterpreters[] = {
    {"sh", "text/x-sh"}, {"bash", "text/x-sh"}, {"dash", "text/x-sh"}, {"zsh", "text/x-sh"}, {"ksh", "text/x-sh"},
    {"fish", "text/x-fish"}, {"python", "text/x-python"}, {"perl", "text/x-perl"}, {"ruby", "text/x-ruby"},
    {"node", "text/javascript"}, {"deno", "text/x-typescript"}, {"php", "text/x-php"}, {"lua", "text/x-lua"},
    {"awk", "text/x-awk"}, {"gawk", "text/x-awk"}, {"tclsh", "text/x-tcl"}, {"rscript", "text/x-r"},
    {"julia", "text/x-julia"}, {"make", "text/x-makefile"},
};

// clang-format on

// Text types that are neither code nor plain text.
constexpr std::string_view kProse[] = {"text/x-log", "text/x-rst", "text/x-asciidoc", "text/x-org",
                                       "text/x-tex"};

template <std::size_t n>
std::string_view find(const Entry (&entries)[n], std::string_view name) {
  const auto* entry =
      std::find_if(entries, entries + n, [&](const Entry& e) { return e.name == name; });
  return entry == entries + n ? std::string_view() : entry->type;
}

// "#!/usr/bin/env -S python3.11 -u" names python.
std::string_view by_interpreter(std::string_view head) {
  if (!head.starts_with("#!")) return {};
  std::string_view line = head.substr(2, std::min<std::size_t>(head.find('\n'), 200) - 2);
  for (std::string_view word : split(line, ' ')) {
    word = trim(word);
    word.remove_prefix(std::min(word.rfind('/') + 1, word.size()));
    if (word.empty() || word == "env" || word.front() == '-') continue;
    while (!word.empty() && (word.back() == '.' || (word.back() >= '0' && word.back() <= '9')))
      word.remove_suffix(1);
    return find(kInterpreters, ascii_lower(word));
  }
  return {};
}

bool looks_like_html(std::string_view head) {
  const std::string start = ascii_lower(trim(head.substr(0, 256)));
  return start.starts_with("<!doctype html") || start.starts_with("<html");
}

}  // namespace

std::string_view media_type_of(std::string_view path, std::string_view head) {
  std::string name = ascii_lower(path.substr(path.rfind('/') + 1));
  if (auto type = find(kNames, name); !type.empty()) return type;
  const auto dot = name.rfind('.');
  const bool has_extension = dot != name.npos && dot > 0;
  if (has_extension) {
    const std::string_view extension = std::string_view(name).substr(dot + 1);
    // "dockerfile.dev", "server.log.3"
    if (name.starts_with("dockerfile.")) return "text/x-dockerfile";
    if (name.find(".log.") != name.npos && parse_integer(extension)) return "text/x-log";
    if (auto type = find(kExtensions, extension); !type.empty() && type != "text/plain")
      return type;
  }
  if (head.starts_with("%PDF-")) return "application/pdf";
  if (auto type = by_interpreter(head); !type.empty()) return type;
  if (looks_like_html(head)) return "text/html";
  if (looks_like_log(head)) return "text/x-log";
  return "text/plain";
}

bool is_code(std::string_view media_type) {
  if (media_type == "text/javascript" || media_type == "application/javascript" ||
      media_type == "text/css" || media_type == "text/xml" || media_type == "application/xml" ||
      media_type == "application/json")
    return true;
  return media_type.starts_with("text/x-") &&
         std::ranges::find(kProse, media_type) == std::end(kProse);
}

bool has_parser(std::string_view media_type) {
  return media_type.starts_with("text/") || media_type == "application/json" ||
         media_type == "application/jsonl" || media_type == "application/xml" ||
         media_type == "application/javascript";
}

}  // namespace ragline
