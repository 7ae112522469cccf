"""README.md keeps its word: its console blocks give the output they show, its links lead somewhere.

A block that opens with ```console is run line by line in one shell, in a folder that holds a copy of
examples/. Below each "$ command" stands its output, standard error included, where "..." stands for
anything within a line.
"""

import re
import shutil
import textwrap

import kit

README = (kit.SOURCE / "README.md").read_text()
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
MARK = "--- end of a command ---"


def commands(block):
    """[(command, output shown)] of a console block."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.split("\n", 1)[0], part.split("\n", 1)[1]) for part in parts]


def as_pattern(shown):
    return re.escape(shown).replace(re.escape("..."), ".*")


class Readme(kit.Case):
    def test_console_blocks_show_what_happens(self):
        shutil.copytree(kit.SOURCE / "examples", self.path("examples"))
        steps = [step for block in CONSOLE.findall(README) for step in commands(block)]
        self.assertGreater(len(steps), 1)
        script = "".join(f"{command} 2>&1\necho '{MARK}'\n" for command, _ in steps)
        said = kit.shell(script, cwd=self.dir).text.split(MARK + "\n")
        for (command, shown), output in zip(steps, said):
            expected = re.fullmatch(as_pattern(shown), output)
            self.assertTrue(expected, f"$ {command}\nsays now:\n{textwrap.indent(output, '  ')}")

    def test_links_lead_somewhere(self):
        for page in ("README.md", "CONTRIBUTING.md", "examples/README.md", "tests/bench/README.md"):
            for link in LINK.findall((kit.SOURCE / page).read_text()):
                path = (kit.SOURCE / page).parent / link
                self.assertTrue(path.exists(), f"{page}: {link}")

    def test_table_names_every_binary_and_no_other(self):
        named = re.findall(r"^\| `([a-z-]+)` \|", README, re.MULTILINE)
        self.assertEqual(sorted(named), sorted(p.stem for p in kit.SOURCE.glob("tools/*.cc")))

    def test_scripts_it_names_can_be_run(self):
        for name in re.findall(r"scripts/[a-z-]+", README):
            self.assertTrue((kit.SOURCE / name).stat().st_mode & 0o100, name)


if __name__ == "__main__":
    kit.main()
