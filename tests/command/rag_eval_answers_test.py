"""rag-eval answers as a user runs it: forms of input, means, refusals, RGB, and everything that can go wrong."""

import json
import re

import kit


class Case(kit.Case):
    def answers(self, gold, given, *argv, **options):
        self.write("gold.jsonl", gold if isinstance(gold, (bytes, str)) else kit.jsonl(*gold))
        self.write("answers.jsonl", given if isinstance(given, (bytes, str)) else kit.jsonl(*given))
        return self.records("rag-eval", "answers", "answers.jsonl", "--gold", "gold.jsonl", *argv, **options)

    def means(self, *args, **options):
        return {r["measure"]: r["value"] for r in self.answers(*args, **options) if r["type"] == "measure" and "group" not in r}


GOLD = [
    {"type": "case", "query_id": "1", "query": "Capital of France?", "expected_answer": ["Paris"], "kind": "fact"},
    {"type": "case", "query_id": "2", "query": "How long?", "expected_answer": "1.5 km", "kind": "number"},
    {"type": "case", "query_id": "3", "query": "When?", "expected_answer": "July 21, 2017", "kind": "number"},
    {"type": "case", "query_id": "4", "query": "Who?", "unanswerable": True, "kind": "fact"},
    {"type": "case", "query_id": "5", "query": "Which?", "expected_answer": [["red", "rot"], ["blue"]], "kind": "list"},
]
GIVEN = [
    {"type": "answer", "query_id": "1", "answer": "The capital is Paris."},
    {"type": "answer", "query_id": "2", "answer": "1500 metres"},
    {"type": "answer", "query_id": "3", "answer": "on 21 July 2017"},
    {"type": "answer", "query_id": "4", "answer": "The documents do not contain that information."},
    {"type": "answer", "query_id": "5", "answer": "rot, green"},
]


class Values(Case):
    def test_means(self):
        means = self.means(GOLD, GIVEN)
        self.assertEqual(means["exact_match"], 0)
        self.assertEqual(means["contains"], 0.25)
        self.assertEqual(means["numeric"], 1)
        self.assertEqual(means["date"], 1)
        self.assertEqual(means["items_contained"], 0.5)
        self.assertEqual((means["list_precision"], means["list_recall"]), (0.5, 0.5))
        self.assertEqual(means["refusal_right"], 1)
        self.assertEqual((means["refusal_precision"], means["refusal_recall"], means["refusal_f1"]), (1, 1, 1))
        self.assertEqual(means["crag"], -1)

    def test_end_counts(self):
        end = self.answers(GOLD, GIVEN[:4] + [{"query_id": "9", "answer": "?"}])[-1]
        self.assertEqual((end["cases"], end["missing"], end["extra"], end["refused_unanswerable"]), (5, 1, 1, 1))

    def test_refusals_that_were_not_asked_for_have_no_figures(self):
        means = self.means(GOLD[:3], GIVEN[:3])
        self.assertFalse({"refusal_precision", "refusal_recall", "refusal_f1"} & means.keys())
        self.assertEqual(means["refusal_right"], 1)
        text = self.ok("rag-eval", "answers", "answers.jsonl", "--gold", "gold.jsonl", "--format", "text").text
        self.assertIn("refusals: precision -, recall -, f1 -, 0 in part, counted as answers", text)

    def test_a_missing_answer_is_an_empty_one(self):
        means = self.means(GOLD, GIVEN[:4])
        self.assertEqual(means["list_f1"], 0)
        self.assertEqual(means["refusal_right"], 0.8)

    def test_every_case(self):
        found = [r for r in self.answers(GOLD, GIVEN, "--per-query") if r["type"] == "score"]
        self.assertEqual([r["query_id"] for r in found], ["1", "2", "3", "4", "5"])
        self.assertEqual((found[3]["refusal"], found[3]["unanswerable"]), ("refused", True))
        self.assertNotIn("f1", found[3]["scores"])
        self.assertEqual(found[1]["scores"]["numeric"], 1)

    def test_by_a_field(self):
        found = [r for r in self.answers(GOLD, GIVEN, "--by", "kind") if r.get("group") and r["measure"] == "contains"]
        self.assertEqual([(r["by"], r["group"], r["value"], r["queries"]) for r in found], [("kind", "fact", 1, 1), ("kind", "list", 0, 1), ("kind", "number", 0, 2)])

    def test_by_a_field_of_the_query_file(self):
        self.write("queries.jsonl", kit.jsonl({"query_id": "1", "m": {"hops": [1, 2]}}, {"_id": "2", "m": {"hops": 2}}))
        found = self.answers(GOLD, GIVEN, "--by", "m.hops", "--queries", "queries.jsonl", "--per-query")
        groups = {r["group"]: (r["value"], r["queries"]) for r in found if r["type"] == "measure" and r.get("group") and r["measure"] == "contains"}
        self.assertEqual(groups, {"1": (1, 1), "2": (0.5, 2)})
        self.assertEqual([r["group"] for r in found if r["type"] == "score"], ["1, 2", "2", "", "", ""])
        self.assertEqual([r["queries"] for r in found if r.get("group") == "" and r.get("measure") == "refusal_right"], [3])

    def test_intervals_hold_the_mean_and_repeat(self):
        gold = [{"id": i, "answer": f"word{i}"} for i in range(60)]
        given = [{"id": i, "answer": f"word{i}" if i % 3 else "other"} for i in range(60)]
        one = next(r for r in self.answers(gold, given, "--seed", "3") if r["measure"] == "exact_match")
        self.assertAlmostEqual(one["value"], 2 / 3)
        self.assertLess(one["low"], one["value"])
        self.assertGreater(one["high"], one["value"])
        self.assertEqual(next(r for r in self.answers(gold, given, "--seed", "3") if r["measure"] == "exact_match"), one)
        self.assertNotIn("low", next(r for r in self.answers(gold, given, "--samples", "0") if r["measure"] == "exact_match"))

    def test_tolerance(self):
        gold, given = [{"id": 1, "answer": "3.14"}], [{"id": 1, "answer": "3.1"}]
        self.assertEqual(self.means(gold, given)["numeric"], 0)
        self.assertEqual(self.means(gold, given, "--tolerance", "0.02")["numeric"], 1)

    def test_judged_answers_make_crag_exact(self):
        gold, given = [{"id": 1, "answer": "Paris"}, {"id": 2, "answer": "Rome"}], [{"id": 1, "answer": "It is Paris.", "correct": 1}, {"id": 2, "answer": "I don't know"}]
        found = self.answers(gold, given)
        self.assertEqual(next(r["value"] for r in found if r.get("measure") == "crag"), 0.5)
        self.assertEqual(found[-1]["open"], 0)


class Forms(Case):
    def test_tsv(self):
        self.assertEqual(self.means("1\tParis\tParis, France\n2\tRom\n", "1\tparis\n2\tRome\n")["exact_match"], 0.5)

    def test_json_object_of_rows(self):
        gold = json.dumps({"0": {"answer": "no", "evidence_list": []}, "1": {"answer": "Yes"}}, indent=2)
        self.assertEqual(self.means(gold, [{"id": "0", "prediction": "No."}, {"id": 1, "response": "no"}])["exact_match"], 0.5)

    def test_standard_input_and_packed(self):
        import gzip

        self.write("gold.gz", gzip.compress(kit.jsonl(*GOLD)))
        found = self.records("rag-eval", "answers", "-", "--gold", "gold.gz", stdin=kit.jsonl(*GIVEN))
        self.assertEqual(found[-1]["missing"], 0)

    def test_text(self):
        self.answers(GOLD, GIVEN)
        done = self.ok("rag-eval", "answers", "answers.jsonl", "--gold", "gold.jsonl", "--format", "text", "--by", "kind")
        self.assertRegex(done.text, r"measure +kind +value +interval +cases\n")
        self.assertRegex(done.text, r"contains +all +0\.2500")
        self.assertRegex(done.text, r"unanswerable +1 +0\n")
        self.assertIn("4 answers that CRAG leaves to a judge", done.text)

    def test_a_terminal_gets_harmless_text(self):
        self.answers([{"id": "\x1b[31mq", "answer": "a"}], [{"id": "\x1b[31mq", "answer": "a"}])
        done = kit.terminal(["rag-eval", "answers", "answers.jsonl", "--gold", "gold.jsonl", "-q"], cwd=self.dir)
        self.assertNotIn(b"\x1b[31m", done.stdout)


class MultiHop(Case):
    def test_the_published_files(self):
        """Answered with the gold answers, by a field that only the file of the questions has."""
        folder = kit.data("multihop_rag_500")
        gold = json.loads((folder / "ground_truth.json").read_text())
        self.write("answers.jsonl", kit.jsonl(*({"id": i, "answer": row["answer"]} for i, row in gold.items())))
        found = self.records("rag-eval", "answers", "answers.jsonl", "--gold", folder / "ground_truth.json", "--queries", folder / "queries.json", "--by", "question_type")
        groups = {r["group"]: (r["value"], r["queries"]) for r in found if r.get("group") and r["measure"] == "exact_match"}
        self.assertEqual(groups, {"comparison_query": (1, 78), "inference_query": (1, 73), "null_query": (1, 34), "temporal_query": (1, 65)})


class Rgb(Case):
    def rgb(self, found):
        return {r["measure"]: (r["value"], r["queries"]) for r in found if r["type"] == "measure" and r["measure"].startswith("rgb_")}

    def test_abilities(self):
        gold = [{"id": 0, "query": "Where?", "answer": ["Tampa"], "positive": ["x"], "negative": ["y"]}]
        given = [{"id": 0, "prediction": "in tampa", "noise_rate": 0.4}, {"id": 0, "prediction": "insufficient information", "noise_rate": 1}]
        self.assertEqual(self.rgb(self.answers(gold, given)), {"rgb_noise_robustness@0.4": (1, 1), "rgb_negative_rejection": (1, 1)})

    def test_the_published_files(self):
        """Answers made from the gold fields score as they must on all 200 questions."""
        for name, mark in (("en_fact.json", "factual errors"), ("zh_fact.json", "事实性错误")):
            rows = [json.loads(line) for line in kit.data("rgb", name).read_text().splitlines()]
            given = []
            for row in rows:
                flat = [a[0] if isinstance(a, list) else a for a in (row["answer"] if isinstance(row["answer"], list) else [row["answer"]])]
                text = " ".join(flat)
                given.append({"id": row["id"], "prediction": f"{mark}: {text}" if row["id"] % 2 else row["fakeanswer"] if isinstance(row["fakeanswer"], str) else row["fakeanswer"][0]})
            found = self.rgb(self.answers(kit.data("rgb", name).read_bytes(), given))
            self.assertEqual(found["rgb_error_detection"], (0.5, 100), name)
            self.assertEqual(found["rgb_error_correction"], (1, 50), name)


class Flags(kit.Case):
    def test_no_letter_means_two_things(self):
        commands = {one["name"].removeprefix("rag-eval-") for one in json.loads(self.ok("rag-eval", "--schema").text)}
        self.assertLessEqual({"compare", "answers", "citations", "judged", "trace", "failures", "report"}, commands)
        for command in commands:
            letters = re.findall(r"^  (-[A-Za-z]), --", self.ok("rag-eval", command, "--help").text, re.MULTILINE)
            self.assertEqual(sorted(set(letters)), sorted(letters), command)


class Errors(Case):
    def refused(self, pattern, *argv, **options):
        return self.refuses(2, pattern, "rag-eval", "answers", *argv, **options)

    def stopped(self, fault, pattern, *argv, **options):
        return self.stops(fault, pattern, "rag-eval", "answers", *argv, **options)

    def test_usage(self):
        self.write("a.tsv", "1\tx\n")
        self.refused("--gold", "a.tsv")
        self.refused("standard input can be read once", "-", "--gold", "-")
        self.refused("no case has this field", "a.tsv", "--gold", "a.tsv", "--by", "kind")

    def test_files(self):
        self.write("gold.jsonl", kit.jsonl(*GOLD))
        self.write("bad.jsonl", b'{"id":1,"answer":"x"}\n{"id":1}\n')
        self.stopped("duplicate", r"bad\.jsonl:2: query '1' comes twice", "bad.jsonl", "--gold", "gold.jsonl")
        self.write("other.jsonl", kit.jsonl({"id": "z", "answer": "x"}))
        self.stopped("no_overlap", "no answer to any case", "other.jsonl", "--gold", "gold.jsonl")
        self.refused("nothing.jsonl", "nothing.jsonl", "--gold", "gold.jsonl")
        self.stopped("empty", "no answer in it", "-", "--gold", "gold.jsonl", stdin=b"")


if __name__ == "__main__":
    kit.main()
