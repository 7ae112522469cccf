"""rag-chunk: files and records in, chunk records out."""

import os
import unittest

import kit


def texts(chunks):
    return [chunk["text"] for chunk in chunks]


class Files(kit.Case):
    def test_chunks_give_the_files_back(self):
        files = {
            "a.md": "---\ntitle: T\n---\n\n# A\n\none\n\n## B\n\n" + "two words. " * 900 + "\n",
            "b.txt": "x\r\n\r\ny" * 300,
            "c.py": "def f():\n    pass\n\n\n" * 200,
            "d.log": "2026-03-01 12:00:00 ERROR x\n  at y\n" * 100,
        }
        for name, content in files.items():
            self.write(name, content)
        chunks = self.records("rag-chunk", ".", kind="chunk")
        for name, content in files.items():
            mine = [c for c in chunks if c["path"] == name]
            self.assertEqual("".join(texts(mine)), content)
            self.assertEqual([c.get("ordinal", 0) for c in mine], list(range(len(mine))))
            for chunk in mine:
                begin, end = chunk["bytes"]
                self.assertEqual(content.encode()[begin:end].decode(), chunk["text"])
                lines = content.split("\n")
                first, last = chunk["lines"]
                self.assertIn(chunk["text"].split("\n")[0], lines[first - 1])
                self.assertLessEqual(last, len(lines))

    def test_fields(self):
        self.write("docs/guide.md", "# Guide\n\n## Refunds\n\nThe customer gets the money back within thirty days.\n")
        *chunks, end = self.records("rag-chunk", "docs")
        self.assertEqual(len(chunks), 1)
        chunk = chunks[0]
        self.assertRegex(chunk["evidence_id"], r"^docs/guide\.md#0-74@[0-9a-f]{12}$")
        self.assertEqual(chunk["document_id"], "docs/guide.md")
        self.assertEqual(chunk["section_path"], ["Guide", "Refunds"])
        self.assertEqual(chunk["title"], "Guide")
        self.assertEqual(chunk["block_type"], "paragraph")
        self.assertEqual(chunk["lines"], [1, 5])
        self.assertEqual(chunk["language"], "en")
        self.assertEqual(chunk["media_type"], "text/markdown")
        self.assertEqual(end, {"type": "end", "documents": 1, "chunks": 1, "bytes": 74, "complete": True})

    def test_size_and_overlap(self):
        self.write("a.txt", "one two three four five. " * 200)
        small = self.records("rag-chunk", "--size", "50", "a.txt", kind="chunk")
        self.assertGreater(len(small), 20)
        lapping = self.records("rag-chunk", "--size", "50", "--overlap", "10", "a.txt", kind="chunk")
        self.assertLess(lapping[1]["bytes"][0], lapping[0]["bytes"][1])

    def test_root_names_the_documents(self):
        self.write("base/sub/a.md", "x\n")
        chunk = self.records("rag-chunk", "--root", "base", "base/sub", kind="chunk")[0]
        self.assertEqual(chunk["document_id"], "sub/a.md")

    def test_same_input_same_bytes(self):
        for i in range(20):
            self.write(f"{i}.md", f"# {i}\n\ntext\n")
        self.assertEqual(self.ok("rag-chunk", ".").stdout, self.ok("rag-chunk", ".").stdout)

    def test_what_is_left_out_is_counted(self):
        self.write(".gitignore", "ignored.md\n")
        self.write(".git/config", "")
        self.write("ignored.md", "x")
        self.write(".hidden.md", "x")
        self.write("binary.dat", b"\0\1\2\3" * 100)
        self.write("empty.md", "")
        self.write("paper.pdf", "%PDF-1.4")
        self.write("big.txt", "x" * 2000)
        self.write("good.md", "text\n")
        end = self.records("rag-chunk", ".", "--max-filesize", "1K", kind="end")[0]
        self.assertEqual(end["documents"], 1)
        for reason in ("ignored", "hidden", "binary", "empty", "unsupported", "too_large"):
            self.assertGreaterEqual(end["skipped"].get(reason, 0), 1, reason)
        paths = {c["path"] for c in self.records("rag-chunk", ".", "--hidden", "--no-ignore", kind="chunk")}
        self.assertLessEqual({"ignored.md", ".hidden.md", "good.md"}, paths)

    def test_globs_and_lists_of_paths(self):
        for name in ("a.md", "b.txt", "c d.md"):
            self.write(name, "x\n")
        self.write("list", "a.md\nc d.md\n")
        self.write("list0", b"c d.md\0")
        paths = lambda *argv: [c["path"] for c in self.records("rag-chunk", *argv, kind="chunk")]
        self.assertEqual(paths(".", "--path-glob", "*.md"), ["a.md", "c d.md"])
        self.assertEqual(paths("--files-from", "list"), ["a.md", "c d.md"])
        self.assertEqual(paths("--files0-from", "list0"), ["c d.md"])

    def test_labels_only_where_trusted(self):
        self.write("a.md", "---\ntenant: acme\nacl: [sales]\n---\nx\n")
        plain = self.records("rag-chunk", "a.md", kind="chunk")[0]
        self.assertNotIn("tenant", plain)
        self.assertEqual(plain["metadata"]["tenant"], "acme")
        trusted = self.records("rag-chunk", "--trust-labels", "a.md", kind="chunk")[0]
        self.assertEqual((trusted["tenant"], trusted["acl"]), ("acme", ["sales"]))
        self.write("a.md", "---\neffective_to: soon\n---\nx\n")
        end = self.records("rag-chunk", "--trust-labels", "a.md", kind="end", status=4)[0]
        self.assertEqual(end["skipped"], {"malformed": 1})

    def test_language(self):
        self.write("a.txt", "short\n")
        self.assertEqual(self.records("rag-chunk", "--language", "de", "a.txt", kind="chunk")[0]["language"], "de")
        self.refuses(2, "--language xx: no language we know: give auto, or a code", "rag-chunk", "--language", "xx", "a.txt")

    def test_terminal_shows_text(self):
        self.write("a.md", "# Guide\n\nfirst line\nsecond\n")
        shown = kit.terminal(["rag-chunk", "--color", "never", str(self.path("a.md"))], env={"RAGLINE_HYPERLINKS": "never"}, cwd=self.dir)
        self.assertEqual(shown.status, 0)
        self.assertIn("a.md:1-4  paragraph  Guide\n    # Guide\n", shown.text)
        self.assertNotIn('"type"', shown.text)

    def test_trace(self):
        self.write("a.md", "secret words\n")
        self.ok("rag-chunk", "--trace", "t.jsonl", "a.md")
        trace = kit.records(self.path("t.jsonl").read_bytes())[-1]
        self.assertEqual((trace["tool"], trace["files"], trace["chunks"]), ("rag-chunk", 1, 1))
        self.assertNotIn("secret", self.path("t.jsonl").read_text())


class Records(kit.Case):
    def test_rows_of_a_file_and_of_standard_input(self):
        rows = kit.jsonl({"_id": "1", "title": "T", "text": "a b"}, {"_id": "2", "text": "c d"})
        self.write("rows.jsonl", rows)
        from_file = self.records("rag-chunk", "rows.jsonl", kind="chunk")
        from_input = self.records("rag-chunk", "-", stdin=rows, kind="chunk")
        self.assertEqual(from_file, from_input)
        self.assertEqual(texts(from_file), ["a b", "c d"])
        self.assertEqual(from_file[0]["title"], "T")

    def test_other_records_pass_byte_for_byte(self):
        chunks = self.path("chunks.jsonl")
        self.write("a.md", "# A\n\nx\n\n# B\n\ny\n")
        chunks.write_bytes(self.ok("rag-chunk", "a.md").stdout)
        other = b'{"type":"mine",  "big":123456789012345678901234567890}\n{"type":"query","query_id":"q","query":"x"}\n'
        output = self.ok("rag-chunk", "-", stdin=other + chunks.read_bytes()).stdout
        self.assertTrue(output.startswith(other + b"".join(chunks.read_bytes().splitlines(True)[:-1])))
        ends = kit.records(output, "end")
        self.assertEqual(len(ends), 1)
        self.assertEqual(ends[0]["passed"], 4)

    def test_an_incomplete_stream_stays_incomplete(self):
        rows = kit.jsonl({"_id": "1", "text": "a"}, {"type": "end", "complete": False, "stop_reason": "limit:max-files"})
        end = self.records("rag-chunk", "-", stdin=rows, kind="end")[0]
        self.assertEqual((end["complete"], end["stop_reason"]), (False, "limit:max-files"))

    def test_no_end(self):
        self.assertEqual(self.records("rag-chunk", "--no-end", "-", stdin=kit.jsonl({"_id": "1", "text": "a"}), kind="end"), [])

    def test_documents_by_media_type(self):
        rows = kit.jsonl({"type": "document", "document_id": "d", "media_type": "text/html", "text": "<h1>A</h1><p>x &amp; y"})
        chunk = self.records("rag-chunk", "-", stdin=rows, kind="chunk")[0]
        self.assertEqual((chunk["text"], chunk["extractor"], chunk["section_path"]), ("A\n\nx & y\n\n", "html", ["A"]))


class BadInput(kit.Case):
    def test_no_path(self):
        self.refuses(2, r"no paths: name files or folders .* or - to read records", "rag-chunk")

    def test_missing_path(self):
        self.refuses(2, "nothere", "rag-chunk", "nothere")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable_file(self):
        self.write("a.md", "x\n")
        self.write("b.md", "x\n").chmod(0)
        done = self.ends(4, "rag-chunk", ".")
        self.assertIn("b.md", done.errors)
        end = self.check_records(done.stdout, "end")[0]
        self.assertEqual((end["complete"], end["skipped"]), (False, {"unreadable": 1}))
        self.ok("rag-chunk", "--allow-partial", ".")

    def test_broken_link(self):
        self.write("a.md", "x\n")
        os.symlink("nowhere", self.path("b.md"))
        self.records("rag-chunk", ".", kind="chunk")

    def test_empty_tree(self):
        self.path("empty").mkdir()
        done = self.ends(1, "rag-chunk", "empty")
        self.assertIn("nothing to chunk in 'empty'", done.errors)
        self.assertEqual(self.check_records(done.stdout)[0]["documents"], 0)

    def test_invalid_utf8_is_read_as_windows_1252(self):
        self.write("a.txt", b"caf\xe9 und Gr\xf6\xdfe\n")
        chunk = self.records("rag-chunk", "a.txt", kind="chunk")[0]
        self.assertEqual((chunk["text"], chunk["extractor"]), ("café und Größe\n", "windows-1252"))

    def test_path_that_is_not_utf8(self):
        name = os.path.join(os.fsencode(self.dir), b"\xe4.md")
        with open(name, "wb") as file:
            file.write(b"x\n")
        chunk = self.records("rag-chunk", ".", kind="chunk")[0]
        self.assertEqual(chunk["document_id"], "%e4.md")
        self.assertIn("path_b64", chunk)

    def test_nul_bytes(self):
        self.write("a.txt", b"a\0b" * 100)
        end = self.records("rag-chunk", "a.txt", kind="end", status=1)[0]
        self.assertEqual(end["skipped"], {"binary": 1})

    def test_a_line_of_megabytes(self):
        self.write("a.js", "f(a,b);" * (8 << 20 >> 3))
        chunks = kit.records(self.ok("rag-chunk", "a.js").stdout, "chunk")
        self.assertLess(max(len(c["text"]) for c in chunks), 400 * 32)
        row = kit.jsonl({"_id": "1", "text": "word " * (8 << 20 >> 3)})
        self.assertGreater(len(kit.records(self.ok("rag-chunk", "-", stdin=row).stdout, "chunk")), 1000)

    def test_one_bad_row_among_many(self):
        good = '{"_id":"%d","text":"some text"}'
        rows = [good % i for i in range(20000)]
        rows[12344] = '{"_id":"bad","text":'
        self.write("rows.jsonl", "\n".join(rows) + "\n")
        done = self.ends(2, "rag-chunk", "rows.jsonl")
        self.assertRegex(done.errors, r"^rag-chunk: rows\.jsonl:12345: ")
        done = self.ends(0, "rag-chunk", "--skip-bad", "rows.jsonl")
        end = kit.records(done.stdout.splitlines()[-1])[0]
        self.assertEqual((end["documents"], end["skipped"]), (19999, {"bad_row": 1}))
        self.assertRegex(done.errors, r"rows\.jsonl:12345: .*skipped")
        done = self.ends(2, "rag-chunk", "-", stdin=b"{]\n")
        self.assertRegex(done.errors, r"^rag-chunk: standard input:1: ")

    def test_unknown_flag_and_bad_values(self):
        self.refuses(2, "--sice.*--size", "rag-chunk", "--sice", "3", ".")
        self.refuses(2, "--size 0: must be at least 1 tokens", "rag-chunk", "--size", "0", ".")
        self.refuses(2, "--size x: must be a whole number", "rag-chunk", "--size", "x", ".")

    def test_a_closed_pipe_ends_quietly(self):
        self.write("rows.jsonl", kit.jsonl(*({"_id": str(i), "text": "x" * 200} for i in range(20000))))
        done = kit.shell("rag-chunk rows.jsonl | head -1 | wc -l", cwd=self.dir)
        self.assertEqual((done.status, done.text.strip(), done.errors), (0, "1", ""))


if __name__ == "__main__":
    kit.main()
