#pragma once
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/text.h"
#include "record/writer.h"
#include "temporary_folder.h"

// Tiny models in a folder of their own, for tests.
namespace ragline::testing {

using Folder = TemporaryFolder;

// One tensor after the other: name, type, shape as JSON, bytes.
struct TensorText {
  std::string name, dtype, shape, bytes;
};
inline std::string safetensors(const std::vector<TensorText>& tensors) {
  std::string header = "{\"__metadata__\":{\"format\":\"pt\"}", data;
  for (const TensorText& tensor : tensors) {
    append(header, ",", json_string(tensor.name), R"(:{"dtype":")", tensor.dtype, R"(","shape":)",
           tensor.shape, R"(,"data_offsets":[)", data.size(), ",",
           data.size() + tensor.bytes.size(), "]}");
    data += tensor.bytes;
  }
  header += "}";
  std::string out;
  put_fixed<std::uint64_t>(out, header.size());
  return out + header + data;
}

template <class T>
std::string values(const std::vector<T>& numbers) {
  std::string out;
  for (const T number : numbers) put_fixed<T>(out, number);
  return out;
}

inline constexpr std::string_view kTinyTokenizer =
    R"({"normalizer":{"type":"BertNormalizer","lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"money":1,"back":2,"refund":3}}})";

}  // namespace ragline::testing
