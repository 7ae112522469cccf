#include "embed/safetensors.h"

#include <bit>
#include <limits>

#include "core/bytes.h"
#include "core/text.h"
#include "record/object.h"
#include "vector/half.h"

namespace ragline {

namespace {

// Bytes a value; 0 for a type that is not known.
std::size_t width_of(std::string_view dtype) {
  if (dtype == "F64" || dtype == "I64") return 8;
  if (dtype == "F32" || dtype == "I32") return 4;
  if (dtype == "F16" || dtype == "BF16") return 2;
  if (dtype == "I8" || dtype == "U8") return 1;
  return 0;
}

Result<std::vector<std::uint64_t>> read_counts(const JsonMembers& members, std::string_view key) {
  const Field* field = members.find(key);
  if (!field) return fail(ErrorKind::kData, cat("has no ", key));
  RAGLINE_TRY(const auto elements, json_elements(field->raw));
  std::vector<std::uint64_t> out;
  for (const std::string_view element : elements) {
    const auto count = count_of(element);
    if (!count) return fail(ErrorKind::kData, cat(key, " holds something that is no count"));
    out.push_back(*count);
  }
  return out;
}

Result<Tensor> read_tensor(const Field& field, std::string_view data) {
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(field.raw));
  Tensor tensor;
  RAGLINE_CHECK(members.text({"dtype"}, tensor.dtype));
  RAGLINE_TRY(tensor.shape, read_counts(members, "shape"));
  RAGLINE_TRY(const auto offsets, read_counts(members, "data_offsets"));
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size())
    return fail(ErrorKind::kData, "lies outside the file: it was cut short, or is no model");
  tensor.bytes = data.substr(offsets[0], offsets[1] - offsets[0]);
  // A type that nobody here reads may be of any size.
  const std::size_t width = width_of(tensor.dtype);
  std::uint64_t size = width;
  for (const std::uint64_t length : tensor.shape) {
    if (length && size > std::numeric_limits<std::uint64_t>::max() / length)
      return fail(ErrorKind::kData, "has a shape that no file can hold");
    size *= length;
  }
  if (width && size != tensor.bytes.size())
    return fail(ErrorKind::kData, "has a shape that does not fit its bytes");
  return tensor;
}

template <class T, class Convert>
std::vector<float> convert(std::string_view bytes, Convert to_float) {
  std::vector<float> out(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = to_float(get_fixed<T>(bytes.data() + i * sizeof(T)));
  return out;
}

}  // namespace

std::uint64_t Tensor::count() const {
  std::uint64_t out = 1;
  for (const std::uint64_t length : shape) out *= length;
  return out;
}

Result<Safetensors> Safetensors::parse(std::string_view file) {
  ByteReader reader(file);
  const auto size = reader.fixed<std::uint64_t>();
  const std::string_view header = reader.bytes(size);
  if (!reader.ok())
    return fail(
        ErrorKind::kData,
        "the file is shorter than its header says: it was cut short, or is no safetensors file");
  const std::string_view data = reader.bytes(reader.left());
  auto members = JsonMembers::parse(header);
  if (!members) return fail(ErrorKind::kData, cat("the header: ", members.error().message));
  Safetensors out;
  for (const Field& field : members->fields()) {
    if (field.key == "__metadata__") continue;
    auto tensor = read_tensor(field, data);
    if (!tensor)
      return fail(ErrorKind::kData, cat("tensor '", field.key, "' ", tensor.error().message));
    out.tensors_[std::string(field.key)] = std::move(*tensor);
  }
  return out;
}

const Tensor* Safetensors::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

Result<std::vector<float>> float_values(const Tensor& tensor) {
  const auto plain = [](auto value) { return static_cast<float>(value); };
  const std::string_view bytes = tensor.bytes;
  if (tensor.dtype == "F64") return convert<double>(bytes, plain);
  if (tensor.dtype == "F32") return convert<float>(bytes, plain);
  if (tensor.dtype == "F16") return convert<std::uint16_t>(bytes, from_half);
  if (tensor.dtype == "BF16")
    return convert<std::uint16_t>(bytes, [](std::uint16_t value) {
      return std::bit_cast<float>(std::uint32_t{value} << 16);
    });
  if (tensor.dtype == "I8") return convert<std::int8_t>(bytes, plain);
  if (tensor.dtype == "U8") return convert<std::uint8_t>(bytes, plain);
  if (tensor.dtype == "I32") return convert<std::int32_t>(bytes, plain);
  if (tensor.dtype == "I64") return convert<std::int64_t>(bytes, plain);
  return fail(ErrorKind::kData, cat("values of type '", tensor.dtype, "' are not known here"));
}

}  // namespace ragline
