"""What scripts/reproduce-scaldpp and scripts/ablations share: candidates, trainings, tables."""

import collections
import hashlib
import json
import pathlib
import subprocess
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent

MEASURES = ["nDCG@10", "recall@10", "recall@4", "hits@10", "hits@4"]

# What is varied: one thing at a time against the default of `dpp-select train`.
VARIANTS = {
    "default": [],
    "as the paper: blind, relevance fixed": ["--blind", "--fixed-quality"],
    "the same, Q = I": ["--blind", "--fixed-quality", "--theta", "0"],
    "the same, likelihood (NLL)": ["--blind", "--fixed-quality", "--loss", "nll"],
    "the same, margin 0": ["--blind", "--fixed-quality", "--margin", "0"],
    "relevance alone learnt, no map": ["--quality-only"],
    "blind": ["--blind"],
    "relevance fixed": ["--fixed-quality"],
    "likelihood (NLL)": ["--loss", "nll"],
    "output normalised": ["--normalise"],
    "GELU": ["--activation", "gelu"],
    "negatives: uniform": ["--negative-kind", "uniform"],
    "negatives: swap": ["--negative-kind", "swap"],
    "negatives: near": ["--negative-kind", "near"],
    "8 negatives": ["--negatives", "8"],
    "rate 0.002": ["--rate", "0.002"],
    "width 16": ["--width", "16"],
}


def run(argv, stdin=None, stdout=subprocess.PIPE):
    """Output of a tool; its own words on standard error, and an exit, when it fails."""
    done = subprocess.run([str(a) for a in argv], stdin=stdin, stdout=stdout, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, argv))}: ended with {done.returncode}")
    return done.stdout


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_rows(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def name_of(title, text):
    return hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:16]


class Collection:
    """Documents and cases; a case names the documents that are its evidence."""

    def __init__(self):
        self.documents, self.cases = {}, []

    def add_document(self, title, text):
        """The title is joined to the text, as the benchmark does: both arms, words and vectors, see it."""
        name = name_of(title, text)
        self.documents[name] = {"type": "document", "document_id": name, "title": title, "text": f"{title}. {text}"}
        return name

    def add_case(self, query_id, query, gold):
        gold = list(dict.fromkeys(gold))
        if len(gold) > 1:
            self.cases.append({"type": "case", "query_id": query_id, "query": query, "gold_evidence": gold, "required_hops": len(gold)})

    def candidates(self, out, bin_folder, pool, embed):
        """Writes cases, queries and their hits to `out`: BM25 over the documents, then the embedder if there is one."""
        folder = out.with_suffix("")
        folder.mkdir(parents=True, exist_ok=True)
        with open(write_rows(folder / "documents.jsonl", self.documents.values()), "rb") as stdin:
            run([bin_folder / "rag-index", "build", "-i", folder / "idx", "--size", "2000", "--quiet", "-"], stdin=stdin)
        queries = write_rows(folder / "queries.jsonl", [{"_id": c["query_id"], "text": c["query"]} for c in self.cases])
        with open(folder / "hits.jsonl", "wb") as hits:
            run([bin_folder / "rag-search", "-i", folder / "idx", "--queries", queries, "-k", pool, "--collapse", "document"], stdout=hits)
        if embed:
            with open(folder / "embedded.jsonl", "wb") as embedded, open(folder / "hits.jsonl", "rb") as hits:
                done = subprocess.run(embed, shell=True, stdin=hits, stdout=embedded, check=False)
            if done.returncode != 0:
                raise SystemExit(f"--embed: '{embed}' ended with {done.returncode}: it must read and write records and add `vector`")
        with open(out, "wb") as whole:
            for part in (write_rows(folder / "cases.jsonl", self.cases), folder / ("embedded.jsonl" if embed else "hits.jsonl")):
                whole.write(part.read_bytes())
        return out


def multihop_rag(folder):
    """The public sample of MultiHop-RAG: its documents are the evidence sentences, for the articles are not public here."""
    found = Collection()
    gold = json.loads((folder / "ground_truth.json").read_text())
    for query in json.loads((folder / "queries.json").read_text())["queries"]:
        evidence = [found.add_document(e["title"], f"{e['source']}, {e['published_at'][:10]}. {e['fact']}") for e in gold[query["id"]]["evidence_list"]]
        found.add_case(query["id"], query["question"], evidence)
    return found


def paragraphs(path):
    """HotpotQA, 2WikiMultiHopQA and MuSiQue: all paragraphs of the file are the collection, as an open search has it."""
    found = Collection()
    for row in rows_of(path):
        gold = []
        for paragraph in row["paragraphs"]:
            name = found.add_document(paragraph["title"], paragraph["text"])
            if paragraph["gold"]:
                gold.append(name)
        found.add_case(row["qid"], row["question"], gold)
    return found


class Training(dict):
    """What one `dpp-select train` printed: measures by (measure, run, group), and its seconds and epochs."""

    def __init__(self, bin_folder, candidates, argv, work, test=None):
        super().__init__()
        report = work / "report.json"
        begin = time.perf_counter()
        done = run([bin_folder / "dpp-select", "train", "--candidates", candidates, "--out", work / "adapter.padp", "--report", report, "--quiet",
                    *(["--test", test] if test else []), *argv])
        self.seconds = time.perf_counter() - begin
        self.report = json.loads(report.read_text())
        for line in done.splitlines():
            one = json.loads(line)
            self[one["measure"], one["run"], one.get("group", "")] = one

    def value(self, measure, what="adapter", group=""):
        one = self.get((measure, what, group))
        return one["value"] if one else None

    def cell(self, measure, what="adapter", group=""):
        """A mean, and for a difference its interval."""
        one = self.get((measure, what, group))
        if not one:
            return ""
        if " - " not in what:
            return f"{one['value']:.3f}"
        return f"{one['value']:+.3f} [{one['low']:+.3f}, {one['high']:+.3f}]"


def table(head, rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines) + "\n"


def counts_of(candidates):
    """Queries by number of gold documents, for the head of a report."""
    counts = collections.Counter(len(r["gold_evidence"]) for r in rows_of(candidates) if r["type"] == "case")
    return ", ".join(f"{n} with {hops}" for hops, n in sorted(counts.items()))
