"""rag-eval on rankings as a user runs it: forms of input and output, accounting, faults, trec_eval's modes.

Names that begin with another project's are lessons from its issues.
"""

import gzip
import json

import kit

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq2 0 d 1\nq3 0 a 1\n"
RUN = "q1 Q0 b 1 3 tag\nq1 Q0 a 2 2 tag\nq2 Q0 c 1 5 tag\nq2 Q0 x 2 5 tag\nq4 Q0 a 1 1 tag\n"

# The commands under which trec_eval's own fixtures were made. One of its list is left out: qrels.comment.test with
# results.test, whose queries have nothing in common.
ORACLE = [
    ("out.test.prefs", "-m all_prefs -q -R prefs prefs.test prefs.results.test"),
    ("out.test.prefs", "-m all_prefs -q -R prefs prefs.comment.test prefs.results.test"),
    ("out.test.qrels_prefs", "-m all_prefs -q -R qrels_prefs qrels.test results.test"),
    ("out.test.aq", "-m all_trec -q qrels.test results.test"),
    ("out.test.a", "-m all_trec qrels.test results.test"),
    ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.123 results.test"),
    ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.comments.123 results.test"),
    ("out.comment.test", "qrels.comment.test results.comment.test"),
    ("out.test", "qrels.test results.test"),
    ("out.test", "qrels.test.with-comments results.test"),
]
# What 9.0 prints otherwise, by pytrec_eval on the same files: other recall points, no rbp, rbp_resid and unj.
NINE = {"iprec_at_recall_0.10": "0.3884", "iprec_at_recall_0.60": "0.0822", "11pt_avg": "0.1958"}


class Case(kit.Case):
    def setUp(self):
        super().setUp()
        self.write("qrels", QRELS)
        self.write("run", RUN)

    def evaluate(self, *argv, **options):
        """Values by measure, or by measure and query, and the end record."""
        found = self.records("rag-eval", *argv, **options)
        means = {r["measure"]: r["value"] for r in found if r["type"] == "measure" and "query_id" not in r and "group" not in r}
        return means, found


class Rankings(Case):
    def test_means_and_accounting(self):
        means, found = self.evaluate("qrels", "run", "-m", "RR,P@1,NumRet")
        self.assertAlmostEqual(means["RR"], (0.5 + 0.5 + 0) / 3)
        self.assertEqual(means["NumRet"], 4)
        end = found[-1]
        self.assertEqual((end["queries"], end["queries_both"], end["queries_only_judged"], end["queries_only_run"]), (3, 2, 1, 1))
        self.assertEqual((end["tied_pairs"], end["complete"]), (1, True))
        rr = next(r for r in found if r.get("measure") == "RR")
        self.assertAlmostEqual(rr["value_both"], 0.5)
        self.assertAlmostEqual(rr["value_all"], 0.25)
        self.assertEqual(next(r for r in found if r.get("measure") == "P@1")["straddled"], 1)

    def test_ir_measures_69_sentence_transformers_4011_means_have_intervals(self):
        found = self.records("rag-eval", "qrels", "run", "-m", "RR", kind="measure")
        self.assertLessEqual(found[0]["low"], found[0]["value"])
        self.assertLessEqual(found[0]["value"], found[0]["high"])
        self.assertEqual(found[0]["confidence"], 0.95)
        self.assertNotIn("low", self.records("rag-eval", "qrels", "run", "-m", "RR", "--samples", "0", kind="measure")[0])

    def test_euroeval_1196_two_equal_runs_give_equal_bytes(self):
        self.assertEqual(len({self.ok("rag-eval", "qrels", "run", "-q").stdout for _ in range(3)}), 1)

    def test_per_query(self):
        found = self.records("rag-eval", "qrels", "run", "-m", "RR", "-q", "-n", kind="measure")
        self.assertEqual([(r["query_id"], r["value"]) for r in found], [("q1", 0.5), ("q2", 0.5), ("q3", 0)])

    def test_average_over_both(self):
        self.assertEqual(self.evaluate("qrels", "run", "-m", "RR", "--average", "both")[0]["RR"], 0.5)

    def test_ties(self):
        values = {rule: self.evaluate("qrels", "run", "-m", "RR", "--ties", rule, "--average", "both")[0]["RR"] for rule in ("docid-desc", "rank", "input", "expected")}
        self.assertEqual(values, {"docid-desc": 0.5, "rank": 0.75, "input": 0.75, "expected": 0.625})
        self.refuses(2, "IPrec: has no expected value", "rag-eval", "qrels", "run", "-m", "IPrec@0.5", "--ties", "expected")

    def test_text_is_a_table(self):
        text = self.ok("rag-eval", "qrels", "run", "-m", "RR,P@1", "--format", "text").text
        self.assertRegex(text, r"(?m)^measure +value +interval +queries$")
        self.assertRegex(text, r"(?m)^RR +0.3333 +\[0\.\d{4}, 0\.\d{4}\] +3$")
        self.assertIn("2 queries in both files; 1 judged but not in the run (q3), counted as empty: RR 0.5000 -> 0.3333", text)
        self.assertIn("1 in the run without judgements, left out (counted as 0: RR 0.3333 -> 0.2500)", text)
        self.assertIn("a tie goes over the cut-off of P@1 in 1 query", text)
        self.assertIn("measure", kit.terminal(["rag-eval", "qrels", "run"], cwd=self.dir).text)

    def test_other_formats(self):
        self.assertIn("RR\tall\t\t0.3333\t", self.ok("rag-eval", "qrels", "run", "-m", "RR", "--format", "tsv").text)
        self.assertRegex(self.ok("rag-eval", "qrels", "run", "-m", "RR", "--format", "markdown").text, r"\| RR +\| 0.3333 \|")
        rows = json.loads(self.ok("rag-eval", "qrels", "run", "-m", "RR", "--format", "json").text)
        self.assertEqual([r["type"] for r in rows], ["measure", "end"])
        done = self.ok("rag-eval", "qrels", "run", "-m", "RR", "--format", "trec", "-q", "--digits", "6")
        self.assertIn("RR                    \tq1\t0.500000\n", done.text)
        self.assertIn("2 queries in both files", done.errors)

    def test_groups(self):
        self.write("queries.jsonl", kit.jsonl({"query_id": "q1", "kind": "a", "m": {"l": "de"}}, {"_id": "q2", "kind": ["a", "b"]}))
        found = self.records("rag-eval", "qrels", "run", "-m", "RR", "--by", "kind", "--queries", "queries.jsonl", kind="measure")
        groups = {r["group"]: (r["value"], r["queries"]) for r in found if "group" in r}
        self.assertEqual(groups, {"a": (0.5, 2), "b": (0.5, 1), "(none)": (0, 1)})
        self.assertEqual(found[-1]["by"], "kind")
        self.refuses(2, "--by colour: no query of queries.jsonl has this field", "rag-eval", "qrels", "run", "--by", "colour", "--queries", "queries.jsonl")

    def test_packed_and_standard_input(self):
        expected = self.evaluate("qrels", "run")[0]
        self.write("run.gz", gzip.compress(RUN.encode()))
        self.assertEqual(self.evaluate("qrels", "run.gz")[0], expected)
        self.assertEqual(self.evaluate("qrels", "-", stdin=RUN)[0], expected)
        self.assertEqual(self.evaluate("-", "run", stdin=gzip.compress(QRELS.encode()))[0], expected)
        self.refuses(2, "standard input can be read once", "rag-eval", "-", "-", stdin=RUN)

    def test_a_search_is_measured_as_it_comes(self):
        self.write("docs/a.md", "# Refunds\n\nWithin thirty days.\n")
        self.write("docs/b.md", "# Shipping\n\nTakes a week.\n")
        self.ok("rag-index", "build", "-i", "x.idx", "docs")
        self.write("queries.jsonl", kit.jsonl({"query_id": "1", "query": "refunds"}, {"query_id": "2", "query": "shipping week"}))
        hits = self.ok("rag-search", "-i", "x.idx", "--queries", "queries.jsonl").stdout
        self.write("gold.tsv", "query-id\tcorpus-id\tscore\n1\tdocs/a.md\t1\n2\tdocs/b.md\t1\n")
        self.assertEqual(self.evaluate("gold.tsv", "-", "-m", "RR", stdin=hits)[0]["RR"], 1)
        self.write("cases.jsonl", kit.jsonl({"type": "case", "query_id": "1", "query": "refunds", "gold_evidence": [{"path": "docs/a.md", "lines": [3, 3]}], "required_hops": 1}))
        means, found = self.evaluate("cases.jsonl", "-", "-m", "EvidenceRecall@5,HopCoverage@5", "--by", "required_hops", stdin=hits)
        self.assertEqual(means, {"EvidenceRecall@5": 1, "HopCoverage@5": 1})
        self.assertEqual([r["group"] for r in found if "group" in r], ["1", "1"])
        self.assertIn("have no end record", self.ends(2, "rag-eval", "gold.tsv", "-", stdin=hits.splitlines(True)[1]).errors)

    def test_list_of_measures(self):
        text = self.ok("rag-eval", "--list-measures").text
        for name in ("nDCG(", "map\t", "prefs_simp\t", "MultiHop_MAP@k"):
            self.assertIn(name, text)

    def test_selftest(self):
        self.assertRegex(self.ok("rag-eval", "selftest").text, r"(?m)^(\d+) of \1 values agree$")


class Faults(Case):
    def fault(self, pattern, *argv, **options):
        """Status 2, the message, and nothing on standard output but the kind of fault."""
        done = self.ends(2, "rag-eval", *argv, **options)
        self.assertRegex(done.errors, pattern)
        for record in self.check_records(done.stdout):
            self.assertEqual((record["type"], record["complete"]), ("end", False))

    def test_arguments_swapped(self):
        self.fault("^rag-eval: run:1: this is a line of a run: give the judgements first, then the run", "run", "qrels")

    def test_trectools_scores_that_are_no_numbers(self):
        for score in ("nan", "inf", "-inf", "x", "1e999"):
            self.write("bad", f"q1 Q0 a 1 3 t\nq1 Q0 b 2 {score} t\n")
            self.fault(f"^rag-eval: bad:2: the score '{score}' is no finite number: give one", "qrels", "bad")

    def test_duplicates(self):
        self.write("bad", "q1 Q0 a 1 3 t\nq1 Q0 a 2 2 t\n")
        self.fault("^rag-eval: bad:2: document 'a' is there twice for query 'q1': keep its best line", "qrels", "bad")
        self.write("bad", "q1 0 a 1\nq1 0 a 0\n")
        self.fault("^rag-eval: bad:2: document 'a' is judged twice for query 'q1': keep one of the lines", "bad", "run")

    def test_short_lines(self):
        self.write("bad", "q1 Q0 a 1 3\n")
        self.fault("^rag-eval: bad:1: 5 fields: a line of a run has 6", "qrels", "bad")
        self.write("bad", "q1 0 a\n")
        self.fault("^rag-eval: bad:1: 3 fields: a line of judgements has 4", "bad", "run")

    def test_empty_files(self):
        self.write("empty", "")
        self.fault("^rag-eval: empty: no judgement in it", "empty", "run")
        self.fault("^rag-eval: empty: no hit in it", "qrels", "empty")

    def test_no_overlap(self):
        self.write("other", "1 Q0 a 1 3 t\n")
        self.fault("no query of other has judgements in qrels: its first is '1', theirs 'q1'", "qrels", "other")

    def test_missing_files_and_arguments(self):
        self.fault("cannot open 'nowhere'", "nowhere", "run")
        self.fault("two files are needed: judgements first, then the run", "qrels")
        self.fault("-m nDGC@10: no such measure", "qrels", "run", "-m", "nDGC@10")
        self.fault("not defined for this form of judgements", "qrels", "run", "-m", "prefs_simp")
        self.fault("--compat and --ties cannot be used together", "qrels", "run", "--compat", "trec9", "--ties", "rank")

    def test_damaged_gzip(self):
        self.write("run.gz", gzip.compress(RUN.encode() * 100)[:60])
        self.fault("^rag-eval: run.gz: the gzip data is damaged", "qrels", "run.gz")


class TrecEval(Case):
    def trec(self, *argv, status=0, **options):
        return self.ends(status, "rag-eval", *argv, **options)

    def test_exit_statuses(self):
        self.write("short", "q1 Q0 a 1\n")
        self.write("twice", "q1 Q0 a 1 3 t\nq1 Q0 a 2 2 t\n")
        self.write("other", "1 Q0 a 1 3 t\n")
        for status, run in ((2, "short"), (2, "nowhere"), (4, "twice"), (7, "other")):
            self.assertEqual(self.trec("--compat", "trec9", "qrels", run, status=status).stdout, b"")

    def test_a_judged_query_without_hits(self):
        nine = self.trec("--compat", "trec9", "-q", "-m", "map", "qrels", "run").text
        self.assertEqual(nine, "map                   \tq1\t0.5000\nmap                   \tq2\t0.2500\nmap                   \tall\t0.3750\n")
        ten = self.trec("--compat", "trec10", "-q", "-m", "map", "qrels", "run", status=4)
        self.assertEqual(ten.text, nine[: nine.index("map                   \tall")])
        self.assertIn("trec_eval 10 stops", ten.errors)

    def test_trec_eval_18_complete(self):
        nine = self.trec("--compat", "trec9", "-q", "-c", "-m", "map", "qrels", "run").text
        ten = self.trec("--compat", "trec10", "-q", "-c", "-m", "map", "qrels", "run").text
        self.assertNotIn("\tq3\t", nine)
        self.assertIn("map                   \tq3\t0.0000\n", ten)
        self.assertTrue(nine.endswith("all\t0.2500\n") and ten.endswith("all\t0.2500\n"))

    def test_long_names_of_its_flags(self):
        short = self.trec("--compat", "trec9", "-q", "-l", "2", "-M", "1", "qrels", "run").stdout
        self.assertEqual(self.trec("--compat", "trec9", "--query_eval_wanted", "--level_for_rel=2", "--Max_retrieved_per_topic", "1", "qrels", "run").stdout, short)

    def test_z_scores(self):
        self.write("z", "q1 map 0.25 0.125\nq2 map 0.25 0\n")
        text = self.trec("--compat", "trec9", "-q", "-Z", "z", "-m", "map", "-m", "P.1", "qrels", "run").text
        self.assertIn("map                   \tq1\t2.0000\n", text)
        self.assertIn("map                   \tq2\t0.0000\n", text)
        self.assertIn("P_1                   \tq1\t-1000000.0000\n", text)
        self.write("z", "q1 map 0.25\n")
        self.refuses(2, "z:1: not four fields", "rag-eval", "--compat", "trec9", "-Z", "z", "qrels", "run")

    def test_oracle(self):
        folder = kit.data("trec_eval_oracle")
        for expected, command in ORACLE:
            with self.subTest(command=command):
                done = kit.run(["rag-eval", "--compat", "trec10", "--quiet", *command.split()], cwd=folder)
                self.assertEqual(done.stdout.decode(), (folder / expected).read_text())
                self.assertEqual((done.status, done.errors), (0, ""))

    def test_oracle_by_the_rules_of_9(self):
        folder = kit.data("trec_eval_oracle")
        done = kit.run(["rag-eval", "--compat", "trec9", "-m", "all_trec", "qrels.test", "results.test"], cwd=folder)
        expected = []
        for line in (folder / "out.test.a").read_text().splitlines():
            name, query, value = line.split("\t")
            if not name.startswith(("rbp", "unj")):
                expected.append("\t".join((name, query, NINE.get(name.strip(), value))))
        self.assertEqual(done.text.splitlines(), expected)


class Collections(Case):
    def test_ranx_files(self):
        folder = kit.data("ranx_data", "tests", "unit", "ranx", "test_data")
        for qrels in ("qrels.json", "qrels.trec", "qrels.trec.gz"):
            for run in ("run.json", "run.trec", "run.trec.gz", "run.lz4"):
                means, _ = self.evaluate(folder / qrels, folder / run, "-m", "nDCG,AP,RR,P@2,F1@2")
                # By ranx 0.3.21: ndcg, map, mrr, precision@2, f1@2 (of its files in every form).
                for measure, value in {"nDCG": 1, "AP": 1, "RR": 1, "P@2": 1, "F1@2": 0.9}.items():
                    self.assertAlmostEqual(means[measure], value, 6, (qrels, run, measure))

    def test_ranx_parquet_is_refused(self):
        folder = kit.data("ranx_data", "tests", "unit", "ranx", "test_data")
        self.refuses(2, r"run\.parquet: Parquet is not read: write it as JSON first, such as with ranx", "rag-eval", folder / "qrels.json", folder / "run.parquet")

    def test_ir_measures_files(self):
        folder = kit.data("ir_measures_compat")
        means, _ = self.evaluate(folder / "cwl.qrels", folder / "cwl.run", "-m", ",".join(IR_MEASURES))
        for measure, value in IR_MEASURES.items():
            self.assertAlmostEqual(means[measure], value, 6, measure)
        means, _ = self.evaluate(folder / "compat.qrels", folder / "compat.run", "-m", ",".join(COMPAT))
        for measure, value in COMPAT.items():
            self.assertAlmostEqual(means[measure], value, 9, measure)


# By ir_measures 0.4.3 on cwl.qrels and cwl.run.
IR_MEASURES = {
    "P@5": 0.4,
    "AP": 0.5864748677248678,
    "RR": 0.7222222222222222,
    "nDCG@10": 0.757714944496533,
    "Judged@10": 0.7666666666666666,
    "SetF": 0.6626984126984127,
    "Bpref": 0.5555555555555556,
    # By cwl_eval 1.0.12.
    "BPM(max_rel=1)@5": 0.6666666666666666,
    "BPM(T=2,max_rel=1)@10": 0.6507936507936507,
    "SDCG(max_rel=1)@5": 0.44638673509120536,
    "INST(max_rel=1)": 0.6016012509763636,
    "INST(T=3.0,max_rel=2)": 0.1780785277915181,
    "INSQ(max_rel=1)": 0.446021786569535,
    "INSQ(T=2,max_rel=1)": 0.36240316428706154,
    "NERR8(max_rel=2)@5": 0.2524366471734893,
    "NERR9(max_rel=2)@5": 0.2860516603202227,
    "NERR10(max_rel=2)": 0.2746752066714058,
    "NERR10(p=0.7,max_rel=2)": 0.285123828417462,
    "NERR11(max_rel=2)": 0.29887949003791725,
    "NERR11(T=2,max_rel=3)": 0.17179394407917803,
}
COMPAT = {
    "Compat": 0.268097611112054,
    "Compat(p=0.8)": 0.08372907636277549,
    "Compat(p=0.8,normalize=False)": 0.08372907635238976,
}


if __name__ == "__main__":
    kit.main()
