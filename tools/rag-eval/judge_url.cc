#include "rag-eval/judge_url.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/http.h"
#include "core/text.h"
#include "eval/fields.h"
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

namespace {

struct Task {
  std::string key, premise, hypothesis;
};

Result<std::vector<Task>> read_tasks(std::string_view requests) {
  std::vector<Task> tasks;
  LineWalker lines(requests);
  std::string_view line;
  while (lines.next(line)) {
    RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(line));
    Task& task = tasks.emplace_back();
    RAGLINE_CHECK(members.text({"key"}, task.key));
    RAGLINE_CHECK(members.text({"premise"}, task.premise));
    RAGLINE_CHECK(members.text({"hypothesis"}, task.hypothesis));
  }
  return tasks;
}

// Requests of several threads, each of which takes the next task that nobody has.
class Asking {
 public:
  Asking(const JudgeEndpoint& endpoint, std::string authorization, std::vector<Task> tasks)
      : endpoint_(endpoint),
        authorization_(std::move(authorization)),
        tasks_(std::move(tasks)),
        replies_(tasks_.size()) {}

  Result<std::string> run() {
    std::vector<std::thread> threads;
    const std::size_t count = std::min(endpoint_.parallel, tasks_.size());
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (!tasks_.empty() && !reached_)
      return fail(ErrorKind::kIo, cat("--judge-url ", refusal_));
    std::string out;
    for (const std::string& reply : replies_) out += reply;
    return out;
  }

 private:
  void work() {
    while (reached_ || !failed_) {
      const std::size_t i = next_++;
      if (i >= tasks_.size()) return;
      replies_[i] = ask(tasks_[i]);
      if (!reached_) failed_ = true;
    }
  }

  // The reply's line; empty for a failure.
  std::string ask(const Task& task) {
    HttpRequest request{.url = cat(endpoint_.url, "/chat/completions"), .headers = {}, .body = {}};
    if (!authorization_.empty()) request.headers.push_back(authorization_);
    request.body = body_of(endpoint_, task.premise, task.hypothesis);
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const auto response = http_post(request);
      if (!response || response->status != 200) {
        const std::lock_guard lock(mutex_);
        refusal_ = response ? cat(endpoint_.url, ": the status is ", response->status)
                            : response.error().message;
        continue;
      }
      reached_ = true;
      if (auto reply = read_response(response->body, task.key)) return std::move(*reply);
    }
    return "";
  }

  const JudgeEndpoint& endpoint_;
  const std::string authorization_;
  const std::vector<Task> tasks_;
  std::vector<std::string> replies_;  // by task; each is written by one thread
  std::mutex mutex_;
  std::string refusal_;  // the last one
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> reached_ = false, failed_ = false;
};

}  // namespace

Result<std::string> ask_endpoint(const JudgeEndpoint& endpoint, const std::string& requests) {
  std::string authorization;
  if (!endpoint.key_variable.empty()) {
    const char* key = std::getenv(endpoint.key_variable.c_str());
    if (!key)
      return fail(ErrorKind::kUsage, cat("--api-key-env ", endpoint.key_variable,
                                         ": the variable is not set: export it with the key"));
    authorization = cat("Authorization: Bearer ", key);
  }
  RAGLINE_TRY(std::vector<Task> tasks, read_tasks(requests));
  return Asking(endpoint, std::move(authorization), std::move(tasks)).run();
}

}  // namespace ragline
