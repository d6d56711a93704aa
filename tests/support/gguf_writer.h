// Writes GGUF files in memory, well-formed or, where a test wants it, not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::testing {

/// Collects metadata and tensors, then gives the file's bytes. Numbers of the format are plain
/// integers here, so that a test can write wrong ones.
class GgufWriter {
 public:
  static constexpr uint32_t kF32 = 0, kF16 = 1, kQ8 = 8, kBF16 = 30;  // tensor types
  static constexpr uint64_t kAlignment = 32;

  void AddString(std::string_view key, std::string_view value) {
    Key(key, 8);
    Append(pairs_, value);
  }
  void AddUint32(std::string_view key, uint32_t value) { AddScalar(key, 4, value); }
  void AddFloat(std::string_view key, float value) { AddScalar(key, 6, value); }
  void AddBool(std::string_view key, bool value) { AddScalar(key, 7, static_cast<uint8_t>(value)); }
  void AddStrings(std::string_view key, const std::vector<std::string>& values) {
    ArrayHead(key, 8, values.size());
    for (const std::string& value : values) Append(pairs_, value);
  }
  void AddInts(std::string_view key, const std::vector<int32_t>& values) {
    ArrayHead(key, 5, values.size());
    for (const int32_t value : values) Put(pairs_, value);
  }
  void AddFloats(std::string_view key, const std::vector<float>& values) {
    ArrayHead(key, 6, values.size());
    for (const float value : values) Put(pairs_, value);
  }
  /// Any value type with the raw bytes of its value.
  void AddRaw(std::string_view key, uint32_t type, std::string_view bytes) {
    Key(key, type);
    pairs_ += bytes;
  }
  template <typename T>
  void AddScalar(std::string_view key, uint32_t type, T value) {
    Key(key, type);
    Put(pairs_, value);
  }

  /// `dims` fastest first. The data is placed behind that of the tensors before it.
  void AddTensor(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type,
                 std::string_view data) {
    AddTensorAt(name, dims, type, data_.size());
    data_ += data;
    data_.resize((data_.size() + kAlignment - 1) / kAlignment * kAlignment);
  }
  /// An entry without data, at any offset.
  void AddTensorAt(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type,
                   uint64_t offset) {
    ++tensor_count;
    Append(tensors_, name);
    Put(tensors_, static_cast<uint32_t>(dims.size()));
    for (const uint64_t dim : dims) Put(tensors_, dim);
    Put(tensors_, type);
    Put(tensors_, offset);
  }

  std::string Bytes() const {
    std::string out = magic;
    Put(out, version);
    Put(out, tensor_count);
    Put(out, pair_count);
    out += pairs_;
    out += tensors_;
    out.resize((out.size() + kAlignment - 1) / kAlignment * kAlignment);
    return out + data_;
  }
  void WriteTo(const std::string& path) const {
    const std::string bytes = Bytes();
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  }

  // The header; tests of the reader falsify it.
  std::string magic = "GGUF";
  uint32_t version = 3;
  uint64_t tensor_count = 0;
  uint64_t pair_count = 0;

 private:
  template <typename T>
  static void Put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  static void Append(std::string& out, std::string_view text) {
    Put(out, static_cast<uint64_t>(text.size()));
    out += text;
  }
  void Key(std::string_view key, uint32_t type) {
    ++pair_count;
    Append(pairs_, key);
    Put(pairs_, type);
  }
  void ArrayHead(std::string_view key, uint32_t element_type, uint64_t count) {
    Key(key, 9);
    Put(pairs_, element_type);
    Put(pairs_, count);
  }

  std::string pairs_, tensors_, data_;
};

}  // namespace emptor::testing
