#include <algorithm>

#include "core/text.h"
#include "grep/path_filter.h"

namespace ragline {

namespace {

struct BuiltIn {
  const char* name;
  const char* globs;  // separated by blanks
};

constexpr BuiltIn kTypes[] = {
    {"ada", "*.adb *.ads"},
    {"agda", "*.agda *.lagda"},
    {"aidl", "*.aidl"},
    {"asciidoc", "*.adoc *.asc *.asciidoc"},
    {"asm", "*.asm *.s *.S"},
    {"avro", "*.avdl *.avpr *.avsc"},
    {"awk", "*.awk"},
    {"bat", "*.bat"},
    {"bazel", "*.bazel *.bzl *.BUILD BUILD WORKSPACE MODULE.bazel"},
    {"bitbake", "*.bb *.bbappend *.bbclass *.conf *.inc"},
    {"bzip2", "*.bz2 *.tbz2"},
    {"c", "*.[chH] *.[chH].in *.cats"},
    {"cbor", "*.cbor"},
    {"clojure", "*.clj *.cljc *.cljs *.cljx"},
    {"cmake", "*.cmake CMakeLists.txt"},
    {"coffeescript", "*.coffee"},
    {"config", "*.cfg *.conf *.config *.ini"},
    {"cpp", "*.[ChH] *.cc *.[ch]pp *.[ch]xx *.hh *.inl *.[ChH].in *.cc.in *.[ch]pp.in *.[ch]xx.in *.hh.in"},
    {"crystal", "Projectfile *.cr *.ecr shard.yml"},
    {"cs", "*.cs"},
    {"csharp", "*.cs"},
    {"css", "*.css *.scss"},
    {"csv", "*.csv"},
    {"cuda", "*.cu *.cuh"},
    {"cython", "*.pyx *.pxi *.pxd"},
    {"d", "*.d"},
    {"dart", "*.dart"},
    {"devicetree", "*.dts *.dtsi"},
    {"dhall", "*.dhall"},
    {"diff", "*.patch *.diff"},
    {"docker", "*Dockerfile*"},
    {"elisp", "*.el"},
    {"elixir", "*.ex *.eex *.exs *.heex *.leex *.livemd"},
    {"elm", "*.elm"},
    {"erlang", "*.erl *.hrl"},
    {"fennel", "*.fnl"},
    {"fish", "*.fish"},
    {"fortran", "*.f *.F *.f77 *.F77 *.pfo *.f90 *.F90 *.f95 *.F95"},
    {"fsharp", "*.fs *.fsx *.fsi"},
    {"gn", "*.gn *.gni"},
    {"go", "*.go"},
    {"gradle", "*.gradle *.gradle.kts gradle.properties"},
    {"graphql", "*.graphql *.graphqls"},
    {"groovy", "*.groovy *.gradle"},
    {"gzip", "*.gz *.tgz"},
    {"h", "*.h *.hh *.hpp"},
    {"haml", "*.haml"},
    {"haskell", "*.hs *.lhs *.cpphs *.c2hs *.hsc"},
    {"html", "*.htm *.html *.ejs"},
    {"idris", "*.idr *.lidr"},
    {"java", "*.java *.jsp *.jspx *.properties"},
    {"jl", "*.jl"},
    {"js", "*.js *.jsx *.vue *.cjs *.mjs"},
    {"json", "*.json composer.lock *.sarif"},
    {"jsonl", "*.jsonl"},
    {"julia", "*.jl"},
    {"jupyter", "*.ipynb *.jpynb"},
    {"kotlin", "*.kt *.kts"},
    {"less", "*.less"},
    {"license", "COPYING COPYING[.-]* LICENSE LICENSE[.-]* LICENCE LICENCE[.-]* NOTICE NOTICE[.-]*"},
    {"lisp", "*.el *.jl *.lisp *.lsp *.sc *.scm"},
    {"lock", "*.lock package-lock.json"},
    {"log", "*.log"},
    {"lua", "*.lua"},
    {"lz4", "*.lz4"},
    {"m4", "*.ac *.m4"},
    {"make", "[Gg][Nn][Uu]makefile [Mm]akefile [Gg][Nn][Uu]makefile.am [Mm]akefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile.in *.mk *.mak"},
    {"man", "*.[0-9lnpx] *.[0-9][cEFMmpSx]"},
    {"markdown", "*.markdown *.md *.mdown *.mdwn *.mkd *.mkdn *.mdx"},
    {"matlab", "*.m"},
    {"md", "*.markdown *.md *.mdown *.mdwn *.mkd *.mkdn *.mdx"},
    {"meson", "meson.build meson_options.txt meson.options"},
    {"mk", "mkfile"},
    {"ml", "*.ml"},
    {"nim", "*.nim *.nimf *.nimble *.nims"},
    {"nix", "*.nix"},
    {"objc", "*.h *.m"},
    {"objcpp", "*.h *.mm"},
    {"ocaml", "*.ml *.mli *.mll *.mly"},
    {"org", "*.org *.org_archive"},
    {"pascal", "*.pas *.dpr *.lpr *.pp *.inc"},
    {"pdf", "*.pdf"},
    {"perl", "*.perl *.pl *.PL *.plh *.plx *.pm *.t"},
    {"php", "*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml"},
    {"po", "*.po"},
    {"postscript", "*.eps *.ps"},
    {"prolog", "*.pl *.pro *.prolog *.P"},
    {"protobuf", "*.proto"},
    {"ps", "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1"},
    {"puppet", "*.epp *.erb *.pp *.rb"},
    {"py", "*.py *.pyi"},
    {"python", "*.py *.pyi"},
    {"qmake", "*.pro *.pri *.prf"},
    {"qml", "*.qml"},
    {"r", "*.R *.r *.Rmd *.rmd *.Rnw *.rnw"},
    {"racket", "*.rkt"},
    {"rdoc", "*.rdoc"},
    {"readme", "README* *README"},
    {"rst", "*.rst"},
    {"ruby", "config.ru Gemfile .irbrc Rakefile *.gemspec *.rb *.rbw *.rake"},
    {"rust", "*.rs"},
    {"sass", "*.sass *.scss"},
    {"scala", "*.scala *.sbt"},
    {"sh", "*.sh *.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc .profile "
           ".zshrc .zshenv .zprofile bashrc zshrc"},
    {"slim", "*.skim *.slim *.slime"},
    {"sml", "*.sml *.sig"},
    {"solidity", "*.sol"},
    {"spec", "*.spec"},
    {"sql", "*.sql *.psql"},
    {"stylus", "*.styl"},
    {"svelte", "*.svelte *.svelte.ts"},
    {"svg", "*.svg"},
    {"swift", "*.swift"},
    {"swig", "*.def *.i"},
    {"systemd", "*.automount *.conf *.device *.link *.mount *.path *.scope *.service *.slice *.socket *.swap *.target *.timer"},
    {"tcl", "*.tcl"},
    {"tex", "*.tex *.ltx *.cls *.sty *.bib *.dtx *.ins"},
    {"texinfo", "*.texi"},
    {"textile", "*.textile"},
    {"tf", "*.tf *.tf.json *.tfvars *.tfvars.json *.terraformrc terraform.rc *.tfrc"},
    {"thrift", "*.thrift"},
    {"toml", "*.toml Cargo.lock"},
    {"ts", "*.ts *.tsx *.cts *.mts"},
    {"twig", "*.twig"},
    {"txt", "*.txt"},
    {"typescript", "*.ts *.tsx *.cts *.mts"},
    {"vala", "*.vala"},
    {"vb", "*.vb"},
    {"verilog", "*.v *.vh *.sv *.svh"},
    {"vhdl", "*.vhd *.vhdl"},
    {"vim", "*.vim .vimrc .gvimrc vimrc gvimrc _vimrc _gvimrc"},
    {"vue", "*.vue"},
    {"webidl", "*.idl *.webidl *.widl"},
    {"wgsl", "*.wgsl"},
    {"xml", "*.xml *.xml.dist *.dtd *.xsl *.xslt *.xsd *.xjb *.rng *.sch *.xhtml"},
    {"xz", "*.xz *.txz"},
    {"yaml", "*.yaml *.yml"},
    {"zig", "*.zig"},
    {"zsh", ".zshenv .zlogin .zlogout .zprofile .zshrc *.zsh"},
    {"zstd", "*.zst *.zstd"},
};

std::vector<std::string> words_of(std::string_view text, char separator) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, separator))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

}  // namespace

FileTypes::FileTypes() {
  for (const BuiltIn& type : kTypes) types_.emplace_back(type.name, words_of(type.globs, ' '));
}

Status FileTypes::add(std::string_view definition) {
  const auto colon = definition.find(':');
  const std::string name(definition.substr(0, colon));
  const bool named = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || c == '-';
  });
  if (colon == definition.npos || !named || colon + 1 == definition.size())
    return fail(ErrorKind::kUsage, cat("--type-add '", definition, "': give NAME:GLOB, as in 'page:*.xhtml', or NAME:include:TYPE,TYPE"));
  std::string_view rest = definition.substr(colon + 1);
  std::vector<std::string> added;
  if (rest.starts_with("include:")) {
    for (const std::string& other : words_of(rest.substr(8), ',')) {
      RAGLINE_TRY(const auto theirs, globs(other));
      added.insert(added.end(), theirs.begin(), theirs.end());
    }
  } else {
    added.emplace_back(rest);
  }
  auto place = std::ranges::lower_bound(types_, name, {}, [](const auto& type) { return type.first; });
  if (place == types_.end() || place->first != name) place = types_.insert(place, {name, {}});
  place->second.insert(place->second.end(), added.begin(), added.end());
  return {};
}

Result<std::vector<std::string>> FileTypes::globs(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& [type, globs] : types_) {
    if (type == name) return globs;
    if (name == "all") all.insert(all.end(), globs.begin(), globs.end());
  }
  if (name == "all") return all;
  return fail(ErrorKind::kUsage, cat("unknown file type '", name, "': --type-list shows those there are, --type-add makes one"));
}

std::string FileTypes::list() const {
  std::string out;
  for (const auto& [type, globs] : types_) {
    append(out, type, ":");
    for (std::size_t i = 0; i < globs.size(); ++i) append(out, i ? ", " : " ", globs[i]);
    out += '\n';
  }
  return out;
}

}  // namespace ragline
