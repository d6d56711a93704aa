// Reader of untrusted GGUF model files (version 2 and 3).
// Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/model/model_source.h"
#include "engine/tensor/aligned_buffer.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// A metadata value. Integers of every width arrive as one type per signedness.
/// Strings point into the file's bytes.
using GgufValue = std::variant<uint64_t, int64_t, double, bool, std::string_view,
                               std::vector<uint64_t>, std::vector<int64_t>, std::vector<double>,
                               std::vector<bool>, std::vector<std::string_view>>;

/// A tensor of the file; `dims` fastest first, as stored. Bytes lie in the file's memory.
struct GgufTensor {
  std::string_view name;
  DType type = DType::kF32;
  std::vector<int64_t> dims;  // 1 to 4, all positive, their product below 2^62
  std::span<const std::byte> bytes;

  /// dims[0] columns, the product of the others as rows.
  TensorView View() const;
};

/// A metadata pair as stored: GGUF's number of the type, and the bytes of the value.
struct GgufPair {
  std::string_view key;
  uint32_t type = 0;
  std::string_view bytes;
};

/// A parsed file. Every count, offset, type and length was checked before memory was taken:
/// nothing in it points outside the file, tensors do not overlap, names are unique.
/// Thread-safety: immutable. Lifetime: views live as long as the object.
class GgufFile final : public ModelSource {
 public:
  /// Errors: as ReadFileImage; kDataLoss (cut short), kInvalidArgument (broken rule),
  /// kUnimplemented (tensor type). Messages begin with the file and name the field.
  static absl::StatusOr<std::unique_ptr<const GgufFile>> Load(const std::string& path);
  /// The same on bytes in memory, which must outlive the object. `name` begins the messages.
  static absl::StatusOr<std::unique_ptr<const GgufFile>> Parse(std::span<const std::byte> bytes,
                                                               std::string name);

  const std::string& name() const override { return name_; }
  size_t size() const override { return bytes_.size(); }
  TensorNaming naming() const override { return TensorNaming::kGguf; }
  /// The shape under the architecture's keys; the vocabulary comes from token_embd.weight.
  absl::StatusOr<ModelConfig> Config() const override;
  absl::StatusOr<std::optional<StoredTensor>> Find(std::string_view tensor) const override;
  std::vector<std::string_view> TensorNames() const override;
  void Release(std::span<const std::byte> tensor_bytes) const override;

  const std::vector<GgufTensor>& tensors() const { return tensors_; }
  /// The tensor of that name, or null.
  const GgufTensor* FindTensor(std::string_view tensor_name) const;
  /// The value of that key, or null.
  const GgufValue* FindValue(std::string_view key) const;

  /// All pairs, in the order of the file.
  const std::vector<GgufPair>& pairs() const { return pairs_; }

  /// Typed look-ups. `fallback` is used when the key is absent; without one absence is an error.
  /// Errors: kInvalidArgument (absent, of another type, out of [min, max]).
  absl::StatusOr<int64_t> Integer(std::string_view key, int64_t min, int64_t max,
                                  std::optional<int64_t> fallback = std::nullopt) const;
  absl::StatusOr<double> Number(std::string_view key,
                                std::optional<double> fallback = std::nullopt) const;
  absl::StatusOr<bool> Bool(std::string_view key, std::optional<bool> fallback) const;
  absl::StatusOr<std::string_view> String(
      std::string_view key, std::optional<std::string_view> fallback = std::nullopt) const;

 private:
  friend class GgufParser;
  GgufFile() = default;

  std::string name_;
  mutable AlignedBuffer storage_;  // empty when the caller owns the bytes; see Release
  std::span<const std::byte> bytes_;
  std::unordered_map<std::string_view, GgufValue> values_;
  std::vector<GgufPair> pairs_;
  std::vector<GgufTensor> tensors_;
  std::unordered_map<std::string_view, size_t> tensor_index_;
};

}  // namespace emptor::engine
