#include "embed/static_model.h"

#include <cmath>

#include "catch.h"
#include "model_files.h"
#include "vector/half.h"

using namespace ragline;
using namespace ragline::testing;

namespace {

// Rows of [UNK], money, back, refund.
const std::vector<float> kTable{9, 9, 3, 4, 0, 1, -3, -4};

std::vector<float> embed(const std::string& folder, std::vector<std::string_view> texts) {
  const auto model = open_static_model(folder);
  INFO((model ? "" : model.error().message));
  REQUIRE(model);
  const auto rows = (*model)->embed(texts, TextRole::kPassage);
  REQUIRE(rows);
  REQUIRE(rows->size() == texts.size() * (*model)->dimensions());
  return *rows;
}

bool near(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > 1e-3) return false;
  return true;
}

std::string error_of(const std::string& folder) {
  const auto model = open_static_model(folder);
  REQUIRE(!model);
  return model.error().message;
}

}  // namespace

TEST_CASE("a text is the normalised mean of its tokens, whichever layout and type the table has") {
  const std::vector<float> expected{0.6f, 0.8f, 3 / std::sqrt(34.f), 5 / std::sqrt(34.f), 0, 0,
                                    0,    0};
  const std::vector<std::string_view> texts{"Money!", "money BACK", "", "unknown words"};
  std::vector<std::uint16_t> halves;
  for (const float value : kTable) halves.push_back(to_half(value));
  const std::vector<std::int8_t> bytes{9, 9, 3, 4, 0, 1, -3, -4};
  for (const auto& tensor : {TensorText{"embeddings", "F32", "[4,2]", values(kTable)},
                             {"embedding.weight", "F16", "[4,2]", values(halves)},
                             {"0", "I8", "[4,2]", values(bytes)}}) {
    const Folder folder;
    folder.write("tokenizer.json", kTinyTokenizer);
    folder.write("model.safetensors", safetensors({tensor}));
    INFO(tensor.dtype);
    CHECK(near(embed(folder.path(), texts), expected));
  }
  const Folder nested;
  nested.write("0_StaticEmbedding/tokenizer.json", kTinyTokenizer);
  nested.write("0_StaticEmbedding/model.safetensors",
               safetensors({{"embedding.weight", "F32", "[4,2]", values(kTable)}}));
  CHECK(near(embed(nested.path(), texts), expected));
}

TEST_CASE("weights, mapping and scales of int8 rows count") {
  const Folder folder;
  folder.write("tokenizer.json", kTinyTokenizer);
  folder.write(
      "model.safetensors",
      safetensors({{"embeddings", "I8", "[2,2]", values(std::vector<std::int8_t>{127, 0, 0, 100})},
                   {"scales", "F32", "[2]", values(std::vector<float>{2.f / 127, 0.01f})},
                   {"mapping", "I32", "[4]", values(std::vector<std::int32_t>{0, 0, 1, 1})},
                   {"weights", "F64", "[4]", values(std::vector<double>{1, 1, 2, 0.5})}}));
  // money = (2, 0), back = (0, 2), refund = (0, .5)
  CHECK(near(embed(folder.path(), {"money back", "money refund refund"}),
             {std::sqrt(0.5f), std::sqrt(0.5f), 2 / std::sqrt(5.f), 1 / std::sqrt(5.f)}));
}

TEST_CASE("as many tokens count as config.json says") {
  for (const auto& [config, expected] :
       {std::pair{R"({"max_length":1})", std::vector<float>{0.6f, 0.8f}},
        {R"({"max_length":null})", std::vector<float>{3 / std::sqrt(34.f), 5 / std::sqrt(34.f)}}}) {
    const Folder folder;
    folder.write("tokenizer.json", kTinyTokenizer);
    folder.write("model.safetensors",
                 safetensors({{"embeddings", "F32", "[4,2]", values(kTable)}}));
    folder.write("config.json", config);
    CHECK(near(embed(folder.path(), {"money back"}), expected));
  }
}

TEST_CASE("a megabyte of text is embedded by its beginning") {
  const Folder folder;
  folder.write("tokenizer.json", kTinyTokenizer);
  folder.write("model.safetensors", safetensors({{"embeddings", "F32", "[4,2]", values(kTable)}}));
  std::string text;
  while (text.size() < 1 << 20) text += "money ";
  text += "back";
  CHECK(near(embed(folder.path(), {text}), {0.6f, 0.8f}));
}

// A mismatch mixed the vectors of two models without a word.
TEST_CASE("qmd_501_another_model_has_another_fingerprint") {
  const auto fingerprint = [](const std::vector<float>& table, std::string_view config) {
    const Folder folder;
    folder.write("tokenizer.json", kTinyTokenizer);
    folder.write("model.safetensors", safetensors({{"embeddings", "F32", "[4,2]", values(table)}}));
    if (!config.empty()) folder.write("config.json", config);
    return (*open_static_model(folder.path()))->fingerprint();
  };
  std::vector<float> other = kTable;
  other.back() = 5;
  const std::string first = fingerprint(kTable, "");
  CHECK(first == fingerprint(kTable, ""));
  CHECK(first != fingerprint(other, ""));
  CHECK(first != fingerprint(kTable, R"({"max_length":3})"));
  CHECK(check_fingerprint(first, first));
  const Status mixed = check_fingerprint(first, fingerprint(other, ""));
  REQUIRE(!mixed);
  CHECK(mixed.error().message.find("embed everything again") != std::string::npos);
}

TEST_CASE("files that are no static model are named with what is wrong") {
  const auto error = [](const std::vector<TensorText>& tensors) {
    const Folder folder;
    folder.write("tokenizer.json", kTinyTokenizer);
    folder.write("model.safetensors", safetensors(tensors));
    const std::string message = error_of(folder.path());
    CHECK(message.find("model.safetensors: ") != std::string::npos);
    return message;
  };
  CHECK(error({{"x", "F32", "[4,2]", values(kTable)}}).find("no table") != std::string::npos);
  CHECK(error({{"embeddings", "F32", "[2,4]", values(kTable)}}).find("take both from one model") !=
        std::string::npos);
  CHECK(error({{"embeddings", "I64", "[4,1]", values(kTable)}}).find("I64") != std::string::npos);
  CHECK(error({{"embeddings", "F32", "[4,2]", values(kTable)},
               {"weights", "F32", "[1]", values(std::vector<float>{1})}})
            .find("`weights`") != std::string::npos);
  CHECK(error({{"embeddings", "F32", "[4,2]", values(kTable)},
               {"mapping", "I32", "[1]", values(std::vector<std::int32_t>{4})}})
            .find("`mapping`") != std::string::npos);
  const Folder folder;
  folder.write("tokenizer.json", "{");
  folder.write("model.safetensors", safetensors({{"embeddings", "F32", "[4,2]", values(kTable)}}));
  CHECK(error_of(folder.path()).find("tokenizer.json: ") != std::string::npos);
  const Folder empty;
  CHECK(error_of(empty.path()).find("model.safetensors") != std::string::npos);
}

TEST_CASE("a value that is not finite is an error, not a vector") {
  const Folder folder;
  folder.write("tokenizer.json", kTinyTokenizer);
  std::vector<float> table = kTable;
  table[2] = std::nanf("");
  folder.write("model.safetensors", safetensors({{"embeddings", "F32", "[4,2]", values(table)}}));
  const auto model = open_static_model(folder.path());
  REQUIRE(model);
  const std::string_view text = "money";
  CHECK(!(*model)->embed({&text, 1}, TextRole::kQuery));
}

TEST_CASE("a model is found by name or path, and an unknown one lists those that are there") {
  const Folder folder;
  for (const char* name : {"one", "two"}) {
    folder.write(std::string(name) + "/tokenizer.json", kTinyTokenizer);
    folder.write(std::string(name) + "/model.safetensors",
                 safetensors({{"embeddings", "F32", "[4,2]", values(kTable)}}));
  }
  folder.write("notes/readme.txt", "");
  const std::vector<std::string> folders{"/nonexistent", folder.path()};
  CHECK(model_names(folders) == std::vector<std::string>{"one", "two"});
  CHECK(open_embedder({"two", folders}));
  CHECK(open_embedder({folder.path() + "/one/", {}}));
  const auto missing = open_embedder({"three", folders});
  REQUIRE(!missing);
  CHECK(missing.error().kind == ErrorKind::kNotFound);
  CHECK(missing.error().message.find("one, two") != std::string::npos);
  CHECK(open_embedder({folder.path() + "/notes", {}}).error().kind == ErrorKind::kData);
}
