"""rag-eval compare as a user runs it, and its p values against SciPy's.

    RAGLINE_SCIPY   a Python that has SciPy; this one when unset; what needs it is skipped without
"""

import json
import os
import random
import subprocess
import sys

import kit

SCIPY = os.environ.get("RAGLINE_SCIPY", sys.executable)

# Reads {"a": [...], "b": [...]} rows and prints SciPy's p values.
ORACLE = """
import json, sys
import numpy as np
from scipy import stats
for line in sys.stdin:
    row = json.loads(line)
    a, b = np.array(row["a"]), np.array(row["b"])
    d = a - b
    kept = d[np.abs(d) > 1e-12]
    wins = int((kept > 0).sum())
    out = {"t": stats.ttest_rel(a, b).pvalue, "sign": stats.binomtest(wins, len(kept)).pvalue}
    if len(np.unique(np.round(np.abs(kept), 9))) == len(kept) and len(kept) <= 50:
        out["wilcoxon"] = stats.wilcoxon(kept, method="exact").pvalue
    elif len(kept) > 60:
        out["wilcoxon"] = stats.wilcoxon(np.round(kept, 12), method="approx", correction=False).pvalue
    if len(kept) <= 12:
        test = stats.permutation_test((a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples",
                                      vectorized=True, n_resamples=np.inf)
        out["randomisation"] = test.pvalue
    interval = stats.bootstrap((d,), np.mean, n_resamples=20000, method="BCa", rng=np.random.default_rng(1)).confidence_interval
    out["interval"] = [interval.low, interval.high, d.std(ddof=1) / len(d) ** 0.5]
    print(json.dumps(out))
"""


def scipy_rows(rows):
    try:
        done = subprocess.run([SCIPY, "-c", ORACLE], input="".join(json.dumps(r) + "\n" for r in rows), capture_output=True, text=True, timeout=200)
    except FileNotFoundError:
        raise kit.unittest.SkipTest(f"{SCIPY} is not there: set RAGLINE_SCIPY to a Python that has SciPy")
    if "No module named" in done.stderr:
        raise kit.unittest.SkipTest(f"{SCIPY} has no SciPy: set RAGLINE_SCIPY to a Python that has it")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Case(kit.Case):
    def write_runs(self, *ranks):
        """A relevant document a query, at the rank that each run gives it; 0 leaves it out."""
        queries = range(len(ranks[0]))
        self.write("qrels.txt", "".join(f"q{q:03} 0 rel 1\n" for q in queries))
        for number, run in enumerate(ranks):
            lines = []
            for q in queries:
                for rank in range(1, 11):
                    document = "rel" if rank == run[q] else f"d{rank}"
                    lines.append(f"q{q:03} Q0 {document} {rank} {11 - rank} run{number}\n")
            self.write(f"run{number}.trec", "".join(lines))
        return [f"run{number}.trec" for number in range(len(ranks))]

    def compare(self, runs, *argv, **options):
        return self.records("rag-eval", "compare", "qrels.txt", *runs, *argv, **options)


class Values(Case):
    def reciprocal(self, ranks):
        return [1 / r if r else 0.0 for r in ranks]

    def test_a_worked_example(self):
        runs = self.write_runs([1, 2, 1, 4, 0], [2, 2, 4, 4, 1])
        found = self.compare(runs, "-m", "RR", "--test", "sign")
        means = [r for r in found if r["type"] == "measure"]
        self.assertEqual([round(m["value"], 6) for m in means], [0.55, 0.5])
        pair = next(r for r in found if r["type"] == "comparison")
        self.assertEqual((pair["run_a"], pair["run_b"], pair["measure"], pair["queries"]), ("run0.trec", "run1.trec", "RR", 5))
        self.assertAlmostEqual(pair["difference"], 0.05)
        self.assertEqual((pair["wins"], pair["ties"], pair["losses"]), (2, 2, 1))
        self.assertAlmostEqual(pair["p"], 1.0)
        self.assertTrue(pair["exact"])
        self.assertEqual([pair[k] for k in ("both", "only_a", "only_b", "neither")], [4, 0, 1, 0])
        self.assertEqual(pair["union"], 1)
        self.assertAlmostEqual(pair["best_of_two"], 0.75)
        self.assertEqual(found[-1], {"type": "end", "queries": 5, "runs": 2, "complete": True})

    def test_success_threshold(self):
        runs = self.write_runs([1, 2, 1, 4, 0], [2, 2, 4, 4, 1])
        pair = self.compare(runs, "-m", "RR", "--success", "1")[2]
        self.assertEqual([pair[k] for k in ("both", "only_a", "only_b", "neither")], [0, 2, 1, 2])

    def test_scipy_agrees(self):
        rng = random.Random(20261130)
        sizes = [8, 11, 40, 150]
        pairs = [([rng.choice([0, 1, 2, 3, 5, 10]) for _ in range(n)], [rng.choice([0, 1, 1, 2, 4, 10]) for _ in range(n)]) for n in sizes]
        expected = scipy_rows([{"a": self.reciprocal(a), "b": self.reciprocal(b)} for a, b in pairs])
        for (a, b), oracle in zip(pairs, expected):
            runs = self.write_runs(a, b)
            for test in ("t", "sign", "wilcoxon", "randomisation"):
                if test in oracle:
                    pair = next(r for r in self.compare(runs, "-m", "RR", "--test", test) if r["type"] == "comparison")
                    self.assertAlmostEqual(pair["p"], oracle[test], delta=1e-9 + 1e-7 * oracle[test], msg=f"{test}, {len(a)} queries")
            if len(a) < 40:  # too few different means for two samplings to agree on their quantiles
                continue
            low, high, error = oracle["interval"]
            self.assertAlmostEqual(pair["low"], low, delta=0.15 * error)
            self.assertAlmostEqual(pair["high"], high, delta=0.15 * error)

    def test_holm_and_bh_over_all_pairs(self):
        rng = random.Random(3)
        ranks = [[rng.choice([0, 1, 2, 3]) for _ in range(40)] for _ in range(3)]
        runs = self.write_runs(*ranks)
        plain = [r["p"] for r in self.compare(runs, "-m", "RR", "--test", "t") if r["type"] == "comparison"]
        for name in ("holm", "bh"):
            found = [r for r in self.compare(runs, "-m", "RR", "--test", "t", "--correct", name) if r["type"] == "comparison"]
            self.assertEqual([r["p"] for r in found], plain)
            order = sorted(range(3), key=lambda i: plain[i])
            holm = {}
            for place, i in enumerate(order):
                holm[i] = min(1, max(plain[i] * (3 - place), *(holm[j] for j in order[:place]), 0))
            for i, r in enumerate(found):
                self.assertEqual(r["correction"], name)
                self.assertGreaterEqual(r["p_adjusted"], r["p"])
                if name == "holm":
                    self.assertAlmostEqual(r["p_adjusted"], holm[i])

    def test_tukey_and_pairs(self):
        rng = random.Random(4)
        runs = self.write_runs(*[[rng.choice([1, 2, 3]) for _ in range(30)] for _ in range(4)])
        found = [r for r in self.compare(runs, "-m", "RR", "--test", "tukey", "--samples", "200") if r["type"] == "comparison"]
        self.assertEqual(len(found), 6)
        self.assertTrue(all(0 < r["p"] <= 1 for r in found))
        first = [r for r in self.compare(runs, "-m", "RR", "--test", "tukey", "--samples", "200", "--pairs", "first") if r["type"] == "comparison"]
        self.assertEqual([(r["run_b"], r["p"]) for r in first], [(r["run_b"], r["p"]) for r in found[:3]])

    def test_mcnemar(self):
        runs = self.write_runs([1] * 9 + [0] * 3, [1] * 3 + [0] * 9)
        pair = self.compare(runs, "-m", "Success@1", "--test", "mcnemar")[2]
        self.assertAlmostEqual(pair["p"], 2 / 2**6)

    def test_by_a_field(self):
        runs = self.write_runs([1, 1, 2, 2], [2, 2, 1, 1])
        self.write("queries.jsonl", kit.jsonl(*({"_id": f"q{i:03}", "text": "?", "metadata": {"kind": "x" if i < 2 else "y"}} for i in range(4))))
        found = [r for r in self.compare(runs, "-m", "RR", "--queries", "queries.jsonl", "--by", "metadata.kind") if r["type"] == "comparison"]
        self.assertEqual([(r["by"], r["group"], r["queries"], r["difference"]) for r in found], [("metadata.kind", "x", 2, 0.5), ("metadata.kind", "y", 2, -0.5)])

    def test_same_seed_same_bytes(self):
        rng = random.Random(5)
        runs = self.write_runs(*[[rng.choice([0, 1, 2]) for _ in range(60)] for _ in range(2)])
        one = self.ok("rag-eval", "compare", "qrels.txt", *runs, "--seed", "7").stdout
        self.assertEqual(self.ok("rag-eval", "compare", "qrels.txt", *runs, "--seed", "7").stdout, one)
        self.assertNotEqual(self.ok("rag-eval", "compare", "qrels.txt", *runs, "--seed", "8").stdout, one)


class Output(Case):
    def setUp(self):
        super().setUp()
        self.runs = self.write_runs([1, 2, 1, 4, 0], [2, 2, 4, 4, 1])

    def test_tables(self):
        done = self.ok("rag-eval", "compare", "qrels.txt", *self.runs, "-m", "RR", "--format", "text", "--correct", "holm")
        self.assertRegex(done.text, r"run0\.trec +5 +0\.5500 +\[")
        self.assertIn("p by randomisation test, adjusted by Holm", done.text)
        self.assertRegex(done.text, r"run0\.trec  run1\.trec +0\.0500 +\[.*\].* 2 +2 +1 ")
        markdown = self.ok("rag-eval", "compare", "qrels.txt", *self.runs, "-m", "RR", "--format", "markdown")
        self.assertIn("| run0.trec | 5 | 0.5500 |", markdown.text)
        self.assertIn("run0.trec\t5\t0.5500\t", self.ok("rag-eval", "compare", "qrels.txt", *self.runs, "-m", "RR", "--format", "tsv").text)

    def test_a_terminal_gets_text(self):
        done = kit.terminal(["rag-eval", "compare", "qrels.txt", *self.runs, "-m", "RR"], cwd=self.dir)
        self.assertEqual(done.status, 0)
        self.assertIn("best of two", done.text)

    def test_queries_without_hits_are_named(self):
        self.write("short.trec", "q000 Q0 rel 1 1 x\n")
        done = self.ok("rag-eval", "compare", "qrels.txt", self.runs[0], "short.trec", "-m", "RR")
        self.assertIn("short.trec: 4 judged queries without hits count as empty lists", done.errors)


class Errors(Case):
    def setUp(self):
        super().setUp()
        self.runs = self.write_runs([1, 2], [2, 1])

    def refused(self, pattern, *argv):
        return self.refuses(2, pattern, "rag-eval", "compare", *argv)

    def test_usage(self):
        self.refused("at least two runs are needed", "qrels.txt", self.runs[0])
        self.refused("--by kind: qrels.txt says nothing of the queries: give --queries", "qrels.txt", *self.runs, "--by", "kind")
        self.refused("tukey corrects for the number of pairs itself", "qrels.txt", *self.runs, "--test", "tukey", "--correct", "holm")
        self.refused("mcnemar needs scores of 0 and 1, but RR gives 0.5", "qrels.txt", *self.runs, "-m", "RR", "--test", "mcnemar")
        self.refused("--test", "qrels.txt", *self.runs, "--test", "chi")
        self.refused("nonsense", "qrels.txt", *self.runs, "-m", "nonsense")

    def test_files(self):
        self.refused("no.trec", "qrels.txt", self.runs[0], "no.trec")
        self.write("queries.jsonl", kit.jsonl({"_id": "q000", "text": "?"}))
        self.refused("no query of .*queries.jsonl has this field", "qrels.txt", *self.runs, "--queries", "queries.jsonl", "--by", "kind")


if __name__ == "__main__":
    kit.main()
