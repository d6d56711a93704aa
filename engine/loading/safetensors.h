// Reader of untrusted safetensors files.
// Format: https://github.com/huggingface/safetensors (8 bytes of header length, little-endian; the
// header, a JSON object; the data of the tensors without holes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/tensor/aligned_buffer.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// A tensor of the file; `dims` slowest first, as stored. Bytes lie in the file's memory.
struct SafeTensor {
  std::string name;
  std::string stored_type;    // as the file names it: "F32", "I64"
  std::optional<DType> type;  // nothing for a type that the engine does not compute with
  std::vector<int64_t> dims;  // none (one number) to 8, all positive
  std::span<const std::byte> bytes;

  /// The last dimension as columns, the product of the others as rows. REQUIRES: `type`.
  TensorView View() const;
};

/// A parsed file. Header length, types, shapes and offsets were checked before memory was taken:
/// the tensors cover the data part, each byte once, each aligned to its elements.
/// Thread-safety: immutable. Lifetime: views live as long as the object.
class SafetensorsFile {
 public:
  /// Errors: as ReadFileImage; kDataLoss (cut short), kInvalidArgument (broken rule),
  /// kUnimplemented (unknown element type). Messages begin with the file and name the field.
  static absl::StatusOr<std::unique_ptr<const SafetensorsFile>> Load(const std::string& path);
  /// The same on bytes in memory, which must outlive the object. `name` begins the messages.
  static absl::StatusOr<std::unique_ptr<const SafetensorsFile>> Parse(
      std::span<const std::byte> bytes, std::string name);

  const std::string& name() const { return name_; }
  size_t size() const { return size_; }
  /// In the order of their data.
  const std::vector<SafeTensor>& tensors() const { return tensors_; }
  /// The tensor of that name, or null.
  const SafeTensor* FindTensor(std::string_view tensor_name) const;

  /// Returns the memory of a tensor to the system; its bytes are lost. Does nothing to bytes that
  /// the caller owns. Thread-safety: while no thread reads the tensor.
  void Release(std::span<const std::byte> tensor_bytes) const;

  /// kInvalidArgument with "file: field: what".
  absl::Status Error(std::string_view field, std::string_view what) const;

 private:
  friend class SafetensorsParser;
  SafetensorsFile() = default;

  std::string name_;
  size_t size_ = 0;
  mutable AlignedBuffer storage_;  // empty when the caller owns the bytes; see Release
  std::vector<SafeTensor> tensors_;
  std::unordered_map<std::string_view, size_t> tensor_index_;
};

}  // namespace emptor::engine
