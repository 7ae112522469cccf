"""The tree keeps the include rules, and the check can fail: a made-up tree breaks each rule once."""

import pathlib
import tempfile
import unittest

from layers import violations

ROOT = pathlib.Path(__file__).resolve().parents[2]

LAYERS = """
set(RAGLINE_LAYERS core record index cli)
set(RAGLINE_USES_core "")
set(RAGLINE_USES_record core)
set(RAGLINE_USES_index record)
set(RAGLINE_USES_cli record)
set(RAGLINE_THIRD_record json)
set(RAGLINE_THIRD_index icu)
"""
DEPENDENCIES = """
ragline_find(json json.h json)
ragline_find(icu unicode/ubrk.h icuuc)
"""
CLEAN = {
    "lib/core/text.h": "#include <string>\n",
    "lib/record/reader.cc": '#include <json.h>\n#include "core/text.h"\n#include "record/reader.h"\n',
    "lib/index/a.cc": '#include "core/text.h"\n#include <unicode/ubrk.h>\n',
    "lib/index/b.cc": "#include <unicode/uchar.h>\n",
    "tools/rag-x.cc": '#include "cli/main.h"\n#include "rag-x/run.h"\n#include "scope.h"\n',
    "tools/scope.h": '#include "index/filter.h"\n',
    "tools/rag-x/run.h": '#include "index/a.h"\n',
}


class RealTree(unittest.TestCase):
    def test_keeps_the_rules(self):
        self.assertEqual(violations(ROOT), [])


class MadeUpTree(unittest.TestCase):
    def check(self, changes, layers=LAYERS):
        with tempfile.TemporaryDirectory() as folder:
            files = CLEAN | changes
            files |= {"cmake/Layers.cmake": layers, "cmake/Dependencies.cmake": DEPENDENCIES}
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return violations(folder)

    def assert_one(self, found, *parts):
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_clean_tree_passes(self):
        self.assertEqual(self.check({}), [])

    def test_include_of_a_higher_layer(self):
        found = self.check({"lib/core/up.cc": '\n#include "record/reader.h"\n'})
        self.assert_one(found, "lib/core/up.cc:2: 'record/reader.h'", "core may use only core")

    def test_include_of_a_neighbour_that_is_not_named(self):
        found = self.check({"lib/index/c.cc": '#include "cli/main.h"\n'})
        self.assert_one(found, "index may use only core, record, index")

    def test_include_without_a_folder(self):
        found = self.check({"lib/core/x.cc": '#include "text.h"\n'})
        self.assert_one(found, "'text.h'", "core may use only core")

    def test_third_party_in_the_wrong_layer(self):
        found = self.check({"lib/core/x.cc": "#include <json.h>\n"})
        self.assert_one(found, "does not give json to core")

    def test_third_party_in_a_header(self):
        found = self.check({"lib/index/x.h": "#include <unicode/uchar.h>\n"})
        self.assert_one(found, "not in a header")

    def test_heavy_header_in_two_sources(self):
        found = self.check({"lib/record/second.cc": "#include <json.h>\n"})
        self.assert_one(found, "lib/record/reader.cc includes json already")

    def test_tool_with_a_third_party_header(self):
        found = self.check({"tools/rag-x.cc": "#include <json.h>\n"})
        self.assert_one(found, "tools/ includes headers of lib/ only")

    def test_tool_with_a_header_from_nowhere(self):
        found = self.check({"tools/rag-x.cc": '#include "common.h"\n'})
        self.assert_one(found, "neither in lib/ nor in tools/rag-x/")

    def test_tool_with_the_header_of_another(self):
        found = self.check({"tools/rag-y.cc": '#include "rag-x/run.h"\n'})
        self.assert_one(found, "neither in lib/ nor in tools/rag-y/")

    def test_folder_that_is_no_layer(self):
        self.assert_one(self.check({"lib/misc/x.cc": "\n"}), "lib/misc: not named")

    def test_layers_out_of_order(self):
        found = self.check({}, LAYERS.replace('USES_core ""', "USES_core record"))
        self.assert_one(found, "core uses record, which is not named before it")

    def test_layer_that_uses_cli(self):
        found = self.check({}, LAYERS.replace("USES_index record", "USES_index cli record"))
        self.assert_one(found, "cli, which is for tools/ alone")


if __name__ == "__main__":
    unittest.main()
