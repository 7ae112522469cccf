#include "cli/exit.h"

#include "catch.h"

using namespace ragline;

TEST_CASE("exit statuses of errors") {
  for (const ErrorKind kind :
       {ErrorKind::kUsage, ErrorKind::kData, ErrorKind::kIo, ErrorKind::kCorrupt,
        ErrorKind::kVersion, ErrorKind::kLocked, ErrorKind::kNotFound, ErrorKind::kDenied})
    CHECK(exit_code(kind) == 2);
  CHECK(exit_code(ErrorKind::kLimit) == 3);
  CHECK(exit_code(ErrorKind::kInterrupted) == 130);
}

TEST_CASE("3 wins over 4, 4 over 0 and 1, --allow-partial takes both away") {
  for (int bits = 0; bits < 16; ++bits) {
    const bool found = bits & 1, limit = bits & 2, unreadable = bits & 4, partial = bits & 8;
    Outcome outcome;
    outcome.set_found(found);
    if (limit) outcome.set_limit_hit();
    if (unreadable) outcome.set_unreadable();
    outcome.set_allow_partial(partial);
    INFO(bits);
    CHECK(outcome.code() == (!partial && limit ? 3 : !partial && unreadable ? 4 : found ? 0 : 1));
  }
}

TEST_CASE("found once stays found") {
  Outcome outcome;
  outcome.set_found();
  outcome.set_found(false);
  CHECK(outcome.code() == 0);
}

TEST_CASE("the status of a program that is stood in for wins") {
  Outcome outcome;
  outcome.set_limit_hit();
  outcome.set_foreign(7);
  CHECK(outcome.code() == 7);
}
