// Layout of GGUF's head.
#include "engine/loading/gguf_head.h"

#include <array>
#include <cassert>
#include <utility>

namespace emptor::engine {
namespace {

constexpr uint32_t kInt32 = 5, kFloat32 = 6, kString = 8, kArray = 9;

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
  constexpr std::array<std::pair<std::string_view, uint32_t>, 7> kNumbers = {
      {{"F32", 0}, {"F16", 1}, {"Q4_0", 2}, {"Q8_0", 8}, {"Q4_K", 12}, {"Q6_K", 14}, {"BF16", 30}}};
  for (const auto& [name, number] : kNumbers) {
    if (name == DTypeName(type)) return number;
  }
  assert(false);
  return 0;
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
