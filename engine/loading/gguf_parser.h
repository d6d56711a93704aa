// One pass over the bytes of a GGUF file; used by gguf_file.cc alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/loading/gguf_file.h"

namespace emptor::engine {

/// Fills a GgufFile whose bytes are set. One use, one thread.
/// Every length is checked against the remaining bytes before memory is allocated.
class GgufParser {
 public:
  explicit GgufParser(GgufFile& file) : file_(file), bytes_(file.bytes_) {}
  absl::Status Parse();

 private:
  struct PendingTensor {
    uint64_t offset;
    uint64_t bytes;
  };

  size_t left() const { return bytes_.size() - position_; }
  absl::Status Cut(std::string_view field) const;
  absl::Status Invalid(std::string_view field, std::string_view what) const;

  /// Reads a little-endian scalar. Errors: kDataLoss.
  template <typename T>
  absl::StatusOr<T> Read(std::string_view field);
  absl::StatusOr<std::string_view> ReadString(std::string_view field, size_t max_length);
  absl::Status ReadHeader();
  absl::Status ReadPair(uint64_t index);
  absl::StatusOr<GgufValue> ReadScalar(std::string_view key, uint32_t type);
  absl::StatusOr<GgufValue> ReadArray(std::string_view key);
  /// Reads `count` scalars of stored type T into a vector of Wide.
  template <typename T, typename Wide>
  absl::StatusOr<GgufValue> ReadArrayOf(std::string_view key, uint64_t count);
  absl::StatusOr<GgufValue> ReadStringArray(std::string_view key, uint64_t count);
  absl::StatusOr<GgufValue> ReadBoolArray(std::string_view key, uint64_t count);
  absl::Status ReadAlignment();
  absl::Status ReadTensor(uint64_t index);
  absl::Status ReadDims(GgufTensor& tensor, const std::string& where);
  absl::StatusOr<uint64_t> ByteSize(const GgufTensor& tensor, const std::string& where) const;
  absl::Status PlaceTensors();

  GgufFile& file_;
  std::span<const std::byte> bytes_;
  size_t position_ = 0;
  uint64_t tensor_count_ = 0;
  uint64_t pair_count_ = 0;
  uint64_t alignment_ = 32;
  std::vector<PendingTensor> pending_;
};

}  // namespace emptor::engine
