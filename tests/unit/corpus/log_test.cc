#include "corpus/log.h"

#include "blocks.h"

using namespace ragline;
using namespace ragline::test;

TEST_CASE("times at the begin of a line") {
  for (const char* line :
       {"2026-03-01 12:00:00,123 INFO x", "2026-03-01T12:00:00Z x", "Mar  1 12:00:00 host x",
        "[Sun Dec 04 04:47:44 2005] [notice] x", "081109 203615 148 INFO x",
        "- 1117838570 2005.06.03 x", "03/01 12:00:01 x", "12:00:01.5 x", "1117838570 x"}) {
    INFO(line);
    CHECK(begins_with_time(line));
  }
  for (const char* line :
       {"", "text", "version 1.2.3", "at x.y(Z.java:12)", "a 12 b", "Error: 12:3"}) {
    INFO(line);
    CHECK_FALSE(begins_with_time(line));
  }
}

TEST_CASE("a stack trace stays with its entry") {
  CHECK(blocks("text/x-log",
               "2026-03-01 12:00:00 ERROR boom\njava.lang.X: y\n    at a.b(C.java:1)\nCaused by: "
               "z\n2026-03-01 12:00:01 INFO ok\n") ==
        Texts{"log|2026-03-01 12:00:00 ERROR boom\njava.lang.X: y\n    at a.b(C.java:1)\nCaused "
              "by: z\n",
              "log|2026-03-01 12:00:01 INFO ok\n"});
  CHECK(
      blocks("text/x-log",
             "error one\n  detail\nTraceback (most recent call last):\n  File x\n\nerror two\n") ==
      Texts{"log|error one\n  detail\nTraceback (most recent call last):\n  File x\n\n",
            "log|error two\n"});
}

TEST_CASE("rows of JSON are blocks") {
  CHECK(blocks("application/jsonl", "{\"a\":1}\n\n{\"a\":2}\n") ==
        Texts{"row|{\"a\":1}\n\n", "row|{\"a\":2}\n"});
}

TEST_CASE("text with times is a log") {
  CHECK(looks_like_log("12:00:00 a\n12:00:01 b\n12:00:02 c\n12:00:03 d\n  more\n12:00:04 e\n"));
  CHECK_FALSE(looks_like_log("12:00:00 a\ntext\ntext\ntext\ntext\n"));
  CHECK_FALSE(looks_like_log("12:00:00 a\n"));
}
