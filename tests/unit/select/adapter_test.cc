#include "select/adapter.h"

#include <cstring>
#include <limits>

#include "catch.h"
#include "core/bytes.h"
#include "core/hash.h"
#include "pools.h"

using namespace ragline;
using namespace ragline::testing;

namespace {

Adapter sample() {
  Adapter adapter{{.dimensions = 6, .width = 3, .activation = Activation::kGelu, .normalise = true},
                  1e-2,
                  "static-256@abc",
                  {}};
  Random random(2);
  for (const double value : initial_parameters(adapter.shape, 1.5, random))
    adapter.parameters.push_back(static_cast<float>(value));
  return adapter;
}

// The bytes with one field changed and the checksum made to fit again.
std::string with(std::string bytes, std::size_t at, std::string_view field) {
  bytes.replace(at, field.size(), field);
  bytes.resize(bytes.size() - 8);
  put_fixed(bytes, hash64(bytes));
  return bytes;
}

}  // namespace

TEST_CASE("an adapter survives its file") {
  const Adapter adapter = sample();
  const auto read = unpack_adapter(pack_adapter(adapter));
  REQUIRE(read.has_value());
  CHECK(read->shape == adapter.shape);
  CHECK(read->jitter == adapter.jitter);
  CHECK(read->model == adapter.model);
  CHECK(read->parameters == adapter.parameters);
  CHECK(read->quality() == QualityWeights{1.5, 0, 0, 0, 0});
}

TEST_CASE("the file is as its page says") {
  const std::string bytes = pack_adapter(sample());
  CHECK(bytes.substr(0, 8) == "RAGPADP\n");
  CHECK(get_fixed<std::uint32_t>(bytes.data() + 8) == 1);
  CHECK((bytes[12] == 1 && bytes[13] == 1 && bytes[14] == 0 && bytes[15] == 0));
  CHECK(get_fixed<std::uint32_t>(bytes.data() + 16) == 6);
  CHECK(get_fixed<std::uint32_t>(bytes.data() + 20) == 3);
  CHECK(get_fixed<double>(bytes.data() + 24) == 1e-2);
  CHECK(get_fixed<std::uint32_t>(bytes.data() + 32) == 14);
  CHECK(bytes.substr(36, 14) == "static-256@abc");
  CHECK(bytes.size() == 36 + 14 + 4 * (2 * 6 * 3 + 3 + 6 + 5) + 8);
}

TEST_CASE("every broken file is refused") {
  const std::string bytes = pack_adapter(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK(!unpack_adapter(std::string_view(bytes).substr(0, size)));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string broken = bytes;
    broken[at] = static_cast<char>(broken[at] ^ 0x10);
    CHECK(!unpack_adapter(broken));
  }
  using namespace std::string_view_literals;
  CHECK(unpack_adapter(with(bytes, 8, "\2\0\0\0"sv)).error().kind == ErrorKind::kVersion);
  CHECK(unpack_adapter(with(bytes, 8, "\0\0\0\0"sv)).error().kind == ErrorKind::kCorrupt);
  CHECK(!unpack_adapter(with(bytes, 12, "\2"sv)));
  CHECK(!unpack_adapter(with(bytes, 16, "\0\0\0\0"sv)));
  CHECK(!unpack_adapter(with(bytes, 16, "\7\0\0\0"sv)));
  CHECK(!unpack_adapter(with(bytes, 20, "\xff\xff\xff\xff"sv)));
  CHECK(!unpack_adapter(with(bytes, 32, "\xff\xff\xff\xff"sv)));
  std::string nan;
  put_fixed(nan, std::numeric_limits<float>::quiet_NaN());
  CHECK(!unpack_adapter(with(bytes, 50, nan)));
  std::string jitter;
  put_fixed(jitter, std::numeric_limits<double>::quiet_NaN());
  CHECK(!unpack_adapter(with(bytes, 24, jitter)));
  CHECK(unpack_adapter("RAG").error().message == "not an adapter: dpp-select train writes one");
}

TEST_CASE("an adapter is for one model") {
  Adapter adapter = sample();
  CHECK(check_adapter(adapter, 6, "static-256@abc", false).has_value());
  CHECK(check_adapter(adapter, 6, "", false).has_value());
  CHECK(check_adapter(adapter, 6, "other", false).error().message ==
        "the adapter was trained on vectors of 'static-256@abc', these are of 'other': embed with "
        "that model, or train an adapter on this one");
  CHECK(!check_adapter(adapter, 7, "", false));
  adapter.shape.conditioned = true;
  CHECK(!check_adapter(adapter, 6, "", false));
  CHECK(check_adapter(adapter, 6, "", true).has_value());
}

TEST_CASE("the length of a row does not count, whatever it is") {
  Adapter adapter = sample();
  for (float& value : adapter.parameters) value += 0.01f;
  const std::vector<float> row{1, 2, 3, 4, 5, 6};
  std::vector<float> longer = row;
  for (float& value : longer) value *= 1e18f;
  const std::vector<double> features(kFeatures);
  const auto a = adapt(adapter, row, features, {}).vectors,
             b = adapt(adapter, longer, features, {}).vectors;
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(near(a[i], b[i], 1e-5));
}
