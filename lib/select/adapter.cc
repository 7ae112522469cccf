#include "select/adapter.h"

#include <algorithm>
#include <cmath>

#include "core/bytes.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/text.h"
#include "select/dot.h"

namespace ragline {

namespace {

constexpr std::string_view kMagic = "RAGPADP\n";
constexpr std::uint32_t kVersion = 1, kMostWidth = 65536, kMostModel = 4096;

}  // namespace

std::string pack_adapter(const Adapter& adapter) {
  std::string out(kMagic);
  put_fixed(out, kVersion);
  out += adapter.shape.activation == Activation::kGelu ? '\1' : '\0';
  out += adapter.shape.normalise ? '\1' : '\0';
  out += adapter.shape.conditioned ? '\1' : '\0';
  out += '\0';
  put_fixed(out, static_cast<std::uint32_t>(adapter.shape.dimensions));
  put_fixed(out, static_cast<std::uint32_t>(adapter.shape.width));
  put_fixed(out, adapter.jitter);
  put_fixed(out, static_cast<std::uint32_t>(adapter.model.size()));
  out += adapter.model;
  for (const float value : adapter.parameters) put_fixed(out, value);
  put_fixed(out, hash64(out));
  return out;
}

Result<Adapter> unpack_adapter(std::string_view bytes) {
  const auto corrupt = [](std::string_view what) {
    return fail(ErrorKind::kCorrupt, cat(what, ": train it anew, or restore it from a copy"));
  };
  if (!bytes.starts_with(kMagic))
    return fail(ErrorKind::kCorrupt, "not an adapter: dpp-select train writes one");
  ByteReader reader(bytes.substr(kMagic.size()));
  const auto version = reader.fixed<std::uint32_t>();
  if (reader.ok() && version > kVersion)
    return fail(ErrorKind::kVersion,
                cat("an adapter of format ", version, ", newer than ", kVersion,
                    ", the newest this program reads: update ragline"));
  if (bytes.size() < 44 || hash64(bytes.substr(0, bytes.size() - 8)) !=
                               get_fixed<std::uint64_t>(bytes.data() + bytes.size() - 8))
    return corrupt("the adapter's checksum does not fit");

  Adapter adapter;
  const auto activation = reader.fixed<std::uint8_t>(), normalise = reader.fixed<std::uint8_t>(),
             conditioned = reader.fixed<std::uint8_t>(), zero = reader.fixed<std::uint8_t>();
  const auto dimensions = reader.fixed<std::uint32_t>(), width = reader.fixed<std::uint32_t>();
  adapter.jitter = reader.fixed<double>();
  const auto model = reader.fixed<std::uint32_t>();
  if (version != kVersion || activation > 1 || normalise > 1 || conditioned > 1 || zero != 0 ||
      dimensions < 1 || dimensions > kMostWidth || width < 1 || width > kMostWidth ||
      !(adapter.jitter >= 0 && adapter.jitter <= 1) || model > kMostModel)
    return corrupt("a value of the adapter is out of range");
  adapter.model = reader.bytes(model);
  adapter.shape = {.dimensions = dimensions,
                   .width = width,
                   .activation = activation ? Activation::kGelu : Activation::kRelu,
                   .normalise = normalise != 0,
                   .conditioned = conditioned != 0};
  if (!reader.ok() || reader.left() != adapter.shape.parameters() * sizeof(float) + 8)
    return corrupt("the adapter's length does not fit");
  adapter.parameters.resize(adapter.shape.parameters());
  for (float& value : adapter.parameters) value = reader.fixed<float>();
  if (!std::ranges::all_of(adapter.parameters, [](float x) { return std::isfinite(x); }))
    return corrupt("a parameter of the adapter is out of range");
  return adapter;
}

Result<Adapter> read_adapter(const std::string& path) {
  RAGLINE_TRY(const auto file, read_file(path));
  auto adapter = unpack_adapter(file->bytes());
  if (!adapter) return fail(adapter.error().kind, cat(path, ": ", adapter.error().message));
  return adapter;
}

Status check_adapter(const Adapter& adapter, std::size_t dimensions, std::string_view model,
                     bool has_query) {
  if (!model.empty() && !adapter.model.empty() && model != adapter.model)
    return fail(ErrorKind::kUsage,
                cat("the adapter was trained on vectors of '", adapter.model, "', these are of '",
                    model, "': embed with that model, or train an adapter on this one"));
  if (dimensions != adapter.shape.dimensions)
    return fail(ErrorKind::kUsage, cat("the adapter takes vectors of ", adapter.shape.dimensions,
                                       " dimensions, these have ", dimensions,
                                       ": embed with the model that it was trained on"));
  // Feature 1 of quality is the cosine with the query.
  if ((adapter.shape.conditioned || adapter.quality()[1] != 0) && !has_query)
    return fail(
        ErrorKind::kUsage,
        "the adapter needs the query's vector, which its record lacks: embed the queries too");
  return {};
}

std::vector<float> unit_rows(std::span<const float> rows, std::size_t dimensions) {
  std::vector<float> out(rows.begin(), rows.end());
  for (std::size_t at = 0; at < out.size(); at += dimensions) {
    const auto row = rows.subspan(at, dimensions);
    const double scale = 1 / std::sqrt(dot(row, row));
    for (std::size_t d = 0; d < dimensions; ++d)
      out[at + d] = static_cast<float>(static_cast<double>(row[d]) * scale);
  }
  return out;
}

QualityWeights Adapter::quality() const {
  QualityWeights out;
  for (std::size_t f = 0; f < kFeatures; ++f)
    out[f] = static_cast<double>(parameters[shape.quality_at() + f]);
  return out;
}

Adapted adapt(const Adapter& adapter, std::span<const float> rows, std::span<const double> features,
              std::span<const float> query) {
  const std::size_t dimensions = adapter.shape.dimensions;
  const std::vector<float> x = unit_rows(rows, dimensions), q = unit_rows(query, dimensions);
  Activations<float> out;
  forward<float>(adapter.shape, adapter.parameters, x, q, out);
  return {std::move(out.outputs), weighted_quality(features, adapter.quality())};
}

}  // namespace ragline
