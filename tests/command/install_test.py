"""`cmake --install`: every binary, manual page and completion lands where the system looks for it."""

import kit


class Install(kit.Case):
    def setUp(self):
        super().setUp()
        self.ok("/usr/bin/env", "cmake", "--install", kit.BUILD, "--prefix", self.dir)

    def installed(self, folder):
        return sorted(path.name for path in self.path(folder).glob("*"))

    def source_names(self, pattern):
        return sorted(path.name for path in kit.SOURCE.glob(pattern))

    def test_binaries_run_from_there(self):
        tools = [name.removesuffix(".cc") for name in self.source_names("tools/*.cc")]
        self.assertEqual(self.installed("bin"), tools)
        for tool in tools:
            self.ok(str(self.path("bin") / tool), "--version")

    def test_manual_pages(self):
        self.assertEqual(self.installed("share/man/man1"), self.source_names("man/*.1"))

    def test_completions(self):
        tools = [name.removesuffix(".cc") for name in self.source_names("tools/*.cc")]
        self.assertEqual(self.installed("share/bash-completion/completions"), tools)
        self.assertEqual(self.installed("share/zsh/site-functions"), ["_" + tool for tool in tools])
        self.assertEqual(
            self.installed("share/fish/vendor_completions.d"), [tool + ".fish" for tool in tools]
        )

    def test_licence_and_papers(self):
        self.assertEqual(
            self.installed("share/doc/ragline"),
            ["CHANGELOG.md", "LICENSE", "MODELS.md", "README.md"],
        )

    def test_the_built_in_model_is_found(self):
        self.ok(str(self.path("bin/rag-embed")), "--query", "money", env={"HOME": str(self.dir)})


if __name__ == "__main__":
    kit.main()
