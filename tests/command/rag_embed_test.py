"""rag-embed as a user runs it: records, lines and queries in, vectors out; and what it refuses."""

import base64
import json
import struct

import embed_models
import kit


def values(record):
    data = base64.b64decode(record["vector"]["data"])
    return [round(x, 4) for x in struct.unpack(f"<{len(data) // 4}f", data)]


class Embed(kit.Case):
    def setUp(self):
        super().setUp()
        self.model = str(embed_models.write_model(self, "models/tiny"))

    def embed(self, *argv, stdin=b"", **options):
        return self.records("rag-embed", "--model", self.model, *argv, stdin=stdin, **options)

    def test_records_get_the_vector_of_their_text(self):
        lines = kit.jsonl(
            {"type": "query", "query_id": "1", "query": "Money!"},
            {"type": "hit", "query_id": "1", "rank": 1, "score": 2, "evidence_id": "a#0-6@0123456789ab", "document_id": "a", "text": "an order"},
            {"type": "end", "query_id": "1", "hits": 1, "complete": True},
            {"type": "chunk", "evidence_id": "b#0-6@0123456789ab", "document_id": "b", "title": "refund", "context": "back", "text": "x"},
            {"type": "document", "document_id": "c", "text": "parcel", "odd": [1]},
            {"type": "end", "chunks": 1, "complete": True})
        query, hit, first_end, chunk, document, end = self.embed(stdin=lines)
        self.assertEqual(values(query), [0.6, 0.8])
        self.assertEqual(values(hit), [0.8, -0.6])
        self.assertEqual(values(chunk), [0.5547, 0.8321])  # refund and back
        self.assertEqual(values(document), [0.8, -0.6])
        self.assertEqual(document["odd"], [1])
        self.assertNotIn("embedded", first_end)
        self.assertEqual(end["embedded"], 4)
        self.assertTrue(query["vector"]["model"].startswith("static:"))

    def test_records_that_nobody_knows_pass_as_they_are(self):
        line = b'{"type":"note",  "text":"money","b":1.50}\n'
        self.assertEqual(self.ok("rag-embed", "--model", self.model, stdin=line).stdout, line)

    def test_a_text_without_a_known_word_has_no_vector(self):
        chunk, end = self.embed(stdin=kit.jsonl({"type": "chunk", "evidence_id": "a#0-1@0123456789ab", "document_id": "a", "text": "\u6c34"},
                                                {"type": "end", "complete": True}))
        self.assertNotIn("vector", chunk)
        self.assertEqual((end["embedded"], end["without_vector"]), (0, 1))

    def test_lines_and_queries(self):
        first, second = self.embed("--lines", stdin="money\n\nparcel stuck\n".encode())
        self.assertEqual((first["type"], first["document_id"], values(first)), ("document", "1", [0.6, 0.8]))
        self.assertEqual(second["document_id"], "3")
        self.assertEqual([r["query"] for r in self.embed("--lines", "--role", "query", stdin=b"money\n")], ["money"])
        (query,) = self.embed("--query", "refund")
        self.assertEqual((query["type"], values(query)), ("query", [0.6, 0.8]))

    def test_rows_of_beir(self):
        (document,) = self.embed(stdin=kit.jsonl({"_id": "7", "title": "Refund", "text": "order"}))
        self.assertEqual((document["document_id"], values(document)), ("7", [0.8944, 0.4472]))

    def test_vectors_of_the_same_model_stay_and_others_go(self):
        (mine,) = self.embed("--query", "money")
        kept = dict(mine, query="parcel")
        other = dict(mine, query="parcel", vector={"model": "another", "data": mine["vector"]["data"]})
        plain = dict(mine, query="parcel", vector=[1, 2])
        self.assertEqual([values(r) for r in self.embed(stdin=kit.jsonl(kept, other, plain))],
                         [[0.6, 0.8], [0.8, -0.6], [0.8, -0.6]])

    def test_threads_and_batches_change_nothing(self):
        lines = "".join(f"{word} {other}\n" for word in embed_models.WORDS * 30 for other in embed_models.WORDS).encode()
        one = self.ok("rag-embed", "--model", self.model, "--lines", "--threads", "1", stdin=lines).stdout
        self.assertEqual(self.ok("rag-embed", "--model", self.model, "--lines", "--threads", "3", stdin=lines).stdout, one)
        self.assertEqual(one.count(b"\n"), 30 * 49)

    def test_a_matrix_goes_out_and_comes_back(self):
        lines = b"money\nunheard\nparcel\n"
        self.embed("--lines", "--npy", "v.npy", stdin=lines)
        matrix = self.path("v.npy").read_bytes()
        self.assertEqual(struct.unpack("<6f", matrix[-24:])[2:4], (0, 0))
        rows = self.records("rag-embed", "--vectors", "v.npy", "--lines", stdin=lines)
        self.assertEqual(values(rows[0]), [0.6, 0.8])
        self.assertNotIn("vector", rows[1])
        self.assertTrue(rows[2]["vector"]["model"].startswith("given:"))
        done = self.ends(2, "rag-embed", "--vectors", "v.npy", "--lines", stdin=b"money\n")
        self.assertRegex(done.errors, "3 rows, and 1 texts")
        self.refuses(2, "3 rows, and more texts", "rag-embed", "--vectors", "v.npy", "--lines", stdin=b"a\nb\nc\nd\n")
        self.write("bad.npy", "x")
        self.refuses(2, "bad.npy: this is no .npy file", "rag-embed", "--vectors", "bad.npy", "--lines", stdin=b"a\n")

    def test_models_are_found_by_name(self):
        env = {"RAGLINE_MODELS": str(self.path("models"))}
        (query,) = self.records("rag-embed", "--model", "tiny", "--query", "money", env=env)
        self.assertEqual(values(query), [0.6, 0.8])
        self.refuses(2, "no model 'large': .*tiny", "rag-embed", "--model", "large", "--query", "money", env=env)
        self.refuses(2, "no model '/nowhere'", "rag-embed", "--model", "/nowhere", "--query", "money")
        self.refuses(2, "nothing to do", "rag-embed", "--model", "none", "--query", "money")

    def test_the_built_in_model_knows_what_belongs_together(self):
        lines = b"how do I get my money back\nrefunds are paid within 30 days\nthe weather in the mountains\n"
        question, refund, weather = (values(r) for r in self.records("rag-embed", "--lines", stdin=lines))
        self.assertEqual(len(question), 256)
        product = lambda a, b: sum(x * y for x, y in zip(a, b))
        self.assertGreater(product(question, refund), product(question, weather) + 0.1)

    def test_files_that_are_no_model_are_named(self):
        self.write("models/cut/tokenizer.json", embed_models.tokenizer(embed_models.WORDS))
        self.write("models/cut/model.safetensors", embed_models.safetensors(embed_models.ROWS)[:-1])
        self.refuses(2, "model.safetensors: tensor 'embeddings' lies outside the file", "rag-embed", "--model", "models/cut", "--query", "a")
        embed_models.write_model(self, "models/short", rows=[[1, 2]])
        self.refuses(2, "the table has 1 rows and the tokenizer 7 tokens", "rag-embed", "--model", "models/short", "--query", "a")
        embed_models.write_model(self, "models/nan", rows=[[float("nan"), 1]] * 7)
        self.refuses(2, "not finite", "rag-embed", "--model", "models/nan", "--query", "money")

    def test_bad_input_is_refused_or_counted(self):
        chunk = {"type": "chunk", "evidence_id": "a#0-1@0123456789ab", "document_id": "a", "text": "money"}
        for cut, message in ((b"{\n", "standard input:2: "), (b"", "no end record")):
            done = self.ends(2, "rag-embed", "--model", self.model, stdin=kit.jsonl(chunk) + cut)
            self.assertRegex(done.errors, message)
            self.assertEqual([r["type"] for r in self.check_records(done.stdout)], ["chunk"])
        self.assertEqual(len(self.embed("--no-end", stdin=kit.jsonl(chunk))), 1)
        *_, end = self.embed("--skip-bad", stdin=b"{\n" + kit.jsonl(chunk, {"type": "end", "complete": True}))
        self.assertEqual(end["skipped"], {"bad_line": 1})
        self.refuses(2, "the text is empty", "rag-embed", "--model", self.model, "--query", " ")
        self.ends(1, "rag-embed", "--model", self.model, stdin=b"")


if __name__ == "__main__":
    kit.main()
