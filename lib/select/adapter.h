#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "select/network.h"

// A trained P-Adapter: maps a query's candidates into a space where volume means complementary
// evidence. It is applied when candidates are chosen and never to an index, so an index need not be
// built anew for it.
//
// The file, little-endian, one piece:
//
//   offset  size  field
//        0     8  magic "RAGPADP\n"
//        8     4  format version: 1
//       12     1  activation: 0 ReLU, 1 GELU (tanh form)
//       13     1  1: outputs at unit length
//       14     1  1: conditioned on the query's vector
//       15     1  0
//       16     4  dimensions D of the embeddings, 1 to 65536
//       20     4  width r of the bottleneck, 1 to 65536
//       24     8  jitter of the kernel, a double from 0 to 1
//       32     4  length n of the next field, at most 4096
//       36     n  fingerprint of the embedder it was trained on (UTF-8; empty: not known)
//     36+n    4p  parameters, floats, p = (c + D) r + r + D + 5 with c = D, or 2 D where
//     conditioned:
//                 W1 (r rows of c), b1, W2 (D rows of r), b2, five weights of quality (quality.h)
//   36+n+4p    8  XXH3-64 of all bytes before
//
// A reader refuses another magic, a newer version, a checksum or length that does not fit, values
// out of range, and parameters that are not finite.
namespace ragline {

struct Adapter {
  NetworkShape shape;
  double jitter = 1e-3;
  std::string model;
  std::vector<float> parameters;

  QualityWeights quality() const;
};

std::string pack_adapter(const Adapter& adapter);
// kCorrupt, or kVersion, without the place.
Result<Adapter> unpack_adapter(std::string_view bytes);
// The same of a file: the message begins with its name.
Result<Adapter> read_adapter(const std::string& path);

// kUsage, with what would be right, unless it takes these embeddings: `model` is what the records
// say, empty for nothing, which passes.
Status check_adapter(const Adapter& adapter, std::size_t dimensions, std::string_view model,
                     bool has_query);

// Candidates as the adapter sees them: their vectors, and their relevance for a DPP of theta 1.
//   rows       m x dimensions of any length but 0, in first-stage order
//   features   theirs (quality.h)
//   query      empty where there is none
struct Adapted {
  std::vector<float> vectors;
  std::vector<double> relevance;
};
Adapted adapt(const Adapter& adapter, std::span<const float> rows,
              std::span<const double> relevance, std::span<const float> query);

// Rows at unit length. No row is all zeros.
std::vector<float> unit_rows(std::span<const float> rows, std::size_t dimensions);

}  // namespace ragline
