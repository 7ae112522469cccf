"""The kit itself: how runs, terminals and records are seen by the other tests."""

import unittest

import kit


class Kit(kit.Case):
    def test_run_sees_status_and_both_streams(self):
        done = kit.run(["/bin/sh", "-c", "cat; echo bad >&2; exit 3"], stdin="in")
        self.assertEqual(done, kit.Run(3, b"in", b"bad\n"))

    def test_runs_start_in_the_folder_of_the_case(self):
        self.write("deep/er.txt", "x")
        self.assertEqual(self.ok("/bin/ls", "deep").text, "er.txt\n")

    def test_environment_holds_no_variable_of_ours(self):
        done = kit.shell("env | grep ^RAGLINE_ || true", env={"RAGLINE_INDEX": "x"})
        self.assertEqual(done.text, "RAGLINE_MODEL=none\nRAGLINE_INDEX=x\n")

    def test_a_failing_part_fails_the_pipeline(self):
        self.assertEqual(kit.shell("exit 5 | cat").status, 5)

    def test_terminal_is_one(self):
        done = kit.terminal(["/bin/sh", "-c", "test -t 0 && test -t 1 && echo yes; exit 4"])
        self.assertEqual((done.status, done.text), (4, "yes\n"))

    def test_terminal_ends_what_hangs(self):
        self.assertEqual(kit.terminal(["/bin/sleep", "60"], timeout=0.2).status, -9)

    def test_records_by_type(self):
        lines = kit.jsonl({"type": "hit", "rank": 1}, {"type": "end"})
        self.assertEqual(kit.records(lines, "hit"), [{"type": "hit", "rank": 1}])

    def test_missing_data_skips(self):
        with self.assertRaisesRegex(unittest.SkipTest, "set RAGLINE_DATA"):
            kit.data("no", "such", "set")


if __name__ == "__main__":
    kit.main()
