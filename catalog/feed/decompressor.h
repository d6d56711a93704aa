// Decompresses gzip and zstd feeds, recognised by their first bytes, in bounded memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace emptor::catalog {

/// Takes bytes in order. An error ends the reading.
using ByteSink = std::function<absl::Status(std::string_view)>;

/// A push parser. Consecutive gzip members or zstd frames are one text; bytes that are neither pass
/// unchanged. Nested compression is not decompressed.
/// Refused: more than kMaxRatio decompressed bytes for each compressed one, beyond the first
/// kFreeBytes; a zstd window of more than 32 MiB.
/// Thread-safety: one thread at a time.
class Decompressor {
 public:
  static constexpr uint64_t kMaxRatio = 200;
  static constexpr uint64_t kFreeBytes = 64u << 20;

  explicit Decompressor(ByteSink sink);
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// Errors: those of the sink; kInvalidArgument (damaged, cut, too large). An error stays.
  absl::Status Push(std::string_view bytes);
  absl::Status Finish();

 private:
  class Codec;
  class Gzip;
  class Zstd;
  absl::Status Begin();
  absl::Status Decompress(std::string_view bytes);

  const ByteSink sink_;
  std::unique_ptr<Codec> codec_;  // null: plain
  bool begun_ = false;
  std::string head_;
  uint64_t compressed_ = 0;
  uint64_t decompressed_ = 0;
  absl::Status status_;
};

}  // namespace emptor::catalog
