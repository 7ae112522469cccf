"""dpp-select train as a user runs it: what it learns, what it writes, how it goes on after a kill, and bad input."""

import json
import signal
import subprocess
import time

import kit

SMALL = ["--epochs", "3", "--negatives", "8", "--width", "8", "--rate", "0.01", "--threads", "1"]


class Case(kit.Case):
    def setUp(self):
        super().setUp()
        self.make(240)

    def make(self, questions):
        for part in ("train", "test"):
            self.write(f"{part}.jsonl", self.ok("dpp-select", "synthetic", "--part", part, "--questions", str(questions), "--seed", "3").stdout)

    def train(self, *argv, out="a.padp", **options):
        return self.records("dpp-select", "train", "--candidates", "train.jsonl", "--out", out, *SMALL, *argv, **options)

    def rows(self, name="train.jsonl"):
        return kit.records(self.path(name).read_bytes())

    def edit(self, change, name="train.jsonl"):
        """The rows of a file, each changed in place or dropped (None)."""
        rows = [change(row) for row in self.rows(name)]
        self.write(name, kit.jsonl(*[row for row in rows if row]))


def value(measures, run, measure="nDCG@10", **where):
    found = [m for m in measures if m["run"] == run and m["measure"] == measure and m.get("group") == where.get("group")]
    return found[0]


class Learning(Case):
    def test_adapter_beats_the_input_order_and_spread_alone_loses(self):
        self.make(900)
        measures = self.train("--test", "test.jsonl", "--report", "r.json", "--epochs", "8", "--width", "16")
        top = value(measures, "top")["value"]
        self.assertLess(value(measures, "base")["value"], 0.5 * top)
        gain = value(measures, "adapter - top", "recall@4")
        self.assertGreater(gain["value"], 0.2)
        self.assertGreater(gain["low"], 0)
        self.assertAlmostEqual(value(measures, "adapter")["value"] - top, value(measures, "adapter - top")["value"])
        self.assertEqual({m.get("group") for m in measures}, {None, "2", "3", "4", "unseen"}, "no test chunk is in training")
        report = json.loads(self.path("r.json").read_text())
        self.assertEqual(len(report["epochs"]), 8)
        self.assertEqual(report["settings"]["loss"], "dml")
        self.assertGreater(report["epochs"][-1]["margin"], report["epochs"][0]["margin"])

        hits = {}
        for adapter in ([], ["--adapter", "a.padp"]):
            done = self.ok("dpp-select", "-k", "4", *adapter, stdin=self.path("test.jsonl").read_bytes())
            gold = {r["query_id"]: set(r["gold_evidence"]) for r in self.rows("test.jsonl") if r["type"] == "case"}
            hits[bool(adapter)] = sum(r["evidence_id"] in gold[r["query_id"]] for r in self.check_records(done.stdout, "hit"))
        self.assertGreater(hits[True], 1.5 * hits[False])

    def test_same_seed_same_bytes(self):
        for name, argv in {"a": [], "b": ["--threads", "3"], "c": ["--seed", "9"]}.items():
            self.train(*argv, out=name)
        a, b, c = (self.path(name).read_bytes() for name in "abc")
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)

    def test_every_setting_trains(self):
        for argv in (["--loss", "nll"], ["--theta", "0"], ["--fixed-quality"], ["--quality-only"], ["--blind"], ["--normalise"], ["--activation", "gelu"],
                     ["--negative-kind", "uniform"], ["--negative-kind", "near"], ["--margin", "0", "--tau", "0.5"], ["--split", "disjoint"]):
            with self.subTest(argv):
                measures = self.train(*argv, "--epochs", "1")
                self.assertGreater(value(measures, "adapter")["queries"], 10)
                if argv in (["--blind"], ["--fixed-quality"]):
                    self.ok("dpp-select", "--adapter", "a.padp", stdin=self.path("test.jsonl").read_bytes())

    def test_disjoint_split_has_no_seen_evidence(self):
        groups = {m.get("group") for m in self.train("--split", "disjoint", "--epochs", "1")}
        self.assertNotIn("seen", groups)
        self.assertIn("unseen", groups)

    def test_goes_on_after_a_kill(self):
        argv = ["--epochs", "6"]
        whole = self.train(*argv, out="whole")
        command = [kit.binary("dpp-select"), "train", "--candidates", "train.jsonl", "--out", "cut", *SMALL, *argv, "--checkpoint", "state"]
        for number in (signal.SIGKILL, signal.SIGINT):
            process = subprocess.Popen(command, cwd=self.dir, env=kit.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            end = time.monotonic() + 60
            while not self.path("state").exists() and process.poll() is None and time.monotonic() < end:
                time.sleep(0.005)
            process.send_signal(number)
            process.wait()
        self.assertEqual(self.train(*argv, "--checkpoint", "state", out="cut"), whole)
        self.assertEqual(self.path("cut").read_bytes(), self.path("whole").read_bytes())
        self.refuses(2, "other examples or settings", "dpp-select", "train", "--candidates", "train.jsonl", "--out", "x", *SMALL, "--seed", "5",
                     "--checkpoint", "state")
        self.write("state", b"RAGTRAIN and no more than this")
        self.refuses(2, "state: not a checkpoint", "dpp-select", "train", "--candidates", "train.jsonl", "--out", "x", *SMALL, "--checkpoint", "state")

    def test_words_are_a_model_too(self):
        self.edit(lambda row: {k: v for k, v in row.items() if k != "vector"} | ({"text": f"{row['text']} of set {row['rank'] % 5}"} if row["type"] == "hit" else {}))
        self.train()
        found = self.records("dpp-select", "--adapter", "a.padp", stdin=self.path("train.jsonl").read_bytes(), kind="end")
        self.assertGreater(len(found), 10)
        self.refuses(2, "64 dimensions|of ''|'words-512'|takes vectors of 512", "dpp-select", "--adapter", "a.padp", stdin=self.path("test.jsonl").read_bytes())


class BadInput(Case):
    def refused(self, pattern, *argv):
        self.refuses(2, pattern, "dpp-select", "train", "--candidates", "train.jsonl", "--out", "x.padp", *SMALL, *argv)
        self.assertFalse(self.path("x.padp").exists())

    def test_no_gold(self):
        self.edit(lambda row: row if row["type"] != "case" else None)
        self.refused("no gold evidence: give --gold FILE")

    def test_gold_in_a_file_of_its_own(self):
        cases = [r for r in self.rows() if r["type"] == "case"]
        self.write("gold.jsonl", kit.jsonl(*cases[: len(cases) // 2]))
        self.edit(lambda row: row if row["type"] != "case" else None)
        done = self.ok("dpp-select", "train", "--candidates", "train.jsonl", "--gold", "gold.jsonl", "--out", "a.padp", *SMALL)
        self.assertRegex(done.errors, f"{len(cases) - len(cases) // 2} without gold")

    def test_gold_of_other_queries(self):
        self.edit(lambda row: row | {"query_id": "x" + row["query_id"]} if row["type"] == "case" else row)
        self.refused("query_ids of hits and cases must agree")

    def test_gold_outside_the_pool(self):
        self.edit(lambda row: row | {"gold_evidence": ["elsewhere-1", "elsewhere-2"]} if row["type"] == "case" else row)
        self.refused("none of [0-9]+ training queries has two gold candidates")

    def test_another_model(self):
        def of(model):
            return lambda row: row | {"vector": {"model": model, "data": row["vector"]}} if row["type"] == "hit" else row

        self.edit(of("static-64@1"))
        self.edit(of("minilm@2"), "test.jsonl")
        self.train()
        self.refuses(2, "trained on vectors of 'static-64@1', these are of 'minilm@2'", "dpp-select", "--adapter", "a.padp",
                     stdin=self.path("test.jsonl").read_bytes())
        self.refused("not of the model of the candidates", "--test", "test.jsonl")

    def test_dimensions_that_differ_between_queries(self):
        seen = []

        def shorten(row):
            if row["type"] == "query":
                seen.append(row["query_id"])
            return row | {"vector": [1.0, 2.0, float(row["rank"])]} if row["type"] == "hit" and len(seen) == 2 else row

        self.edit(shorten)
        self.refused("its vectors have 3 dimensions.*those before have 64")

    def test_queries_without_vectors(self):
        test = self.path("test.jsonl").read_bytes()
        self.train()
        blind = [{k: v for k, v in r.items() if k != "vector" or r["type"] != "query"} for r in kit.records(test)]
        self.refuses(2, "needs the query's vector", "dpp-select", "--adapter", "a.padp", stdin=kit.jsonl(*blind))
        self.edit(lambda row: {k: v for k, v in row.items() if k != "vector"} if row["type"] == "query" else row)
        done = self.ok("dpp-select", "train", "--candidates", "train.jsonl", "--out", "b.padp", *SMALL)
        self.assertIn("some queries have no vectors: the adapter will not see the query", done.errors)
        self.ok("dpp-select", "--adapter", "b.padp", stdin=kit.jsonl(*blind))

    def test_query_vector_of_other_dimensions(self):
        self.edit(lambda row: row | {"vector": [1.0, 2.0]} if row["type"] == "query" else row)
        self.refused("its vector has 2 dimensions, those of its hits have 64")

    def test_not_an_adapter(self):
        self.train()
        broken = bytearray(self.path("a.padp").read_bytes())
        broken[200] ^= 1
        self.write("broken.padp", bytes(broken))
        test = self.path("test.jsonl").read_bytes()
        self.refuses(2, "broken.padp: the adapter's checksum does not fit", "dpp-select", "--adapter", "broken.padp", stdin=test)
        self.refuses(2, "train.jsonl: not an adapter", "dpp-select", "--adapter", "train.jsonl", stdin=test)
        self.refuses(2, "no.padp", "dpp-select", "--adapter", "no.padp", stdin=test)
        self.refuses(2, "trained for dpp, not for mmr", "dpp-select", "--adapter", "a.padp", "--method", "mmr", stdin=test)

    def test_no_candidates_file(self):
        self.refuses(2, "candidates", "dpp-select", "train", "--out", "x.padp")
        self.refuses(2, "nowhere", "dpp-select", "train", "--candidates", "nowhere", "--out", "x.padp")


class Gradients(kit.Case):
    def test_gradcheck(self):
        checks = self.records("dpp-select", "gradcheck", "--entries", "60")
        self.assertEqual(len(checks), 16)
        self.assertLess(max(check["value"] for check in checks), 1e-6)


if __name__ == "__main__":
    kit.main()
