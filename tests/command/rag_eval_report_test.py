"""rag-eval report: one page of results, checked as text, as XML, and in a browser where one is installed."""

import html.parser
import json
import random
import re
import shutil
import subprocess
import xml.etree.ElementTree

import kit

BROWSER = next((found for name in ("chromium", "chromium-browser", "google-chrome", "chrome") if (found := shutil.which(name))), None)
VOID = {"meta", "br", "hr", "img", "input", "link"}
# What may stand in what, of the elements that a browser would move elsewhere.
PARENTS = {"head": {"html"}, "body": {"html"}, "title": {"head", "svg", "g", "rect", "circle", "path"}, "meta": {"head"}, "style": {"head"},
           "thead": {"table"}, "tbody": {"table"}, "tr": {"table", "thead", "tbody"}, "th": {"tr"}, "td": {"tr"}, "li": {"ul", "ol"}, "figcaption": {"figure"}}
SVG = "{http://www.w3.org/2000/svg}"


class Balance(html.parser.HTMLParser):
    """Notes tags that are not closed, and everything that would reach for the network or run."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.tags, self.ids = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        parent = self.open[-1] if self.open else None
        if tag in PARENTS and parent not in PARENTS[tag]:
            self.faults.append(f"{tag} in {parent}")
        if tag not in VOID:
            self.open.append(tag)
        names = [name for name, _ in attrs]
        if len(set(names)) < len(names):
            self.faults.append(f"{tag} has an attribute twice: {names}")
        for name, value in attrs:
            if name == "id":
                if value in self.ids:
                    self.faults.append(f"id {value} is there twice")
                self.ids.append(value)
            if name in ("src", "href", "onclick", "onload", "style"):
                self.faults.append(f"{tag} {name}={value}")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")


class Report(kit.Case):
    def setUp(self):
        super().setUp()
        rng = random.Random(6)
        self.write("qrels.txt", "".join(f"q{q} 0 rel 1\n" for q in range(30)))
        for name in ("bm25", "hybrid"):
            lines = []
            for q in range(30):
                place = rng.randint(1, 12)
                lines += [f"q{q} Q0 {'rel' if rank == place else f'd{rank}'} {rank} {20 - rank} {name}\n" for rank in range(1, 13)]
            self.write(f"{name}.trec", "".join(lines))
        self.write("queries.jsonl", kit.jsonl(*({"_id": f"q{q}", "text": "?", "kind": "<b>&" if q % 2 else "plain"} for q in range(30))))
        self.path("results").mkdir()
        for name in ("bm25", "hybrid"):
            done = self.ok("rag-eval", "qrels.txt", f"{name}.trec", "-m", "nDCG@10,R@1,R@5,R@10", "-q", "--queries", "queries.jsonl", "--by", "kind", "--format", "jsonl")
            trace = kit.jsonl(*({"type": "trace", "trace_id": f"q{q}", "tool": "x", "elapsed_ms": 5 + q, "cost": 0.1} for q in range(30)))
            self.write("trace.jsonl", trace)
            timed = self.ok("rag-eval", "trace", "trace.jsonl")
            self.write(f"results/{name}.jsonl", done.stdout + timed.stdout + kit.jsonl(
                {"type": "failures", "failure": "retrieval", "queries": 3, "share": 0.1, "examples": ["q1", "q2"]}))
        compared = self.ok("rag-eval", "compare", "qrels.txt", "bm25.trec", "hybrid.trec", "-m", "nDCG@10")
        self.write("compared.jsonl", compared.stdout)

    def page(self, *argv):
        self.ok("rag-eval", "report", "results", "-o", "report.html", "--title", "A <title> & more", *argv)
        return self.path("report.html").read_text()

    def test_a_sound_page_that_reaches_for_nothing(self):
        page = self.page()
        balance = Balance()
        balance.feed(page)
        self.assertEqual((balance.faults, balance.open), ([], []))
        self.assertNotIn("script", balance.tags)
        self.assertNotRegex(page.replace("http://www.w3.org/2000/svg", ""), r"https?://|url\(|@import")
        self.assertIn("A &lt;title&gt; &amp; more", page)
        self.assertNotIn("<b>&", page)
        self.assertIn("prefers-color-scheme: dark", page)
        self.assertIn("@media print", page)

    def test_charts_and_tables(self):
        page = self.page()
        for label in ("R at k", "nDCG@10 by kind", "hybrid - bm25, by query", "against elapsed_ms", "Queries by the stage that lost the evidence"):
            self.assertRegex(page, f'aria-label="[^"]*{re.escape(label)}')
        self.assertEqual(page.count("<svg"), page.count("</svg>"))
        means = json.loads(self.ok("rag-eval", "report", "results", "--format", "json").text)
        value = next(r for r in means["runs"] if r["run"] == "bm25")["means"]["nDCG@10"]["value"]
        self.assertIn(f">{value:.4f}<", page)

    def drawings(self, page):
        """The page's SVGs as XML; their numbers are finite, and what they draw stands inside."""
        found = [xml.etree.ElementTree.fromstring(text) for text in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
        for svg in found:
            self.assertEqual(svg.tag, SVG + "svg")
            left, top, width, height = map(float, svg.get("viewBox").split())
            for node in svg.iter():
                for name, value in node.attrib.items():
                    self.assertNotRegex(value.lower(), r"\b(nan|inf)\b", f"{node.tag} {name}")
                    if name in ("x", "x1", "x2", "cx"):
                        self.assertTrue(left <= float(value) <= left + width, f"{node.tag} {name}={value}")
                    if name in ("y", "y1", "y2", "cy"):
                        self.assertTrue(top <= float(value) <= top + height, f"{node.tag} {name}={value}")
                    if name in ("width", "height", "r"):
                        self.assertGreaterEqual(float(value), 0, f"{node.tag} {name}")
        return found

    def test_the_charts_are_sound_xml(self):
        self.assertGreaterEqual(len(self.drawings(self.page())), 5)

    def test_hostile_names_and_values(self):
        """Names with markup and control characters, values that are equal, huge, negative or alone."""
        odd = 'a"\'<&>\u0001\u0000\u001b[31m\u202e]]>--'
        for name, values in (("same", [0.5, 0.5]), ("huge", [1e300, -1e300]), ("zero", [0, 0]), ("one", [3])):
            rows = [{"type": "measure", "measure": f"{odd}@{k}", "value": v, "queries": 2, "low": v, "high": v} for k, v in enumerate(values, 1)]
            rows += [{"type": "measure", "measure": "m", "query_id": f"{odd}{i}", "value": v} for i, v in enumerate(values)]
            rows += [{"type": "measure", "measure": "m", "by": odd, "group": odd + str(i), "value": v, "queries": 1} for i, v in enumerate(values)]
            rows += [{"type": "quantiles", "measure": "elapsed_ms", "queries": 1, "p50": v, "p95": v, "p99": v, "most": v} for v in values]
            rows += [{"type": "measure", "measure": "m", "value": values[0], "queries": 1}, {"type": "failures", "failure": odd, "queries": 0, "share": 0, "examples": [odd]}]
            self.write(f"odd/{name}.jsonl", kit.jsonl(*rows))
        self.write("odd/copy.jsonl", self.path("odd/same.jsonl").read_bytes())
        page = self.ok("rag-eval", "report", "odd", "--title", odd.replace("\0", "")).text
        balance = Balance()
        balance.feed(page)
        self.assertEqual((balance.faults, balance.open), ([], []))
        self.assertNotRegex(page, "[\x00-\x08\x0b\x0c\x0e-\x1f]")
        self.drawings(page)
        for form in ("markdown", "json"):
            self.ok("rag-eval", "report", "odd", "--format", form)

    def test_comparisons(self):
        done = self.ok("rag-eval", "report", "compared.jsonl")
        self.assertIn("<h2>Comparisons</h2>", done.text)
        self.assertIn("bm25.trec", done.text)

    def test_markdown_and_json(self):
        self.ok("rag-eval", "report", "results", "-o", "report.md")
        text = self.path("report.md").read_text()
        self.assertTrue(text.startswith("# Evaluation\n\n## Means\n"))
        self.assertRegex(text, r"\| nDCG@10 \| 0\.\d{4} \| \[")
        self.ok("rag-eval", "report", "results", "-o", "report.json")
        data = json.loads(self.path("report.json").read_text())
        self.assertEqual([r["run"] for r in data["runs"]], ["bm25", "hybrid"])
        self.assertEqual(data["runs"][0]["failures"], {"retrieval": 3})

    def test_same_results_same_bytes(self):
        self.assertEqual(self.page(), self.page())

    def test_in_a_browser(self):
        if not BROWSER:
            self.skipTest("no Chromium here: the page is checked as text only")
        self.page()
        shots = []
        for scheme in ("light", "dark"):
            picture = self.path(f"{scheme}.png")
            flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=900,2400", f"--screenshot={picture}"]
            if scheme == "dark":
                flags.append("--force-dark-mode")
            done = subprocess.run([BROWSER, *flags, self.path("report.html").as_uri()], capture_output=True, timeout=100, cwd=self.dir)
            self.assertTrue(picture.exists(), done.stderr.decode(errors="replace")[-2000:])
            shots.append(picture.read_bytes())
        self.assertTrue(all(len(shot) > 20000 for shot in shots))

    def test_errors(self):
        self.write("none.jsonl", b'{"type":"end","complete":true}\n')
        self.refuses(2, "no results in it", "rag-eval", "report", "none.jsonl")
        self.write("bad.jsonl", b'{"type":"measure"}\n')
        self.refuses(2, r"bad\.jsonl:1: a measure without its name", "rag-eval", "report", "bad.jsonl")
        self.refuses(2, "missing", "rag-eval", "report", "missing")
        self.refuses(2, "RESULTS", "rag-eval", "report")


if __name__ == "__main__":
    kit.main()
