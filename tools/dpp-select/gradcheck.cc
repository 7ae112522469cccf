#include "select/gradcheck.h"

#include "cli/flag_kinds.h"
#include "cli/shared_flags.h"
#include "core/text.h"
#include "dpp-select/commands.h"
#include "record/writer.h"

namespace ragline {

namespace {

Status run_gradcheck(ToolRun& run) {
  const auto checks = check_gradients(static_cast<std::size_t>(run.flags.integer("entries")),
                                      static_cast<std::uint64_t>(run.flags.integer("seed")));
  std::string out, failed;
  for (const GradientCheck& check : checks) {
    JsonObject object(out);
    object.add("type", "measure")
        .add("measure", "gradient error")
        .add("run", check.name)
        .add("value", check.worst);
    object.add("entries", std::uint64_t{check.entries}).close();
    out += '\n';
    if (check.worst > kGradientTolerance) failed = check.name;
  }
  RAGLINE_CHECK(run.out.write(out));
  run.outcome.set_found();
  if (failed.empty()) return {};
  return fail(ErrorKind::kData,
              cat("the gradient of '", failed,
                  "' is off by more than 1e-6: training would not minimise its loss"));
}

}  // namespace

SelectCommand gradcheck_command() {
  Flag entries = text_flag("entries", "N", "Options", "parameters to compare in each combination");
  entries.type = FlagType::kInteger;
  entries.least = 1;
  entries.most = 1e6;
  entries.fallback = "300";
  return {.spec = {.name = "gradcheck",
                   .summary = "compare the gradients of training with differences",
                   .description = {"Every loss, activation and form of output in double precision, "
                                   "on random examples. Fails when a relative "
                                   "error exceeds 1e-6."},
                   .flags = {std::move(entries), seed_flag()},
                   .examples = {{"dpp-select gradcheck",
                                 "The largest relative error of each combination."}}},
          .body = run_gradcheck};
}

}  // namespace ragline
