#include "rag-embed/source.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "core/files.h"
#include "core/hash.h"
#include "core/text.h"
#include "embed/http_embedder.h"

namespace ragline {

namespace {

// Texts [begin, end), by role, into their rows.
Status embed_part(const Embedder& embedder, std::span<const std::string_view> texts,
                  std::span<const TextRole> roles, std::vector<float>& rows) {
  for (std::size_t begin = 0; begin < texts.size();) {
    std::size_t end = begin;
    while (end < texts.size() && roles[end] == roles[begin]) ++end;
    RAGLINE_TRY(const auto part, embedder.embed(texts.subspan(begin, end - begin), roles[begin]));
    rows.insert(rows.end(), part.begin(), part.end());
    begin = end;
  }
  return {};
}

Result<ServerOptions> server_options(const Flags& flags) {
  ServerOptions out;
  out.url = flags.text("url");
  out.model = flags.text("model");
  const std::string& api = flags.text("api");
  out.shape = api == "openai"   ? ServerShape::kOpenAi
              : api == "ollama" ? ServerShape::kOllama
              : api == "tei"    ? ServerShape::kTei
                                : ServerShape::kAuto;
  out.batch = static_cast<std::size_t>(flags.integer("batch"));
  out.query_prefix = flags.text("query-prefix");
  out.passage_prefix = flags.text("passage-prefix");
  out.timeout_s = std::max(1, static_cast<int>(flags.duration_ms("timeout") / 1000));
  const std::string& variable = flags.text("api-key-env");
  if (variable.empty()) return out;
  const char* key = std::getenv(variable.c_str());
  if (!key)
    return fail(ErrorKind::kUsage, cat("--api-key-env ", variable,
                                       ": the variable is not set: export it with the key"));
  out.api_key = key;
  return out;
}

}  // namespace

Result<VectorSource> VectorSource::open(const Flags& flags) {
  VectorSource out;
  out.threads_ = flags.has("threads") ? static_cast<std::size_t>(flags.integer("threads"))
                                      : std::max(1u, std::thread::hardware_concurrency());
  if (flags.has("vectors")) {
    out.matrix_path_ = flags.text("vectors");
    RAGLINE_TRY(const auto file, read_file(out.matrix_path_));
    auto matrix = parse_npy(file->bytes());
    if (!matrix)
      return fail(matrix.error().kind, cat(out.matrix_path_, ": ", matrix.error().message));
    out.matrix_ = std::move(*matrix);
    out.matrix_print_ = cat("given:", checksum_text(file->bytes()), ":", out.matrix_->columns);
    return out;
  }
  if (flags.has("url")) {
    RAGLINE_TRY(ServerOptions server, server_options(flags));
    out.embedder_ = open_server(std::move(server));
    return out;
  }
  EmbedderOptions options{.model = flags.text("model"), .model_folders = model_folders()};
  if (options.model == "none")
    return fail(ErrorKind::kUsage,
                "--model none: without a model there is nothing to do here: leave rag-embed out");
  if (options.model.empty()) options.model = kDefaultModel;
  RAGLINE_TRY(out.embedder_, open_embedder(options));
  return out;
}

std::string VectorSource::description() const {
  return embedder_
             ? embedder_->description()
             : cat(matrix_path_, ": ", matrix_->rows, " rows of ", matrix_->columns, " values");
}

Result<std::vector<float>> VectorSource::from_matrix(std::size_t count) {
  if (matrix_->rows - used_ < count)
    return fail(ErrorKind::kData, cat(matrix_path_, ": there are ", matrix_->rows,
                                      " rows, and more texts: give a row for each text"));
  const auto begin =
      matrix_->values.begin() + static_cast<std::ptrdiff_t>(used_ * matrix_->columns);
  used_ += count;
  std::vector<float> out(begin, begin + static_cast<std::ptrdiff_t>(count * matrix_->columns));
  for (std::size_t row = 0; row < count; ++row)
    normalise_row(std::span(out).subspan(row * matrix_->columns, matrix_->columns));
  return out;
}

Result<std::vector<float>> VectorSource::next(std::span<const std::string_view> texts,
                                              std::span<const TextRole> roles) {
  if (matrix_) return from_matrix(texts.size());
  const std::size_t parts = std::clamp<std::size_t>(texts.size() / 16, 1, threads_);
  std::vector<std::vector<float>> rows(parts);
  std::vector<Status> statuses(parts);
  const auto work = [&](std::size_t part) {
    const std::size_t begin = texts.size() * part / parts, end = texts.size() * (part + 1) / parts;
    statuses[part] = embed_part(*embedder_, texts.subspan(begin, end - begin),
                                roles.subspan(begin, end - begin), rows[part]);
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t part = 1; part < parts; ++part) workers.emplace_back(work, part);
    work(0);
  }
  for (std::size_t part = 0; part < parts; ++part) {
    RAGLINE_CHECK(statuses[part]);
    if (part) rows[0].insert(rows[0].end(), rows[part].begin(), rows[part].end());
  }
  return std::move(rows[0]);
}

Status VectorSource::finish() const {
  if (!matrix_ || used_ == matrix_->rows) return {};
  return fail(ErrorKind::kData, cat(matrix_path_, ": there are ", matrix_->rows, " rows, and ",
                                    used_, " texts: give a row for each text"));
}

}  // namespace ragline
