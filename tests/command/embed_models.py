"""Tiny models of the static kind for the command tests, made with nothing but the standard library."""

import json
import struct

WORDS = ["[UNK]", "money", "back", "refund", "order", "stuck", "parcel"]
# Two dimensions: money and refund point one way, orders and parcels the other.
ROWS = [[9, 9], [3, 4], [0, 1], [6, 8], [4, -3], [1, 0], [8, -6]]


def tokenizer(words):
    return json.dumps({
        "normalizer": {"type": "BertNormalizer", "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]",
                  "vocab": {word: number for number, word in enumerate(words)}},
    })


def safetensors(rows):
    data = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    header = json.dumps({"embeddings": {"dtype": "F32", "shape": [len(rows), len(rows[0])],
                                        "data_offsets": [0, len(data)]}}).encode()
    return struct.pack("<Q", len(header)) + header + data


def write_model(case, name, rows=None, words=None):
    """Writes a model's folder below the case's own, and returns its path."""
    case.write(f"{name}/tokenizer.json", tokenizer(words or WORDS))
    case.write(f"{name}/model.safetensors", safetensors(rows or ROWS))
    return case.path(name)
