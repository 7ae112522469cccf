#include "corpus/media.h"

#include "catch.h"

using namespace ragline;

TEST_CASE("media types by name") {
  CHECK(media_type_of("docs/A.MD", "") == "text/markdown");
  CHECK(media_type_of("x.hpp", "") == "text/x-c++");
  CHECK(media_type_of("Makefile", "") == "text/x-makefile");
  CHECK(media_type_of("a/CMakeLists.txt", "") == "text/x-cmake");
  CHECK(media_type_of("Dockerfile.dev", "") == "text/x-dockerfile");
  CHECK(media_type_of("x.log.3", "") == "text/x-log");
  CHECK(media_type_of("x.tsv", "") == "text/tab-separated-values");
  CHECK(media_type_of("x.pdf", "") == "application/pdf");
  CHECK(media_type_of("x.unknown", "") == "text/plain");
  CHECK(media_type_of(".gitignore", "") == "text/plain");
  CHECK(media_type_of("dir.md/file", "") == "text/plain");
  CHECK(media_type_of("", "") == "text/plain");
}

TEST_CASE("media types by content") {
  CHECK(media_type_of("run", "#!/usr/bin/env -S python3.11 -u\n") == "text/x-python");
  CHECK(media_type_of("run", "#!/bin/bash\n") == "text/x-sh");
  CHECK(media_type_of("run", "#!") == "text/plain");
  CHECK(media_type_of("run", "#!/opt/unknown\n") == "text/plain");
  CHECK(media_type_of("page", " \n<!DOCTYPE html>") == "text/html");
  CHECK(media_type_of("x.txt", "%PDF-1.7") == "application/pdf");
  CHECK(media_type_of("out.txt", "12:00:00 a\n12:00:01 b\n12:00:02 c\n12:00:03 d\n12:00:04 e\n") ==
        "text/x-log");
}

TEST_CASE("code and what can be parsed") {
  CHECK(is_code("text/x-python"));
  CHECK(is_code("text/javascript"));
  CHECK(is_code("application/json"));
  CHECK_FALSE(is_code("text/plain"));
  CHECK_FALSE(is_code("text/x-log"));
  CHECK_FALSE(is_code("text/markdown"));
  CHECK(has_parser("text/x-anything"));
  CHECK(has_parser("application/jsonl"));
  CHECK_FALSE(has_parser("application/pdf"));
  CHECK_FALSE(has_parser("application/octet-stream"));
}
