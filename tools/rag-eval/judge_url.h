#pragma once
#include <string>

#include "core/result.h"

namespace ragline {

// A chat endpoint that speaks OpenAI's protocol, asked through the curl program, so that nobody
// pays for a network library who does not use one.
struct JudgeEndpoint {
  std::string url;  // the base, such as http://localhost:8000/v1
  std::string model;
  std::string key_variable;  // the environment variable with the key; empty: none is sent
  std::size_t parallel = 1;  // requests under way at once, at least 1
};

// All that decides an answer besides the texts: endpoint, model, and the words of the prompt.
std::string judge_name(const JudgeEndpoint& endpoint);

// An exchange of eval/judge.h: one request a task, temperature 0, an answer by JSON Schema, tried
// three times. Lines are in the order of the tasks, however many requests are under way. A task
// that gets no usable answer has no line in the result; while nothing got through, a task that
// failed ends the asking.
// Errors: kUsage when the variable is not set; kIo when curl is missing or no request got through.
Result<std::string> ask_endpoint(const JudgeEndpoint& endpoint, const std::string& requests);

}  // namespace ragline
