// Texts to ids, for tokenizer_test.py: `tokenize TOKENIZER.JSON` reads a JSON string a line and
// writes its ids, parted by spaces, a line.
#include <cstdio>
#include <string>

#include "core/text.h"
#include "embed/tokenizer.h"
#include "record/object.h"
#include "record/reader.h"

using namespace ragline;

namespace {

int fault(const Error& error) {
  std::fprintf(stderr, "tokenize: %s\n", error.message.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return fault({ErrorKind::kUsage, "give one tokenizer.json"});
  const auto tokenizer = Tokenizer::load(argv[1]);
  if (!tokenizer) return fault(tokenizer.error());
  auto reader = LineReader::open("-");
  if (!reader) return fault(reader.error());
  std::vector<std::uint32_t> ids;
  for (Line line;;) {
    const auto more = reader->next(line);
    if (!more) return fault(more.error());
    if (!*more) return 0;
    ids.clear();
    tokenizer->encode(json_scalar_text(line.bytes).value_or(""), ids);
    std::string out;
    for (const std::uint32_t id : ids) append(out, out.empty() ? "" : " ", id);
    std::puts(out.c_str());
  }
}
