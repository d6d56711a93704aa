// The blocks of every quantised type against tests/golden/quant_blocks, which another
// implementation dequantised.
#include "engine/tensor/quant_block.h"

#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "engine/tensor/store.h"
#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

struct Vector {
  std::vector<std::byte> blocks;
  std::vector<float> values;
};

std::vector<std::byte> FromHex(const std::string& text) {
  std::vector<std::byte> bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  return bytes;
}

std::map<std::string, Vector> ReadVectors() {
  std::map<std::string, Vector> all;
  std::ifstream file(EMPTOR_SOURCE_DIR "/tests/golden/quant_blocks/vectors.txt");
  std::string name, blocks, values;
  size_t elements = 0;
  while (file >> name >> elements >> blocks >> values) {
    Vector& vector = all[name];
    vector.blocks = FromHex(blocks);
    vector.values.resize(elements);
    const std::vector<std::byte> bytes = FromHex(values);
    EXPECT_EQ(bytes.size(), 4 * elements);
    std::memcpy(vector.values.data(), bytes.data(), bytes.size());
  }
  return all;
}

std::vector<DType> QuantizedTypes() {
  std::vector<DType> types;
  for (const DType type : kAllDTypes) {
    if (IsQuantized(type)) types.push_back(type);
  }
  return types;
}

class QuantBlockTest : public ::testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(Types, QuantBlockTest, ::testing::ValuesIn(QuantizedTypes()),
                         [](const auto& tested) { return std::string(DTypeName(tested.param)); });

TEST_P(QuantBlockTest, ValuesAreThoseOfGgmlToTheBit) {
  const std::map<std::string, Vector> all = ReadVectors();
  const auto found = all.find(std::string(DTypeName(GetParam())));
  ASSERT_NE(found, all.end());
  const Vector& want = found->second;
  const TensorView view{.type = GetParam(), .rows = 1, .cols = std::ssize(want.values)};
  ASSERT_EQ(want.blocks.size(), view.bytes());
  std::vector<float> got(want.values.size());
  LoadInto(GetParam(), want.blocks.data(), got);
  EXPECT_EQ(got, want.values);
}

}  // namespace
}  // namespace emptor::engine
