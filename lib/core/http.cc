#include "core/http.h"

#include "core/program.h"
#include "core/text.h"

namespace ragline {

namespace {

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

// Behind the body: a newline, then these.
constexpr std::string_view kWritten =
    R"("\n%{http_code}\t%header{retry-after}\t%{exitcode}\t%{errormsg}")";

}  // namespace

Result<HttpReply> http_post(const HttpRequest& request) {
  std::string config = cat("url = ", quoted(request.url), "max-time = ", request.timeout_s, "\n",
                           "data-binary = \"@/dev/fd/3\"\n", "write-out = ", kWritten, "\n",
                           "header = \"Content-Type: application/json\"\n");
  for (const std::string& header : request.headers) append(config, "header = ", quoted(header));
  // Its status says nothing that is not written too.
  RAGLINE_TRY(std::string out,
              run_program("curl --silent --config - || exit 0", config, request.body));
  const std::size_t end = out.rfind('\n');
  const auto parts = end == out.npos ? std::vector<std::string_view>()
                                     : split(std::string_view(out).substr(end + 1), '\t');
  if (parts.size() < 4)
    return fail(ErrorKind::kIo,
                cat(request.url, ": curl did not run: install the program curl, 7.84 or newer"));
  if (parts[2] != "0") return fail(ErrorKind::kIo, cat(request.url, ": ", parts[3]));
  HttpReply reply;
  reply.status = static_cast<int>(parse_integer(parts[0]).value_or(0));
  reply.retry_after_s = parse_double(parts[1]).value_or(0);
  out.resize(end);
  reply.body = std::move(out);
  return reply;
}

}  // namespace ragline
