"""rag-eval citations and judged as a user runs them, with a corpus of files and with a judge."""

import http.server
import json
import shutil
import sys
import threading
import time

import kit

JUDGE = """
import json, sys
for line in sys.stdin:
    task = json.loads(line)
    assert task["type"] == "judge_task" and task["task"] == "entailment", task
    if "mute" in task["hypothesis"]:
        print("I would rather not")
        continue
    print(json.dumps({"key": task["key"], "label": task["hypothesis"].rstrip(".") in task["premise"], "tokens": 7, "cost": 0.25}))
"""


class Case(kit.Case):
    def setUp(self):
        super().setUp()
        self.write("docs/a.md", "Refunds take 30 days.\n\nAsk by 1 May 2026.\n")
        self.write("docs/b.md", "Shipping costs 5 dollars.\n")
        chunks = kit.records(kit.run(["rag-chunk", "."], cwd=self.dir / "docs").stdout, "chunk")
        self.ids = {c["document_id"]: c["evidence_id"] for c in chunks}
        self.evidence = [{"evidence_id": c["evidence_id"], "text": c["text"]} for c in chunks]
        self.write("ctx.jsonl", kit.jsonl({"type": "context", "query_id": "1", "tokens": 9, "evidence": self.evidence, "text": "..."}))

    def citations(self, answer, *argv, gold=None, **options):
        rows = answer if isinstance(answer, list) else [{"type": "answer", "query_id": "1", "answer": answer}]
        self.write("answers.jsonl", kit.jsonl(*rows))
        if gold:
            self.write("gold.jsonl", kit.jsonl({"type": "case", "query_id": "1", "query": "?", **gold}))
            argv = (*argv, "--gold", "gold.jsonl")
        found = self.records("rag-eval", "citations", "answers.jsonl", *argv, **options)
        means = {r["measure"]: r["value"] for r in found if r["type"] == "measure" and "group" not in r}
        return means, [r for r in found if r["type"] == "fault"], found[-1]


class Checks(Case):
    def test_numbers_and_facts(self):
        means, faults, end = self.citations("Refunds take 30 days [1]. Shipping costs 6 dollars [2]. It is fast. See [9].", "--evidence", "ctx.jsonl")
        self.assertEqual(means["sentences_supported"], 0.25)
        self.assertAlmostEqual(means["citations_resolved"], 2 / 3)
        self.assertEqual([f["fault"] for f in faults], ["citation", "missing_facts", "uncited", "unresolved"])
        self.assertEqual(faults[1]["missing"], [{"kind": "number", "text": "6 dollars"}])
        self.assertEqual((end["answers"], end["citations"], end["sentences"], end["unsupported"]), (1, 3, 4, 3))

    def test_the_corpus_tells_changed_and_missing_spans(self):
        answer = f"Refunds take 30 days [{self.ids['a.md']}]. Shipping costs 5 dollars [{self.ids['b.md']}]."
        means, faults, _ = self.citations(answer, "--corpus-root", "docs")
        self.assertEqual((means["spans_exist"], means["revisions_match"], means["sentences_supported"]), (1, 1, 1))
        self.assertEqual(faults, [])
        self.write("docs/b.md", "Shipping costs 9 dollars.\n")
        self.path("docs/a.md").unlink()
        means, faults, _ = self.citations(answer, "--corpus-root", "docs")
        self.assertEqual((means["spans_exist"], means["revisions_match"]), (0.5, 0))
        self.assertEqual([f["state"] for f in faults if f["fault"] == "citation"], ["no_document", "changed"])

    def test_gold_by_lines(self):
        gold = {"gold_evidence": [{"path": "b.md", "lines": [1, 1]}, {"path": "z.md", "lines": [1, 1]}], "kind": "x"}
        means, _, _ = self.citations(f"It costs 5 dollars [{self.ids['b.md']}].", "--corpus-root", "docs", gold=gold)
        self.assertEqual((means["citation_precision"], means["citation_recall"]), (1, 0.5))

    def test_quotes_and_dates(self):
        means, faults, _ = self.citations('It says "ask by 1 May" [1]. Until 2026-05-01 [1]. It says "refunds take 60 days" [1].', "--evidence", "ctx.jsonl")
        self.assertEqual(means["quotes_supported"], 0.5)
        self.assertEqual([f["missing"][0]["kind"] for f in faults], ["quote"])

    def test_hits_are_evidence_too(self):
        hits = kit.jsonl(*({"type": "hit", "query_id": "1", "rank": i + 1, "score": 1.0, "document_id": "x", **e} for i, e in enumerate(self.evidence)))
        self.write("hits.jsonl", hits)
        means, _, _ = self.citations("Refunds take 30 days [1].", "--evidence", "hits.jsonl")
        self.assertEqual(means["sentences_supported"], 1)

    def test_text_and_no_faults(self):
        self.citations("It is fast.", "--evidence", "ctx.jsonl")
        done = self.ok("rag-eval", "citations", "answers.jsonl", "--evidence", "ctx.jsonl", "--format", "text")
        self.assertIn("1: uncited: It is fast.\n", done.text)
        self.assertRegex(done.text, r"sentences_cited +0\.0000")
        self.assertEqual(self.citations("It is fast.", "--no-faults")[1], [])


class Judges(Case):
    ANSWER = [
        {"query_id": "1", "answer": "Refunds take 30 days [1]. Shipping costs 5 dollars [1][2]. Nothing else holds [1]."},
        {"query_id": "2", "answer": "mute."},
    ]

    def judge(self):
        self.write("judge.py", JUDGE)
        return f"{sys.executable} judge.py"

    def test_alce(self):
        means, _, end = self.citations(self.ANSWER, "--evidence", "ctx.jsonl", "--judge-cmd", self.judge(), "--no-faults")
        self.assertAlmostEqual(means["alce_recall"], 1 / 3)  # one of two answers cites nothing: 2/3 and 0
        self.assertAlmostEqual(means["alce_precision"], 0.25)  # 2 of 4, and 0
        self.assertEqual(end["judge_failures"], 0)
        self.assertEqual(end["judge_tokens"], 7 * end["judge_tasks"])
        self.assertEqual(end["judge_cost"], 0.25 * end["judge_tasks"])

    def test_the_cache_spares_the_judge(self):
        command = self.judge()
        first = self.citations(self.ANSWER, "--evidence", "ctx.jsonl", "--judge-cmd", command, "--judge-cache", "cache.jsonl")
        again = self.citations(self.ANSWER, "--evidence", "ctx.jsonl", "--judge-cmd", command, "--judge-cache", "cache.jsonl")
        self.assertEqual(first[0], again[0])
        self.assertEqual(again[2]["judge_cached"], again[2]["judge_tasks"])
        self.assertEqual(again[2]["judge_cost"], 0)

    def test_failures_are_counted_not_scored(self):
        means, _, end = self.citations([{"query_id": "1", "answer": "mute [1]."}], "--evidence", "ctx.jsonl", "--judge-cmd", self.judge())
        self.assertNotIn("alce_recall", means)
        self.assertEqual((end["judge_tasks"], end["judge_failures"]), (1, 1))

    def test_an_endpoint(self):
        """A chat endpoint of our own: it answers as the judge above does, and refuses its first request."""
        if not shutil.which("curl"):
            self.skipTest("curl is not installed")
        seen, at_once = [], [0, 0]  # requests; those under way, and the most of these

        class Chat(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                at_once[0] += 1
                at_once[1] = max(at_once)
                time.sleep(0.2 if len(seen) % 2 else 0.1)  # so that replies come in another order
                at_once[0] -= 1
                seen.append((self.path, self.headers.get("Authorization"), body["model"], body["temperature"]))
                if len(seen) == 1:
                    self.send_error(503)
                    return
                premise, hypothesis = body["messages"][1]["content"].removeprefix("Premise:\n").split("\n\nHypothesis:\n")
                label = json.dumps({"label": hypothesis.rstrip(".") in premise})
                text = json.dumps({"choices": [{"message": {"content": f"```json\n{label}\n```"}}], "usage": {"total_tokens": 11}}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Chat)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        asked = (self.ANSWER, "--evidence", "ctx.jsonl", "--judge-url", url, "--judge-model", "m", "--api-key-env", "TEST_KEY")
        env = {"TEST_KEY": 'se"cret', "no_proxy": "127.0.0.1"}
        means, _, end = self.citations(*asked, "--judge-parallel", "1", "--judge-cache", "one.jsonl", env=env)
        self.assertEqual(at_once[1], 1)
        self.assertAlmostEqual(means["alce_recall"], 1 / 3)
        self.assertEqual(end["judge_tokens"], 11 * end["judge_tasks"])
        self.assertEqual(seen[1], ("/v1/chat/completions", 'Bearer se"cret', "m", 0))
        self.assertEqual(self.citations(*asked, "--judge-parallel", "4", "--judge-cache", "four.jsonl", env=env)[::2], (means, end))
        self.assertGreater(at_once[1], 1)
        self.assertEqual(self.path("four.jsonl").read_bytes(), self.path("one.jsonl").read_bytes())
        argv = ("rag-eval", "citations", "answers.jsonl", "--evidence", "ctx.jsonl", "--judge-url", url)
        self.refuses(2, "give it with --judge-model", *argv)
        self.refuses(2, "--api-key-env NO_KEY: the variable is not set", *argv, "--judge-model", "m", "--api-key-env", "NO_KEY")

    def test_a_judge_that_breaks(self):
        self.write("answers.jsonl", kit.jsonl(*self.ANSWER))
        argv = ("rag-eval", "citations", "answers.jsonl", "--evidence", "ctx.jsonl")
        self.refuses(2, "'exit 3' ended with status 3", *argv, "--judge-cmd", "exit 3")
        self.refuses(2, "give one with --judge-cmd or --judge-url", *argv, "--judge-cache", "c")


class Judged(kit.Case):
    def judged(self, *rows, argv=()):
        self.write("labels.jsonl", kit.jsonl(*rows))
        return self.records("rag-eval", "judged", "labels.jsonl", *argv)

    def test_means_by_kind(self):
        kinds = ["incomprehensible", "false_presupposition", "underspecified", "safety", "modality", "out_of_database"]
        rows = [{"query_id": i, "kind": kind, "verdict": "refuse" if i % 2 else "answer", "acceptable": i % 2} for i, kind in enumerate(kinds * 2)]
        found = self.judged(*rows, argv=("--by", "kind"))
        self.assertEqual(next(r["value"] for r in found if r["measure"] == "unanswered"), 0.5)
        self.assertEqual(sorted(r["group"] for r in found if r.get("group") and r["measure"] == "acceptable"), sorted(kinds))

    def test_people_correct_the_judge(self):
        rows = [{"query_id": i, "answer_faithfulness": 1, **({"human": {"answer_faithfulness": i % 2}} if i < 20 else {})} for i in range(200)]
        found = self.judged(*rows)
        plain, powered = [r for r in found if r.get("measure") == "answer_faithfulness"]
        self.assertEqual(plain["value"], 1)
        self.assertEqual(powered["method"], "prediction_powered")
        self.assertAlmostEqual(powered["value"], 0.5)
        self.assertEqual((powered["labelled"], powered["queries"], powered["agreement"], powered["kappa"]), (20, 200, 0.5, 0))
        self.assertLess(powered["low"], 0.5)
        self.assertEqual(found[-1]["labelled"], 20)

    def test_labels_that_were_not_understood(self):
        found = self.judged({"query_id": 1, "claims": [True, None]}, {"query_id": 2, "claims": [False]})
        self.assertEqual(next(r["value"] for r in found if r["measure"] == "faithfulness"), 0.5)
        self.assertEqual(found[-1]["judge_failures"], 1)
        done = self.ok("rag-eval", "judged", "labels.jsonl", "--format", "text")
        self.assertIn("1 labels are null", done.errors)

    def test_errors(self):
        self.write("labels.jsonl", b'{"query_id":1,"claims":["perhaps"]}\n')
        self.stops("bad_member", r"labels\.jsonl:1: '\"perhaps\"' is no label", "rag-eval", "judged", "labels.jsonl")


if __name__ == "__main__":
    kit.main()
