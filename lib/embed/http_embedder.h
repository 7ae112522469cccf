#pragma once
#include <memory>
#include <string>

#include "core/result.h"
#include "embed/embedder.h"

namespace ragline {

// How a server wants its texts.
enum class ServerShape {
  kAuto,    // by the URL: .../api/embed is Ollama's, .../embed is TEI's, all else OpenAI's
  kOpenAi,  // {"model", "input": [...]} -> {"data": [{"index", "embedding"}]}
  kOllama,  // {"model", "input": [...]} -> {"embeddings": [[...]]}
  kTei      // {"inputs": [...], "truncate": true} -> [[...]]
};

struct ServerOptions {
  std::string url;
  std::string model;  // the server's name for it
  ServerShape shape = ServerShape::kAuto;
  std::string api_key;     // sent as a bearer token; empty: none
  std::size_t batch = 32;  // texts a request
  std::string query_prefix, passage_prefix;
  int timeout_s = 120;
  double pause_s = 0.5;  // before the second try; doubled before each further one
};

// An embedder that asks a server over HTTP (core/http.h). Texts of blanks are not sent: their rows
// are zeros.
//
// A request that gets no answer, or the status 408, 429 or 5xx, is made again, up to five times in
// all, after a pause that doubles or that the server names. One refused with 400, 413 or 422 is
// halved until a single text is left; that is cut to its first half, down to kShortest bytes.
//
// Errors: kIo with the server's words when it keeps refusing; kData when there are fewer or more
// vectors than texts, when their sizes differ from each other or from those of earlier calls, or
// when they hold anything but finite numbers. The fingerprint has the model's name, the size and
// the prefixes, not the URL; it is empty before the first answer.
std::unique_ptr<const Embedder> open_server(ServerOptions options);

inline constexpr std::size_t kShortest = 256;

}  // namespace ragline
