// SHA-256 over a stream of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace emptor::catalog {

using Digest = std::array<uint8_t, 32>;

/// Thread-safety: one thread.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Update(const void* data, size_t size);

  /// The digest of all bytes. REQUIRES: called once, last.
  Digest Finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Digest of one piece.
Digest ComputeSha256(const void* data, size_t size);

}  // namespace emptor::catalog
