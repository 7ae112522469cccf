#pragma once
#include <string>
#include <vector>

#include "core/result.h"

namespace ragline {

// One POST, made by the curl program, so that nobody pays for a network library who does not use
// one. Only ever called for a flag that names the URL. What is secret goes to curl through files
// that have no name, never on its command line.
struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  // "Authorization: Bearer ..."
  std::string body;                  // JSON
  int timeout_s = 120;
};

struct HttpReply {
  int status = 0;  // 200, 429, ...
  std::string body;
  double retry_after_s = 0;  // what the server asks for, in seconds; 0 when it does not
};

// Any status is a reply. Errors: kIo when none came whole: no connection, a timeout, a reply cut
// short; or when there is no curl. Several threads may call it.
Result<HttpReply> http_post(const HttpRequest& request);

}  // namespace ragline
