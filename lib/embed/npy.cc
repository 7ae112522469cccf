#include "embed/npy.h"

#include <cmath>
#include <optional>

#include "core/bytes.h"
#include "core/text.h"
#include "vector/half.h"

namespace ragline {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// The text behind 'key': in a Python dictionary, up to `end`, that included. Empty where there is
// no such key.
std::string_view entry(std::string_view header, std::string_view key, char end) {
  const std::size_t at = header.find(cat('\'', key, "':"));
  if (at == header.npos) return {};
  const std::string_view rest = trim(header.substr(at + key.size() + 3));
  const std::size_t last = rest.find(end, 1);
  return last == rest.npos ? rest : rest.substr(0, last + 1);
}

// "(3, 256)"
std::optional<std::pair<std::uint64_t, std::uint64_t>> read_shape(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  const auto parts = split(text.substr(1, text.size() - 2), ',');
  if (parts.size() != 2) return std::nullopt;
  const auto rows = parse_integer(trim(parts[0])), columns = parse_integer(trim(parts[1]));
  if (!rows || !columns || *rows < 0 || *columns <= 0 || *columns > 1'000'000) return std::nullopt;
  return std::pair(static_cast<std::uint64_t>(*rows), static_cast<std::uint64_t>(*columns));
}

}  // namespace

Result<NpyMatrix> parse_npy(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return fail(ErrorKind::kData, "this is no .npy file: save the matrix with numpy.save");
  ByteReader reader(bytes.substr(kMagic.size()));
  const auto version = reader.fixed<std::uint8_t>();
  reader.fixed<std::uint8_t>();
  const std::uint32_t size =
      version == 1 ? reader.fixed<std::uint16_t>() : reader.fixed<std::uint32_t>();
  const std::string_view header = reader.bytes(size);
  if (!reader.ok()) return fail(ErrorKind::kData, "the file ends within its header");
  const std::string_view type = entry(header, "descr", '\'');
  const std::size_t width = type == "'<f4'" ? 4 : type == "'<f2'" ? 2 : type == "'<f8'" ? 8 : 0;
  if (width == 0)
    return fail(ErrorKind::kData,
                cat("values of type ", type, " are no floats: save it as float32"));
  if (!entry(header, "fortran_order", ',').starts_with("False"))
    return fail(ErrorKind::kData,
                "the matrix is kept column by column: save numpy.ascontiguousarray of it");
  const auto shape = read_shape(entry(header, "shape", ')'));
  if (!shape)
    return fail(ErrorKind::kData,
                "the shape is not (rows, columns): save a matrix with a row a text");
  const auto [rows, columns] = *shape;
  const std::string_view data = reader.bytes(reader.left());
  if (data.size() % (columns * width) != 0 || data.size() / (columns * width) != rows)
    return fail(ErrorKind::kData, cat("there are ", data.size(), " bytes where ", rows, " rows of ",
                                      columns, " values should be"));
  NpyMatrix out{rows, columns, {}};
  out.values.reserve(rows * columns);
  for (std::size_t at = 0; at < data.size(); at += width) {
    const char* value = data.data() + at;
    out.values.push_back(width == 4   ? get_fixed<float>(value)
                         : width == 2 ? from_half(get_fixed<std::uint16_t>(value))
                                      : static_cast<float>(get_fixed<double>(value)));
    if (!std::isfinite(out.values.back()))
      return fail(ErrorKind::kData, cat("row ", at / width / columns, " holds NaN or infinity"));
  }
  return out;
}

std::string npy_bytes(std::span<const float> values, std::size_t columns) {
  std::string header = cat("{'descr': '<f4', 'fortran_order': False, 'shape': (",
                           columns ? values.size() / columns : 0, ", ", columns, "), }");
  // The data begins at a multiple of 64, behind 10 bytes and a newline.
  header.append((64 - (header.size() + 11) % 64) % 64, ' ');
  std::string out = cat(kMagic, '\x01', '\0');
  put_fixed<std::uint16_t>(out, static_cast<std::uint16_t>(header.size() + 1));
  append(out, header, '\n');
  for (const float value : values) put_fixed(out, value);
  return out;
}

}  // namespace ragline
