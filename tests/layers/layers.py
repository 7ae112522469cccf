"""The include rules of the project: who may include whom, and where third-party headers may appear.

    violations(root) -> ["lib/record/x.cc:3: 'index/segment.h': record may use only core", ...]

The rules are read from cmake/Layers.cmake (layers, what each may use, its third-party libraries)
and cmake/Dependencies.cmake (which header stands for which library), so that the build and this
check cannot differ.
"""

import pathlib
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
SET = re.compile(r'^\s*set\((\w+)\s+([^)]*)\)', re.MULTILINE)
FIND = re.compile(r'^\s*ragline_find\((\w+)\s+(\S+?)[\s)]', re.MULTILINE)

# Libraries whose C headers cost nothing, and algebra; the others may appear in one source file of a layer.
IN_MANY_SOURCES = {"icu", "sqlite", "eigen"}


def read_lists(text):
    """The set(NAME words...) of a CMake file; "" counts as no word."""
    return {
        name: [word for word in words.split() if word != '""'] for name, words in SET.findall(text)
    }


def read_third_party(text):
    """{library: what its includes begin with}: 'unicode/' for a folder of headers, else the header."""
    return {
        name: header.split("/")[0] + "/" if "/" in header else header
        for name, header in FIND.findall(text)
    }


class Rules:
    def __init__(self, root):
        lists = read_lists((root / "cmake/Layers.cmake").read_text())
        self.layers = lists["RAGLINE_LAYERS"]
        self.uses = {layer: lists.get("RAGLINE_USES_" + layer, []) for layer in self.layers}
        self.third = {layer: lists.get("RAGLINE_THIRD_" + layer, []) for layer in self.layers}
        self.headers = read_third_party((root / "cmake/Dependencies.cmake").read_text())

    def reachable(self, layer):
        found = []
        for used in self.uses.get(layer, []):
            found += [used] + self.reachable(used)
        return sorted(set(found), key=self.layers.index)

    def library_of(self, header):
        for library, prefix in self.headers.items():
            if header == prefix or (prefix.endswith("/") and header.startswith(prefix)):
                return library
        return None


def order_violations(rules):
    """A layer uses layers named before it, and nobody but tools/ uses cli."""
    for layer in rules.layers:
        for used in rules.uses[layer]:
            if used == "cli":
                yield f"cmake/Layers.cmake: {layer} uses cli, which is for tools/ alone"
            elif used not in rules.layers[: rules.layers.index(layer)]:
                yield f"cmake/Layers.cmake: {layer} uses {used}, which is not named before it"


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cc"))


def layer_violations(root, rules, layer):
    allowed = {layer, *rules.reachable(layer)}
    first_user = {}
    for path in sources(root / "lib" / layer):
        name = path.relative_to(root)
        for number, quote, header in includes(path):
            place = f"{name}:{number}: '{header}'"
            folder = header.split("/")[0]
            library = rules.library_of(header)
            if quote == '"' and folder not in allowed:
                names = ", ".join(sorted(allowed, key=rules.layers.index))
                yield f"{place}: {layer} may use only {names}"
            if library is None:
                continue
            if library not in rules.third[layer]:
                yield f"{place}: cmake/Layers.cmake does not give {library} to {layer}"
            elif path.suffix == ".h":
                yield f"{place}: a third-party header belongs in a source file, not in a header"
            elif library not in IN_MANY_SOURCES and first_user.setdefault(library, name) != name:
                yield f"{place}: {first_user[library]} includes {library} already; one source may"


def tool_violations(root, rules):
    """tools/x.cc and tools/x/ are one binary: it includes lib/, its own folder, and tools/*.h."""
    shared = [path.name for path in sources(root / "tools") if path.parent == root / "tools"]
    for path in sources(root / "tools"):
        tool = path.relative_to(root / "tools").parts[0].removesuffix(".cc")
        for number, quote, header in includes(path):
            place = f"{path.relative_to(root)}:{number}: '{header}'"
            if rules.library_of(header):
                yield f"{place}: tools/ includes headers of lib/ only"
            elif quote == '"' and header.split("/")[0] not in [*rules.layers, tool, *shared]:
                yield f"{place}: neither in lib/ nor in tools/{tool}/ nor shared in tools/"


def violations(root):
    root = pathlib.Path(root)
    rules = Rules(root)
    found = list(order_violations(rules))
    if found:
        return found  # what a layer reaches is not defined before the order holds
    folders = {path.name for path in (root / "lib").iterdir() if path.is_dir()}
    for name in sorted(folders - set(rules.layers)):
        if sources(root / "lib" / name):
            found.append(f"lib/{name}: not named in RAGLINE_LAYERS")
    for layer in rules.layers:
        if layer in folders:
            found += layer_violations(root, rules, layer)
    if (root / "tools").is_dir():
        found += tool_violations(root, rules)
    return found
