#!/usr/bin/env python3
"""Ids of the package `tokenizers` and of lib/embed on 10,000 random strings of twelve scripts, for tokenizers of every kind.

Usage: tokenizer_test.py TOKENIZE. The tokenizers are trained here on made-up words, so nothing is fetched; those of the
models in RAGLINE_MODELS join them. Exit status 77 (skipped) where the package is not there: RAGLINE_PEERS names the
virtual environment to look in.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

STRINGS = 10_000
SCRIPTS = {
    "ASCII": (0x20, 0x7E), "Latin": (0xA1, 0x24F), "Greek": (0x391, 0x3C9), "Cyrillic": (0x400, 0x45F),
    "Hebrew": (0x5D0, 0x5EA), "Arabic": (0x620, 0x64A), "Devanagari": (0x904, 0x94D), "Thai": (0xE01, 0xE3A),
    "Hangul": (0xAC00, 0xD7A3), "kana": (0x3041, 0x30FE), "Han": (0x4E00, 0x9FA5), "Vietnamese": (0x1EA0, 0x1EF9),
    "marks": (0x300, 0x36F), "punctuation": (0x2010, 0x2027), "emoji": (0x1F600, 0x1F640), "wide": (0xFF01, 0xFF5E),
    "controls": (0x1, 0x1F),
}
ODD = ["[SEP]", "<s>", "<unk>", "  ", "\n", "\t\t", "\r\n", "'s", "'re", "\u00a0", "\u3000", "\u200d", "\u2581", "\u0130", "\u00df",
       "\u00ad", "3.14", "x+=1;", "foo_bar", "don't"]


def made_up_words(rng, count):
    syllables = [c + v for c in "bcdfghklmnprst" for v in "aeiou"] + ["th", "ing", "er", "\u00e9", "\u0430\u043b", "\u6c34"]
    return ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 5))) for _ in range(count)]


def random_string(rng, words):
    parts = []
    for _ in range(rng.randint(0, 8)):
        kind = rng.random()
        if kind < 0.35:
            parts.append(rng.choice(words))
        elif kind < 0.5:
            parts.append(rng.choice(ODD))
        else:
            low, high = SCRIPTS[rng.choice(list(SCRIPTS))]
            parts.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 9))))
    return rng.choice(["", " ", "  "]).join(parts)


def trained(words, rng):
    """Name -> tokenizer, of every model with the steps that go with it."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers
    text = [" ".join(rng.choice(words) for _ in range(12)) for _ in range(2000)]

    def train(model, trainer, normalizer=None, pre_tokenizer=None):
        tokenizer = Tokenizer(model)
        if normalizer:
            tokenizer.normalizer = normalizer
        if pre_tokenizer:
            tokenizer.pre_tokenizer = pre_tokenizer
        tokenizer.train_from_iterator(text, trainer)
        return tokenizer

    bytes_of = pre_tokenizers.ByteLevel.alphabet()
    llama3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|"
              r"\s+(?!\S)|\s+")
    piece = dict(vocab_size=1500, special_tokens=["<unk>", "<s>"], unk_token="<unk>")
    return {
        "BERT": train(models.WordPiece(unk_token="[UNK]"),
                      trainers.WordPieceTrainer(vocab_size=1500, special_tokens=["[UNK]", "[SEP]"]),
                      normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()),
        "WordPiece by steps": train(models.WordPiece(unk_token="[UNK]"),
                                    trainers.WordPieceTrainer(vocab_size=1500, special_tokens=["[UNK]"]),
                                    normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents()]),
                                    pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True)])),
        "GPT-2": train(models.BPE(), trainers.BpeTrainer(vocab_size=1500, special_tokens=["<s>"], initial_alphabet=bytes_of),
                       None, pre_tokenizers.ByteLevel(add_prefix_space=False)),
        "Llama 3": train(models.BPE(ignore_merges=True), trainers.BpeTrainer(vocab_size=1500, initial_alphabet=bytes_of), None,
                         pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(llama3), "isolated"),
                                                  pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])),
        "Llama 2": train(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True),
                         trainers.BpeTrainer(vocab_size=1500, special_tokens=["<unk>", "<s>"] + [f"<0x{b:02X}>" for b in range(256)]),
                         normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])),
        "Unigram": train(models.Unigram(), trainers.UnigramTrainer(**piece), normalizers.NFKC(),
                         pre_tokenizers.Metaspace(prepend_scheme="first")),
        "Unigram by words": train(models.Unigram(), trainers.UnigramTrainer(**piece), None,
                                  pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("contiguous"),
                                                           pre_tokenizers.Metaspace()])),
    }


def ours(tokenize, path, strings):
    done = subprocess.run([tokenize, str(path)], input="".join(json.dumps(s) + "\n" for s in strings), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return [[int(word) for word in line.split()] for line in done.stdout.split("\n")[:-1]]


def main():
    peers = os.environ.get("RAGLINE_PEERS")
    if peers:
        sys.path[:0] = [str(path) for path in pathlib.Path(peers).glob("lib/python3*/site-packages")]
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        print(f"skipped: {error}: set RAGLINE_PEERS to a virtual environment with the package tokenizers")
        return 77
    rng = random.Random(20261130)
    words = made_up_words(rng, 3000)
    strings = [random_string(rng, words) for _ in range(STRINGS)]
    tokenizers = trained(words, rng)
    for path in sorted(pathlib.Path(os.environ.get("RAGLINE_MODELS", "/nonexistent")).glob("*/tokenizer.json")):
        tokenizers[path.parent.name] = Tokenizer.from_file(str(path))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, tokenizer in tokenizers.items():
            tokenizer.no_truncation()
            tokenizer.no_padding()
            path = pathlib.Path(folder) / "tokenizer.json"
            tokenizer.save(str(path))
            expected = [encoding.ids for encoding in tokenizer.encode_batch(strings, add_special_tokens=False)]
            found = ours(sys.argv[1], path, strings)
            wrong = [i for i in range(STRINGS) if i >= len(found) or found[i] != expected[i]]
            print(f"{name}: {STRINGS - len(wrong)} of {STRINGS} strings have the same ids")
            for i in wrong[:3]:
                print(f"  {ascii(strings[i])}\n    expected {expected[i]}\n    found    {found[i] if i < len(found) else None}")
            failures += bool(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
