#include "cli/trace.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/files.h"
#include "core/text.h"
#include "record/writer.h"

namespace ragline {

namespace {

bool is_lower_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string random_trace_id() {
  std::uint64_t halves[2] = {};
  if (getrandom(halves, sizeof halves, 0) !=
      sizeof halves)  // not in practice; time and process are unique enough
    halves[0] =
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  if (halves[1] == 0) halves[1] = static_cast<std::uint64_t>(getpid());
  return cat(hex(halves[0], 16), hex(halves[1], 16));
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const auto& text : texts) append(out, out.size() > 1 ? "," : "", json_string(text));
  return out + ']';
}

// What was asked: flags that differ from their defaults by long name, then positionals by their
// names.
std::string arguments_json(const ToolSpec& spec, const Flags& flags, bool content) {
  std::string out;
  JsonObject object(out);
  if (flags.command()) object.add("command", flags.command()->name);
  for (const auto& entry : flags.entries()) {
    const Flag& flag = *entry.flag;
    if (entry.texts.empty() || (!entry.given && entry.texts.back() == flag.fallback)) continue;
    if (flag.content && !content) continue;
    if (flag.type == FlagType::kSwitch)
      object.add(flag.name, entry.texts.back() == "true");
    else if (flag.repeatable)
      object.raw(flag.name, json_list(entry.texts));
    else
      object.add(flag.name, entry.texts.back());
  }
  const auto& table = positionals_of(spec, flags.command());
  for (std::size_t i = 0; i < table.size() && i < flags.positionals().size(); ++i) {
    const auto& values = flags.positionals();
    if (table[i].content && !content) continue;
    if (table[i].repeatable)
      object.raw(ascii_lower(table[i].name),
                 json_list({values.begin() + static_cast<std::ptrdiff_t>(i), values.end()}));
    else
      object.add(ascii_lower(table[i].name), values[i]);
  }
  object.close();
  return out;
}

}  // namespace

std::string trace_id_of(std::string_view traceparent) {
  const auto parts = split(traceparent, '-');
  const bool shaped = parts.size() == 4 && parts[0] == "00" && parts[1].size() == 32 &&
                      parts[2].size() == 16 && parts[3].size() == 2 && is_lower_hex(parts[1]) &&
                      is_lower_hex(parts[2]);
  if (!shaped || parts[1].find_first_not_of('0') == std::string_view::npos) return "";
  return std::string(parts[1]);
}

Result<Trace> Trace::open(const ToolSpec& spec, const Flags& flags, GetVariable variable) {
  Trace trace;
  if (!flags.knows("trace") || !flags.has("trace")) return trace;
  trace.path_ = flags.text("trace");
  trace.descriptor_ = ::open(trace.path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (trace.descriptor_ < 0)
    return fail(ErrorKind::kIo, errno_text("cannot append to trace", trace.path_));
  trace.content_ = flags.knows("trace-content") && flags.on("trace-content");
  const char* parent = variable("TRACEPARENT");
  trace.id_ = trace_id_of(parent ? parent : "");
  if (trace.id_.empty()) trace.id_ = random_trace_id();
  trace.tool_ = spec.name;
  trace.arguments_ = arguments_json(spec, flags, trace.content_);
  return trace;
}

Trace::Trace(Trace&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      content_(other.content_),
      path_(std::move(other.path_)),
      id_(std::move(other.id_)),
      tool_(std::move(other.tool_)),
      arguments_(std::move(other.arguments_)),
      steps_(other.steps_),
      start_(other.start_),
      last_(other.last_) {}

Trace::~Trace() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status Trace::step(const TraceStep& step) {
  return is_on() ? write(++steps_, step, nullptr) : Status();
}

Status Trace::finish(const TraceStep& run, int exit_status) {
  last_ = start_;
  return is_on() ? write(0, run, &exit_status) : Status();
}

Status Trace::write(std::uint64_t number, const TraceStep& step, const int* exit_status) {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::milli> elapsed = now - last_;
  last_ = now;
  std::string line;
  JsonObject record(line);
  record.add("type", "trace").add("trace_id", id_).add("step", number).add("tool", tool_);
  record.raw("arguments", arguments_);
  if (content_ && !step.query.empty()) record.add("query", step.query);
  if (!step.index.empty()) record.add("index", step.index);
  if (!step.index_version.empty()) record.add("index_version", step.index_version);
  if (!step.route.empty()) record.add("route", step.route);
  if (step.bytes_scanned) record.add("bytes_scanned", *step.bytes_scanned);
  if (step.files) record.add("files", *step.files);
  if (step.hits) record.add("hits", *step.hits);
  if (step.tokens) record.add("tokens", *step.tokens);
  if (step.cost) record.add("cost", *step.cost);
  for (const auto& [name, count] : step.counts) record.add(name, count);
  if (!step.error.empty()) record.add("error", step.error);
  if (exit_status) record.add("exit_status", *exit_status);
  record.add("elapsed_ms", step.elapsed_ms.value_or(elapsed.count()));
  record.close();
  line += '\n';
  const ssize_t written = ::write(descriptor_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return {};
  return fail(ErrorKind::kIo, written < 0
                                  ? errno_text("cannot append to trace", path_)
                                  : cat("cannot append to trace '", path_, "': no space left"));
}

}  // namespace ragline
