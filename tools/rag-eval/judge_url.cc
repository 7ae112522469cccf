#include "rag-eval/judge_url.h"

#include <cstdlib>
#include <optional>

#include "core/text.h"
#include "eval/fields.h"
#include "rag-eval/program.h"
#include "record/object.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr std::string_view kPrompt =
    "You check whether a premise entails a hypothesis. It does when everything the hypothesis says "
    "follows from the premise alone, without outside "
    "knowledge. Answer with a JSON object: {\"label\": true} when it does, {\"label\": false} when "
    "it does not.";
constexpr std::string_view kFormat =
    R"({"type":"json_schema","json_schema":{"name":"entailment","strict":true,"schema":{"type":"object","properties":{"label":{"type":"boolean"}},"required":["label"],"additionalProperties":false}}})";
constexpr int kTries = 3;

std::string message(std::string_view role, std::string_view content) {
  std::string out;
  JsonObject(out).add("role", role).add("content", content).close();
  return out;
}

std::string body_of(const JudgeEndpoint& endpoint, std::string_view premise,
                    std::string_view hypothesis) {
  std::string out;
  JsonObject body(out);
  body.add("model", endpoint.model).add("temperature", 0).raw("response_format", kFormat);
  body.raw("messages",
           cat('[', message("system", kPrompt), ',',
               message("user", cat("Premise:\n", premise, "\n\nHypothesis:\n", hypothesis)), ']'));
  body.close();
  return out;
}

// A value in curl's configuration: in quotes, with its backslashes and quotes escaped.
std::string quoted(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"\n";
}

// The reply's line for a response of the endpoint; nullopt when it is not understood.
std::optional<std::string> read_response(std::string_view response, std::string_view key) {
  const auto members = JsonMembers::parse(trim(response));
  if (!members) return std::nullopt;
  const Field* choices = members->find("choices");
  const auto list = choices ? json_elements(choices->raw) : Result<std::vector<std::string_view>>();
  if (!list || list->empty()) return std::nullopt;
  const auto choice = JsonMembers::parse(list->front());
  const Field* inner = choice ? choice->find("message") : nullptr;
  const auto said = inner ? JsonMembers::parse(inner->raw) : JsonMembers::parse("");
  std::string content;
  if (!said || !said->text({"content"}, content)) return std::nullopt;
  // Models like to put a code fence around JSON.
  const std::size_t open = content.find('{'), close = content.rfind('}');
  if (open == content.npos || close == content.npos || close < open) return std::nullopt;
  const std::string json = content.substr(open, close - open + 1);
  const auto answer = JsonMembers::parse(json);
  std::optional<bool> label;
  if (!answer || !answer->flag("label", label) || !label) return std::nullopt;
  std::optional<std::uint64_t> tokens;
  if (const Field* usage = members->find("usage"))
    if (const auto counts = JsonMembers::parse(usage->raw);
        counts && !counts->count("total_tokens", tokens))
      tokens.reset();
  std::string out;
  JsonObject(out).add("key", key).add("label", *label).add("tokens", tokens.value_or(0)).close();
  return out + "\n";
}

}  // namespace

std::string judge_name(const JudgeEndpoint& endpoint) {
  return cat(endpoint.url, '\n', endpoint.model, '\n', kPrompt, '\n', kFormat);
}

Result<std::string> ask_endpoint(const JudgeEndpoint& endpoint, const std::string& requests) {
  std::string header;
  if (!endpoint.key_variable.empty()) {
    const char* key = std::getenv(endpoint.key_variable.c_str());
    if (!key)
      return fail(ErrorKind::kUsage, cat("--api-key-env ", endpoint.key_variable,
                                         ": the variable is not set: export it with the key"));
    header = cat("header = ", quoted(cat("Authorization: Bearer ", key)));
  }
  std::string out;
  std::optional<Error> refused;
  bool reached = false;
  LineWalker lines(requests);
  std::string_view line;
  while (lines.next(line)) {
    RAGLINE_TRY(const JsonMembers task, JsonMembers::parse(line));
    std::string key, premise, hypothesis;
    RAGLINE_CHECK(task.text({"key"}, key));
    RAGLINE_CHECK(task.text({"premise"}, premise));
    RAGLINE_CHECK(task.text({"hypothesis"}, hypothesis));
    const std::string config = cat("url = ", quoted(cat(endpoint.url, "/chat/completions")), header,
                                   "header = \"Content-Type: application/json\"\n",
                                   "data-raw = ", quoted(body_of(endpoint, premise, hypothesis)));
    for (int attempt = 0; attempt < kTries; ++attempt) {
      // The configuration comes on standard input: a key on the command line would be seen by all.
      const auto response =
          run_program("exec curl --silent --show-error --fail --max-time 120 --config -", config);
      if (!response) {
        refused = response.error();
        continue;
      }
      reached = true;
      if (const auto reply = read_response(*response, key)) {
        out += *reply;
        break;
      }
    }
    if (!reached && refused)
      return fail(ErrorKind::kIo,
                  cat("--judge-url ", endpoint.url, ": curl got no answer: see its message above"));
  }
  return out;
}

}  // namespace ragline
