#include "embed/http_embedder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/hash.h"
#include "core/http.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "record/object.h"
#include "record/vector_field.h"
#include "record/writer.h"

namespace ragline {

namespace {

constexpr int kTries = 5;
constexpr double kLongestPause = 30;

ServerShape shape_of(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  if (url.ends_with("/api/embed")) return ServerShape::kOllama;
  return url.ends_with("/embed") ? ServerShape::kTei : ServerShape::kOpenAi;
}

bool worth_another_try(int status) { return status == 408 || status == 429 || status >= 500; }
bool too_much(int status) { return status == 400 || status == 413 || status == 422; }

// The first line of what a server says, for a message.
std::string said(std::string_view body) {
  const std::string_view text = trim(body);
  const std::string_view line = text.substr(0, text.find('\n'));
  return to_valid_utf8(line.substr(0, utf8_floor(line, std::min<std::size_t>(line.size(), 200))));
}

class ServerEmbedder final : public Embedder {
 public:
  explicit ServerEmbedder(ServerOptions options) : options_(std::move(options)) {
    if (options_.shape == ServerShape::kAuto) options_.shape = shape_of(options_.url);
  }

  std::size_t dimensions() const override { return dimensions_; }
  std::size_t batch() const override { return options_.batch; }
  std::string description() const override {
    return cat(options_.model.empty() ? "a model" : options_.model, " at ", options_.url);
  }
  std::string fingerprint() const override {
    if (dimensions_ == 0) return {};
    const std::string prefixes = cat(options_.query_prefix, '\0', options_.passage_prefix);
    return cat("server:", options_.model, ":", dimensions_.load(), ":", hex(hash64(prefixes), 8));
  }

  Result<std::vector<float>> embed(std::span<const std::string_view> texts,
                                   TextRole role) const override {
    const std::string& prefix =
        role == TextRole::kQuery ? options_.query_prefix : options_.passage_prefix;
    std::vector<std::string> sent;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (trim(texts[i]).empty()) continue;
      sent.push_back(cat(prefix, to_valid_utf8(texts[i])));
      places.push_back(i);
    }
    std::vector<std::vector<float>> rows;
    for (std::size_t at = 0; at < sent.size(); at += options_.batch)
      RAGLINE_CHECK(
          ask(std::span(sent).subspan(at, std::min(options_.batch, sent.size() - at)), rows));
    std::vector<float> out(texts.size() * dimensions_);
    for (std::size_t i = 0; i < places.size(); ++i)
      std::copy(rows[i].begin(), rows[i].end(),
                out.begin() + static_cast<std::ptrdiff_t>(places[i] * dimensions_));
    return out;
  }

 private:
  // Appends the rows of `texts`, which may be cut.
  Status ask(std::span<std::string> texts, std::vector<std::vector<float>>& rows) const {
    RAGLINE_TRY(const HttpReply reply, post(texts));
    if (reply.status == 200) return read(reply.body, texts.size(), rows);
    if (!too_much(reply.status))
      return fail(ErrorKind::kIo,
                  cat(options_.url, ": the status is ", reply.status, ": ", said(reply.body)));
    if (texts.size() > 1) {
      RAGLINE_CHECK(ask(texts.first(texts.size() / 2), rows));
      return ask(texts.subspan(texts.size() / 2), rows);
    }
    std::string& text = texts.front();
    if (text.size() <= kShortest)
      return fail(ErrorKind::kIo, cat(options_.url, ": the status is ", reply.status,
                                      " for one short text: ", said(reply.body)));
    text.resize(utf8_floor(text, text.size() / 2));
    return ask(texts, rows);
  }

  Result<HttpReply> post(std::span<const std::string> texts) const {
    HttpRequest request{.url = options_.url,
                        .headers = {},
                        .body = body_of(texts),
                        .timeout_s = options_.timeout_s};
    if (!options_.api_key.empty())
      request.headers.push_back(cat("Authorization: Bearer ", options_.api_key));
    double pause = options_.pause_s;
    for (int attempt = 1;; ++attempt) {
      auto reply = http_post(request);
      if ((reply && !worth_another_try(reply->status)) || attempt == kTries) return reply;
      if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
      const double asked = reply ? reply->retry_after_s : 0;
      std::this_thread::sleep_for(
          std::chrono::duration<double>(std::min(asked > 0 ? asked : pause, kLongestPause)));
      pause *= 2;
    }
  }

  std::string body_of(std::span<const std::string> texts) const {
    std::string list = "[", out;
    for (const std::string& text : texts)
      append(list, list.size() > 1 ? "," : "", json_string(text));
    list += "]";
    JsonObject body(out);
    if (options_.shape == ServerShape::kTei) {
      body.raw("inputs", list).add("truncate", true);
    } else {
      body.add("model", options_.model).raw("input", list);
      if (options_.shape == ServerShape::kOpenAi) body.add("encoding_format", "float");
    }
    body.close();
    return out;
  }

  Error bad(std::string_view what) const {
    return {ErrorKind::kData, cat(options_.url, ": ", what)};
  }

  // The lists of numbers of a reply, in the order of the texts.
  Result<std::vector<std::string_view>> lists_of(std::string_view body, std::size_t count) const {
    if (options_.shape == ServerShape::kTei) return json_elements(body);
    RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(body));
    const bool ollama = options_.shape == ServerShape::kOllama;
    const Field* field = members.find(ollama ? "embeddings" : "data");
    if (!field)
      return fail(ErrorKind::kData,
                  cat("there is no `", ollama ? "embeddings" : "data", "` in it"));
    RAGLINE_TRY(auto elements, json_elements(field->raw));
    if (ollama) return elements;
    std::vector<std::string_view> out(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      RAGLINE_TRY(const JsonMembers element, JsonMembers::parse(elements[i]));
      const Field* embedding = element.find("embedding");
      std::optional<std::uint64_t> index = i;
      RAGLINE_CHECK(element.count("index", index));
      if (!embedding || *index >= count || *index >= out.size() || !out[*index].empty())
        return fail(ErrorKind::kData, "its `data` has no embedding for each index");
      out[*index] = embedding->raw;
    }
    return out;
  }

  Status read(std::string_view body, std::size_t count,
              std::vector<std::vector<float>>& rows) const {
    const auto lists = lists_of(body, count);
    if (!lists)
      return std::unexpected(
          bad(cat("the answer is not what was asked for: ", lists.error().message)));
    if (lists->size() != count)
      return std::unexpected(
          bad(cat("there are ", lists->size(), " vectors for ", count, " texts")));
    for (const std::string_view list : *lists) {
      auto field = read_vector(list);
      if (!field) return std::unexpected(bad(field.error().message));
      std::size_t before = 0;
      if (!dimensions_.compare_exchange_strong(before, field->values.size()) &&
          before != field->values.size())
        return std::unexpected(
            bad(cat("a vector has ", field->values.size(), " values where others have ", before)));
      if (!normalise_row(field->values))
        return std::unexpected(bad("a vector is too long to be scaled"));
      rows.push_back(std::move(field->values));
    }
    return {};
  }

  ServerOptions options_;
  mutable std::atomic<std::size_t> dimensions_ = 0;
};

}  // namespace

std::unique_ptr<const Embedder> open_server(ServerOptions options) {
  return std::make_unique<ServerEmbedder>(std::move(options));
}

}  // namespace ragline
