"""Transformers in rag-embed: a tiny BERT with random weights beside its slow twin, a BERT in plain Python."""

import json
import math
import random
import struct
import unittest

import embed_models
import kit
from rag_embed_test import values

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "money", "back", "refund", "order", ":", "query"]
WIDTH, HEADS, INNER, LAYERS, POSITIONS = 8, 2, 12, 2, 16
CONFIG = {"model_type": "bert", "hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS,
          "max_position_embeddings": POSITIONS, "layer_norm_eps": 1e-12}


def random_tensors(rng):
    """Name -> (shape, rows); a vector is one row."""
    shapes = {"embeddings.word_embeddings.weight": (len(WORDS), WIDTH), "embeddings.position_embeddings.weight": (POSITIONS, WIDTH),
              "embeddings.token_type_embeddings.weight": (2, WIDTH), "embeddings.LayerNorm.weight": (WIDTH,), "embeddings.LayerNorm.bias": (WIDTH,)}
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        for part, rows, columns in (("attention.self.query", WIDTH, WIDTH), ("attention.self.key", WIDTH, WIDTH),
                                    ("attention.self.value", WIDTH, WIDTH), ("attention.output.dense", WIDTH, WIDTH),
                                    ("intermediate.dense", INNER, WIDTH), ("output.dense", WIDTH, INNER)):
            shapes[f"{name}{part}.weight"], shapes[f"{name}{part}.bias"] = (rows, columns), (rows,)
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"{name}{part}.weight"] = shapes[f"{name}{part}.bias"] = (WIDTH,)
    return {name: (shape, [[rng.gauss(0, 1) for _ in range(shape[-1])] for _ in range(shape[0] if len(shape) == 2 else 1)])
            for name, shape in shapes.items()}


def safetensors(tensors):
    header, data = {}, b""
    for name, (shape, rows) in tensors.items():
        numbers = [x for row in rows for x in row]
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [len(data), len(data) + 4 * len(numbers)]}
        data += struct.pack(f"<{len(numbers)}f", *numbers)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


class Twin:
    def __init__(self, tensors):
        self.tensors = {name: rows for name, (_, rows) in tensors.items()}

    def linear(self, x, name):
        return [[sum(a * b for a, b in zip(row, column)) + bias for column, bias in
                 zip(self.tensors[name + ".weight"], self.tensors[name + ".bias"][0])] for row in x]

    def normalise(self, x, name):
        out = []
        for row in x:
            mean = sum(row) / len(row)
            deviation = math.sqrt(sum((v - mean) ** 2 for v in row) / len(row) + 1e-12)
            out.append([(v - mean) / deviation * w + b for v, w, b in
                        zip(row, self.tensors[name + ".weight"][0], self.tensors[name + ".bias"][0])])
        return out

    def attention(self, query, key, value):
        size, out = WIDTH // HEADS, [[] for _ in query]
        for head in range(HEADS):
            part = slice(head * size, (head + 1) * size)
            for row, q in zip(out, query):
                scores = [sum(a * b for a, b in zip(q[part], k[part])) / math.sqrt(size) for k in key]
                shares = [math.exp(s - max(scores)) for s in scores]
                row += [sum(w * v[part][d] for w, v in zip(shares, value)) / sum(shares) for d in range(size)]
        return out

    def embed(self, ids, first_token=False):
        add = lambda a, b: [[x + y for x, y in zip(r, s)] for r, s in zip(a, b)]
        words = [[a + b + c for a, b, c in zip(self.tensors["embeddings.word_embeddings.weight"][i], position,
                                               self.tensors["embeddings.token_type_embeddings.weight"][0])]
                 for i, position in zip(ids, self.tensors["embeddings.position_embeddings.weight"])]
        x = self.normalise(words, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}."
            mixed = self.attention(*(self.linear(x, f"{name}attention.self.{part}") for part in ("query", "key", "value")))
            x = self.normalise(add(self.linear(mixed, name + "attention.output.dense"), x), name + "attention.output.LayerNorm")
            wide = [[v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in row] for row in self.linear(x, name + "intermediate.dense")]
            x = self.normalise(add(self.linear(wide, name + "output.dense"), x), name + "output.LayerNorm")
        rows = x[:1] if first_token else x
        mean = [sum(column) / len(rows) for column in zip(*rows)]
        return [v / math.sqrt(sum(w * w for w in mean)) for v in mean]


@unittest.skipUnless((kit.BUILD / "lib/ragline/libragline-openvino.so").exists(), "built without OpenVINO: run scripts/fetch-models")
class Transformers(kit.Case):
    def setUp(self):
        super().setUp()
        self.tensors = random_tensors(random.Random(20261130))
        self.twin = Twin(self.tensors)
        self.model("tiny")

    def model(self, name, config=None, tensors=None, **files):
        tokenizer = json.loads(embed_models.tokenizer(WORDS))
        tokenizer["post_processor"] = {"type": "TemplateProcessing", "single": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]}
        self.write(f"{name}/tokenizer.json", json.dumps(tokenizer))
        self.write(f"{name}/config.json", json.dumps(config or CONFIG))
        self.write(f"{name}/model.safetensors", safetensors(self.tensors if tensors is None else tensors))
        for file, content in files.items():
            self.write(f"{name}/{file.replace('__', '/')}.json", json.dumps(content))

    def embed(self, model, lines, *argv):
        found = self.records("rag-embed", "--model", str(self.path(model)), "--lines", *argv, stdin=lines.encode(),
                             env={"RAGLINE_CACHE": str(self.path("cache"))})
        return [values(record) if "vector" in record else None for record in found]

    def ids(self, text):
        return [2] + [WORDS.index(word) if word in WORDS else 1 for word in text.split()] + [3]

    def near(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=2e-4)

    def test_vectors_are_those_of_the_twin_in_batches_of_any_length(self):
        rng = random.Random(7)
        texts = [" ".join(rng.choice(WORDS[4:] + ["unheard"]) for _ in range(rng.randint(1, 12))) for _ in range(60)]
        for found, text in zip(self.embed("tiny", "\n".join(texts) + "\n"), texts):
            self.near(found, self.twin.embed(self.ids(text)))

    def test_long_texts_are_cut_and_blank_ones_have_no_vector(self):
        (long, blank) = self.embed("tiny", "money " * 5000 + "\n \x0b \n")
        self.near(long, self.twin.embed([2] + [4] * (POSITIONS - 2) + [3]))
        self.assertIsNone(blank)
        self.model("short", sentence_bert_config={"max_seq_length": 5})
        self.near(self.embed("short", "money back refund order\n")[0], self.twin.embed([2, 4, 5, 6, 3]))

    def test_pooling_and_prompts_are_read_from_the_folder(self):
        self.model("first", **{"1_Pooling__config": {"pooling_mode_cls_token": True}})
        self.near(self.embed("first", "money back\n")[0], self.twin.embed(self.ids("money back"), first_token=True))
        self.model("prompts", config_sentence_transformers={"prompts": {"query": "query: ", "passage": "order "}})
        self.near(self.embed("prompts", "money\n", "--role", "query")[0], self.twin.embed(self.ids("query : money")))
        self.near(self.embed("prompts", "money\n")[0], self.twin.embed(self.ids("order money")))

    def test_what_is_wrong_with_a_model_is_named(self):
        refuse = lambda name, message: self.refuses(2, message, "rag-embed", "--model", str(self.path(name)), "--query", "money")
        lacking = {name: tensor for name, tensor in self.tensors.items() if "layer.1.output.dense.bias" not in name}
        self.model("lacking", tensors=lacking)
        refuse("lacking", "no tensor 'encoder.layer.1.output.dense.bias'")
        self.model("narrow", config=dict(CONFIG, hidden_size=7))
        refuse("narrow", "do not make an encoder")
        self.model("few", tensors=dict(self.tensors, **{"embeddings.word_embeddings.weight": ((2, WIDTH), [[0.0] * WIDTH] * 2)}))
        refuse("few", "no tensor 'embeddings.word_embeddings.weight'")
        self.model("odd", tensors=dict(self.tensors, **{"embeddings.LayerNorm.bias": ((3,), [[0.0] * 3])}))
        refuse("odd", "OpenVINO")
        self.model("last", **{"1_Pooling__config": {"pooling_mode_lasttoken": True}})
        refuse("last", "only the pooling of the mean and of the first token")


if __name__ == "__main__":
    kit.main()
