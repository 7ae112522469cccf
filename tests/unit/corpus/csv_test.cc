#include "corpus/csv.h"

#include "blocks.h"

using namespace ragline;
using namespace ragline::test;

TEST_CASE("rows of a CSV") {
  CHECK(blocks("text/csv", "id,name\n1,\"a\nb\"\r\n\n2,\"say \"\"x\"\"\"\n") ==
        Texts{"row|id,name\n", "row|1,\"a\nb\"\r\n\n", "row|2,\"say \"\"x\"\"\"\n"});
  CHECK(blocks("text/csv", "a\"b,c\n\"d\n") ==
        Texts{"row|a\"b,c\n", "row|\"d\n"});  // never closed: an ordinary character
  CHECK(blocks("text/csv", "1,\"open\n2,x\n3,y\n").size() == 3);
}

TEST_CASE("a header is told from data") {
  auto header = [](std::string_view text) { return parsed("text/csv", text).blocks.back().header; };
  CHECK(header("id,name\n1,a\n") == ByteSpan{0, 8});
  CHECK(header("1,a\n2,b\n") == ByteSpan{});
  CHECK(header("one\ntwo\n") == ByteSpan{});
  CHECK(header("id;Größe\n1;a\n") == ByteSpan{0, 11});
  CHECK(header("a,,c\n1,2,3\n") == ByteSpan{});
}

TEST_CASE("separators") {
  CHECK(csv_separator("a,b;c,d\n") == ',');
  CHECK(csv_separator("a;b;c,d\n") == ';');
  CHECK(csv_separator("\"x,y,z,\"\ta\tb\n") == '\t');
  CHECK(csv_separator("") == ',');
}

TEST_CASE("fields are unquoted") {
  CHECK(csv_fields("a,\"b,c\",\"d\"\"e\",\r\n", ',') == Texts{"a", "b,c", "d\"e", ""});
  CHECK(csv_fields("a\tb", '\t') == Texts{"a", "b"});
}
