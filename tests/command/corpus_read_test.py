"""corpus-read as a user runs it."""

import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import kit


class Read(kit.Case):
    def setUp(self):
        super().setUp()
        self.write("a.txt", "".join(f"line {i}\n" for i in range(1, 21)))

    def passages(self, *argv, status=0, **options):
        return self.records("corpus-read", *argv, kind="passage", status=status, **options)


class Spans(Read):
    def test_lines(self):
        for span, lines, text in (("a.txt:2-3", [2, 3], "line 2\nline 3"), ("a.txt:20", [20, 20], "line 20"), ("a.txt:19-", [19, 20], "line 19\nline 20"),
                                  ("a.txt:-2", [19, 20], "line 19\nline 20"), ("a.txt:19-99", [19, 20], "line 19\nline 20")):
            with self.subTest(span=span):
                passage = self.passages(span)[0]
                self.assertEqual((passage["lines"], passage["text"]), (lines, text))
        self.assertEqual(self.passages("a.txt")[0]["lines"], [1, 20])

    def test_an_evidence_id_names_its_bytes(self):
        match = self.records("corpus-grep", "line 7", "a.txt", kind="match")[0]
        passage = self.passages(match["evidence_id"])[0]
        self.assertEqual((passage["evidence_id"], passage["text"], passage["lines"]), (match["evidence_id"], "line 7", [7, 7]))
        self.assertEqual(self.passages(match["evidence_id"], "-C2")[0]["lines"], [5, 9])

    def test_records_are_read_and_overlaps_merge(self):
        found = self.ok("corpus-grep", "line (3|4|5|12)$", "a.txt").stdout
        passages = self.passages("-", "--context", "1", stdin=found)
        self.assertEqual([p["lines"] for p in passages], [[2, 6], [11, 13]])

    def test_crlf_ends_are_not_part_of_a_span(self):
        self.write("crlf.txt", "one\r\ntwo\r\n")
        match = self.records("corpus-grep", "two", "crlf.txt", kind="match")[0]
        self.assertEqual(self.passages("crlf.txt:2")[0]["evidence_id"], match["evidence_id"])

    def test_other_encodings(self):
        self.write("le.txt", "\ufeffeins\nz\u00fcrich\n".encode("utf-16-le"))
        match = self.records("corpus-grep", "z.rich", "le.txt", kind="match")[0]
        passage = self.passages(match["evidence_id"])[0]
        self.assertEqual((passage["text"], passage["extractor"]), ("z\u00fcrich", "utf-16le"))

    def test_paragraphs_and_sections(self):
        self.write("d.md", "# One\n\nfirst\nparagraph\n\nsecond\n\n# Two\n\nother\n")
        self.assertEqual(self.passages("d.md:4", "--enclosing", "paragraph")[0]["text"], "first\nparagraph")
        self.assertEqual(self.passages("d.md:4", "--enclosing", "section")[0]["text"], "# One\n\nfirst\nparagraph\n\nsecond")

    def test_head_tail_and_count(self):
        self.assertEqual(self.passages("a.txt", "--head", "2")[0]["lines"], [1, 2])
        self.assertEqual(self.passages("a.txt:5-9", "--tail", "2")[0]["lines"], [8, 9])
        self.assertEqual(self.ok("corpus-read", "a.txt", "--count").text, "a.txt:1-20\t20 lines\t150 bytes\t40 tokens\n")

    def test_people_see_numbered_lines(self):
        self.assertEqual(self.ok("corpus-read", "a.txt:9-10", "--format", "text").text, "==> a.txt:9-10 <==\n     9\tline 9\n    10\tline 10\n")


class Changed(Read):
    def setUp(self):
        super().setUp()
        self.id = self.records("corpus-grep", "line 7", "a.txt", kind="match")[0]["evidence_id"]

    def test_moved(self):
        self.write("a.txt", "new first line\n" + (self.dir / "a.txt").read_text())
        done = self.ends(2, "corpus-read", self.id)
        self.assertRegex(done.errors, "the text has moved to lines 8-8, a.txt#")
        self.assertEqual(kit.records(done.stdout)[-1]["complete"], False)
        passage = self.passages(self.id, "--follow-moved")[0]
        self.assertEqual((passage["lines"], passage["text"]), ([8, 8], "line 7"))

    def test_edited(self):
        self.write("a.txt", "quite different\n")
        self.assertRegex(self.ends(2, "corpus-read", self.id).errors, "the text was edited")

    def test_other_results_are_kept(self):
        self.write("b.txt", "b\n")
        done = self.ends(2, "corpus-read", "none.txt:1", "b.txt:1")
        self.assertEqual([r["text"] for r in kit.records(done.stdout, "passage")], ["b"])


class Budgets(Read):
    def test_a_cursor_goes_on(self):
        for budget in (["--max-tokens", "9"], ["--max-output-bytes", "30"]):
            with self.subTest(budget=budget):
                text, cursor = [], []
                for _ in range(40):
                    done = self.run_tool("corpus-read", "a.txt", "a.txt:1-3", *budget, *cursor)
                    records = self.check_records(done.stdout)
                    text += [r["text"] for r in records[:-1]]
                    if "next" not in records[-1]:
                        break
                    self.assertEqual((done.status, records[-1]["complete"]), (3, False))
                    cursor = ["--cursor", records[-1]["next"]]
                self.assertEqual("\n".join(text) + "\n", (self.dir / "a.txt").read_text())
                self.assertGreater(len(text), 3)

    def test_a_budget_too_small_says_so(self):
        end = self.records("corpus-read", "a.txt", "--max-output-bytes", "3", status=3)[-1]
        self.assertIn("not one line fits", end["warnings"][0])


class Index(Read):
    def test_rights_and_neighbours(self):
        self.write("d.md", "".join(f"# H{i}\n\n{'word ' * 80}\n\n" for i in range(6)))
        self.ok("rag-index", "build", "-i", "x.idx", "d.md")
        hit = self.records("rag-search", "-i", "x.idx", "h3", "-k", "1", kind="hit")[0]
        alone = self.passages(hit["evidence_id"])[0]
        self.assertEqual(alone["text"], hit["text"])
        wide = self.passages("-", "--index", "x.idx", "--neighbours", "1", stdin=json.dumps(hit) + "\n")[0]
        self.assertGreaterEqual(len(wide["text"]), len(alone["text"]))
        self.refuses_passage("not for you", "a.txt:1", "--index", "x.idx")

    def refuses_passage(self, pattern, *argv):
        done = self.ends(2, "corpus-read", *argv)
        self.assertRegex(done.errors, pattern)
        self.assertEqual(kit.records(done.stdout, "passage"), [])

    def test_nothing_outside_of_the_root(self):
        self.write("in/b.txt", "inside\n")
        os.symlink("../a.txt", self.dir / "in/link")
        self.assertEqual(self.passages("b.txt:1", "--root", "in")[0]["text"], "inside")
        self.refuses_passage("outside the root", "link:1", "--root", "in")
        self.refuses_passage("outside the root", "../a.txt:1", "--root", "in")


class BadInput(Read):
    def test_spans(self):
        self.refuses(2, "lines count from 1", "corpus-read", "a.txt:0")
        self.refuses(2, "comes before the first", "corpus-read", "a.txt:9-3")
        self.refuses(2, "nothing to read", "corpus-read")
        self.refuses(2, "standard input:1: the record names no span", "corpus-read", "-", stdin="{}\n")
        self.refuses(2, "need an index", "corpus-read", "a.txt", "--principal", "x")
        self.assertRegex(self.ends(2, "corpus-read", "a.txt:99").errors, "it has 20 lines, no line 99")
        self.write("bin", b"\0\1\2")
        self.assertRegex(self.ends(2, "corpus-read", "bin").errors, "binary")
        self.assertRegex(self.ends(2, "corpus-read", ".").errors, "a directory")


if __name__ == "__main__":
    kit.main()
