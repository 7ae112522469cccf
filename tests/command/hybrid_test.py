"""Vectors in the index and hybrid search, as users run them."""

import base64
import struct

import kit

INDEX = "x.idx"
MODEL = {"RAGLINE_MODEL": "ragline-static"}

NOTES = {
    "refund.md": "# Refunds\n\nCustomers get their money back within thirty days of the purchase.\n",
    "shipping.md": "# Shipping\n\nParcels leave the warehouse on the next working day.\n",
    "garden.md": "# Garden\n\nTomatoes want sun, water and a stick to climb.\n",
    "code.md": "# Interface\n\nCall updateOrderStatus(order_id) when a parcel leaves; version 1.0.21 is needed.\n",
    "near.md": "# Near misses\n\nUpdate the order status by hand. The order was updated. Status orders follow version 1.0.2.\n",
}


class Hybrid(kit.Case):
    def notes(self, **options):
        for name, text in NOTES.items():
            self.write(name, text)
        return self.records("rag-index", "build", "-i", INDEX, *NOTES, env=MODEL, **options)[-1]

    def search(self, *argv, **options):
        return self.records("rag-search", "-i", INDEX, *argv, kind="hit", **options)


class BuiltIn(Hybrid):
    def test_meaning_is_found_without_a_shared_word(self):
        self.notes()
        self.assertEqual(self.search("reimbursement", "--mode", "sparse", status=1), [])
        hits = self.search("reimbursement")
        self.assertEqual(hits[0]["path"], "refund.md")
        self.assertEqual(hits[0]["method"], "hybrid")
        self.assertEqual(hits[0]["scores"]["dense"]["rank"], 1)
        self.assertNotIn("bm25", hits[0]["scores"])

    def test_both_arms_and_signals_are_shown(self):
        self.notes()
        hit = self.search("parcels warehouse")[0]
        self.assertEqual(hit["path"], "shipping.md")
        self.assertEqual(set(hit["scores"]), {"bm25", "dense", "fused", "window", "title", "pairs", "exact"})
        self.assertNotIn("rank", hit["scores"]["window"])
        plain = self.search("parcels warehouse", "--signals", "off")[0]
        self.assertEqual(set(plain["scores"]), {"bm25", "dense", "fused"})
        self.assertAlmostEqual(plain["score"], plain["scores"]["fused"]["score"])

    def test_dense_alone(self):
        self.notes()
        hits = self.search("how do I get my money back", "--mode", "dense", "-k", "2")
        self.assertEqual((hits[0]["path"], hits[0]["method"]), ("refund.md", "dense"))
        self.assertEqual(len(hits), 2)
        self.assertLess(hits[0]["score"], 1)

    def test_exact_identifiers_are_never_buried(self):
        self.notes()
        for name in ("updateOrderStatus", "order_id", "1.0.21", "which version is 1.0.21", "update updateOrderStatus order status"):
            for fusion in ("z2", "z", "minmax", "rrf"):
                with self.subTest(query=name, fusion=fusion):
                    self.assertEqual(self.search(name, "--fusion", fusion)[0]["path"], "code.md")

    def test_vectors_go_on_to_dpp_select(self):
        self.notes()
        found = self.records("rag-search", "-i", INDEX, "order status of a parcel", "--vectors")
        query, hits = found[0], found[1:-1]
        self.assertEqual({hit["vector"]["model"] for hit in hits}, {query["vector"]["model"]})
        one, row = (list(struct.unpack("<256f", base64.b64decode(record["vector"]["data"]))) for record in (query, hits[0]))
        self.assertAlmostEqual(sum(a * b for a, b in zip(one, row)), hits[0]["scores"]["dense"]["score"], places=3)
        lines = kit.jsonl(*found)
        chosen = self.records("dpp-select", "-k", "2", kind="hit", stdin=lines)
        self.assertEqual(len(chosen), 2)
        self.assertEqual(self.records("dpp-select", "-k", "2", stdin=lines)[-1].get("warnings", []), [])
        self.ok("rag-index", "build", "-i", "none.idx", "code.md")
        self.refuses(2, "--vectors: the index has none", "rag-search", "-i", "none.idx", "x", "--vectors")

    def test_filters_and_musts_hold_for_both_arms(self):
        self.notes()
        self.assertEqual({hit["path"] for hit in self.search("money back", "--path-glob", "garden.md")}, {"garden.md"})
        self.assertEqual({hit["path"] for hit in self.search("+warehouse money")}, {"shipping.md"})
        self.assertNotIn("refund.md", {hit["path"] for hit in self.search("money -customers")})

    def test_weights_reach_from_words_to_meaning(self):
        self.notes()
        words = [hit["path"] for hit in self.search("order parcel", "--dense-weight", "0", "--signals", "off") if "bm25" in hit["scores"]]
        self.assertEqual(words, [hit["path"] for hit in self.search("order parcel", "--mode", "sparse")])
        meaning = [hit["path"] for hit in self.search("order parcel", "--dense-weight", "1", "--signals", "off", "-k", "2")]
        self.assertEqual(meaning, [hit["path"] for hit in self.search("order parcel", "--mode", "dense", "-k", "2")])

    def test_pages_and_trec_runs_are_pieces_of_one_list(self):
        self.notes()
        whole = [hit["path"] for hit in self.search("order status", "-k", "4")]
        self.assertEqual(whole[2:], [hit["path"] for hit in self.search("order status", "-k", "2", "--offset", "2")])
        run = self.ok("rag-search", "-i", INDEX, "order status", "-k", "4", "--trec", "t").text.splitlines()
        scores = [float(line.split()[4]) for line in run]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual([line.split()[2] for line in run], whole)

    def test_later_builds_keep_the_vectors(self):
        self.notes()
        self.write("garden.md", "# Garden\n\nRoses want a sharp pair of scissors.\n")
        end = self.records("rag-index", "build", "-i", INDEX)[-1]
        self.assertEqual((end["updated"], end["unchanged"]), (1, 4))
        self.ok("rag-index", "merge", "-i", INDEX)
        self.ok("rag-index", "check", "-i", INDEX)
        hits = self.search("pruning flowers", "--mode", "dense", "-k", "9")
        self.assertEqual(hits[0]["path"], "garden.md")
        self.assertEqual(len(hits), 5)

    def test_an_index_without_vectors_stays_without(self):
        self.write("a.md", "words\n")
        self.ok("rag-index", "build", "-i", INDEX, ".", "--model", "none")
        self.ok("rag-index", "build", "-i", INDEX, env={"RAGLINE_MODEL": ""})
        self.assertEqual(self.search("words")[0]["method"], "bm25")
        self.refuses(2, "--mode hybrid: there are no vectors to search: build the index with rag-index build --model",
                     "rag-search", "-i", INDEX, "words", "--mode", "hybrid")

    def test_a_model_given_later_has_every_file_read_again(self):
        self.write("a.md", "words\n")
        self.write("b.md", "garden\n")
        self.ok("rag-index", "build", "-i", INDEX, ".", "--model", "none")
        end = self.records("rag-index", "build", "-i", INDEX, "--model", "ragline-static")[-1]
        self.assertEqual(end["updated"], 2)
        self.assertEqual(len(self.search("words", "--mode", "dense")), 2)

    def test_no_model_and_another_model_are_refused(self):
        self.notes()
        self.refuses(2, "--model none: the index has vectors of '", "rag-index", "build", "-i", INDEX, "--model", "none")
        self.refuses(2, "no model 'minilmm'", "rag-search", "-i", INDEX, "x", "--model", "minilmm")

    def test_a_query_of_nothing_known_is_searched_by_words(self):
        self.notes()
        self.search("\u2603", status=1)


class OfRecords(Hybrid):
    ROWS = [
        {"type": "chunk", "document_id": "a", "ordinal": 0, "bytes": [0, 5], "text": "north", "vector": [1, 0, 0]},
        {"type": "chunk", "document_id": "b", "ordinal": 0, "bytes": [0, 4], "text": "east", "vector": [0, 2, 0]},
        {"type": "chunk", "document_id": "c", "ordinal": 0, "bytes": [0, 7], "text": "nowhere"},
    ]

    def build(self, rows, **options):
        return self.records("rag-index", "build", "-i", INDEX, "-", stdin=kit.jsonl(*rows), env={"RAGLINE_MODEL": ""}, **options)

    def test_vectors_that_come_with_records_are_searched_by_vectors_that_come_with_queries(self):
        self.build(self.ROWS)
        self.write("q.jsonl", kit.jsonl({"type": "query", "query_id": "1", "query": "x", "vector": [0.1, 0.9, 0]}))
        hits = self.records("rag-search", "-i", INDEX, "--queries", "q.jsonl", "--mode", "dense", kind="hit")
        self.assertEqual([hit["document_id"] for hit in hits], ["b", "a"])
        self.assertAlmostEqual(hits[0]["scores"]["dense"]["score"], 0.9 / (0.01 + 0.81) ** 0.5, places=3)

    def test_text_alone_falls_back_to_words_and_says_so(self):
        self.build(self.ROWS)
        done = self.ends(0, "rag-search", "-i", INDEX, "north")
        self.assertIn("searching by words alone: the vectors of this index came with its records", done.errors)
        self.refuses(2, "name their model with --model", "rag-search", "-i", INDEX, "north", "--mode", "dense")

    def test_wrong_vectors_are_named(self):
        def with_vector(vector):
            return self.ROWS[:1] + [{**self.ROWS[1], "vector": vector}]

        for vector, message in (([1, 0], "a vector of 2 values among vectors of 3"), ([0, 0, 0], "document 'b', chunk 0: .*zero"),
                                ("??", "document 'b', chunk 0"), ({"model": "m", "data": [1, 0, 0]}, "a vector of 'm' among vectors of 'external'")):
            with self.subTest(vector=vector):
                self.refuses(2, message, "rag-index", "build", "-i", "y.idx", "-", stdin=kit.jsonl(*with_vector(vector)),
                             env={"RAGLINE_MODEL": ""})

    def test_a_query_vector_of_another_length_is_refused(self):
        self.build(self.ROWS)
        self.write("q.jsonl", kit.jsonl({"type": "query", "query_id": "1", "query": "x", "vector": [1, 0]}))
        self.refuses(2, "the query's vector has 2 values, the index's have 3", "rag-search", "-i", INDEX, "--queries", "q.jsonl", "--mode", "dense")


if __name__ == "__main__":
    kit.main()
