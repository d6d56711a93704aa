// Writes the head of a GGUF file: metadata and the table of tensors. Their data follows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// Number of an element type in GGUF.
uint32_t GgufTypeNumber(DType type);
/// ggml's name of a number, also of types that the engine does not read; empty: no type.
std::string_view GgufTypeName(uint32_t number);

/// Collects metadata and tensors of a version 3 file, little-endian, tensors at multiples of 32.
/// Keys and names are written as given; only the reader checks them.
/// Thread-safety: one user at a time.
class GgufHead {
 public:
  static constexpr uint64_t kAlignment = 32;

  void AddString(std::string_view key, std::string_view value);
  void AddUint32(std::string_view key, uint32_t value) { AddScalar(key, 4, value); }
  void AddFloat(std::string_view key, float value) { AddScalar(key, 6, value); }
  void AddBool(std::string_view key, bool value) { AddScalar(key, 7, static_cast<uint8_t>(value)); }
  void AddStrings(std::string_view key, const std::vector<std::string>& values);
  void AddInts(std::string_view key, const std::vector<int32_t>& values);
  void AddFloats(std::string_view key, const std::vector<float>& values);
  /// An array of 8-bit integers.
  void AddBytes(std::string_view key, std::string_view values);
  /// A value of any type, as the bytes that the file holds.
  void AddRaw(std::string_view key, uint32_t type, std::string_view bytes);
  template <typename T>
  void AddScalar(std::string_view key, uint32_t type, T value) {
    AddRaw(key, type, {reinterpret_cast<const char*>(&value), sizeof value});
  }

  /// Adds a tensor whose data follows that of the earlier tensors. Returns the offset of its data
  /// within the data part. `dims` fastest first.
  uint64_t AddTensor(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type,
                     uint64_t bytes);
  /// Adds a tensor at the given offset.
  void AddTensorAt(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type,
                   uint64_t offset);

  /// Everything before the data part, filled up to its beginning.
  std::string HeadBytes() const;
  /// Bytes of the data part.
  uint64_t data_bytes() const { return data_bytes_; }

 protected:
  // The beginning of the file; tests of the reader change it.
  std::string magic = "GGUF";
  uint32_t version = 3;
  uint64_t tensor_count = 0;
  uint64_t pair_count = 0;

 private:
  std::string pairs_, tensors_;
  uint64_t data_bytes_ = 0;
};

/// `bytes` rounded up to the alignment of tensors.
constexpr uint64_t GgufAligned(uint64_t bytes) {
  return (bytes + GgufHead::kAlignment - 1) / GgufHead::kAlignment * GgufHead::kAlignment;
}

}  // namespace emptor::engine
