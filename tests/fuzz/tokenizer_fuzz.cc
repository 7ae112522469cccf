// tokenizer.json and a text for it, parted by a NUL byte: what is read encodes any text, to ids
// below its size, the same twice.
#include "core/utf8.h"
#include "embed/tokenizer.h"
#include "fuzz.h"

using ragline::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  const std::size_t end = input.find('\0');
  const auto tokenizer = ragline::Tokenizer::parse(input.substr(0, end));
  if (!tokenizer) {
    require(!tokenizer.error().message.empty());
    return 0;
  }
  const std::string_view text =
      end == input.npos ? "money Back, 水é refund" : input.substr(end + 1);
  std::vector<std::uint32_t> ids, again;
  tokenizer->encode(text, ids);
  tokenizer->encode(text, again);
  require(ids == again);
  for (const std::uint32_t id : ids) require(id < tokenizer->size());
  return 0;
}
