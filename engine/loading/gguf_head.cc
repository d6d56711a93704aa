// Layout of GGUF's head.
#include "engine/loading/gguf_head.h"

#include <array>
#include <cassert>
#include <utility>

namespace emptor::engine {
namespace {

/// All types of ggml that a file can have.
/// Source: https://github.com/ggml-org/ggml/blob/master/include/ggml.h, enum ggml_type.
constexpr std::array<std::pair<uint32_t, std::string_view>, 32> kGgmlTypes = {
    {{0, "F32"},     {1, "F16"},    {2, "Q4_0"},     {3, "Q4_1"},    {6, "Q5_0"},     {7, "Q5_1"},
     {8, "Q8_0"},    {9, "Q8_1"},   {10, "Q2_K"},    {11, "Q3_K"},   {12, "Q4_K"},    {13, "Q5_K"},
     {14, "Q6_K"},   {15, "Q8_K"},  {16, "IQ2_XXS"}, {17, "IQ2_XS"}, {18, "IQ3_XXS"}, {19, "IQ1_S"},
     {20, "IQ4_NL"}, {21, "IQ3_S"}, {22, "IQ2_S"},   {23, "IQ4_XS"}, {24, "I8"},      {25, "I16"},
     {26, "I32"},    {27, "I64"},   {28, "F64"},     {29, "IQ1_M"},  {30, "BF16"},    {34, "TQ1_0"},
     {35, "TQ2_0"},  {39, "MXFP4"}}};

constexpr uint32_t kUint8 = 0, kInt32 = 5, kFloat32 = 6, kString = 8, kArray = 9;

template <typename T>
void Put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void PutString(std::string& out, std::string_view text) {
  Put(out, static_cast<uint64_t>(text.size()));
  out += text;
}

/// Element type and length, which an array begins with.
std::string ArrayStart(uint32_t element_type, size_t count) {
  std::string out;
  Put(out, element_type);
  Put(out, static_cast<uint64_t>(count));
  return out;
}

}  // namespace

uint32_t GgufTypeNumber(DType type) {
  for (const auto& [number, name] : kGgmlTypes) {
    if (name == DTypeName(type)) return number;
  }
  assert(false);
  return 0;
}

std::string_view GgufTypeName(uint32_t number) {
  for (const auto& [known, name] : kGgmlTypes) {
    if (known == number) return name;
  }
  return {};
}

void GgufHead::AddRaw(std::string_view key, uint32_t type, std::string_view bytes) {
  ++pair_count;
  PutString(pairs_, key);
  Put(pairs_, type);
  pairs_ += bytes;
}

void GgufHead::AddString(std::string_view key, std::string_view value) {
  std::string bytes;
  PutString(bytes, value);
  AddRaw(key, kString, bytes);
}

void GgufHead::AddStrings(std::string_view key, const std::vector<std::string>& values) {
  std::string bytes = ArrayStart(kString, values.size());
  for (const std::string& value : values) PutString(bytes, value);
  AddRaw(key, kArray, bytes);
}

void GgufHead::AddInts(std::string_view key, const std::vector<int32_t>& values) {
  std::string bytes = ArrayStart(kInt32, values.size());
  for (const int32_t value : values) Put(bytes, value);
  AddRaw(key, kArray, bytes);
}

void GgufHead::AddFloats(std::string_view key, const std::vector<float>& values) {
  std::string bytes = ArrayStart(kFloat32, values.size());
  for (const float value : values) Put(bytes, value);
  AddRaw(key, kArray, bytes);
}

void GgufHead::AddBytes(std::string_view key, std::string_view values) {
  AddRaw(key, kArray, ArrayStart(kUint8, values.size()) + std::string(values));
}

void GgufHead::AddTensorAt(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type,
                           uint64_t offset) {
  ++tensor_count;
  PutString(tensors_, name);
  Put(tensors_, static_cast<uint32_t>(dims.size()));
  for (const uint64_t dim : dims) Put(tensors_, dim);
  Put(tensors_, type);
  Put(tensors_, offset);
}

uint64_t GgufHead::AddTensor(std::string_view name, const std::vector<uint64_t>& dims,
                             uint32_t type, uint64_t bytes) {
  const uint64_t offset = data_bytes_;
  AddTensorAt(name, dims, type, offset);
  data_bytes_ = GgufAligned(offset + bytes);
  return offset;
}

std::string GgufHead::HeadBytes() const {
  std::string out = magic;
  Put(out, version);
  Put(out, tensor_count);
  Put(out, pair_count);
  out += pairs_;
  out += tensors_;
  out.resize(GgufAligned(out.size()));
  return out;
}

}  // namespace emptor::engine
