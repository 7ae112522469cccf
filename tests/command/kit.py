"""What the command tests share: run a tool, read its records, check them against the schema.

    import kit

    class Search(kit.Case):
        def test_finds(self):
            self.write("a.md", "# Refunds\\n\\nWithin 30 days.\\n")
            self.ok("rag-index", "build", "-i", "x.idx", ".")
            hits = self.records("rag-search", "-i", "x.idx", "refunds", kind="hit")
            self.assertEqual(hits[0]["path"], "a.md")

    if __name__ == "__main__":
        kit.main()

Every case starts in a new folder, self.dir, which is the working folder of what it runs and is removed
afterwards. The environment of a run holds no RAGLINE_* variable but those that the case gives, and RAGLINE_MODEL=none.

    RAGLINE_BIN     folder of the binaries; build/release/bin when unset
    RAGLINE_BUILD   folder of the build; build/release when unset
    RAGLINE_DATA    folder of test collections; ../shared/data when unset; tests that need it are
                    skipped where it is not
"""

import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import typing
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("RAGLINE_BUILD", SOURCE / "build/release"))
BIN = pathlib.Path(os.environ.get("RAGLINE_BIN", SOURCE / "build/release/bin"))
DATA = pathlib.Path(os.environ.get("RAGLINE_DATA", SOURCE.parent / "shared/data"))
SCHEMA = SOURCE / "schema/records.schema.json"

TIMEOUT = 120  # seconds a tool may take before the test fails


class Run(typing.NamedTuple):
    """How a tool ended. Output as bytes; `status` is minus the signal's number when one killed it."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def text(self):
        return self.stdout.decode()

    @property
    def errors(self):
        return self.stderr.decode(errors="replace")


def binary(name):
    """The path of a tool; a name with a slash is a path already."""
    return name if "/" in name else str(BIN / name)


def environment(extra=None):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAGLINE_")}
    kept.pop("TRACEPARENT", None)
    # Vectors only where a test asks for them: what words find is easier to say beforehand.
    kept |= {"LC_ALL": "C.UTF-8", "RAGLINE_MODEL": "none", "PATH": f"{BIN}:{kept.get('PATH', '')}"}
    return kept | (extra or {})


def to_bytes(value):
    return value if isinstance(value, bytes) else value.encode()


def run(argv, stdin=b"", env=None, cwd=None, timeout=TIMEOUT):
    """Runs a tool on pipes: run(["rag-search", "-i", "x.idx", "refund"]) -> Run."""
    argv = [binary(argv[0]), *map(str, argv[1:])]
    done = subprocess.run(
        argv, input=to_bytes(stdin), capture_output=True, env=environment(env), cwd=cwd, timeout=timeout
    )
    return Run(done.returncode, done.stdout, done.stderr)


def shell(command, stdin=b"", env=None, cwd=None, timeout=TIMEOUT):
    """Runs a bash pipeline with the tools on the path; any failing part fails it."""
    return run(["/bin/bash", "-o", "pipefail", "-c", command], stdin, env, cwd, timeout)


def terminal(argv, stdin=b"", env=None, cwd=None, columns=100, timeout=TIMEOUT):
    """Runs a tool whose input and output are a terminal. stdout holds both streams, with \\n ends."""
    argv = [binary(argv[0]), *map(str, argv[1:])]
    env = {"TERM": "xterm-256color", "COLUMNS": str(columns)} | (env or {})
    try:
        child, master = pty.fork()
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminal here: {error}")
    if child == 0:
        if cwd:
            os.chdir(cwd)
        os.execve(argv[0], argv, environment(env))
    if stdin:
        os.write(master, to_bytes(stdin))
    output, end = b"", time.monotonic() + timeout
    try:
        while time.monotonic() < end:
            if not select.select([master], [], [], 0.1)[0]:
                continue
            try:
                block = os.read(master, 65536)
            except OSError:  # Linux says EIO when the other side has closed
                break
            if not block:
                break
            output += block
        else:
            os.kill(child, signal.SIGKILL)
    finally:
        os.close(master)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Run(status, output.replace(b"\r\n", b"\n"), b"")


def records(output, kind=None):
    """The records of JSON Lines, or those of one type."""
    found = [json.loads(line) for line in to_bytes(output).splitlines()]
    return [record for record in found if kind is None or record.get("type") == kind]


def jsonl(*rows):
    """Rows as JSON Lines, for standard input."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


_validator = None


def schema_faults(record):
    """What is wrong with a record by schema/records.schema.json, as text; [] when it is right."""
    global _validator
    if _validator is None:
        import jsonschema

        _validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    return [f"{'/'.join(map(str, e.path))}: {e.message}" for e in _validator.iter_errors(record)]


def data(*parts):
    """A path below the test collections; the case is skipped where they are not."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        raise unittest.SkipTest(f"{path} is not there: set RAGLINE_DATA to the folder that holds it")
    return path


class Case(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="ragline-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def path(self, name):
        return self.dir / name

    def write(self, name, content):
        """A file below self.dir, parents made; text or bytes."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(to_bytes(content))
        return path

    def run_tool(self, *argv, **options):
        return run(list(argv), cwd=self.dir, **options)

    def ends(self, status, *argv, **options):
        """Runs a tool that must end with `status`."""
        done = self.run_tool(*argv, **options)
        said = f"{' '.join(map(str, argv))}\n{done.errors[-3000:]}"
        self.assertEqual(done.status, status, said)
        return done

    def ok(self, *argv, **options):
        return self.ends(0, *argv, **options)

    def refuses(self, status, pattern, *argv, **options):
        """Runs a tool that must end with `status`, print no record, and say `pattern` (a regex)."""
        done = self.ends(status, *argv, **options)
        self.assertRegex(done.errors, pattern)
        self.assertEqual(done.stdout, b"", "an error must not write to standard output")
        return done

    def stops(self, fault, pattern, *argv, **options):
        """Runs a tool that a fault of its input ends: status 2, `pattern`, and the fault's kind in the end record."""
        done = self.ends(2, *argv, **options)
        self.assertRegex(done.errors, pattern)
        self.assertEqual(self.check_records(done.stdout)[-1]["stop_reason"], f"fault:{fault}")
        return done

    def records(self, *argv, kind=None, status=0, **options):
        """The valid records of a tool that must end with `status`."""
        return self.check_records(self.ends(status, *argv, **options).stdout, kind)

    def check_records(self, output, kind=None):
        found = records(output)
        for record in found:
            self.assertEqual(schema_faults(record), [], f"by {SCHEMA.name}: {json.dumps(record)[:500]}")
        return [record for record in found if kind is None or record.get("type") == kind]


def main():
    """unittest.main(), but a program all of whose cases were skipped ends with 77, which ctest shows."""
    program = unittest.main(exit=False)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun and len(result.skipped) == result.testsRun else 0)
