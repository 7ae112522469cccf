"""dpp-select as a user runs it: streams of many queries, limits, every method, and input that is bad.

Names that begin with another project's are lessons from its issues.
"""

import base64
import random
import struct
import xml.etree.ElementTree

import kit

METHODS = ["dpp", "mmr", "msd", "ssd", "facility", "cover", "xquad", "top"]


def packed(values):
    return base64.b64encode(struct.pack(f"<{len(values)}f", *values)).decode()


def hit(rank, vector=None, query="q1", score=None, **members):
    row = {"type": "hit", "query_id": query, "rank": rank, "score": 100.0 - rank if score is None else score, "method": "bm25",
           "evidence_id": f"d{rank}#0-9@0123456789ab", "document_id": f"d{rank}", "text": f"text number {rank}"}
    if vector is not None:
        row["vector"] = vector
    return row | members


def group(hits, query="q1", **members):
    return [{"type": "query", "query_id": query, "query": "what is it"} | members, *hits,
            {"type": "end", "query_id": query, "hits": len(hits), "complete": True, "stop_reason": "top"}]


def directions(count, width=4, seed=1):
    """Vectors near `width` directions, so that many repeat one another."""
    made = random.Random(seed)
    return [[made.gauss(0, 0.05) + (2 if d == i * 7 % width else 0) for d in range(width)] for i in range(count)]


class Case(kit.Case):
    def select(self, rows, *argv, **options):
        return self.records("dpp-select", *argv, stdin=kit.jsonl(*rows), **options)

    def ranks(self, rows, *argv, **options):
        """What was chosen, by the documents' first-stage ranks."""
        return [int(r["document_id"][1:]) for r in self.select(rows, *argv, **options) if r["type"] == "hit"]


class Choosing(Case):
    def test_copies_are_not_chosen(self):
        rows = group([hit(i + 1, vector) for i, vector in enumerate(directions(12))])
        found = self.select(rows, "-k", "4")
        self.assertEqual([r["type"] for r in found], ["query", *["hit"] * 4, "end"])
        chosen = [r for r in found if r["type"] == "hit"]
        self.assertEqual([r["rank"] for r in chosen], [1, 2, 3, 4])
        self.assertEqual({int(r["document_id"][1:]) % 4 for r in chosen}, {0, 1, 2, 3}, "one of each direction")
        self.assertEqual(chosen[0]["scores"]["bm25"], {"score": 99.0, "rank": 1}, "the search stays to be seen")
        self.assertEqual(chosen[1]["scores"]["dpp"]["rank"], 2)
        self.assertEqual(chosen[0]["score"], 99.0)
        self.assertEqual((found[-1]["hits"], found[-1]["candidates"], found[-1]["stop_reason"]), (4, 12, "top"))

    def test_diversity_0_is_the_input_order_in_every_method(self):
        rows = group([hit(i + 1, vector) for i, vector in enumerate(directions(20))], rewrites=["text number"])
        for method in METHODS:
            with self.subTest(method):
                self.assertEqual(self.ranks(rows, "-k", "20", "--method", method, "--diversity", "0"), list(range(1, 21)))

    def test_haystack_mmr_lambda_goes_one_way(self):
        """OpenSearch and Elasticsearch turn the same name in opposite directions; ours means spread in every method."""
        rows = group([hit(i + 1, vector) for i, vector in enumerate(directions(12))])
        for method in ["dpp", "mmr", "msd", "ssd", "facility", "cover"]:
            with self.subTest(method):
                repeats = [len(set(r % 4 for r in self.ranks(rows, "-k", "4", "--method", method, "--diversity", x))) for x in ("0", "1")]
                self.assertLessEqual(*repeats)
                self.assertEqual(repeats[1], 4)

    def test_theta_is_a_diversity(self):
        rows = group([hit(i + 1, vector) for i, vector in enumerate(directions(12, 6))])
        self.assertEqual(self.ranks(rows, "--theta", "3"), self.ranks(rows, "--diversity", "0.25"))
        self.refuses(2, "diversity", "dpp-select", "--theta", "1", "--diversity", "1", stdin=b"")

    def test_vectors_in_every_form(self):
        vectors = directions(8)
        forms = [vectors, [packed(v) for v in vectors], [{"model": "m", "data": packed(v)} for v in vectors],
                 [{"model": "m", "data": v} for v in vectors]]
        chosen = [self.ranks(group([hit(i + 1, v) for i, v in enumerate(form)]), "-k", "4") for form in forms]
        self.assertEqual(len(set(map(tuple, chosen))), 1)

    def test_words_stand_in_for_vectors(self):
        texts = ["cats purr at night", "cats purr at night.", "Cats purr, at night", "dogs bark by day", "fish are silent"]
        found = self.select(group([hit(i + 1, text=text) for i, text in enumerate(texts)]), "-k", "3")
        self.assertEqual([r["text"] for r in found if r["type"] == "hit"], [texts[0], texts[3], texts[4]])
        self.assertRegex(found[-1]["warnings"][0], "words were compared")
        rows = group([hit(i + 1, [1, 0], text=text) for i, text in enumerate(texts)])
        self.assertEqual(self.ranks(rows, "-k", "3", "--vectors", "text"), [1, 4, 5])

    def test_xquad_covers_rewrites_and_entities(self):
        texts = ["refund within days", "refund in some days", "shipping costs more", "about Kay Company"]
        rows = group([hit(i + 1, text=text, score=10 - i * 0.1) for i, text in enumerate(texts)], rewrites=["refund days", "shipping costs"],
                     entities=["Kay Company"])
        self.assertEqual(set(self.ranks(rows, "-k", "3", "--method", "xquad", "--diversity", "0.9")), {1, 3, 4})
        found = self.select(group([hit(1), hit(2)]), "--method", "xquad")
        self.assertRegex(" ".join(found[-1]["warnings"]), "neither rewrites nor entities")

    def test_quality_of_an_arm(self):
        rows = group([hit(i, [1, 0, 0.1 * i], scores={"rerank": {"score": float(i), "rank": 6 - i}}) for i in range(1, 6)])
        self.assertEqual(self.ranks(rows, "-k", "5", "--quality", "rerank", "--diversity", "0"), [5, 4, 3, 2, 1])
        self.refuses(2, "no 'dense' among its scores", "dpp-select", "--quality", "dense", stdin=kit.jsonl(*rows))

    def test_scores_that_do_not_descend_give_way_to_ranks(self):
        rows = group([hit(i, [1, 0.2 * i], score=[3, 9, 1, 7][i - 1]) for i in range(1, 5)])
        found = self.select(rows, "--diversity", "0")
        self.assertEqual([r["document_id"] for r in found if r["type"] == "hit"], ["d1", "d2", "d3", "d4"])
        self.assertRegex(found[-1]["warnings"][0], "ranks were taken")

    def test_window(self):
        rows = group([hit(i + 1, vector) for i, vector in enumerate(directions(16))])
        self.assertEqual({r % 4 for r in self.ranks(rows, "-k", "4", "--window", "3", "--diversity", "0.9")}, {0, 1, 2, 3})
        self.assertEqual(len(self.ranks(rows, "-k", "16", "--window", "2")), 16)
        self.refuses(2, "mmr has none", "dpp-select", "--method", "mmr", "--window", "2", stdin=kit.jsonl(*rows))

    def test_explain(self):
        rows = group([hit(i + 1, vector) for i, vector in enumerate(directions(6))])
        found = self.select(rows, "explain", "-k", "3")
        hits = [r for r in found if r["type"] == "hit"]
        self.assertEqual([h["explain"]["chosen"] for h in hits], [True] * 3 + [False] * 3)
        self.assertNotIn("nearest", hits[0]["explain"])
        self.assertIn(hits[5]["explain"]["nearest"], [h["evidence_id"] for h in hits[:3]])
        self.assertGreater(found[-1]["stats"]["coverage"], found[-1]["stats"]["redundancy"])
        self.assertEqual([h["explain"]["chosen"] for h in self.select(rows, "-k", "2", "--explain") if h["type"] == "hit"], [True, True])

    def test_picture(self):
        rows = group([hit(i + 1, vector, title="A & B") for i, vector in enumerate(directions(12, 6))])
        for layout in ("pca", "tsne"):
            self.select(rows, "explain", "-k", "3", "--picture", "p.svg", "--layout", layout)
            picture = xml.etree.ElementTree.parse(self.path("p.svg")).getroot()
            circles = [e for e in picture.iter() if e.tag.endswith("circle")]
            self.assertEqual((len(circles), sum(c.get("r") == "8" for c in circles)), (12, 3))
            self.assertEqual(circles[0][0].text, "1: A & B")
        self.select(group([]), "explain", "--picture", "none.svg", status=1)

    def test_text_for_people(self):
        rows = group([hit(i + 1, vector, text="say \x1b[31mred") for i, vector in enumerate(directions(4))])
        done = self.ok("dpp-select", "-k", "2", "--format", "text", stdin=kit.jsonl(*rows))
        self.assertRegex(done.text, r"^1  d1  ")
        shown = kit.terminal(["dpp-select"])
        self.assertEqual(shown.status, 2)
        self.assertIn("rag-search -k 100", shown.text)


class Limits(Case):
    def rows(self):
        return group([hit(i + 1, vector, metadata={"source": f"s{i % 3}"}, document_id=f"d{i // 4}", text="word " * (3 + i % 5))
                      for i, vector in enumerate(directions(16, 8))])

    def test_per_document_and_per_field(self):
        hits = [r for r in self.select(self.rows(), "-k", "16", "--per-document", "2") if r["type"] == "hit"]
        self.assertEqual(sorted(h["document_id"] for h in hits), ["d0"] * 2 + ["d1"] * 2 + ["d2"] * 2 + ["d3"] * 2)
        found = self.select(self.rows(), "-k", "16", "--per-field", "source=1")
        self.assertEqual(len({h["metadata"]["source"] for h in found[1:-1]}), len(found) - 2)
        self.assertEqual(found[-1]["stop_reason"], "limits")
        self.refuses(2, "as in source=2", "dpp-select", "--per-field", "source", stdin=b"")

    def test_max_tokens(self):
        found = self.select(self.rows(), "--max-tokens", "14")
        hits = [r for r in found if r["type"] == "hit"]
        self.assertLessEqual(sum(len(h["text"].split()) for h in hits), 14)
        self.assertGreaterEqual(len(hits), 3)

    def test_required_ids_come_first(self):
        wanted = "d13#0-9@0123456789ab"
        found = self.select(self.rows(), "-k", "3", "--require", wanted, "--require", "no#0-1@0123456789ab")
        self.assertEqual([r["evidence_id"] for r in found if r["type"] == "hit"][0], wanted)
        self.assertEqual(found[-1]["warnings"], ["required but not among the candidates: no#0-1@0123456789ab"])

    def test_fewer_candidates_than_k(self):
        rows = group([hit(1, [1, 2])])
        found = self.select(rows, "-k", "8")
        self.assertEqual((found[-1]["hits"], found[-1]["stop_reason"]), (1, "exhausted"))

    def test_all_identical(self):
        rows = group([hit(i, [1, 2, 3], score=5) for i in range(1, 9)])
        for method in ["dpp", "mmr", "msd", "ssd", "facility", "cover"]:
            self.assertEqual(self.ranks(rows, "-k", "8", "--method", method), list(range(1, 9)), method)
        self.assertEqual(self.ranks(rows, "-k", "8", "--method", "top"), [1])


class Streams(Case):
    def test_many_queries_keep_apart(self):
        rows = []
        for q in range(5):
            rows += group([hit(i + 1, v, query=f"q{q}") for i, v in enumerate(directions(10, seed=q))], query=f"q{q}")
        found = self.select(rows, "-k", "3")
        self.assertEqual([r["query_id"] for r in found if r["type"] == "end"], [f"q{q}" for q in range(5)])
        self.assertEqual([r["query_id"] for r in found if r["type"] == "hit"], [f"q{q}" for q in range(5) for _ in range(3)])

    def test_a_query_without_hits_is_no_error(self):
        found = self.select(group([], query="a") + group([hit(1, [1], query="b")], query="b"))
        self.assertEqual([r["type"] for r in found], ["query", "end", "query", "hit", "end"])
        self.assertEqual(self.select(group([]), status=1)[-1]["hits"], 0)

    def test_other_records_pass_byte_for_byte(self):
        other = '{"type":"note",  "z":1,"a":[1.50]}'
        stdin = other.encode() + b"\n" + kit.jsonl(*group([hit(1, [1])])) + other.encode() + b"\n"
        lines = self.ok("dpp-select", stdin=stdin).text.splitlines()
        self.assertEqual((lines[0], lines[-1]), (other, other))

    def test_unknown_members_are_kept(self):
        found = self.select(group([hit(1, [1], page=3, mine={"x": 1})]))
        self.assertEqual((found[1]["page"], found[1]["mine"], found[1]["vector"]), (3, {"x": 1}, [1]))

    def test_repeated_evidence_counts_once(self):
        found = self.select(group([hit(1, [1, 0]), hit(1, [1, 0], score=50), hit(2, [0, 1], score=40)]))
        self.assertEqual((found[-1]["hits"], found[-1]["skipped"]), (2, {"duplicate": 1}))

    def test_a_cut_stream_is_an_error(self):
        rows = group([hit(1, [1, 0])])[:-1]
        self.refuses(2, "no end record.*--no-end", "dpp-select", stdin=kit.jsonl(*rows))
        self.assertEqual(self.ranks(rows, "--no-end"), [1])

    def test_two_equal_runs_give_equal_bytes(self):
        rows = kit.jsonl(*group([hit(i + 1, v) for i, v in enumerate(directions(40, 16))]))
        for method in METHODS:
            self.assertEqual(len({self.ok("dpp-select", "--method", method, stdin=rows).stdout for _ in range(2)}), 1)

    def test_behind_a_search(self):
        self.write("docs/a.md", "# Refunds\n\nA refund takes 30 days.\n\n# More refunds\n\nA refund takes 30 days, always.\n\n# Limits\n\nNo refund above 100.\n")
        self.ok("rag-index", "build", "-i", "x.idx", "docs")
        done = kit.shell("rag-search -i x.idx -k 100 refund | dpp-select -k 2", cwd=self.dir)
        found = self.check_records(done.stdout)
        self.assertGreaterEqual(len(found), 3)
        self.assertEqual(done.status, 0)


class Sampling(Case):
    def rows(self):
        return group([hit(i + 1, vector) for i, vector in enumerate(directions(12, 6))])

    def test_draws_are_groups_and_repeat_by_seed(self):
        found = self.select(self.rows(), "sample", "-k", "3", "--draws", "4", "--seed", "7")
        self.assertEqual([r["query_id"] for r in found if r["type"] == "end"], ["q1/1", "q1/2", "q1/3", "q1/4"])
        self.assertEqual([r["hits"] for r in found if r["type"] == "end"], [3] * 4)
        runs = [self.ok("dpp-select", "sample", "-k", "3", "--draws", "9", "--seed", seed, stdin=kit.jsonl(*self.rows())).stdout for seed in ("7", "7", "8")]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_sets_of_any_size(self):
        ends = [r for r in self.select(self.rows(), "sample", "--any-size", "--draws", "40") if r["type"] == "end"]
        self.assertGreater(len({r["hits"] for r in ends}), 2)

    def test_a_set_larger_than_the_rank(self):
        found = self.select(self.rows(), "sample", "-k", "9", "--jitter", "0")
        self.assertEqual(found[-1]["hits"], 6)
        self.assertRegex(found[-1]["warnings"][0], "span 6 directions: sets of 6")

    def test_no_diversity_is_no_sample(self):
        self.refuses(2, "a sample needs some", "dpp-select", "sample", "--diversity", "0", stdin=b"")


class BadInput(Case):
    def refused(self, pattern, *hits):
        rows = kit.jsonl(*group(list(hits)))
        self.refuses(2, pattern, "dpp-select", stdin=rows)
        return rows

    def test_missing_here_and_there(self):
        rows = self.refused("standard input:3: the hit has no vector, others have.*--vectors", hit(1, [1, 0]), hit(2))
        found = self.records("dpp-select", "--skip-bad", stdin=rows, status=4)
        self.assertEqual(found[-1]["hits"], 1)

    def test_mixed_dimensions(self):
        self.refused("standard input:3: the vector has 3 dimensions, those before it have 2", hit(1, [1, 0]), hit(2, [1, 0, 0]))

    def test_mixed_models(self):
        self.refused("of model 'b', those before it of 'a'", hit(1, {"model": "a", "data": [1]}), hit(2, {"model": "b", "data": [1]}))

    def test_zero_and_nan(self):
        self.refused("all zeros", hit(1, [0, 0.0]))
        self.refused("NaN", hit(1, packed([1, float("nan")])))
        self.refused("NaN or infinity", hit(1, [1e300, 1]))

    def test_no_vector_at_all_of_some_form(self):
        self.refused("base64 of 4-byte floats", hit(1, "@@@@"))
        self.refused("the vector is empty", hit(1, []))

    def test_not_json(self):
        self.refuses(2, "standard input:1: ", "dpp-select", stdin=b"{\"type\":\n")
        self.assertEqual(self.run_tool("dpp-select", "--skip-bad", stdin=b"{\"type\":\n").status, 4)

    def test_unknown_method(self):
        self.refuses(2, "dpp, mmr", "dpp-select", "--method", "mrm", stdin=b"")

    def test_null_score(self):
        found = self.select(group([hit(1, [1, 0], score=None) | {"score": None}, hit(2, [0, 1])]), "--diversity", "0")
        self.assertEqual([r["rank"] for r in found if r["type"] == "hit"], [1, 2])


if __name__ == "__main__":
    kit.main()
