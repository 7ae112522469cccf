"""rag-search as a user runs it: one query and many, every shape of output, scopes, and everything that can go wrong.

Names that begin with another project's are lessons from its issues.
"""

import json
import os
import re

import kit

INDEX = "x.idx"


class Case(kit.Case):
    def build(self, *argv, **options):
        return self.records("rag-index", "build", "-i", INDEX, *argv, **options)[-1]

    def build_rows(self, *rows, flags=()):
        return self.build("-", *flags, stdin=kit.jsonl(*rows))

    def search(self, *argv, status=0, **options):
        """The hits and the end record of one query."""
        found = self.records("rag-search", "-i", INDEX, *argv, status=status, **options)
        self.assertEqual([found[0]["type"], found[-1]["type"]], ["query", "end"])
        return [r for r in found if r["type"] == "hit"], found[-1]

    def ids(self, *argv, **options):
        return [hit["document_id"] for hit in self.search(*argv, **options)[0]]

    def many_rows(self, count=60):
        words = "refund order status ship return cancel invoice".split()
        return [
            {"_id": f"d{i}", "title": f"Row {i}", "text": " ".join(words[(i * j) % 7] for j in range(1, 5 + i % 9)), "metadata": {"kind": f"k{i % 4}"}}
            for i in range(count)
        ]


class OneQuery(Case):
    def setUp(self):
        super().setUp()
        self.write("docs/orders.md", "# Orders\n\nHow to order.\n\n## Cancelling\n\nCancel an unshipped order for a refund.\n")
        self.write("docs/ship.txt", "shipping takes a week\n")
        self.build("docs")

    def test_records(self):
        hits, end = self.search("refund of unshipped")
        self.assertEqual(len(hits), 1)
        hit = hits[0]
        self.assertEqual((hit["path"], hit["rank"], hit["method"]), ("docs/orders.md", 1, "bm25"))
        self.assertEqual(hit["scores"]["bm25"], {"score": hit["score"], "rank": 1})
        whole = self.path(hit["path"]).read_bytes()
        begin, stop = hit["bytes"]
        self.assertEqual(whole[begin:stop].decode(), hit["text"])
        text = hit["text"].encode()
        self.assertEqual([text[b:e].decode() for b, e in hit["spans"]], ["unshipped", "refund"])
        self.assertEqual((end["hits"], end["complete"], end["stop_reason"]), (1, True, "exhausted"))

    def test_qmd_lines_are_those_of_the_file(self):
        self.write("docs/long.md", "# One\n\n" + "filler text here.\n\n" * 800 + "## Two\n\nthe zebra stands here\n")
        self.build()
        hit = self.search("zebra")[0][0]
        lines = self.path("docs/long.md").read_text().split("\n")
        first, last = hit["lines"]
        self.assertIn("the zebra stands here", lines[first - 1 : last])
        self.assertGreater(first, 1000)

    def test_environment_names_the_index(self):
        done = self.ok("rag-search", "shipping", env={"RAGLINE_INDEX": INDEX})
        self.assertEqual([hit["path"] for hit in self.check_records(done.stdout, "hit")], ["docs/ship.txt"])

    def test_nothing_found(self):
        hits, end = self.search("1234567", status=1)
        self.assertEqual((hits, end["hits"], end["complete"]), ([], 0, True))
        self.assertTrue(end["suggestions"])

    def test_misspelt_word(self):
        hits, end = self.search("refnud", status=1)
        self.assertEqual(end["suggestions"], ["'refnud' is not in the index; near it: refund"])
        self.assertEqual(self.search("order refnud")[1]["suggestions"], end["suggestions"], "beside hits as well")

    def test_only_stop_words(self):
        hits, end = self.search("the of and", status=1)
        self.assertEqual(hits, [])
        self.assertRegex(" ".join(end["suggestions"]), "add a rarer word: 'the'.*stop words")

    def test_only_exclusions(self):
        hits, end = self.search("--", "-refund", status=1)
        self.assertRegex(" ".join(end["suggestions"]), "add a word")

    def test_excluded_word_that_begins_the_query(self):
        self.assertEqual(self.ids("--", "-refund shipping"), ["docs/ship.txt"])
        self.refuses(2, "begins like a flag: put -- before it", "rag-search", "-i", INDEX, "-refund shipping")

    def test_explain_adds_up(self):
        hits = self.search("cancel order refund \"unshipped order\"", "--explain", "--boost", "title=2", "--boost", "section=0.5")[0]
        for hit in hits:
            self.assertGreater(len(hit["explain"]), 2)
            self.assertAlmostEqual(sum(part["score"] for part in hit["explain"]), hit["score"], 6)
        self.assertNotIn("explain", self.search("order")[0][0])

    def test_two_equal_runs_give_equal_bytes(self):
        runs = {self.ok("rag-search", "-i", INDEX, "order shipping", "--explain", "--facets", "media_type").stdout for _ in range(3)}
        self.assertEqual(len(runs), 1)

    def test_stale_file_is_reported(self):
        self.assertEqual(self.search("shipping")[1].get("warnings", []), [])
        self.write("docs/ship.txt", "shipping takes a day.\n")
        os.utime(self.path("docs/ship.txt"), (1, 1))
        hits, end = self.search("shipping")
        self.assertEqual(len(hits), 1)
        self.assertRegex(end["warnings"][0], "stale: docs/ship.txt has changed .*rag-index build")
        self.path("docs/ship.txt").unlink()
        self.assertRegex(self.search("shipping")[1]["warnings"][0], "stale: docs/ship.txt")

    def test_skim_399_touched_file_is_not_stale(self):
        os.utime(self.path("docs/ship.txt"), (1, 1))
        self.assertEqual(self.search("shipping")[1].get("warnings", []), [], "same bytes")
        self.build()
        self.assertEqual(self.search("shipping")[1].get("warnings", []), [])

    def test_terminal(self):
        done = kit.terminal(["rag-search", "-i", INDEX, "refund"], cwd=self.dir)
        plain = re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b\x07]*(\x1b\\|\x07)", "", done.text)
        self.assertEqual(done.status, 0)
        self.assertRegex(plain, r"(?m)^1  docs/orders\.md:\d+(-\d+)?  .*\d\.\d\d$")
        self.assertIn("Cancel an unshipped order for a refund.", plain)
        self.assertNotIn('"type"', plain)
        self.assertIn("\x1b[", done.text)
        self.assertNotIn("\x1b[", kit.terminal(["rag-search", "-i", INDEX, "refund"], cwd=self.dir, env={"NO_COLOR": "1"}).text)

    def test_terminal_escapes_of_a_text_are_harmless(self):
        self.write("docs/evil.txt", b"weird \x1b]0;owned\x07 \x1b[2J word \xc2\x9b31m\n")
        self.build()
        done = kit.terminal(["rag-search", "-i", INDEX, "weird"], cwd=self.dir)
        for bad in (b"\x1b]0;", b"\x1b[2J", b"\x07owned", b"\xc2\x9b"):
            self.assertNotIn(bad, done.stdout)
        self.assertIn(b"owned", done.stdout)

    def test_text_on_a_pipe(self):
        text = self.ok("rag-search", "-i", INDEX, "refund", "--format", "text").text
        self.assertRegex(text, r"^1  docs/orders\.md:\d")
        self.assertNotIn("\x1b", text)

    def test_nothing_found_on_a_terminal(self):
        text = self.ends(1, "rag-search", "-i", INDEX, "refnud", "--format", "text").text
        self.assertIn("nothing found", text)
        self.assertIn("try: ", text)


class Shapes(Case):
    def setUp(self):
        super().setUp()
        self.build_rows(*self.many_rows())

    def test_pages_are_one_list(self):
        whole = [(h["rank"], h["evidence_id"]) for h in self.search("refund order", "-k", "1000")[0]]
        self.assertGreater(len(whole), 30)
        pages = []
        for offset in range(0, len(whole), 7):
            pages += [(h["rank"], h["evidence_id"]) for h in self.search("refund order", "-k", "7", "--offset", str(offset))[0]]
        self.assertEqual(pages, whole)
        self.assertEqual([rank for rank, _ in whole], list(range(1, len(whole) + 1)))
        self.assertEqual(self.search("refund order", "--offset", "5000", status=1)[0], [])

    def test_min_score(self):
        every = self.search("refund order", "-k", "1000")[0]
        least = every[len(every) // 2]["score"]
        above = self.search("refund order", "-k", "1000", "--min-score", repr(least))[0]
        self.assertEqual([h["evidence_id"] for h in above], [h["evidence_id"] for h in every if h["score"] >= least])
        self.assertEqual(self.search("refund order", "--min-score", "1e9", status=1)[0], [])

    def test_stop_reason(self):
        self.assertEqual(self.search("refund", "-k", "2")[1]["stop_reason"], "top")
        self.assertEqual(self.search("refund", "-k", "1000")[1]["stop_reason"], "exhausted")

    def test_facets(self):
        hits, end = self.search("refund", "-k", "1000", "--facets", "kind", "--facets", "language")
        counts = {}
        for hit in hits:
            counts[hit["metadata"]["kind"]] = counts.get(hit["metadata"]["kind"], 0) + 1
        self.assertEqual(end["facets"]["kind"], counts)
        self.assertEqual(list(end["facets"]["kind"]), sorted(counts, key=lambda k: (-counts[k], k)))
        self.assertEqual(self.search("refund", "-k", "1", "--facets", "kind")[1]["facets"]["kind"], counts, "of all that match")
        some = self.search("refund", "--facets", "kind", "--filter", "kind in (k1, k2)")[1]["facets"]["kind"]
        self.assertEqual(some, {k: v for k, v in counts.items() if k in ("k1", "k2")})
        self.assertEqual(self.search("refund", "--facets", "nothing")[1]["facets"], {"nothing": {}})

    def test_boosts_and_bm25(self):
        self.build_rows({"_id": "t", "title": "zebra", "text": "a horse"}, {"_id": "u", "title": "horse", "text": "the zebra zebra zebra zebra"})
        self.assertEqual(self.ids("zebra"), ["u", "t"])
        self.assertEqual(self.ids("zebra", "--boost", "title=50"), ["t", "u"])
        self.assertEqual(self.ids("title:zebra"), ["t"])
        self.assertEqual(len(self.ids("zebra", "--k1", "0", "--b", "0")), 2)
        for bad in ("title", "titel=2", "title=x", "title=-1", "=2", "title="):
            self.refuses(2, r"--boost .*: give content, title, section or path, '='", "rag-search", "-i", INDEX, "x", "--boost", bad)

    def test_trec(self):
        self.build_rows({"_id": "a b%c", "title": "", "text": "zebra"}, {"_id": "50%", "text": "zebra too"})
        text = self.ok("rag-search", "-i", INDEX, "zebra", "--trec", "bm25").text
        rows = [line.split(" ") for line in text.splitlines()]
        self.assertEqual({row[2] for row in rows}, {"a%20b%25c", "50%"})
        for rank, row in enumerate(rows, 1):
            self.assertEqual((row[0], row[1], row[3], row[5]), ("1", "Q0", str(rank), "bm25"))
            self.assertRegex(row[4], r"^\d+\.\d{6}$")
        self.assertEqual(self.ends(1, "rag-search", "-i", INDEX, "1234567", "--trec", "x").stdout, b"")

    def test_documents_by_their_best_passage(self):
        self.write("long.md", "".join(f"# Part {i}\n\n{'zebra ' * (1 + i % 5)}{'filler words ' * 300}\n\n" for i in range(6)))
        self.write("short.md", "zebra\n")
        self.build("long.md", "short.md")
        chunks = self.search("zebra", "-k", "100")[0]
        self.assertGreater(len([h for h in chunks if h["path"] == "long.md"]), 3)
        best = {}
        for hit in chunks:
            best.setdefault(hit["document_id"], hit["evidence_id"])
        collapsed = self.search("zebra", "--collapse", "document")[0]
        self.assertEqual({h["document_id"]: h["evidence_id"] for h in collapsed}, best)
        self.assertEqual(len(collapsed), 2)
        self.assertEqual(self.ok("rag-search", "-i", INDEX, "zebra", "--paths").text.splitlines(), [h["path"] for h in collapsed])
        self.assertEqual(self.ok("rag-search", "-i", INDEX, "zebra", "--paths0").stdout, b"".join(h["path"].encode() + b"\0" for h in collapsed))

    def test_paths_feed_other_tools(self):
        self.write("docs/a b\nc.txt", "zebra\n")
        self.build("docs")
        done = kit.shell(f"rag-search -i {INDEX} zebra --paths0 | xargs -0 cat", cwd=self.dir)
        self.assertEqual((done.status, done.text), (0, "zebra\n"))

    def test_ck_pipe_that_closes_early(self):
        rows = "".join(f"{i}\trefund order\n" for i in range(3000))
        done = kit.shell(f"rag-search -i {INDEX} --queries - -k 50 | head -1; test ${{PIPESTATUS[0]}} = 0", stdin=rows, cwd=self.dir)
        self.assertEqual((done.status, done.errors), (0, ""))


class ManyQueries(Case):
    def setUp(self):
        super().setUp()
        self.build_rows(*self.many_rows())

    def test_records_rows_and_tables(self):
        self.write("q.jsonl", kit.jsonl({"type": "query", "query_id": "1", "query": "refund"}, {"type": "end"}, {"type": "query", "query_id": "2", "query": "ship status"}))
        self.write("q.beir", kit.jsonl({"_id": "1", "text": "refund", "metadata": {}}, {"_id": "2", "text": "ship status"}))
        self.write("q.tsv", "1\trefund\n2\tship status\n")
        outputs = {self.ok("rag-search", "-i", INDEX, "--queries", name, "--trec", "t").stdout for name in ("q.jsonl", "q.beir", "q.tsv")}
        self.assertEqual(len(outputs), 1)
        self.assertEqual({line.split()[0] for line in outputs.pop().decode().splitlines()}, {"1", "2"})
        found = self.records("rag-search", "-i", INDEX, "--queries", "q.jsonl")
        self.assertEqual([r["query_id"] for r in found if r["type"] == "end"], ["1", "2"])
        alone = self.search("refund")[0]
        self.assertEqual([(h["evidence_id"], h["score"]) for h in found if h["type"] == "hit" and h["query_id"] == "1"], [(h["evidence_id"], h["score"]) for h in alone])

    def test_threads_do_not_change_the_output(self):
        words = "refund order status ship return cancel invoice zebra".split()
        rows = [{"_id": f"q{i}", "text": f"{words[i % 8]} {words[i // 8 % 8]} {words[i // 64 % 8]}"} for i in range(1200)]
        self.write("q.jsonl", kit.jsonl(*rows))
        for flags in (("--trec", "t"), ("--explain", "--facets", "kind")):
            one = self.ok("rag-search", "-i", INDEX, "--queries", "q.jsonl", *flags).stdout
            self.assertEqual(one, self.ok("rag-search", "-i", INDEX, "--queries", "q.jsonl", "--threads", "2", *flags).stdout)

    def test_a_query_has_its_own_filter(self):
        rows = [{"type": "query", "query_id": "a", "query": "refund", "filter": "kind = k1"}, {"type": "query", "query_id": "b", "query": "refund"}]
        found = self.records("rag-search", "-i", INDEX, "--queries", "-", "-k", "100", "--filter", "kind in (k1, k2)", kind="hit", stdin=kit.jsonl(*rows))
        kinds = {q: {h["metadata"]["kind"] for h in found if h["query_id"] == q} for q in "ab"}
        self.assertEqual(kinds, {"a": {"k1"}, "b": {"k1", "k2"}})
        rows[0]["filter"] = "kind ="
        done = self.ends(2, "rag-search", "-i", INDEX, "--queries", "-", stdin=kit.jsonl(*rows))
        self.assertRegex(done.errors, "query 'a'.*expected a value")

    def test_bad_lines(self):
        rows = "1\trefund\nno tab here\n{\"_id\": 3}\n{\"_id\": \n4\torder\n"
        self.refuses(2, r"-?:2: the line is neither JSON nor a row", "rag-search", "-i", INDEX, "--queries", "-", "--trec", "t", stdin=rows)
        done = self.ends(4, "rag-search", "-i", INDEX, "--queries", "-", "--trec", "t", "--skip-bad", stdin=rows)
        self.assertIn("3 bad lines", done.errors)
        self.assertEqual({line.split()[0] for line in done.text.splitlines()}, {"1", "4"})

    def test_no_queries(self):
        self.ends(1, "rag-search", "-i", INDEX, "--queries", "-", stdin="")
        self.refuses(2, "nowhere.tsv", "rag-search", "-i", INDEX, "--queries", "nowhere.tsv")


class WithoutIndex(Case):
    def test_folder_is_searched(self):
        self.write("docs/a.md", "# Refunds\n\nWithin thirty days.\n")
        self.write("docs/b.txt", "shipping takes a week\n")
        done = self.ok("rag-search", "thirty days", "docs")
        hits = self.check_records(done.stdout, "hit")
        self.assertEqual([h["path"] for h in hits], ["docs/a.md"])
        self.assertRegex(done.errors, "searched 2 files without an index.*rag-index build")
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["docs"], "nothing is written")
        self.assertEqual(self.ok("rag-search", "thirty days", "docs", "--quiet").errors, "")
        self.build("docs")
        self.assertEqual(self.search("thirty days")[0], hits, "as with an index")

    def test_missing_and_unreadable_paths(self):
        self.write("a.txt", "words\n")
        done = self.run_tool("rag-search", "words", "a.txt", "nowhere")
        self.assertIn("nowhere", done.errors)
        self.assertIn(done.status, (2, 4))

    def test_empty_folder(self):
        self.path("empty").mkdir()
        self.ends(1, "rag-search", "words", "empty")

    def test_qmd_684_nothing_is_searched_unasked(self):
        self.write("a.txt", "words\n")
        self.refuses(2, "no index given: .*-i DIR", "rag-search", "words")


class Refusals(Case):
    def setUp(self):
        super().setUp()
        self.write("a.txt", "some words\n")
        self.build("a.txt")

    def test_no_query(self):
        self.refuses(2, "no query given", "rag-search", "-i", INDEX)
        for empty in ("", "  \t"):
            self.refuses(2, "the query is empty", "rag-search", "-i", INDEX, empty)

    def test_no_such_index(self):
        self.refuses(2, r"nowhere.*rag-index build", "rag-search", "-i", "nowhere", "words")
        self.path("folder").mkdir()
        self.write("folder/file", "x")
        self.refuses(2, "'folder' is no ragline index: .*rag-index build", "rag-search", "-i", "folder", "words")
        self.refuses(2, r"a\.txt", "rag-search", "-i", "a.txt", "words")

    def test_index_and_path(self):
        self.refuses(2, "both an index and the path 'a.txt'.*--path-glob", "rag-search", "-i", INDEX, "words", "a.txt")

    def test_bad_filter(self):
        self.refuses(2, r"--filter: at 8: expected a value after '>='", "rag-search", "-i", INDEX, "words", "--filter", "year >=")
        self.refuses(2, r"--as-of yesterday: ", "rag-search", "-i", INDEX, "words", "--as-of", "yesterday")

    def test_bad_flags(self):
        self.refuses(2, "--k1", "rag-search", "-i", INDEX, "words", "--k1", "-1")
        self.refuses(2, "--b", "rag-search", "-i", INDEX, "words", "--b", "1.5")
        self.refuses(2, "--mode", "rag-search", "-i", INDEX, "words", "--mode", "dense")
        self.refuses(2, "--paths", "rag-search", "-i", INDEX, "words", "--paths", "--trec", "t")

    def test_qmd_536_unknown_flag(self):
        self.refuses(2, "--tpo", "rag-search", "-i", INDEX, "words", "--tpo", "3")

    def test_damaged_postings(self):
        rows = [{"_id": f"r{i}", "text": "words " * (1 + i % 7) + f"number{i}"} for i in range(3000)]
        self.build("-", stdin=kit.jsonl(*rows))
        file = max(self.path(INDEX).glob("seg-*/postings"), key=lambda path: path.stat().st_size)
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        self.assertRegex(self.ends(2, "rag-search", "-i", INDEX, "words").errors, r"seg-.*/postings: .*build the index anew")
        file.write_bytes(whole[:64] + b"\xff" * (len(whole) - 128) + whole[-64:])
        self.assertRegex(self.ends(2, "rag-search", "-i", INDEX, "words").errors, r"rag-index check")

    def test_faiss_any_damaged_byte_is_survived(self):
        self.build("-", stdin=kit.jsonl(*self.many_rows(300)))
        for file in sorted(self.path(INDEX).glob("seg-*/*")):
            whole = file.read_bytes()
            for step in range(6):
                at = step * max(1, len(whole) - 1) // 5
                file.write_bytes(whole[:at] + bytes([whole[min(at, len(whole) - 1)] ^ 0x55]) + whole[at + 1 :])
                done = self.run_tool("rag-search", "-i", INDEX, "refund order* \"ship return\"", "--facets", "kind")
                self.assertIn(done.status, (0, 1, 2), f"{file} byte {at}: {done.errors}")
                if done.status == 2:
                    self.assertRegex(done.errors, rf"{file.parent.name}.*build (it again|the index anew)", f"{file} byte {at}")
            file.write_bytes(whole)

    def test_newer_format(self):
        manifest = self.path(INDEX) / "MANIFEST"
        head, line, _ = manifest.read_text().replace('"format": 1,', '"format": 99,').rpartition('  "checksum": "')
        checksum = self.records("rag-chunk", str(self.write("head.txt", head)), kind="chunk")[0]["checksum"]
        manifest.write_text(head + line + checksum + '"\n}\n')
        self.refuses(2, "format 99 is newer", "rag-search", "-i", INDEX, "words")

    def test_strange_bytes_in_the_query(self):
        for query in (b"words \xff\xfe\xc3", b"\xff", "words \u0000".encode().replace(b"\0", b""), b"w" * 100000, b'"' * 999, b"(" * 5000, "\u202e words \u200b".encode()):
            done = self.run_tool("rag-search", "-i", INDEX, query.decode(errors="surrogateescape")) if b"\xff" in query else self.run_tool("rag-search", "-i", INDEX, query.decode())
            self.assertIn(done.status, (0, 1), (query[:20], done.errors))
            self.check_records(done.stdout)
        found = self.records("rag-search", "-i", INDEX, "--queries", "-", stdin=b'1\twords\0some\n2\t\xff\xfewords\n{"_id": "3", "text": "words\\u0000"}\n', kind="hit")
        self.assertEqual([h["query_id"] for h in found], ["1", "2", "3"])


class Scopes(Case):
    def test_qmd_775_filter_before_top_k(self):
        rows = [{"_id": f"d{i}", "text": "refund " * 3 if i % 1000 else f"refund among many other words number{i} {'x ' * i}", "metadata": {"rare": i % 1000 == 0}} for i in range(3000)]
        self.build_rows(*rows)
        everything = [h for h in self.search("refund", "-k", "10000")[0] if h["metadata"]["rare"]]
        hits = self.search("refund", "-k", "2", "--filter", "rare = true")[0]
        self.assertEqual([(h["evidence_id"], h["score"]) for h in hits], [(h["evidence_id"], h["score"]) for h in everything[:2]])

    def test_versions(self):
        self.build_rows(
            {"type": "document", "document_id": "v", "version": "1", "text": "refunds then", "effective_to": "2025-01-01T00:00:00Z"},
            {"type": "document", "document_id": "v", "version": "2", "text": "refunds now", "effective_from": "2025-01-01T00:00:00Z"},
        )
        versions = lambda *flags: [h["version"] for h in self.search("refunds", *flags)[0]]
        self.assertEqual(versions(), ["2"])
        self.assertEqual(versions("--as-of", "2024-06-01"), ["1"])
        self.assertEqual(versions("--as-of", "2025-01-01T00:00:00Z"), ["2"])
        self.assertEqual(sorted(versions("--all-versions")), ["1", "2"])
        self.assertEqual(self.search("refunds", "--as-of", "2024-06-01")[1]["as_of"], "2024-06-01T00:00:00Z")

    def test_languages_types_and_paths(self):
        self.write("docs/a.md", "# Zebra\n\nThe zebra and the horse live there.\n")
        self.write("docs/sub/b.txt", "zebra\n")
        self.build("docs")
        self.build_rows({"type": "document", "document_id": "de", "language": "de", "text": "Das Zebra und die Pferde"})
        self.assertEqual(sorted(self.ids("zebra")), ["de", "docs/a.md", "docs/sub/b.txt"])
        self.assertEqual(self.ids("zebra", "--language", "de"), ["de"])
        self.assertEqual(self.ids("zebra", "--type", "text/markdown"), ["docs/a.md"])
        self.assertEqual(self.ids("zebra", "--path-glob", "docs/sub/**"), ["docs/sub/b.txt"])
        hits, end = self.search("zebra", "--path-glob", "nowhere/**", status=1)
        self.assertRegex(" ".join(end["suggestions"]), "no document passes the filters")

    def test_openrag_1336_governed_index(self):
        self.build_rows(
            {"type": "document", "document_id": "open", "text": "salary bands", "acl": ["*"]},
            {"type": "document", "document_id": "pay", "text": "salary of the director: zebracorn", "acl": ["hr"], "metadata": {"grade": "secret9"}},
            flags=("--governed",),
        )
        self.refuses(2, "governed.*--principal", "rag-search", "-i", INDEX, "salary")
        self.refuses(2, "--principal is empty", "rag-search", "-i", INDEX, "salary", "--principal", "")
        self.assertEqual(self.ids("salary", "--principal", "ann"), ["open"])
        self.assertEqual(sorted(self.ids("salary", "--principal", "ann", "--principal", "hr")), ["open", "pay"])
        for query in ("zebracorn", "zebracon", "zebra*", "zebracorm~2", "salary +zebracorn"):
            done = self.ends(1, "rag-search", "-i", INDEX, query, "--principal", "ann", "--facets", "grade", "--explain")
            told = done.text.replace(json.dumps(query), "").replace(f"'{query}'", "")
            self.assertNotIn("pay", told)
            self.assertNotIn("secret9", told)
            for line in kit.records(done.stdout, "end"):
                self.assertNotIn("near it", json.dumps(line))
        part = self.search("salary", "--principal", "ann", "--explain")[0][0]["explain"][0]
        self.assertEqual(part["doc_freq"], 1)


class Writing(Case):
    """Words that other tools did not find."""

    def find(self, text, *queries):
        self.build_rows({"_id": "it", "text": text}, {"_id": "other", "text": "nothing of the kind"})
        for query in queries:
            with self.subTest(query):
                self.assertEqual(self.ids(query), ["it"])

    def test_qmd_294_chinese(self):
        self.find("如何取消未发货的订单并获得退款", "订单", "退款", "取消未发货", "退")

    def test_qmd_japanese_and_korean(self):
        self.find("注文をキャンセルする 주문 취소 방법", "キャンセル", "注文", "주문")

    def test_qmd_563_dotted_and_hyphenated_names(self):
        self.find("upgrade foo-bar_baz to 1.0.21 in app.config.json by ann@example.com",
                  "1.0.21", "app.config.json", "foo-bar_baz", "bar", "config", "ann@example.com", "\"app.config.json\"")

    def test_code_names(self):
        self.find("void updateOrderStatus(XMLHttpRequest r)", "updateOrderStatus", "order status", "http", "update_order_status", "xmlhttprequest")

    def test_pasted_questions_are_text(self):
        self.find("error: expected ')' before ';' token in f(\"x\")", "error: expected ')' before ';' token [-Werror", "f(\"x\")", "expected (", "what's a \"token")


if __name__ == "__main__":
    kit.main()
