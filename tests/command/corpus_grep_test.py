"""corpus-grep as a user runs it."""

import base64
import bz2
import gzip
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import kit

RG = shutil.which("rg") or (os.path.exists("/opt/peers/bin/rg") and "/opt/peers/bin/rg")


class Grep(kit.Case):
    def tree(self):
        self.write("src/a.c", "int alpha;\nint beta; // alpha\n\nvoid gamma(void);\n")
        self.write("src/deep/b.c", "alpha\n")
        self.write("README", "The Alpha release.\n")

    def lines(self, *argv, **options):
        return self.ends(options.pop("status", 0), "corpus-grep", *argv, **options).text.splitlines()


class Records(Grep):
    def test_a_match_names_its_evidence(self):
        self.tree()
        records = self.records("corpus-grep", "alpha", ".")
        self.assertEqual([r["type"] for r in records], ["match"] * 3 + ["end"])
        first = records[1]
        self.assertEqual(
            (first["path"], first["lines"], first["bytes"], first["text"], first["spans"]),
            ("src/a.c", [2, 2], [11, 29], "int beta; // alpha", [[13, 18]]),
        )
        self.assertTrue(first["evidence_id"].startswith("src/a.c#11-29@"))
        end = records[-1]
        self.assertEqual(
            {k: end[k] for k in ("files", "searched", "matched", "matches", "complete", "stop_reason")},
            {"files": 3, "searched": 3, "matched": 2, "matches": 3, "complete": True, "stop_reason": "exhausted"},
        )

    def test_vulpea_434_a_path_that_is_no_utf8_keeps_its_bytes(self):
        (self.dir / os.fsdecode(b"b\xff.txt")).write_bytes(b"alpha\n")
        record = self.records("corpus-grep", "alpha", kind="match")[0]
        self.assertEqual(base64.b64decode(record["path_b64"]), b"b\xff.txt")
        self.assertEqual(record["path"], "b\ufffd.txt")

    def test_patterns_are_named(self):
        self.write("a.txt", "one\ntwo one\nthree\n")
        rows = kit.jsonl({"id": "q1", "pattern": "one"}, {"id": "q2", "pattern": "TWO", "ignore_case": True}, {"id": "q3", "pattern": "x.y", "fixed": True})
        self.write("p.jsonl", rows)
        records = self.records("corpus-grep", "--patterns-jsonl", "p.jsonl", "a.txt")
        self.assertEqual([r["patterns"] for r in records[:-1]], [["q1"], ["q2", "q1"]])
        self.assertEqual(records[-1]["unmatched_patterns"], ["q3"])

    def test_context_belongs_to_its_match_and_comes_once(self):
        self.write("a.txt", "1\n2\nx3\n4\nx5\n6\n7\n")
        records = self.records("corpus-grep", "-C1", "x", "a.txt", kind="match")
        self.assertEqual([(r.get("before"), r.get("after")) for r in records], [(["2"], ["4"]), (None, ["6"])])

    def test_claude_code_78827_long_lines_are_cut_around_the_match(self):
        self.write("a.txt", "\u00e9" * 5000 + "needle" + "\u00e9" * 5000 + "\n")
        record = self.records("corpus-grep", "-M", "100", "needle", kind="match")[0]
        self.assertLessEqual(len(record["text"].encode()), 100)
        begin, end = record["spans"][0]
        self.assertEqual(record["text"].encode()[begin:end], b"needle")
        self.assertEqual(record["bytes"], [0, 20006])

    def test_skips_are_counted_by_reason(self):
        self.tree()
        self.ok("/usr/bin/env", "git", "init", "-q") if shutil.which("git") else os.mkdir(self.dir / ".git")
        self.write(".gitignore", "*.log\n")
        self.write("x.log", "alpha\n")
        self.write("bin", b"\0\1alpha\n")
        self.write("big", "x" * 2000)
        os.symlink("README", self.dir / "link")
        os.mkfifo(self.dir / "pipe")
        end = self.records("corpus-grep", "alpha", "--max-filesize", "1K", ".")[-1]
        self.assertEqual(end["skipped"], {"ignored": 1, "hidden": 2, "binary": 1, "too_large": 1, "link": 1, "special": 1})
        self.assertEqual(end["files"], end["searched"] + sum(end["skipped"].values()))
        self.assertTrue(end["complete"])

    def test_an_unreadable_file_keeps_the_other_results(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        self.tree()
        os.chmod(self.dir / "src/a.c", 0)
        records = self.records("corpus-grep", "alpha", status=4)
        self.assertEqual(len(records), 2)
        self.assertFalse(records[-1]["complete"])

    def test_nothing_found_comes_with_what_to_try(self):
        self.tree()
        end = self.records("corpus-grep", "-w", "ALPH", status=1)[-1]
        self.assertIn("other cases: -i", end["suggestions"])
        self.assertIn("parts of words: leave out -w", end["suggestions"])
        end = self.records("corpus-grep", "BETA;", "--diagnose", status=1)[-1]
        self.assertEqual(end["suggestions"], ["-i would match"])


class Budgets(Grep):
    def many(self, files=20, lines=10):
        for i in range(files):
            self.write(f"f{i:02}.txt", "".join(f"line {j} hit\nother\n" for j in range(lines)))

    def pages(self, *argv):
        """All matches of a search that goes on from cursor to cursor, and how many runs it took."""
        found, cursor, runs = [], [], 0
        while True:
            done = self.run_tool("corpus-grep", *argv, *cursor)
            self.assertIn(done.status, (0, 3), done.errors)
            records = self.check_records(done.stdout)
            found += [r for r in records if r["type"] == "match"]
            end = records[-1]
            runs += 1
            self.assertEqual(done.status == 3, not end["complete"])
            if "next" not in end:
                return found, runs
            self.assertLess(runs, 500)
            cursor = ["--cursor", end["next"]]

    def test_a_cursor_goes_on_exactly_where_the_run_was_cut(self):
        self.many()
        whole = self.records("corpus-grep", "hit", kind="match")
        self.assertEqual(len(whole), 200)
        for budget in (["--max-matches", "7"], ["--max-matches", "200"], ["--max-files", "3"], ["--max-bytes-scanned", "333"],
                       ["--max-output-bytes", "1000"], ["--max-tokens", "300"]):
            for threads in ("1", "4"):
                with self.subTest(budget=budget, threads=threads):
                    found, runs = self.pages("hit", *budget, "-j", threads)
                    self.assertEqual(found, whole)
                    self.assertEqual(runs == 1, budget == ["--max-matches", "200"])

    def test_code_puppy_904_exactly_n_is_complete(self):
        self.many(2, 5)
        for budget, complete in ((9, False), (10, True), (11, True)):
            end = self.records("corpus-grep", "hit", "--max-matches", budget, status=0 if complete else 3)[-1]
            self.assertEqual((end["complete"], end["matches"]), (complete, min(budget, 10)))

    def test_the_same_bytes_for_any_number_of_threads(self):
        self.many(100, 3)
        for flags in ([], ["--max-matches", "50"], ["--format", "text", "-C1"], ["--json"], ["-c"], ["-l"], ["--max-bytes-scanned", "2000"]):
            outputs = {self.run_tool("corpus-grep", "hit", "-j", str(n), *flags).stdout for n in (1, 2, 8) for _ in range(5)}
            self.assertEqual(len(outputs), 1, flags)

    def test_a_cursor_of_another_search_is_refused(self):
        self.many(2)
        cursor = self.records("corpus-grep", "hit", "--max-matches", "1", status=3)[-1]["next"]
        self.refuses(2, "it is of another search", "corpus-grep", "other", "--cursor", cursor)
        self.refuses(2, "not a cursor", "corpus-grep", "hit", "--cursor", "nonsense")
        os.remove(self.dir / "f00.txt")
        self.refuses(2, "not there any more", "corpus-grep", "hit", "--cursor", cursor)

    def test_matches_per_file_say_that_there_are_more(self):
        self.many(2, 5)
        end = self.records("corpus-grep", "hit", "--max-matches-per-file", "2", status=3)[-1]
        self.assertEqual((end["complete"], end["stop_reason"], end["matches"]), (False, "limit:max-matches-per-file", 4))
        end = self.records("corpus-grep", "hit", "--max-matches-per-file", "5")[-1]
        self.assertTrue(end["complete"])
        self.assertEqual(len(self.records("corpus-grep", "hit", "-m", "2", kind="match")), 4)

    def test_spill_to_a_pipe_is_written_to_and_left_as_it_is(self):
        self.write("a", "needle\n")
        pipe = self.dir / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.records("corpus-grep", "needle", "a", "--spill", pipe)
        self.assertIn(b'"type":"match"', os.read(reader, 1 << 16))
        self.assertTrue(pipe.is_fifo())

    def test_spill_holds_everything(self):
        self.many(3, 4)
        whole = self.ok("corpus-grep", "hit").stdout
        records = self.records("corpus-grep", "hit", "--max-matches", "2", "--spill", self.dir / "../" / (self.dir.name + ".spill"), status=3)
        self.assertEqual(len(records), 3)
        self.assertFalse(records[-1]["complete"])
        spilled = self.dir.parent / (self.dir.name + ".spill")
        self.addCleanup(os.remove, spilled)
        self.assertEqual(spilled.read_bytes(), whole)

    def test_a_timeout_is_told(self):
        self.write("big.txt", "hit\n" * 3_000_000)
        done = self.run_tool("corpus-grep", "(h|x)(i|y)t", "--timeout", "1ms")
        end = kit.records(done.stdout)[-1]
        self.assertEqual((done.status, end["stop_reason"], end["complete"]), (3, "limit:timeout", False))
        self.assertIn("next", end)

    def test_a_large_file_gives_the_same_bytes_for_any_number_of_threads(self):
        lines = "".join(f"line {i} of many{' needle' if i % 4999 == 0 else ''}\n" for i in range(20_000))
        self.write("big.txt", lines * 100)
        self.assertGreater((self.dir / "big.txt").stat().st_size, 32 << 20)
        for flags in (["-C", "2"], ["-c"], ["-m", "7"], ["--max-matches", "9"], ["-v", "--max-matches", "3"]):
            outputs = {self.run_tool("corpus-grep", "needle", "big.txt", *flags, f"-j{n}").stdout for n in (1, 2, 5)}
            self.assertEqual(len(outputs), 1, flags)
        self.assertEqual(self.ok("corpus-grep", "-c", "needle", "big.txt", "--format", "text").stdout, b"500\n")


class Inputs(Grep):
    def test_ripgrep_2056_standard_input_is_read_only_for_a_dash(self):
        self.tree()
        self.assertEqual(len(self.records("corpus-grep", "alpha", kind="match", stdin="alpha\n" * 50)), 3)
        self.assertEqual(len(self.records("corpus-grep", "alpha", "-", kind="match", stdin="alpha\n" * 50)), 50)

    def test_ripgrep_273_lists_of_files(self):
        self.tree()
        self.write("list", "README\nsrc/a.c\nsrc/a.c\nnone\nsrc\n")
        records = self.records("corpus-grep", "-i", "alpha", "--files-from", "list", status=4)
        self.assertEqual([r["path"] for r in records[:-1]], ["README", "src/a.c", "src/a.c"])
        self.assertEqual(records[-1]["skipped"], {"unreadable": 1, "special": 1})
        records = self.records("corpus-grep", "alpha", "--files0-from", "-", stdin=b"src/deep/b.c\0README\0")
        self.assertEqual([r["path"] for r in records[:-1]], ["src/deep/b.c"])

    def test_records_name_files(self):
        self.tree()
        hits = self.ok("corpus-grep", "gamma").stdout
        records = self.records("corpus-grep", "beta", "--records-from", "-", stdin=hits)
        self.assertEqual([r["path"] for r in records[:-1]], ["src/a.c"])

    def test_nothing_outside_of_the_root_is_opened(self):
        self.write("in/a.txt", "secret inside\n")
        self.write("out/b.txt", "secret outside\n")
        os.symlink("../out/b.txt", self.dir / "in/link.txt")
        os.symlink("../out", self.dir / "in/folder")
        os.symlink("a.txt", self.dir / "in/good.txt")
        records = self.records("corpus-grep", "secret", "--root", "in", "--follow")
        self.assertEqual([r["path"] for r in records[:-1]], ["a.txt", "good.txt"])
        records = self.records("corpus-grep", "secret", "--root", "in", "--files-from", "-", stdin="../out/b.txt\nlink.txt\na.txt\nfolder/b.txt\n")
        self.assertEqual([r["path"] for r in records[:-1]], ["a.txt"])
        self.assertEqual(records[-1]["skipped"], {"link_outside": 3})
        self.refuses(2, "outside of --root", "corpus-grep", "secret", "--root", "in", "out")

    def test_compressed_files(self):
        text = b"first\nneedle here\n"
        self.write("a.gz", gzip.compress(text) + gzip.compress(b"needle two\n"))
        self.write("b.bz2", bz2.compress(text))
        self.write("c.xz", lzma.compress(text))
        self.write("d.txt", text)
        self.assertEqual(len(self.records("corpus-grep", "needle", kind="match")), 1)
        records = self.records("corpus-grep", "-z", "needle")
        self.assertEqual([(r["path"], r["lines"], r.get("extractor")) for r in records[:-1]],
                         [("a.gz", [2, 2], "gzip"), ("a.gz", [3, 3], "gzip"), ("b.bz2", [2, 2], "bzip2"), ("c.xz", [2, 2], "xz"), ("d.txt", [2, 2], None)])
        self.write("a.gz", gzip.compress(text * 1000)[:-20])
        end = self.records("corpus-grep", "-z", "needle", status=4)[-1]
        self.assertIn("cut off", " ".join(end["warnings"]))

    def test_encodings(self):
        self.write("le.txt", "\ufeffna\u00efve\nx\n".encode("utf-16-le"))
        self.write("be.txt", "plain na\u00efve text without a mark\n".encode("utf-16-be"))
        self.write("bom.txt", b"\xef\xbb\xbfna\xc3\xafve\n")
        self.write("latin.txt", b"na\xefve\n")
        records = self.records("corpus-grep", "na\u00efve", kind="match")
        self.assertEqual([(r["path"], r.get("extractor")) for r in records], [("be.txt", "utf-16be"), ("bom.txt", "utf-8-bom"), ("le.txt", "utf-16le")])
        self.assertEqual(len(self.records("corpus-grep", "^na", kind="match")), 3)
        self.assertEqual(self.records("corpus-grep", "-E", "latin1", "na\u00efve", "latin.txt", kind="match")[0]["extractor"], "windows-1252")

    def test_binary_files(self):
        self.write("bin", b"needle\0\n")
        end = self.records("corpus-grep", "needle", "bin", status=1)[-1]
        self.assertIn("-a searches it as text", end["warnings"][0])
        self.assertEqual(len(self.records("corpus-grep", "-a", "needle", "bin", kind="match")), 1)
        self.write("late", b"x" * 9000 + b"\nneedle\n\0\nneedle\n")
        for flags, expected in ((["-c"], "late:2"), (["-l"], "late")):
            self.assertEqual(self.lines("needle", *flags, "-g", "late"), [expected])

    def test_binary_stays_binary_in_a_named_encoding(self):
        self.write("bin", b"needle\0\n")
        self.assertEqual(self.lines("-l", "-E", "latin1", "needle", status=1), [])
        self.assertEqual(self.lines("-l", "-a", "-E", "latin1", "needle"), ["bin"])

    def test_forms_take_the_format_that_they_have(self):
        self.write("a", "needle\n")
        self.assertEqual(self.lines("-l", "--format", "text", "needle"), ["a"])
        self.assertEqual(self.lines("-c", "--format", "text", "needle"), ["a:1"])
        self.refuses(2, "--count is a form of output of its own: leave out --format jsonl", "corpus-grep", "-c", "--format", "jsonl", "needle")
        self.assertIn("\x1b[", "\n".join(self.lines("-p", "needle")))

    def test_hidden_and_ignored_files_can_be_left_out_again(self):
        self.write(".h", "needle\n")
        self.write(".ignore", "i\n")
        self.write("i", "needle\n")
        self.assertEqual(self.lines("-l", "--hidden", "--no-ignore", "needle"), [".h", "i"])
        self.assertEqual(self.lines("-l", "--hidden", "--no-ignore", "--no-hidden", "--ignore", "needle", status=1), [])

    def test_types_and_globs(self):
        self.tree()
        self.write("x.py", "alpha\n")
        self.assertEqual(self.lines("-l", "alpha", "-tpy"), ["x.py"])
        self.assertEqual(self.lines("-l", "alpha", "-Tpy"), ["src/a.c", "src/deep/b.c"])
        self.assertEqual(self.lines("-l", "alpha", "-g", "*.c", "-g", "!b.c"), ["src/a.c"])
        self.assertEqual(self.lines("-l", "alpha", "-g", "!*.c", "-g", "b.c"), ["src/deep/b.c"])
        self.assertEqual(self.lines("-l", "alpha", "--type-add", "mine:*.C", "--iglob", "*.C", "-d", "2"), ["src/a.c"])
        self.refuses(2, "unknown file type 'nope'", "corpus-grep", "x", "-tnope")
        self.assertIn("py: *.py, *.pyi", self.lines("--type-list"))

    def test_files_lists_what_would_be_searched(self):
        self.tree()
        self.assertEqual(self.lines("--files"), ["README", "src/a.c", "src/deep/b.c"])
        self.assertEqual(self.ok("corpus-grep", "--files", "-0", "src").stdout, b"src/a.c\0src/deep/b.c\0")

    def test_a_governed_index_confines_the_search(self):
        self.write("hr/pay.md", "# Pay\n\nsalary secret\n")
        self.write("all/x.md", "# Open\n\nsalary bands\n")
        self.write("new.md", "salary not indexed\n")
        self.write("labels", '{"path":"hr/**","acl":["hr"]}\n{"path":"all/**","acl":["*"]}\n')
        self.ok("rag-index", "build", "-i", "x.idx", "--governed", "--labels", "labels", "hr", "all")
        records = self.records("corpus-grep", "salary", "--index", "x.idx", "--principal", "ann")
        self.assertEqual([r["path"] for r in records[:-1]], ["all/x.md"])
        records = self.records("corpus-grep", "salary", "--index", "x.idx", "--principal", "hr")
        self.assertEqual([r["path"] for r in records[:-1]], ["all/x.md", "hr/pay.md"])
        self.refuses(2, "principal", "corpus-grep", "salary", "--index", "x.idx")
        self.refuses(2, "--index", "corpus-grep", "salary", "--principal", "hr")


class Conditions(Grep):
    def setUp(self):
        super().setUp()
        self.write("a.txt", "timeout\ntimeout retry\ntimeout retry test\nretry\n")
        self.write("b.txt", "timeout\nlicense\n")

    def test_lines(self):
        self.assertEqual(self.lines("-e", "timeout", "--and", "retry", "--not", "test", "--format", "text", "-n"), ["a.txt:2:timeout retry"])
        self.assertEqual(self.lines("--where", "timeout and (license or test)", "--format", "text", "-n"), ["a.txt:3:timeout retry test"])

    def test_files(self):
        self.assertEqual(self.lines("-l", "timeout", "--file-and", "license"), ["b.txt"])
        self.assertEqual(self.lines("-l", "timeout", "--file-not", "license"), ["a.txt"])
        self.assertEqual(self.lines("-l", "timeout", "--file-where", "not license or nothing"), ["a.txt"])
        self.assertEqual(self.lines("-c", "timeout", "--file-and", "retry", "-", stdin="timeout\nretry\n"), ["1"])

    def test_near(self):
        self.assertEqual(self.lines("-e", "license", "--and", "timeout", "--near", "1", "--format", "text"), ["b.txt:license"])
        self.assertEqual(self.lines("license", "--not", "timeout", "--near", "1", "--format", "text", status=1), [])

    def test_wrong_conditions(self):
        self.refuses(2, "at 5: expected a pattern", "corpus-grep", "--where", "not ")
        self.refuses(2, "takes the place of", "corpus-grep", "--where", "a", "-e", "b")
        self.refuses(2, "--near widens", "corpus-grep", "a", "--near", "3")


class BadInput(Grep):
    def test_patterns(self):
        self.refuses(2, r"pattern 'foo\(': .*missing", "corpus-grep", "foo(")
        self.refuses(2, r"at 4: .*--and PATTERN", "corpus-grep", "foo(?=bar)")
        self.refuses(2, "backreferences", "corpus-grep", r"(a)\1")
        self.refuses(2, "repetition size", "corpus-grep", "((a{100}){100}){100}")
        self.refuses(2, "too large", "corpus-grep", "(\\pL{1000}|\\pN{999}){1}" * 20)
        self.refuses(2, "not UTF-8", "corpus-grep", "-F", b"caf\xe9".decode("utf-8", "surrogateescape"))
        self.write("p.txt", "good\nb[ad\n")
        self.refuses(2, "p.txt:2: 'b\\[ad': at 2", "corpus-grep", "-f", "p.txt")
        self.write("p.jsonl", '{"id":1}\n')
        self.refuses(2, "p.jsonl:1: no pattern", "corpus-grep", "--patterns-jsonl", "p.jsonl")
        self.refuses(2, "no pattern given", "corpus-grep")

    def test_paths(self):
        self.refuses(2, "cannot read 'none'", "corpus-grep", "x", "none")
        self.refuses(2, "none", "corpus-grep", "x", "--files-from", "none")
        self.refuses(2, "--root", "corpus-grep", "x", "--root", "none")

    def test_flags(self):
        self.refuses(2, "choose one", "corpus-grep", "-c", "-l", "x")
        self.refuses(2, "--encoding", "corpus-grep", "-E", "klingon", "x")
        self.refuses(2, "-U searches across lines", "corpus-grep", "-U", "x", "--and", "y")


class Processes(Grep):
    def test_a_closed_pipe_ends_the_run(self):
        self.write("big.txt", "hit\n" * 2_000_000)
        done = kit.shell("corpus-grep hit | head -1", cwd=self.dir)
        self.assertEqual(done.status, 0, done.errors)

    def test_a_file_that_shrinks_or_goes_while_it_is_read(self):
        path = self.write("a.txt", "hit\n" * 500_000)
        stop = threading.Event()

        def disturb():
            while not stop.is_set():
                os.truncate(path, 100)
                os.truncate(path, 1_000_000)
                path.write_bytes(b"hit\n" * 300_000)
                os.remove(path)
                path.write_bytes(b"hit\n" * 400_000)

        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            for _ in range(20):
                self.assertIn(self.run_tool("corpus-grep", "-c", "hit").status, (0, 1, 4))
        finally:
            stop.set()
            thread.join()

    def test_a_fifo_that_is_named_is_read(self):
        os.mkfifo(self.dir / "pipe")
        writer = threading.Thread(target=lambda: (self.dir / "pipe").write_text("a hit\n"))
        writer.start()
        self.assertEqual(len(self.records("corpus-grep", "hit", "pipe", kind="match")), 1)
        writer.join()

    def test_proc_is_read_to_its_end(self):
        if not os.path.exists("/proc/self/status"):
            self.skipTest("no /proc here")
        self.assertEqual(len(self.records("corpus-grep", "^Name:", "/proc/self/status", kind="match")), 1)

    def test_it_writes_and_starts_nothing(self):
        if not shutil.which("strace"):
            self.skipTest("strace is not there")
        self.tree()
        trace = self.dir / "trace.out"
        done = self.run_tool("/usr/bin/strace", "-f", "-e", "trace=execve,openat,openat2,open,creat,unlink,unlinkat,rename,renameat,mkdir,fork,vfork", "-o", trace,
                             kit.binary("corpus-grep"), "alpha", ".", "-j", "4")
        if done.status != 0:
            self.skipTest("strace may not trace here")
        calls = trace.read_text()
        self.assertEqual(calls.count("execve("), 1)
        for line in calls.splitlines():
            self.assertNotRegex(line, r"O_WRONLY|O_RDWR|O_CREAT|unlink|rename|mkdir|creat\(|fork\(")

    def test_quiet_says_it_by_the_status(self):
        self.tree()
        self.assertEqual(self.ok("corpus-grep", "-q", "alpha").stdout, b"")
        self.ends(1, "corpus-grep", "-q", "nothing")

    def test_memory_does_not_follow_the_line_length(self):
        with open(self.dir / "long", "wb") as f:
            for _ in range(60):
                f.write(b"x" * (1 << 20))
            f.write(b"needle")
        done = kit.run(["/bin/bash", "-c", f"ulimit -v 400000; {kit.binary('corpus-grep')} needle -j1 long"], cwd=self.dir)
        self.assertEqual(done.status, 0, done.errors)
        self.assertEqual(kit.records(done.stdout)[-1]["matches"], 1)
        self.assertIn("1 lines of more than 1 MB", " ".join(kit.records(done.stdout)[-1]["warnings"]))


class Terminal(Grep):
    def test_people_see_headings_and_colours(self):
        self.tree()
        shown = kit.terminal(["corpus-grep", "alpha", "src"], cwd=self.dir)
        self.assertEqual(shown.status, 0)
        self.assertIn(b"\x1b[0m\x1b[35msrc/a.c\x1b[0m\n", shown.stdout)
        self.assertIn(b"\x1b[0m\x1b[32m1\x1b[0m:int \x1b[0m\x1b[1m\x1b[31malpha\x1b[0m;\n", shown.stdout)

    def test_explain_plan(self):
        self.assertRegex(self.ok("corpus-grep", "--explain-plan", "alpha").text, r"^1\tone string, by a vector search\talpha$")
        self.assertRegex(self.ok("corpus-grep", "--explain-plan", "-e", "a*").text, "every line")


@unittest.skipUnless(RG, "ripgrep is not here")
class AsRipgrep(Grep):
    """The same output as ripgrep's, flag by flag."""

    def setUp(self):
        super().setUp()
        self.write("a.txt", "alpha beta\nAlpha-Beta\n\n  gamma  alpha\nfoo(bar)\n-foo\nend")
        self.write("b.txt", "\u00e9t\u00e9 \u00c9T\u00c9\nStra\u00dfe stra\u1e9ee\n\u212aelvin kelvin\nalpha\ralpha\n")
        self.write("sub/c.py", "def alpha():\n    return 'alpha' # alpha\n\n\nprint(alpha())\n")
        self.write("sub/long.txt", "x" * 300 + "alpha" + "y" * 300 + "\n")
        self.write("latin", b"caf\xe9 alpha\n\xffalpha\n")
        self.write("crlf.txt", "alpha\r\nbeta alpha\r\n")
        self.write(".hidden", "alpha\n")
        self.write("sub/.ignore", "ignored*\n")
        self.write("sub/ignored.txt", "alpha\n")

    def both(self, *argv):
        ours = self.run_tool("corpus-grep", *argv) if "--json" in argv else self.run_tool("corpus-grep", "--format", "text", *argv) \
            if not {"-c", "-l", "--count-matches", "--files", "--vimgrep", "--files-without-match"} & set(argv) else self.run_tool("corpus-grep", *argv)
        # Without a terminal ripgrep takes standard input for what to search, unless that is the null device.
        theirs = subprocess.run([RG, "--no-config", "--no-heading", "--color=never", "--sort", "path", *argv], cwd=self.dir,
                                stdin=subprocess.DEVNULL, capture_output=True)
        return ours, theirs

    def same(self, *argv):
        with self.subTest(argv=argv):
            ours, theirs = self.both(*argv)
            mine, other = ours.stdout.split(b"\n"), theirs.stdout.split(b"\n")
            differing = next((i for i, (a, b) in enumerate(zip(mine, other)) if a != b), min(len(mine), len(other)))
            self.assertEqual(mine[differing : differing + 3], other[differing : differing + 3], f"line {differing}")
            self.assertEqual(ours.status, theirs.returncode, ours.errors)

    def test_flags(self):
        for flags in (
            ["alpha"], ["-n", "alpha"], ["-i", "ALPHA"], ["-S", "alpha"], ["-S", "Alpha"], ["-w", "alpha"], ["-x", "alpha", "a.txt", "b.txt"], ["-x", ".*alpha", "a.txt", "b.txt"], ["-v", "alpha"],
            ["-c", "alpha"], ["-c", "-v", "alpha"], ["-l", "alpha"], ["--files-without-match", "alpha"], ["--count-matches", "alpha"],
            ["-o", "al."], ["-on", "al."], ["-n", "-A1", "gamma"], ["-n", "-B1", "gamma"], ["-n", "-C1", "alpha"], ["-n", "-C3", "foo"],
            ["-m1", "alpha"], ["-nm1", "-A2", "alpha"], ["--column", "alpha"], ["-b", "alpha"], ["-F", "foo(bar)"], ["-e", "foo", "-e", "gamma"],
            ["-e", "-foo"], ["-w", "-e", "-foo"], ["-I", "alpha"], ["-H", "alpha", "a.txt"], ["alpha", "a.txt"], ["-c", "alpha", "a.txt"],
            ["--hidden", "alpha"], ["-.", "alpha"], ["-u", "alpha"], ["-uu", "alpha"], ["-g", "*.py", "alpha"], ["-g", "!*.py", "alpha"], ["-tpy", "alpha"],
            ["-Tpy", "alpha"], ["--vimgrep", "alpha"], ["-r", "<$0>", "al(p)ha"], ["-r", "$1-${1}x$$", "al(p)ha"], ["-or", "[$1]", "a(l)pha"],
            ["\\bt\u00e9\\b"], ["-i", "\u00e9t\u00e9"], ["-i", "kelvin"], ["-i", "strasse"], ["-i", "stra\u00dfe"], ["\\w+"], ["-o", "\\w+"], ["-o", "\\b\\w"],
            ["^alpha"], ["beta$"], ["^$"], ["-n", ""], ["-c", ""], ["-o", "", "sub/c.py"], ["[^a-z]"], ["-o", "a*", "sub/c.py"], ["(?i)ALPHA"], ["\\p{Lu}"], ["-o", "\\p{Lu}+"],
            ["-0", "-l", "alpha"], ["-0", "alpha"], ["--files"], ["--files", "-g", "*.txt"], ["-U", "alpha\\n"], ["-nU", "\\)\\n-foo"], ["-nU", "-C1", "foo"],
            ["-U", "(?s)gamma.*foo"], ["-oU", "t\\w+\\n"], ["-c", "-U", "alpha"], ["-U", "--multiline-dotall", "gamma.*end"], ["-a", "alpha", "latin"], ["nothing at all"],
            ["-d1", "alpha"], ["--no-ignore", "alpha"], ["-N", "alpha"], ["-E", "latin1", "caf\u00e9", "latin"],
        ):
            self.same(*flags)

    def test_json(self):
        def events(output):
            found = []
            for event in kit.records(output):
                event["data"].pop("elapsed_total", None)
                event["data"].get("stats", {}).pop("elapsed", None)
                event["data"].get("stats", {}).pop("bytes_printed", None)
                found.append(event)
            return found

        for flags in (["alpha"], ["-C1", "gamma"], ["-e", "alpha", "-e", "foo"], ["nothing"], ["-U", "alpha\\n", "a.txt", "b.txt"], ["-v", "alpha"]):
            with self.subTest(flags=flags):
                ours, theirs = self.both("--json", *flags)
                self.assertEqual(events(ours.stdout), events(theirs.stdout))

    def test_ignore_rules_as_git_has_them(self):
        if not shutil.which("git"):
            self.skipTest("git is not here")
        subprocess.run(["git", "init", "-q"], cwd=self.dir, check=True)
        self.write(".gitignore", "*.log\n/top\nbuild/\n!keep.log\nsub/x*\n")
        for name in ("a.log", "keep.log", "top", "sub/top", "build/x", "sub/build/y", "sub/xx", "xx", "sub/keep.log"):
            self.write(name, "alpha\n")
        for where in (["."], ["sub"], [str(self.dir)], ["sub", "."]):
            with self.subTest(where=where):
                listed = self.ok("corpus-grep", "--files", *where).text.split("\n")[:-1]
                absolute = [os.path.join(self.dir, p) for p in listed]
                ignored = subprocess.run(["git", "check-ignore", "--stdin"], input="\n".join(absolute), cwd=self.dir, capture_output=True, text=True).stdout
                self.assertEqual(ignored, "")
                for name in ("keep.log", "xx", "sub/top"):
                    if where != ["sub"] or name.startswith("sub/"):
                        self.assertIn(os.path.join(self.dir, name), absolute)


if __name__ == "__main__":
    kit.main()
