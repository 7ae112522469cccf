"""rag-index as a user runs it: build and build again, delete, merge, look, copy; and everything that can go wrong.

Names that begin with another project's are lessons from its issues.
"""

import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time

import kit

INDEX = "x.idx"


class Case(kit.Case):
    def build(self, *argv, status=0, **options):
        """The end record of a build."""
        return self.records("rag-index", "build", "-i", INDEX, *argv, status=status, **options)[-1]

    def counts(self, end):
        return tuple(end[name] for name in ("added", "updated", "deleted", "unchanged"))

    def list(self, *argv, status=0):
        return self.records("rag-index", "list", "-i", INDEX, *argv, kind="document", status=status)

    def ids(self, *argv):
        return [record["document_id"] for record in self.list(*argv)]

    def get(self, *ids, **options):
        return self.records("rag-index", "get", "-i", INDEX, *ids, kind="chunk", **options)

    def search(self, query, *argv, index=INDEX, status=0):
        return self.records("rag-search", "-i", index, query, *argv, kind="hit", status=status)

    def info(self, index=INDEX):
        return self.records("rag-index", "info", "-i", index)[0]

    def check(self, status=0):
        return self.records("rag-index", "check", "-i", INDEX, status=status)[-1]

    def rows(self, count, first=0):
        return [{"_id": f"r{i}", "title": f"Row {i}", "text": f"the text of row number{i}"} for i in range(first, count)]

    def files(self, index=INDEX):
        """Every file of the index but the lock, with its bytes."""
        return {
            str(path.relative_to(self.dir)): path.read_bytes()
            for path in sorted(self.path(index).rglob("*"))
            if path.is_file() and path.name != "LOCK"
        }


class Build(Case):
    def test_files_are_found_again(self):
        self.write("docs/a.md", "# Refunds\n\nWithin thirty days.\n")
        self.write("docs/b.txt", "shipping takes a week\n")
        end = self.build("docs")
        self.assertEqual(self.counts(end), (2, 0, 0, 0))
        self.assertEqual((end["files"], end["complete"]), (2, True))
        hit = self.search("thirty days")[0]
        self.assertEqual(hit["path"], "docs/a.md")
        chunk = self.get(hit["evidence_id"])[0]
        for field in ("document_id", "text", "lines", "bytes", "section_path", "checksum", "language"):
            self.assertEqual(chunk.get(field), hit.get(field), field)
        self.assertEqual(self.ids(), ["docs/a.md", "docs/b.txt"])

    def test_second_run_reads_only_what_changed(self):
        for name in "abcd":
            self.write(f"{name}.txt", f"about {name}\n")
        self.assertEqual(self.counts(self.build(".")), (4, 0, 0, 0))
        os.utime(self.path("a.txt"))  # touched, same bytes
        self.write("b.txt", "about something else\n")
        self.path("c.txt").unlink()
        self.path("d.txt").rename(self.path("e.txt"))
        end = self.build()
        self.assertEqual(self.counts(end), (1, 1, 2, 1))
        self.assertEqual(end["files"], 2)
        self.assertEqual(self.ids(), ["a.txt", "b.txt", "e.txt"])
        self.assertEqual(self.counts(self.build()), (0, 0, 0, 3))
        self.assertEqual(self.check()["problems"], 0)

    def test_unchanged_build_writes_nothing(self):
        self.write("docs/a.txt", "something\n")
        self.build("docs")
        before = self.files()
        self.build("docs")
        self.assertEqual(self.files(), before)

    def test_skim_399_skipped_files_are_remembered(self):
        self.write("a.txt", "words\n")
        for i in range(30):
            self.write(f"{i}.dat", bytes(range(256)))
        first = self.build(".")
        self.assertEqual(first["skipped"]["binary"], 30)
        self.assertEqual(first["files"], 31)
        second = self.build(".")
        self.assertEqual(second["skipped"]["binary"], 30)
        self.assertEqual(second["files"], 0, "a file that was skipped is not read again")

    def test_file_that_becomes_binary_goes(self):
        self.write("a.txt", "words\n")
        self.write("b.txt", "more words\n")
        self.build(".")
        self.write("a.txt", b"\0\1\2\3" * 100)
        self.assertEqual(self.counts(self.build()), (0, 0, 1, 1))
        self.assertEqual(self.ids(), ["b.txt"])

    def test_mass_delete_needs_a_word(self):
        for i in range(40):
            self.write(f"docs/{i}.txt", f"text {i}\n")
        self.build("docs")
        for i in range(20):
            self.path(f"docs/{i}.txt").unlink()
        before = self.files()
        self.refuses(2, "20 of 40 documents have vanished.*--allow-mass-delete", "rag-index", "build", "-i", INDEX)
        self.assertEqual(self.files(), before)
        self.assertEqual(self.counts(self.build("--allow-mass-delete")), (0, 0, 20, 20))

    def test_root_that_vanished_keeps_its_documents(self):
        self.write("one/a.txt", "first\n")
        self.write("two/b.txt", "second\n")
        self.build("one", "two")
        shutil.rmtree(self.path("two"))
        self.refuses(2, r"two': No such file.*nothing was changed.*delete --under", "rag-index", "build", "-i", INDEX)
        self.assertEqual(self.ids(), ["one/a.txt", "two/b.txt"])
        self.ok("rag-index", "delete", "-i", INDEX, "--under", "two")
        self.assertEqual(self.counts(self.build()), (0, 0, 0, 1))

    def test_other_roots_do_not_touch_what_is_not_below_them(self):
        self.write("one/a.txt", "first\n")
        self.write("two/b.txt", "second\n")
        self.build("one")
        self.path("one/a.txt").unlink()
        self.assertEqual(self.counts(self.build("two")), (1, 0, 0, 1))

    def test_path_glob_leaves_other_files_as_they_are(self):
        self.write("a.md", "markdown\n")
        self.write("b.txt", "plain\n")
        self.build(".")
        self.write("a.md", "markdown, changed\n")
        self.write("b.txt", "plain, changed\n")
        self.assertEqual(self.counts(self.build("--path-glob", "*.md")), (0, 1, 0, 1))

    def test_what_of_a_tree_is_read_is_kept_for_later_builds(self):
        self.write("a.txt", "plain\n")
        self.write(".b.txt", "hidden\n")
        self.write("c.txt", "ignored\n")
        self.write(".ragignore", "c.txt\n")
        self.write("d.txt", "long " * 1000)
        self.build(".", "--max-filesize", "2K")
        self.assertEqual(self.ids(), ["a.txt"])
        self.build(".", "--hidden", "--no-ignore")
        self.assertEqual(self.ids(), [".b.txt", ".ragignore", "a.txt", "c.txt"])
        self.write("a.txt", "plain, changed\n")
        self.assertEqual(self.counts(self.build()), (0, 1, 0, 3))
        self.build("--no-hidden", "--ignore", "--max-filesize", "1M")
        self.assertEqual(self.ids(), ["a.txt", "d.txt"])

    def test_index_inside_the_tree_is_not_indexed(self):
        self.write("a.txt", "words\n")
        for flags in ((), ("--no-ignore", "--hidden")):
            self.assertEqual(self.counts(self.build(".", *flags)), (0, 0, 0, 1) if flags else (1, 0, 0, 0))
        self.records("rag-index", "build", "-i", "other.idx", ".")
        self.assertEqual([r["path"] for r in self.search("words", index="other.idx")], ["a.txt"])

    def test_qmd_684_wrong_directory_is_not_indexed_without_a_path(self):
        self.write("a.txt", "not asked for\n")
        self.refuses(2, "no paths given", "rag-index", "build", "-i", INDEX)
        self.refuses(2, "list is empty", "rag-index", "build", "-i", INDEX, "--files-from", "-")

    def test_qmd_717_paths_that_look_alike_stay_apart(self):
        names = ["a b.txt", "a-b.txt", "a_b.txt", "A-B.txt", "a/b.txt", "a#b@c.txt", "ä.txt"]
        for name in names:
            self.write(f"docs/{name}", f"the content of {name}\n")
        self.assertEqual(self.build("docs")["added"], len(names))
        self.assertEqual(self.ids(), sorted((f"docs/{name}" for name in names), key=str.encode))
        for name in names:
            self.assertEqual([c["path"] for c in self.get(f"docs/{name}")], [f"docs/{name}"])

    def test_paths_are_bytes(self):
        for name in (b"x\xff.txt", b"x\xfe.txt"):
            with open(os.path.join(os.fsencode(self.dir), name), "w") as file:
                file.write("odd name\n")
        self.assertEqual(self.build(".")["added"], 2)
        self.assertEqual(self.ids(), ["x%fe.txt", "x%ff.txt"])
        self.assertEqual(self.build(".")["unchanged"], 2)

    def test_qmd_460_unreadable_files_are_named(self):
        self.write("a.txt", "fine\n")
        self.write("fm.md", "---\neffective_from: soon\nacl: [x]\n---\ntext\n")
        done = self.ends(4, "rag-index", "build", "-i", INDEX, "--trust-labels", ".")
        end = self.check_records(done.stdout)[-1]
        self.assertEqual((end["complete"], end["skipped"]), (False, {"malformed": 1}))
        self.assertIn("cannot read", done.errors)
        self.assertIn("fm.md", done.errors)
        self.build("--trust-labels", ".", status=4)  # remembered, and still said
        self.build("--trust-labels", "--allow-partial", ".", status=0)

    def test_no_permission(self):
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        self.write("a.txt", "secret\n").chmod(0)
        self.assertEqual(self.build(".", status=4)["skipped"], {"unreadable": 1})

    def test_empty_tree(self):
        self.path("docs").mkdir()
        self.assertEqual(self.counts(self.build("docs")), (0, 0, 0, 0))
        self.assertEqual(self.list(status=1), [])
        self.assertEqual(self.check()["problems"], 0)

    def test_missing_path(self):
        self.refuses(2, "nowhere': No such file", "rag-index", "build", "-i", INDEX, "nowhere")

    def test_directory_that_is_no_index(self):
        self.write("home/letter.txt", "dear\n")
        self.refuses(2, "no ragline index and not empty.*letter.txt", "rag-index", "build", "-i", "home", "home")
        for command in ("info", "check", "list", "merge", "export"):
            self.refuses(2, "no ragline index", "rag-index", command, "-i", "home")
        self.refuses(2, "is a file", "rag-index", "build", "-i", "home/letter.txt", "home")

    def test_newer_format(self):
        self.write("a.txt", "words\n")
        self.build("a.txt")
        manifest = self.path(INDEX) / "MANIFEST"
        head, line, _ = manifest.read_text().replace('"format": 1,', '"format": 99,').rpartition('  "checksum": "')
        checksum = self.records("rag-chunk", str(self.write("head.txt", head)), kind="chunk")[0]["checksum"]
        manifest.write_text(head + line + checksum + '"\n}\n')
        for command in ("info", "list", "check"):
            self.refuses(2, "format 99 is newer", "rag-index", command, "-i", INDEX)
        self.refuses(2, "format 99 is newer", "rag-index", "build", "-i", INDEX, "a.txt")

    def test_chunk_size_is_the_index_s_own(self):
        self.write("a.txt", "\n\n".join(f"Paragraph {i} has some words in it." for i in range(60)))
        self.assertGreater(self.build("--size", "50", "a.txt")["chunks"], 5)
        self.assertEqual(self.info()["chunk_size"], 50)
        self.assertEqual(self.counts(self.build()), (0, 0, 0, 1))
        self.assertEqual(self.counts(self.build("--size", "100")), (0, 1, 0, 0), "another size has every file read again")

    def test_language_is_kept_and_auto_takes_it_back(self):
        self.write("a.txt", "etwas auf Deutsch\n")
        self.build("--language", "de", "a.txt")
        self.assertEqual(self.list()[0]["language"], "de")
        self.assertEqual(self.info()["language"], "de")
        self.build("--language", "auto", "a.txt")
        self.assertEqual(self.info()["language"], "auto")

    def test_ids_are_relative_to_the_root(self):
        self.write("project/src/a.txt", "words\n")
        self.build("--root", "project", "project/src")
        self.assertEqual(self.ids(), ["src/a.txt"])
        self.assertEqual(self.build("project/src")["unchanged"], 1)
        self.refuses(2, "--root .*relative to", "rag-index", "build", "-i", INDEX, "--root", "project/src", "project/src")

    def test_lists_of_files(self):
        self.write("a.txt", "one\n")
        self.write("b\nc.txt", "two\n")
        self.assertEqual(self.build("--files0-from", "-", stdin=b"a.txt\0b\nc.txt\0")["added"], 2)

    def test_usage_errors(self):
        self.write("a.txt", "one\n")
        self.refuses(2, "no model 'no-such': give the path", "rag-index", "build", "-i", INDEX, "--model", "no-such", "a.txt")
        self.refuses(2, "--language xx", "rag-index", "build", "-i", INDEX, "--language", "xx", "a.txt")
        self.refuses(2, "index", "rag-index", "build", "a.txt")
        self.assertFalse(self.path(INDEX).exists(), "a refused command leaves nothing behind")

    def test_terminal_gets_a_sentence(self):
        self.write("docs/a.txt", "one\n")
        self.write("docs/b.dat", b"\0\1\2" * 50)
        done = kit.terminal(["rag-index", "build", "-i", INDEX, "docs"], cwd=self.dir)
        self.assertEqual(done.status, 0)
        self.assertRegex(done.text, r"added 1, updated 0, deleted 0, unchanged 0; skipped 1 \(binary 1\); 1 segment, [0-9.]+ [kK]?B")


class Records(Case):
    def test_one_bad_row_of_many(self):
        rows = self.rows(20000)
        lines = kit.jsonl(*rows).splitlines(keepends=True)
        lines[12345] = b'{"_id": "broken", "text": \n'
        corpus = self.write("corpus.jsonl", b"".join(lines))
        self.refuses(2, r"corpus.jsonl:12346: ", "rag-index", "build", "-i", INDEX, "corpus.jsonl")
        self.refuses(2, "no ragline index", "rag-index", "info", "-i", INDEX)
        done = self.ends(4, "rag-index", "build", "-i", INDEX, "--skip-bad", "corpus.jsonl")
        end = self.check_records(done.stdout)[-1]
        self.assertEqual((end["added"], end["skipped"]), (19999, {"bad_row": 1}))
        self.assertIn("corpus.jsonl:12346", end["warnings"][0])
        self.assertEqual(self.search("number19999")[0]["document_id"], "r19999")
        self.assertEqual(self.refuses_stream(corpus.read_bytes()), 2)

    def refuses_stream(self, stream):
        return self.refuses(2, r"standard input:12346: ", "rag-index", "build", "-i", "y.idx", "-", stdin=stream).status

    def test_changed_row_file(self):
        rows = self.rows(50)
        self.write("corpus.jsonl", kit.jsonl(*rows))
        self.assertEqual(self.build("corpus.jsonl")["added"], 50)
        self.assertEqual(self.build("corpus.jsonl")["unchanged"], 50)
        rows[3]["text"] = "rewritten"
        self.write("corpus.jsonl", kit.jsonl(*rows[:45], {"_id": "new", "text": "a new row"}))
        end = self.build("corpus.jsonl")
        self.assertEqual((end["added"], end["deleted"]), (1, 5))
        self.assertEqual(self.search("rewritten")[0]["document_id"], "r3")
        self.assertNotIn("r49", self.ids())
        self.path("corpus.jsonl").write_bytes(b"")
        self.build(".", "--allow-mass-delete")
        self.assertEqual(self.records("rag-index", "list", "-i", INDEX, kind="document", status=1), [])

    def test_row_file_that_vanished_takes_its_rows_along(self):
        self.write("docs/corpus.jsonl", kit.jsonl(*self.rows(5)))
        self.write("docs/a.txt", "stays\n")
        self.build("docs")
        self.path("docs/corpus.jsonl").unlink()
        (self.path(INDEX) / "sources.sqlite").unlink()  # with or without what the writer remembers
        self.assertEqual(self.counts(self.build()), (0, 0, 5, 1))

    def test_stream_replaces_by_id_and_version(self):
        one = {"type": "document", "document_id": "d", "version": "1", "text": "old words"}
        two = one | {"version": "2", "text": "new words"}
        self.assertEqual(self.counts(self.build("-", stdin=kit.jsonl(one, two))), (2, 0, 0, 0))
        self.assertEqual(self.counts(self.build("-", stdin=kit.jsonl(two | {"text": "newest words"}))), (0, 1, 0, 1))
        self.assertEqual([r["version"] for r in self.list("--all-versions")], ["1", "2"])
        self.assertEqual([r["version"] for r in self.list()], ["2"])
        self.assertEqual([c["text"] for c in self.get("d")], ["newest words"])
        old = [h for h in self.search("old", "--all-versions")][0]
        self.assertEqual(self.get(old["evidence_id"])[0]["version"], "1", "evidence is found in any version")

    def test_chunks_of_rag_chunk_give_the_index_of_the_files(self):
        self.write("docs/a.md", "# One\n\nFirst part.\n\n# Two\n\nSecond part about refunds.\n")
        self.write("docs/b.csv", "name,price\n" + "".join(f"item{i},{i}\n" for i in range(300)))
        self.build("docs")
        self.check_records(kit.shell(f"rag-chunk docs | rag-index build -i y.idx -", cwd=self.dir).stdout)
        for query in ("refunds", "first", "item250", "price"):
            self.assertEqual(self.search(query), self.search(query, index="y.idx"))

    def test_vectors_are_counted_not_stored(self):
        chunk = {"type": "chunk", "document_id": "d", "ordinal": 0, "bytes": [0, 5], "text": "words", "vector": [1, 2]}
        end = self.build("-", stdin=kit.jsonl(chunk))
        self.assertRegex(end["warnings"][0], "1 chunks? brought a vector")

    def test_other_records_are_passed_over(self):
        end = self.build("-", stdin=kit.jsonl({"type": "query", "query": "q"}, *self.rows(2), {"type": "end", "complete": True}))
        self.assertEqual(end["added"], 2)

    def test_null_bytes_and_bad_utf8(self):
        self.write("nul.jsonl", kit.jsonl({"_id": "n", "text": "a\0b zero"}))
        self.assertEqual(self.build("nul.jsonl")["added"], 1)
        bad = b'{"_id": "n", "text": "\xff\xfe"}\n'
        self.refuses(2, "standard input:1: .*UTF-8", "rag-index", "build", "-i", INDEX, "-", stdin=bad)


class Change(Case):
    def setUp(self):
        super().setUp()
        for name in ("docs/a.txt", "docs/b.txt", "notes/c.txt"):
            self.write(name, f"about {name}\n")

    def test_delete_by_id(self):
        self.build("docs", "notes")
        end = self.records("rag-index", "delete", "-i", INDEX, "docs/a.txt", "nothing")[-1]
        self.assertEqual((end["deleted"], end["unknown"]), (1, 1))
        self.assertEqual(self.ids(), ["docs/b.txt", "notes/c.txt"])
        self.ends(1, "rag-index", "delete", "-i", INDEX, "docs/a.txt")
        self.refuses(2, "nothing named", "rag-index", "delete", "-i", INDEX)
        self.ok("rag-index", "delete", "-i", INDEX, "--files-from", "-", stdin="docs/b.txt\n")
        self.assertEqual(self.ids(), ["notes/c.txt"])
        end = self.build()
        self.assertEqual(self.counts(end), (2, 0, 0, 1))
        self.assertEqual(end["files"], 2, "a file whose document was deleted is read again, no other")

    def test_delete_one_version(self):
        rows = [{"type": "document", "document_id": "d", "version": v, "text": f"version {v}"} for v in "123"]
        self.build("-", stdin=kit.jsonl(*rows))
        self.ok("rag-index", "delete", "-i", INDEX, "d", "--document-version", "2")
        self.assertEqual([r["version"] for r in self.list("--all-versions")], ["1", "3"])
        self.ok("rag-index", "delete", "-i", INDEX, "d")
        self.list("--all-versions", status=1)

    def test_delete_under_a_folder(self):
        self.write("docs/rows.jsonl", kit.jsonl(*self.rows(3)))
        self.build("docs", "notes")
        end = self.records("rag-index", "delete", "-i", INDEX, "--under", "docs")[-1]
        self.assertEqual((end["deleted"], end["roots"]), (5, 1))
        self.assertEqual(self.ids(), ["notes/c.txt"])
        self.assertEqual(self.counts(self.build()), (0, 0, 0, 1), "the root is forgotten too")
        self.assertEqual(self.build("docs")["added"], 5)

    def test_merge_drops_what_is_deleted(self):
        for name in ("docs/a.txt", "docs/b.txt", "notes/c.txt"):
            self.build(name)
        self.ok("rag-index", "delete", "-i", INDEX, "docs/a.txt")
        self.assertEqual(self.records("rag-index", "merge", "-i", INDEX)[-1]["segments"], 1)
        segments = self.info()["segments"]
        self.assertEqual([(s["documents"], s["deleted_chunks"]) for s in segments], [(2, 0)])
        self.assertEqual(self.check()["problems"], 0)
        self.assertEqual(self.build("notes")["files"], 0, "a merge does not make the files be read again")
        before = self.files()
        self.ok("rag-index", "merge", "-i", INDEX)
        self.assertEqual(self.files(), before)

    def test_chroma_2594_deleted_documents_give_their_room_back(self):
        self.write("corpus.jsonl", kit.jsonl(*self.rows(2000)))
        self.build("corpus.jsonl")
        size = self.info()["bytes"]
        ids = "".join(f"r{i}\n" for i in range(1000))
        self.ok("rag-index", "delete", "-i", INDEX, "--files-from", "-", stdin=ids)
        self.assertLess(self.info()["bytes"], 0.7 * size, "a segment with a fifth deleted is written anew")

    def test_stale_hit_is_noticed_after_merges(self):
        self.build("docs")
        self.build("notes")
        self.ok("rag-index", "merge", "-i", INDEX)
        end = self.records("rag-search", "-i", INDEX, "about", kind="end")[0]
        self.assertNotIn("warnings", end)
        self.write("docs/a.txt", "about something longer than it was\n")
        end = self.records("rag-search", "-i", INDEX, "about", kind="end")[0]
        self.assertRegex(end["warnings"][0], "stale: docs/a.txt")

    def test_info_for_people(self):
        self.build("docs", "notes")
        text = self.ok("rag-index", "info", "-i", INDEX, "--format", "text").text
        self.assertRegex(text, r"3 documents, 3 chunks")
        self.assertIn(str(self.path("docs")), text)
        record = self.info()
        self.assertEqual(record["roots"], [str(self.path("docs")), str(self.path("notes"))])
        self.assertEqual(sum(one["chunks"] for one in record["languages"]), 3)

    def test_list_for_people_and_filters(self):
        self.write("m.md", "---\nyear: 2024\ntitle: Annual\n---\ntext\n")
        self.build("docs", "m.md")
        text = self.ok("rag-index", "list", "-i", INDEX, "--format", "text").text
        self.assertRegex(text, r"m\.md  text/markdown en  Annual\n")
        self.assertEqual(self.ids("--filter", "year >= 2024"), ["m.md"])
        self.assertEqual(self.ids("--path-glob", "docs/*"), ["docs/a.txt", "docs/b.txt"])
        self.assertEqual(self.ids("--type", "text/markdown"), ["m.md"])
        self.refuses(2, "--filter", "rag-index", "list", "-i", INDEX, "--filter", "year >=")


class Get(Case):
    def test_any_span_of_a_document(self):
        text = "".join(f"Line {i} has its own words.\n" for i in range(200))
        self.write("a.txt", text)
        self.build("--size", "60", "a.txt")
        chunks = self.get("a.txt")
        self.assertEqual("".join(c["text"] for c in chunks), text)
        self.assertGreater(len(chunks), 3)
        one = self.records("rag-chunk", "--size", "1000000", "a.txt", kind="chunk")[0]  # the whole file: no chunk of the index
        whole = self.get(one["evidence_id"])
        self.assertEqual(len(whole), 1)
        for field in ("evidence_id", "text", "lines", "bytes", "checksum"):
            self.assertEqual(whole[0][field], one[field], field)

    def test_what_is_not_there_names_the_remedy(self):
        self.write("a.txt", "some words\n")
        self.build("a.txt")
        good = self.get("a.txt")[0]["evidence_id"]
        stale = good[:-12] + "0" * 12
        for asked, said in ((stale, "has changed since: search again"), ("b.txt#0-4@0123456789ab", "no document 'b.txt'"), ("b.txt", "neither an evidence id nor a document")):
            done = self.ends(1, "rag-index", "get", "-i", INDEX, asked, good)
            self.assertIn(f"'{asked}'", done.errors)
            self.assertIn(said, done.errors)
            found = self.check_records(done.stdout)
            self.assertEqual([r.get("evidence_id") for r in found[:-1]], [good], "the others are still printed")
            self.assertEqual(found[-1]["missing"], 1)
        self.refuses(2, "no id given", "rag-index", "get", "-i", INDEX)

    def test_ids_with_marks_of_evidence_in_them(self):
        rows = [{"_id": "a#0-4@0123456789ab", "text": "odd one"}, {"_id": "a", "text": "plain one"}]
        self.build("-", stdin=kit.jsonl(*rows))
        self.assertEqual(self.get("a#0-4@0123456789ab")[0]["text"], "odd one")
        self.assertEqual(self.get(self.get("a#0-4@0123456789ab")[0]["evidence_id"])[0]["text"], "odd one")

    def test_text_for_people(self):
        self.write("a.txt", "some words\n")
        self.build("a.txt")
        self.assertRegex(self.ok("rag-index", "get", "-i", INDEX, "a.txt", "--format", "text").text, r"^a\.txt#0-11@[0-9a-f]{12}  lines 1-1\nsome words\n\n$")


class Rows(Case):
    def test_a_file_of_rows_has_no_size_limit(self):
        self.write("rows.jsonl", kit.jsonl({"_id": "a", "text": "more than ten bytes"}))
        self.write("long.txt", "more than ten bytes\n")
        end = self.build("--max-filesize", "10", "rows.jsonl", "long.txt")
        self.assertEqual((end["added"], end["skipped"]), (1, {"too_large": 1}))


class Governed(Case):
    def setUp(self):
        super().setUp()
        self.write("docs/open.txt", "salary bands are public\n")
        self.write("docs/hr/pay.txt", "salary of the director\n")
        self.write("docs/new.txt", "salary draft without a label\n")
        self.write("labels.jsonl", kit.jsonl({"path": "docs/open.txt", "acl": ["*"]}, {"path": "docs/hr/**", "acl": ["hr"]}))
        self.build("--governed", "--labels", "labels.jsonl", "docs")

    def test_openrag_1336_no_route_around_the_principal(self):
        for command in (["list"], ["get", "docs/open.txt"]):
            self.refuses(2, "governed.*--principal", "rag-index", *command, "-i", INDEX)
        self.refuses(2, "governed.*--principal", "rag-search", "-i", INDEX, "salary")
        self.refuses(2, "--principal is empty", "rag-index", "list", "-i", INDEX, "--principal", "")
        self.assertEqual(self.ids("--principal", "ann"), ["docs/open.txt"])
        self.assertEqual(self.ids("--principal", "hr"), ["docs/hr/pay.txt", "docs/open.txt"])
        self.assertEqual(self.ids("--principal", "ann", "--principal", "hr"), ["docs/hr/pay.txt", "docs/open.txt"])

    def test_what_is_hidden_answers_as_what_is_not_there(self):
        hidden = self.get("docs/hr/pay.txt", "--principal", "hr")[0]["evidence_id"]

        def answer(asked):
            done = self.ends(1, "rag-index", "get", "-i", INDEX, "--principal", "ann", asked)
            return done.stdout, done.errors.replace(asked, "ID").replace(asked.split("#")[0], "DOC")

        self.assertEqual(answer(hidden), answer(hidden.replace("pay", "pax")))
        self.assertEqual(answer("docs/hr/pay.txt"), answer("docs/hr/pax.txt"))
        self.assertEqual(answer("docs/new.txt"), answer("docs/nex.txt"), "without a label it is for nobody")

    def test_it_stays_governed(self):
        self.build("--labels", "labels.jsonl")
        self.assertTrue(self.info()["governed"])
        self.refuses(2, "governed", "rag-index", "list", "-i", INDEX)

    def test_changed_labels_take_effect_without_a_change_of_files(self):
        self.write("labels.jsonl", kit.jsonl({"path": "**", "acl": ["staff"]}))
        self.assertEqual(self.build("--labels", "labels.jsonl")["updated"], 3)
        self.assertEqual(self.ids_of("ann"), [])
        self.assertEqual(len(self.ids_of("staff")), 3)

    def test_a_build_that_does_not_name_the_labels_keeps_them(self):
        self.write("docs/hr/pay.txt", "salary of the director, raised\n")
        self.assertEqual(self.build()["updated"], 1)
        self.assertEqual(self.ids_of("ann"), ["docs/open.txt"])
        self.assertEqual(self.ids_of("hr"), ["docs/hr/pay.txt", "docs/open.txt"])
        os.remove(self.dir / "labels.jsonl")
        self.refuses(2, "labels.jsonl.*built with these labels.*--labels", "rag-index", "build", "-i", INDEX)

    def ids_of(self, principal):
        done = self.run_tool("rag-index", "list", "-i", INDEX, "--principal", principal)
        return [record["document_id"] for record in kit.records(done.stdout, "document")]

    def test_front_matter_is_trusted_only_when_told(self):
        self.write("own.md", "---\nacl: [ann]\n---\nmine\n")
        self.build("--labels", "labels.jsonl", "own.md")
        self.assertNotIn("own.md", self.ids_of("ann"))
        self.build("--labels", "labels.jsonl", "--trust-labels", "own.md")
        self.assertIn("own.md", self.ids_of("ann"))

    def test_bad_labels(self):
        self.write("labels.jsonl", '{"acl": ["x"]}\n')
        self.refuses(2, r"labels.jsonl:1: no 'path'", "rag-index", "build", "-i", INDEX, "--labels", "labels.jsonl")


class Copy(Case):
    def test_export_and_build_give_the_merged_original(self):
        self.write("docs/a.md", "# Café\n\nÜber refunds.\n\n## Deep\n\n" + "more words of text. " * 300)
        self.write("docs/b.csv", "name,price\n" + "".join(f"item{i},{i}\n" for i in range(300)))
        self.write("docs/c.py", "def refund_order(order_id):\n    return order_id\n")
        self.write("docs/d.txt", "gone soon, refunds\n")
        self.build("docs")
        self.build("-", stdin=kit.jsonl(
            {"_id": "beir", "title": "A title", "text": "refunds as BEIR has them", "metadata": {"year": 2024}},
            {"type": "document", "document_id": "v", "version": "1", "text": "refunds then", "effective_to": "2025-01-01T00:00:00Z"},
            {"type": "document", "document_id": "v", "version": "2", "text": "refunds now", "effective_from": "2025-01-01T00:00:00Z"},
            {"type": "document", "document_id": "s", "text": "refunds for staff", "acl": ["staff"], "tenant": "acme"},
            {"type": "document", "document_id": "de", "text": "Rückerstattung und refunds", "language": "de", "title": "Geld"}))
        self.ok("rag-index", "delete", "-i", INDEX, "docs/d.txt")
        self.check_records(kit.shell(f"rag-index export -i {INDEX} | rag-index build -i y.idx -", cwd=self.dir).stdout)
        self.ok("rag-index", "merge", "-i", INDEX)
        for query in ("refunds", "item250", "refund order", "café", "title:title", "Rückerstattung", "price", "section:deep"):
            for flags in ((), ("--filter", "year = 2024"), ("--as-of", "2024-06-01"), ("--all-versions",), ("--principal", "bob", "--tenant", "acme")):
                one = self.run_tool("rag-search", "-i", INDEX, query, *flags)
                two = self.run_tool("rag-search", "-i", "y.idx", query, *flags)
                self.assertEqual((one.status, kit.records(one.stdout)), (two.status, kit.records(two.stdout)), (query, flags))
        everything = [sorted(self.ok("rag-index", "export", "-i", index).stdout.splitlines()) for index in (INDEX, "y.idx")]
        self.assertEqual(everything[0], everything[1])

    def test_sqlite(self):
        self.write("a.md", "# One\n\nFirst part.\n")
        self.build("a.md")
        self.build("-", stdin=kit.jsonl({"type": "document", "document_id": "s", "text": "words", "acl": ["x", "y"], "metadata": {"n": 1}}))
        end = self.records("rag-index", "export", "-i", INDEX, "--sqlite", "a.db")[-1]
        self.assertEqual((end["documents"], end["chunks"]), (2, 2))
        database = sqlite3.connect(self.path("a.db"))
        self.addCleanup(database.close)
        rows = database.execute("SELECT d.document_id, d.acl, d.metadata, c.text, c.begin FROM documents d JOIN chunks c ON c.document = d.id ORDER BY 1").fetchall()
        self.assertEqual(rows, [("a.md", None, None, "# One\n\nFirst part.\n", 0), ("s", '["x","y"]', '{"n": 1}', "words", 0)], "metadata is kept as it came")
        self.refuses(2, "a.db' exists", "rag-index", "export", "-i", INDEX, "--sqlite", "a.db")
        self.assertEqual(list(self.dir.glob("*.tmp*")), [])


class Trouble(Case):
    def test_second_writer_is_told_who_writes(self):
        self.write("a.txt", "words\n")
        self.build("a.txt")
        stream = subprocess.Popen([kit.binary("rag-index"), "build", "-i", INDEX, "-"], cwd=self.dir, env=kit.environment(),
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self.wait_for(lambda: str(stream.pid) in (self.path(INDEX) / "LOCK").read_text())
            self.refuses(2, rf"being written by process {stream.pid} .*--wait", "rag-index", "build", "-i", INDEX, "a.txt")
            self.refuses(2, "being written", "rag-index", "delete", "-i", INDEX, "a.txt")
            self.assertEqual(self.ids(), ["a.txt"], "readers do not wait")
        finally:
            stream.communicate(kit.jsonl(*self.rows(3)))
        self.assertEqual(stream.returncode, 0)
        self.assertEqual(len(self.ids()), 4)

    def test_wait_for_the_other_writer(self):
        self.write("a.txt", "words\n")
        stream = subprocess.Popen([kit.binary("rag-index"), "build", "-i", INDEX, "-"], cwd=self.dir, env=kit.environment(),
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.wait_for(lambda: (self.path(INDEX) / "LOCK").exists() and (self.path(INDEX) / "LOCK").read_text())
        second = subprocess.Popen([kit.binary("rag-index"), "build", "-i", INDEX, "--wait", "60s", "a.txt"], cwd=self.dir,
                                  env=kit.environment(), stdout=subprocess.PIPE)
        stream.communicate(kit.jsonl(*self.rows(3)))
        second.communicate()
        self.assertEqual((stream.returncode, second.returncode), (0, 0))
        self.assertEqual(len(self.ids()), 4)

    def wait_for(self, holds):
        end = time.monotonic() + 30
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def test_interrupted_build_leaves_the_old_index(self):
        self.write("a.txt", "words\n")
        self.build("a.txt")
        before = self.files()
        stream = subprocess.Popen([kit.binary("rag-index"), "build", "-i", INDEX, "-"], cwd=self.dir, env=kit.environment(),
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for(lambda: str(stream.pid) in (self.path(INDEX) / "LOCK").read_text())
        stream.stdin.write(kit.jsonl(*self.rows(3000)))
        stream.stdin.flush()
        stream.send_signal(signal.SIGINT)
        time.sleep(0.05)
        said = stream.communicate(kit.jsonl(*self.rows(6000, 3000)))[1]
        self.assertEqual(stream.returncode, 130)
        self.assertIn(b"interrupted", said)
        self.assertEqual(self.files(), before)
        self.assertEqual(self.ids(), ["a.txt"])

    def test_tantivy_3079_killed_build_leaves_nothing_in_the_way(self):
        self.write("a.txt", "words\n")
        self.build("a.txt")
        stream = subprocess.Popen([kit.binary("rag-index"), "build", "-i", INDEX, "-"], cwd=self.dir, env=kit.environment(),
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.wait_for(lambda: str(stream.pid) in (self.path(INDEX) / "LOCK").read_text())
        stream.stdin.write(kit.jsonl(*self.rows(5000)))
        stream.stdin.flush()
        self.wait_for(lambda: len(list(self.path(INDEX).glob("seg-*"))) > 1)
        stream.kill()
        stream.communicate()
        self.assertEqual(self.ids(), ["a.txt"])
        self.assertEqual(self.check()["problems"], 0)
        self.write("b.txt", "more words\n")
        self.build("b.txt")
        self.assertEqual(self.ids(), ["a.txt", "b.txt"])
        self.assertEqual(self.check()["leftovers"], 0)

    def test_damage_is_named(self):
        self.write("corpus.jsonl", kit.jsonl(*self.rows(300)))
        self.build("corpus.jsonl")
        files = [p for p in sorted(self.path(INDEX).rglob("*")) if p.is_file() and p.name not in ("LOCK", "sources.sqlite", ".gitignore")]
        self.assertGreater(len(files), 3)
        for file in files:
            whole = file.read_bytes()
            for damaged in (whole[: len(whole) // 2], whole[:-1] + bytes([whole[-1] ^ 1]), b""):
                file.write_bytes(damaged)
                done = self.ends(2, "rag-index", "check", "-i", INDEX)
                problems = [line for end in kit.records(done.stdout) for line in end["warnings"]]
                self.assertIn(f"{file.parent.name}/{file.name}", "\n".join([done.errors, *problems]))
            file.write_bytes(whole)
        self.assertEqual(self.check()["problems"], 0)

    def test_check_lists_every_problem(self):
        for name in "ab":
            self.write(f"{name}.txt", f"words {name}\n")
            self.build(f"{name}.txt")
        for file in self.path(INDEX).glob("seg-*/text"):
            file.write_bytes(file.read_bytes()[:-1])
        end = self.check(status=2)
        self.assertEqual((end["complete"], end["problems"]), (False, len(end["warnings"])))
        self.assertGreaterEqual(end["problems"], 2)

    def test_lost_inventory_reads_again_and_changes_nothing(self):
        for name in "ab":
            self.write(f"docs/{name}.txt", f"words {name}\n")
        self.build("docs")
        for damage in (lambda path: path.unlink(), lambda path: path.write_bytes(b"no database")):
            damage(self.path(INDEX) / "sources.sqlite")
            self.assertEqual(self.counts(self.build()), (0, 0, 0, 2))

    def test_no_space_left(self):
        disk = self.path("disk")
        disk.mkdir()
        if os.geteuid() != 0 or kit.run(["/bin/mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).status != 0:
            self.skipTest("a small file system needs root and mount")
        self.addCleanup(kit.run, ["/bin/umount", "-l", disk])
        self.write("a.txt", "words\n")
        self.ok("rag-index", "build", "-i", "disk/x.idx", "a.txt")
        rows = [{"_id": f"r{i}", "text": os.urandom(4000).hex()} for i in range(1000)]
        self.refuses(2, "No space left", "rag-index", "build", "-i", "disk/x.idx", "-", stdin=kit.jsonl(*rows))
        found = self.records("rag-index", "list", "-i", "disk/x.idx", kind="document")
        self.assertEqual([one["document_id"] for one in found], ["a.txt"])
        self.ok("rag-index", "check", "-i", "disk/x.idx")

    def test_tantivy_2932_many_small_commits_leave_few_segments(self):
        commits, start = 200, time.monotonic()
        for i in range(commits):
            self.write("a.txt", f"version {i}\n")
            done = self.ok("rag-index", "build", "-i", INDEX, "-", stdin=kit.jsonl({"_id": f"d{i}", "text": f"words{i}"}))
            if time.monotonic() - start > 60:  # a busy machine: what was done has to do
                commits = i + 1
                break
        self.assertLess(json.loads(done.stdout)["segments"], 20)
        self.assertEqual(self.check()["documents"], commits)

    def test_pipe_that_closes_early(self):
        self.write("corpus.jsonl", kit.jsonl(*self.rows(3000)))
        self.build("corpus.jsonl")
        done = kit.shell(f"rag-index list -i {INDEX} | head -1; test ${{PIPESTATUS[0]}} = 0", cwd=self.dir)
        self.assertEqual((done.status, done.errors), (0, ""))


if __name__ == "__main__":
    kit.main()
