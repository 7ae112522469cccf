// SIGINT during a build: the index stays as it was, and nothing lies about. A program of its own,
// since the signal is remembered for the rest of the process.
#include "core/interrupt.h"

#include <csignal>

#include "catch.h"
#include "sample.h"

using namespace ragline;

TEST_CASE("an interrupted writer publishes nothing and says so") {
  install_interrupt_handlers();
  std::shared_ptr<Storage> storage = memory_storage();
  REQUIRE(sample::session(storage, {sample::document("a", {"before"})}));
  const auto before = sample::files(*storage);

  auto writer = IndexWriter::open(storage, sample::options()).value();
  REQUIRE(writer->add(sample::document("b", {"never"})));
  REQUIRE(writer->drain());
  REQUIRE(std::raise(SIGINT) == 0);

  const Status drained = writer->drain();
  REQUIRE_FALSE(drained);
  CHECK(drained.error().kind == ErrorKind::kInterrupted);
  const auto committed = writer->commit();
  REQUIRE_FALSE(committed);
  CHECK(committed.error().kind == ErrorKind::kInterrupted);
  CHECK(committed.error().message.find("the index is as it was") != std::string::npos);
  writer.reset();
  CHECK(sample::files(*storage) == before);
}
