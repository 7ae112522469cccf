#include "corpus/code.h"

#include "blocks.h"

using namespace ragline::test;

TEST_CASE("code is cut at blank lines of the outermost level") {
  CHECK(
      blocks("text/x-c", "#include <a>\n\n// f does\nint f() {\n  x;\n\n  y;\n\n}\n\nint g();\n") ==
      Texts{"code|#include <a>\n\n", "code|// f does\nint f() {\n  x;\n\n  y;\n\n}\n\n",
            "code|int g();\n"});
  CHECK(blocks("text/x-ruby", "if a\n  b\n\nelse\n  c\n\nend\n\nendless\n") ==
        Texts{"code|if a\n  b\n\nelse\n  c\n\nend\n\n", "code|endless\n"});
  CHECK(blocks("text/x-python", "\n\ndef f():\n\n\treturn 1\n\n\ndef g(): pass") ==
        Texts{"code|\n\ndef f():\n\n\treturn 1\n\n\n", "code|def g(): pass"});
}
