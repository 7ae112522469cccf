"""rag-eval trace and failures as a user runs them."""

import kit

STEP = {"type": "trace", "trace_id": "t1", "query_id": "1"}
STEPS = [
    {**STEP, "tool": "corpus-grep", "arguments": {"p": "x"}, "hits": 0, "elapsed_ms": 10, "bytes_scanned": 100, "evidence": []},
    {**STEP, "tool": "corpus-grep", "arguments": {"p": "x"}, "hits": 2, "elapsed_ms": 20, "bytes_scanned": 300, "evidence": [{"path": "a.md", "lines": [1, 4]}]},
    {**STEP, "tool": "chat", "kind": "model", "elapsed_ms": 70, "tokens": 200, "reasoning_tokens": 50, "cost": 4},
    {**STEP, "trace_id": "t2", "query_id": "2", "tool": "corpus-read", "elapsed_ms": 300, "error": "io"},
]
GOLD = [
    {"type": "case", "query_id": "1", "query": "?", "gold_evidence": [{"path": "a.md", "lines": [3, 6]}, {"path": "b.md", "lines": [1, 2]}],
     "required_hops": 2, "budget": {"calls": 2}, "allowed_scope": ["b.md"], "kind": "x"},
]


class Trace(kit.Case):
    def trace(self, steps, *argv, **options):
        self.write("trace.jsonl", kit.jsonl(*steps))
        self.write("gold.jsonl", kit.jsonl(*GOLD))
        return self.records("rag-eval", "trace", "trace.jsonl", *argv, **options)

    def means(self, found):
        return {r["measure"]: r["value"] for r in found if r["type"] == "measure" and "group" not in r}

    def test_effort_and_evidence(self):
        found = self.trace(STEPS, "--gold", "gold.jsonl", "-q")
        means = self.means(found)
        self.assertEqual((means["calls"], means["errors"], means["repeats"]), (2, 0.5, 0.5))
        self.assertEqual((means["evidence_recall"], means["hop_coverage"], means["calls_to_evidence"]), (0.5, 0.5, 2))
        self.assertAlmostEqual(means["line_recall"], 2 / 6)
        self.assertEqual((means["cost_model"], means["cost_reasoning"]), (1.5, 0.5))
        first = next(r for r in found if r["type"] == "score")
        self.assertEqual((first["trace_id"], first["over_budget"], first["out_of_scope"]), ("t1", ["calls"], ["a.md"]))
        self.assertEqual(found[-1], {"type": "end", "trajectories": 2, "calls": 4, "without_case": 1, "over_budget": 1, "out_of_scope": 1, "complete": True})

    def test_quantiles(self):
        steps = [{"type": "trace", "trace_id": str(i), "tool": "x", "elapsed_ms": i} for i in range(101)]
        row = next(r for r in self.trace(steps) if r["type"] == "quantiles" and r["measure"] == "elapsed_ms")
        self.assertEqual((row["p50"], row["p95"], row["p99"], row["most"], row["queries"]), (50, 95, 99, 100, 101))

    def test_text_and_groups(self):
        self.trace(STEPS)
        done = self.ok("rag-eval", "trace", "trace.jsonl", "--gold", "gold.jsonl", "--by", "kind", "--format", "text")
        self.assertRegex(done.text, r"calls +all +2\.0000")
        self.assertRegex(done.text, r"calls +x +3\.0000")
        self.assertRegex(done.text, r"per query +P50 +P95 +P99 +most")
        self.assertIn("1 trajectories belong to no case", done.errors)

    def test_our_own_traces(self):
        self.write("docs/a.md", "Refunds take 30 days.\n")
        self.ok("rag-index", "build", "-i", "x.idx", "docs")
        self.ok("rag-search", "-i", "x.idx", "refunds", "--trace", "own.jsonl")
        found = self.records("rag-eval", "trace", "own.jsonl")
        means = self.means(found)
        self.assertEqual(means["calls"], 1)
        self.assertGreater(means["elapsed_ms"], 0)

    def test_errors(self):
        self.write("trace.jsonl", b'{"type":"trace","tool":"x"}\n')
        self.stops("bad_member", r"trace\.jsonl:1: no trace_id", "rag-eval", "trace", "trace.jsonl")
        self.refuses(2, "--by needs the fields of the cases", "rag-eval", "trace", "trace.jsonl", "--by", "kind")
        self.write("good.jsonl", kit.jsonl(*STEPS))
        self.write("gold.jsonl", kit.jsonl({"query_id": "1", "answer": "x", "budget": 5}))
        self.stops("bad_member", "gold.jsonl:1: ", "rag-eval", "trace", "good.jsonl", "--gold", "gold.jsonl")


class Failures(kit.Case):
    def stage(self, name, **held):
        rows = [{"type": "hit", "query_id": query, "rank": i + 1, "score": 1, "document_id": d, "evidence_id": f"{d}#0-5@0123456789ab", "text": "x"}
                for query, documents in held.items() for i, d in enumerate(documents)]
        self.write(name, kit.jsonl(*rows))

    def setUp(self):
        super().setUp()
        cases = [{"type": "case", "query_id": f"q{i}", "query": "?", "expected_answer": "Paris", "gold_evidence": ["g.md#0-5@0123456789ab"]} for i in range(1, 6)]
        cases.append({"type": "case", "query_id": "q6", "query": "?", "unanswerable": True})
        self.write("gold.jsonl", kit.jsonl(*cases))
        self.stage("hits.jsonl", q1=["a.md"], q2=["g.md"], q3=["g.md"], q4=["g.md"], q5=["g.md"])
        self.stage("selected.jsonl", q1=["a.md"], q2=["a.md"], q3=["g.md"], q4=["g.md"], q5=["g.md"])
        gold = "g.md#0-5@0123456789ab"
        self.write("ctx.jsonl", kit.jsonl(
            {"type": "context", "query_id": "q3", "tokens": 0, "evidence": [], "dropped": [{"evidence_id": gold, "reason": "token budget"}]},
            *({"type": "context", "query_id": q, "tokens": 1, "evidence": [{"evidence_id": gold, "text": "Paris"}]} for q in ("q4", "q5"))))
        self.write("answers.jsonl", kit.jsonl(
            {"query_id": "q4", "answer": "Rome [1]."}, {"query_id": "q5", "answer": "Paris [1]."}, {"query_id": "q6", "answer": "42"}))
        self.argv = ["rag-eval", "failures", "--gold", "gold.jsonl", "--retrieved", "hits.jsonl", "--selected", "selected.jsonl",
                     "--context", "ctx.jsonl", "--answers", "answers.jsonl"]

    def test_each_stage(self):
        found = self.records(*self.argv)
        faults = {r["query_id"]: (r["fault"], r.get("lost")) for r in found if r["type"] == "fault"}
        gold = "g.md#0-5@0123456789ab"
        self.assertEqual(faults, {"q1": ("retrieval", gold), "q2": ("selection", gold), "q3": ("context_truncated", gold), "q4": ("generation", None), "q6": ("made_up", None)})
        counts = {r["failure"]: (r["queries"], r["examples"]) for r in found if r["type"] == "failures"}
        self.assertEqual(counts["none"], (1, ["q5"]))
        self.assertEqual(counts["retrieval"], (1, ["q1"]))
        self.assertEqual((found[-1]["cases"], found[-1]["failed"]), (6, 5))

    def test_text(self):
        done = self.ok(*self.argv, "--format", "text")
        self.assertRegex(done.text, r"retrieval +1 +0\.1667 +q1\n")

    def test_errors(self):
        self.refuses(2, "no stage to look at", "rag-eval", "failures", "--gold", "gold.jsonl")
        self.refuses(2, "none.jsonl", *self.argv[:4], "--context", "none.jsonl")


if __name__ == "__main__":
    kit.main()
