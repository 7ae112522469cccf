"""Bad rows in what rag-eval reads: one stops the run and is named in the end record; --skip-bad counts them instead."""

import json

import kit

QRELS = "q1 0 a 1\nq1 0 b 0\n"
RUN = "q1 Q0 b 1 3 tag\nq1 Q0 a 2 2 tag\n"
CASES = [{"type": "case", "query_id": "1", "query": "?", "expected_answer": "Paris", "gold_evidence": [{"path": "a.md", "lines": [1, 2]}], "kind": "x"}]
ANSWERS = [{"type": "answer", "query_id": "1", "answer": "Paris [1].", "citations": ["a.md"]}]
CONTEXTS = [{"type": "context", "query_id": "1", "evidence": [{"path": "a.md", "lines": [1, 2], "text": "Paris is the capital."}]}]
TRACES = [{"type": "trace", "trace_id": "1", "query_id": "1", "step": 0, "tool": "grep", "elapsed_ms": 1}]
LABELS = [{"query_id": "1", "claims": [True, False]}]
RESULTS = [{"type": "measure", "measure": "RR", "value": 0.5, "queries": 2}]
BAD = b'{"query_id":\n[1]\n{}\n'  # for most readers: two lines of no JSON object, one without a query_id


class Case(kit.Case):
    def setUp(self):
        super().setUp()
        self.write("qrels", QRELS)
        self.write("run", RUN)
        for name, rows in (("cases", CASES), ("answers", ANSWERS), ("contexts", CONTEXTS), ("traces", TRACES), ("labels", LABELS), ("results", RESULTS)):
            self.write(name, kit.jsonl(*rows))
            self.write(f"bad_{name}", BAD + kit.jsonl(*rows))

    def skips(self, skipped, *argv, first=None):
        """Status 4, the counts in the end record, the first by name; --allow-partial makes it 0."""
        done = self.ends(4, "rag-eval", *argv, "--skip-bad")
        end = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((end["type"], end["complete"], end["skipped"]), ("end", False, skipped))
        total = sum(skipped.values())
        self.assertRegex(done.errors, rf"rag-eval: {total} bad rows? left out \(.*\); the first: {first or ''}")
        self.ends(0, "rag-eval", *argv, "--skip-bad", "--allow-partial")
        return done

    def stops(self, fault, pattern, *argv):
        super().stops(fault, pattern, "rag-eval", *argv)
        self.assertNotIn(b"fault:", self.ends(2, "rag-eval", *argv, "--format", "text").stdout)


class Rankings(Case):
    def test_kinds_of_fault(self):
        for name, text, fault, pattern in (
            ("short", "q1 Q0 a 1 3\n", "short_line", "short:1: 5 fields"),
            ("number", "q1 Q0 a 1 nan t\n", "not_a_number", "number:1: the score 'nan'"),
            ("twice", "q1 Q0 a 1 3 t\nq1 Q0 a 2 2 t\n", "duplicate", "twice:2: document 'a' is there twice"),
            ("empty", "", "empty", "empty: no hit in it"),
            ("other", "9 Q0 a 1 3 t\n", "no_overlap", "no query of other has judgements"),
            ("qrels", QRELS, "swapped", "qrels:1: this is a line of judgements"),
            ("cut", '{"type":"hit","query_id":"q1","document_id":"a"}\n', "cut", "cut: the hits of query 'q1' have no end record"),
            ("json", '{"type":\n', "not_json", "json:1: "),
            ("member", '{"type":"hit","query_id":"q1"}\n', "bad_member", "member:1: a hit without"),
        ):
            self.write(name, text)
            with self.subTest(fault):
                self.stops(fault, pattern, "qrels", name)
        self.stops("swapped", "run:1: this is a line of a run", "run", "qrels")

    def test_skipped(self):
        self.write("bad", RUN + "q1 Q0 c\nq1 Q0 d 3 inf t\nq1 Q0 a 4 1 t\n")
        done = self.skips({"short_line": 1, "not_a_number": 1, "duplicate": 1}, "qrels", "bad", "-m", "RR", first="bad:3: 3 fields")
        self.assertEqual(json.loads(done.stdout.splitlines()[0])["value"], 0.5)
        self.write("bad_qrels", QRELS + "q1 0 a 0\nq1 0\n")
        self.skips({"short_line": 1, "duplicate": 1}, "bad_qrels", "run")
        self.write("bad_fields", b'{"query_id":"q1","kind":"x"}\n{\n{"kind":"y"}\n')
        self.skips({"not_json": 1, "bad_member": 1}, "qrels", "run", "--by", "kind", "--queries", "bad_fields", first="bad_fields:2:")
        self.skips({"short_line": 1, "not_a_number": 1, "duplicate": 1}, "compare", "qrels", "run", "bad")

    def test_a_row_counts_once_however_many_judges_read_it(self):
        self.write("judges", "q1 j1 a 1\nq1 j2 a 0\nq1 j3 a 1\n")
        self.write("bad", RUN + "q1 Q0 c\n")
        self.skips({"short_line": 1}, "judges", "bad", "-R", "qrels_jg", "-m", "map_avgjg")

    def test_nothing_is_skipped_without_being_asked(self):
        self.write("bad", RUN + "q1 Q0 c\n")
        self.stops("short_line", "bad:3: 3 fields", "qrels", "bad")
        self.assertIn("cannot be used together", self.ends(2, "rag-eval", "--compat", "trec9", "--skip-bad", "qrels", "run").errors)

    def test_the_compatible_modes_write_no_end_record(self):
        self.write("bad", "q1 Q0 c\n")
        self.assertEqual(self.ends(2, "rag-eval", "--compat", "trec9", "qrels", "bad").stdout, b"")


class StandardInput(Case):
    def test_it_is_read_once(self):
        for argv in (["-", "-"], ["compare", "qrels", "-", "-"], ["answers", "-", "--gold", "-"], ["citations", "-", "--evidence", "-"],
                     ["trace", "-", "--gold", "-"], ["failures", "--gold", "-", "--context", "-"]):
            self.refuses(2, "standard input can be read once", "rag-eval", *argv)

    def test_utf16(self):
        self.write("wide", RUN.encode("utf-16"))
        self.refuses(2, "wide: it is UTF-16: write it as UTF-8, such as with iconv", "rag-eval", "qrels", "wide")


class Rows(Case):
    def both(self, good, bad, skipped, command, *argv, pattern="bad_"):
        argv = [bad if each == good else each for each in argv]
        self.skips(skipped, command, *argv, first=pattern)
        self.stops("not_json", pattern, command, *argv)

    def test_answers(self):
        argv = ["answers", "answers", "--gold", "cases"]
        self.both("answers", "bad_answers", {"not_json": 1, "short_line": 1, "bad_member": 1}, *argv)
        self.both("cases", "bad_cases", {"not_json": 1, "short_line": 1, "bad_member": 1}, *argv)
        self.write("others", kit.jsonl({"id": "9", "answer": "x"}))
        self.stops("no_overlap", "no answer to any case", "answers", "others", "--gold", "cases")

    def test_citations(self):
        argv = ["citations", "answers", "--gold", "cases", "--evidence", "contexts"]
        self.both("contexts", "bad_contexts", {"not_json": 2}, *argv)
        self.both("answers", "bad_answers", {"not_json": 1, "short_line": 1, "bad_member": 1}, *argv)
        self.write("odd_cases", kit.jsonl(CASES[0] | {"gold_evidence": [[]]}))
        self.skips({"bad_member": 1}, "citations", "answers", "--gold", "odd_cases", first="odd_cases:1:")
        self.stops("bad_member", "odd_cases:1: ", "citations", "answers", "--gold", "odd_cases")

    def test_trace(self):
        self.both("traces", "bad_traces", {"not_json": 2, "bad_member": 1}, "trace", "traces", "--gold", "cases")
        self.write("odd_cases", kit.jsonl(CASES[0] | {"gold_evidence": [[]]}))
        self.skips({"bad_member": 1}, "trace", "traces", "--gold", "odd_cases", first="odd_cases:1:")

    def test_judged(self):
        self.both("labels", "bad_labels", {"not_json": 2, "bad_member": 1}, "judged", "labels")

    def test_failures(self):
        argv = ["failures", "--gold", "cases", "--context", "contexts", "--answers", "answers"]
        self.both("contexts", "bad_contexts", {"not_json": 2}, *argv)
        self.both("answers", "bad_answers", {"not_json": 1, "short_line": 1, "bad_member": 1}, *argv)

    def test_report(self):
        done = self.ends(4, "rag-eval", "report", "bad_results", "--skip-bad", "--format", "json")
        self.assertRegex(done.errors, "2 bad rows left out .2 not_json.; the first: bad_results:1:")
        self.assertEqual(json.loads(done.stdout)["runs"][0]["means"]["RR"]["value"], 0.5)
        self.assertEqual(self.ends(2, "rag-eval", "report", "bad_results").stdout, b"")

    def test_nothing_but_bad_rows(self):
        self.write("only", b"{\n{\n")
        self.stops("not_json", "only:1:", "judged", "only")
        done = self.ends(2, "rag-eval", "judged", "only", "--skip-bad")
        self.assertRegex(done.errors, "2 bad rows left out")
        self.assertRegex(done.errors, "no row in it")
        self.assertEqual(json.loads(done.stdout)["stop_reason"], "fault:empty")


if __name__ == "__main__":
    kit.main()
