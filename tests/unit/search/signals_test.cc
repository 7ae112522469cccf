#include "search/signals.h"

#include "catch.h"

using namespace ragline;

namespace {

Chunk chunk(std::string text, std::string title = "") {
  Chunk out;
  out.text = std::move(text);
  out.title = std::move(title);
  out.language = "en";
  return out;
}

QueryWords query() { return {{{{"refund"}, 4}, {{"order"}, 2}, {{"late"}, 1}}, {}}; }

}  // namespace

TEST_CASE("words that stand close together count once each, by idf") {
  const Snapshot snapshot;
  const QueryWords words = query();
  SignalReader reader(snapshot, 100, false, words);
  CHECK(reader.read(chunk("refund refund order")).window == Approx(6.0 / 7));
  std::string far = "refund";
  for (int i = 0; i < 30; ++i) far += " filler";
  CHECK(reader.read(chunk(far + " order late")).window == Approx(4.0 / 7));
  CHECK(reader.read(chunk("nothing here")).window == 0);
}

TEST_CASE("neighbouring words in the order of the query are pairs") {
  const Snapshot snapshot;
  const QueryWords words = query();
  SignalReader reader(snapshot, 100, false, words);
  CHECK(reader.read(chunk("the refund order")).pairs == Approx(2.0 / 3));
  CHECK(reader.read(chunk("order refund")).pairs == 0);
  CHECK(reader.read(chunk("refund order late")).pairs == Approx(1));
}

TEST_CASE("a title is judged by the share of its words that the query has") {
  const Snapshot snapshot;
  const QueryWords words = query();
  SignalReader reader(snapshot, 100, false, words);
  CHECK(reader.read(chunk("x", "Refund")).title == Approx(1));
  const double other = reader.read(chunk("x", "Refund zebra")).title;
  CHECK(other > 0);
  CHECK(other < 1);
  CHECK(reader.read(chunk("refund")).title == 0);
}

TEST_CASE("identifiers count when they stand as they are written, in either case") {
  const Snapshot snapshot;
  const QueryWords words{{{{"x"}, 1}}, {"updateorderstatus", "order_id"}};
  SignalReader reader(snapshot, 100, false, words);
  CHECK(reader.read(chunk("call updateOrderStatus now")).exact == Approx(0.5));
  CHECK(reader.read(chunk("update the order status")).exact == 0);
  for (const char* name : {"order_id", "updateOrderStatus", "1.0.21", "a@b.example"}) CHECK(is_identifier(name));
  for (const char* word : {"order", "e-mail", "Order", "state-of-the-art", "USA", ""}) CHECK_FALSE(is_identifier(word));
}
