"""rag-embed --url against a scripted server: the three shapes, and everything that servers do wrong."""

import http.server
import json
import threading
import time

import kit
from rag_embed_test import values


class Server:
    """Answers each POST with what script(path, body, headers) gives: (status, reply[, headers]). A reply of bytes is sent
    as it is; None closes the connection without an answer; ("cut", bytes) promises more than it sends."""

    def __init__(self, script):
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                answer = script(self.path, body, self.headers)
                if answer is None:
                    return self.connection.close()
                status, reply, *extra = answer
                cut = isinstance(reply, tuple)
                data = reply[1] if cut else reply if isinstance(reply, bytes) else json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data) + (100 if cut else 0)))
                for name, value in (extra[0] if extra else {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # who asked has given up
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def vector(text):
    return [3.0, 4.0] if "money" in text else [1.0, 0.0]


def openai(texts):
    # Out of order, as the protocol allows.
    return {"data": [{"index": i, "embedding": vector(text)} for i, text in reversed(list(enumerate(texts)))]}


class EmbedByServer(kit.Case):
    def serve(self, script):
        server = Server(script)
        self.addCleanup(server.close)
        return server

    def embed(self, server, *argv, stdin=b"money\norder\n", path="/v1/embeddings", **options):
        return self.run_tool("rag-embed", "--url", server.base + path, "--model", "m", "--lines", "--threads", "1", *argv,
                             stdin=stdin, **options)

    def vectors(self, done):
        self.assertEqual(done.status, 0, done.errors)
        return [values(r) if "vector" in r else None for r in self.check_records(done.stdout)]

    def test_the_three_shapes(self):
        shapes = {"/v1/embeddings": lambda body: openai(body["input"]),
                  "/api/embed": lambda body: {"embeddings": [vector(t) for t in body["input"]]},
                  "/embed": lambda body: [vector(t) for t in body["inputs"]]}
        server = self.serve(lambda path, body, headers: (200, shapes[path](body)))
        for path in shapes:
            self.assertEqual(self.vectors(self.embed(server, path=path)), [[0.6, 0.8], [1.0, 0.0]])
        self.assertEqual(server.requests[0]["model"], "m")
        server = self.serve(lambda path, body, headers: (200, [vector(t) for t in body["inputs"]]))
        self.assertEqual(self.vectors(self.embed(server, "--api", "tei", path="/any")), [[0.6, 0.8], [1.0, 0.0]])

    def test_batches_prefixes_key_and_fingerprint(self):
        keys = set()

        def script(path, body, headers):
            keys.add(headers.get("Authorization"))
            return 200, openai(body["input"])

        server = self.serve(script)
        done = self.embed(server, "--batch", "2", "--passage-prefix", "passage: ", "--api-key-env", "KEY", "--npy", "v.npy",
                          stdin=b"money\na\nb\n \n", env={"KEY": "sesame"})
        self.assertEqual(self.vectors(done), [[0.6, 0.8], [1.0, 0.0], [1.0, 0.0]])
        self.assertEqual([r["input"] for r in server.requests], [["passage: money", "passage: a"], ["passage: b"]])
        self.assertEqual(keys, {"Bearer sesame"})
        model = self.check_records(done.stdout)[0]["vector"]["model"]
        self.assertRegex(model, "^server:m:2:[0-9a-f]{8}$")
        self.assertNotIn("127.0.0.1", done.stdout.decode())
        self.refuses(2, "--api-key-env NOKEY: the variable is not set", "rag-embed", "--url", server.base, "--api-key-env", "NOKEY", "--query", "a")

    def test_busy_and_broken_servers_are_asked_again(self):
        for first in ((429, {"error": "slow down"}, {"Retry-After": "1"}), (500, b"oops"), (503, b""), None, (200, ("cut", b'{"data": ['))):
            answers = [first]
            server = self.serve(lambda path, body, headers: answers.pop() if answers else (200, openai(body["input"])))
            began = time.monotonic()
            self.assertEqual(self.vectors(self.embed(server)), [[0.6, 0.8], [1.0, 0.0]])
            self.assertEqual(len(server.requests), 2)
            self.assertGreater(time.monotonic() - began, 0.9 if first and first[0] == 429 else 0.4)

    def test_a_slow_server_is_given_up(self):
        server = self.serve(lambda path, body, headers: time.sleep(1.5) or (200, openai(body["input"])))
        done = self.embed(server, "--timeout", "1s", stdin=b"money\n")
        self.assertEqual(done.status, 2)
        self.assertRegex(done.errors, "(?i)time")
        self.assertEqual(len(server.requests), 5)

    def test_batches_that_are_too_large_are_halved(self):
        server = self.serve(lambda path, body, headers: (413, b"too large") if len(body["input"]) > 2 else (200, openai(body["input"])))
        done = self.embed(server, stdin=b"money\na\nb\nc\nd\nmoney\nf\n")
        self.assertEqual(self.vectors(done), [[0.6, 0.8]] + [[1.0, 0.0]] * 4 + [[0.6, 0.8], [1.0, 0.0]])
        server = self.serve(lambda path, body, headers: (400, b"too long") if len(body["input"][0]) > 1000 else (200, openai(body["input"])))
        self.assertEqual(self.vectors(self.embed(server, stdin=b"money " * 10000 + b"\n")), [[0.6, 0.8]])
        self.assertLessEqual(len(server.requests[-1]["input"][0]), 1000)

    # The caps on batches differ from server to server, and the errors with them.
    def test_hindsight_1142_a_request_that_stays_refused_is_an_error_with_the_servers_words(self):
        for status, words in ((400, "unknown model"), (401, "no such key"), (404, "not here")):
            server = self.serve(lambda path, body, headers: (status, {"error": words}))
            done = self.embed(server, stdin=b"money\n")
            self.assertEqual((done.status, done.stdout), (2, b""))
            self.assertRegex(done.errors, f"the status is {status}.*{words}")
            self.assertEqual(len(server.requests), 1)

    def test_answers_that_are_no_vectors_are_refused(self):
        for reply, message in (({"data": [{"index": 0, "embedding": [1, 2]}]}, "1 vectors for 2 texts"),
                               ({"data": []}, "0 vectors for 2 texts"),
                               ({"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1, 2, 3]}]}, "3 values where others have 2"),
                               ({"data": [{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [1, 2]}]}, "each index"),
                               (b'{"data": [{"index":0,"embedding":[NaN,1]},{"index":1,"embedding":[1,2]}]}', "not what was asked for"),
                               ({"data": [{"index": 0, "embedding": [1e39, 1]}, {"index": 1, "embedding": [1, 2]}]}, "NaN or infinity"),
                               ({"data": [{"index": 0, "embedding": None}, {"index": 1, "embedding": [1, 2]}]}, "each index"),
                               ({"error": "none"}, "no `data`"), (b"<html>", "not what was asked for"), (b"", "not what was asked for")):
            server = self.serve(lambda path, body, headers: (200, reply))
            done = self.embed(server)
            self.assertEqual((done.status, done.stdout), (2, b""), reply)
            self.assertIn(message, done.errors)

    def test_nobody_there(self):
        server = self.serve(lambda *_: None)
        server.close()
        done = self.run_tool("rag-embed", "--url", server.base + "/embed", "--query", "a")
        self.assertEqual(done.status, 2)
        self.assertRegex(done.errors, "(?i)connect")

    # An emoji must not reach a server as half a surrogate pair.
    def test_qmd_777_text_arrives_as_it_was(self):
        server = self.serve(lambda path, body, headers: (200, openai(body["input"])))
        text = 'money \U0001f600 "quoted" \\ \u6c34 %s {} $HOME @/etc/passwd'
        self.vectors(self.embed(server, stdin=(text + "\n").encode()))
        self.assertEqual(server.requests[0]["input"], [text])


if __name__ == "__main__":
    kit.main()
