// Runs in every form and dialect: whatever is read can be read again, and its hits lie in the text
// or in what the run keeps.
#include "eval/run.h"
#include "fuzz.h"

using ragline::fuzz::require;

namespace {

void read_all(std::string_view input, const ragline::RunOptions& options) {
  const auto run = ragline::Run::parse(ragline::InputText("run", std::string(input)), options);
  if (!run) {
    require(!run.error().message.empty());
    return;
  }
  require(!run->queries().empty());
  std::vector<ragline::RunHit> hits, again;
  for (const ragline::Run::Query& query : run->queries()) {
    require(run->find(query.id) == &query);
    if (!run->read(query, hits)) continue;
    require(run->read(query, again).has_value());
    require(hits.size() == again.size());
    for (std::size_t i = 0; i < hits.size(); ++i) require(hits[i].document == again[i].document);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = ragline::fuzz::text(data, size);
  read_all(input, {});
  read_all(input, {.no_end = true});
  ragline::BadRows bad(true);
  read_all(input, {.no_end = true, .bad = &bad});
  require((bad.total() > 0) == !bad.first().empty());
  read_all(input, {.dialect = ragline::Dialect::kTrec9});
  read_all(input, {.dialect = ragline::Dialect::kTrec10});
  if (const auto plain = ragline::unpack(input.substr(0, 1 << 16));
      plain && ragline::is_packed(input))
    read_all(*plain, {});
  return 0;
}
