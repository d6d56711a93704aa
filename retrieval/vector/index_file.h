// The file that keeps a trained FAISS index: header, digests, payload. Layout:
// docs/formats/vector_index.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/encoding/sha256.h"

namespace emptor::retrieval {

using catalog::ComputeSha256;
using catalog::Digest;
using catalog::Sha256;

/// What an index was made from. A file with another key is not used.
struct IndexFileKey {
  std::string factory;   // as VectorIndexSpec; at most 64 bytes
  std::string model_id;  // at most 1024 bytes
  int dimension = 0;
  uint64_t count = 0;
  Digest source = {};  // of the ids and rows, in position order

  friend bool operator==(const IndexFileKey&, const IndexFileKey&) = default;
};

/// Receives the payload piece by piece.
using PayloadSink = std::function<absl::Status(const void* data, size_t size)>;

/// Writes a new file, syncs it, renames it to `path` and syncs the directory: after a crash either
/// the old file or the new one is there, complete. `write_payload` is called once.
/// Errors: kInvalidArgument (key), those of catalog::DurableFile, and what `write_payload` returns.
absl::Status WriteIndexFile(const std::string& path, const IndexFileKey& key,
                            const std::function<absl::Status(const PayloadSink&)>& write_payload);

/// A file whose digests and key match; reads its payload.
/// Thread-safety: one thread.
class IndexFileReader {
 public:
  /// Reads the whole file once for its digests, before a byte of the payload is parsed.
  /// Errors: kNotFound, kUnavailable (file system), kDataLoss (damaged: says what and where),
  /// kFailedPrecondition (sound, but with another key or format version).
  static absl::StatusOr<std::unique_ptr<IndexFileReader>> Open(const std::string& path,
                                                               const IndexFileKey& expected);
  ~IndexFileReader();
  IndexFileReader(const IndexFileReader&) = delete;
  IndexFileReader& operator=(const IndexFileReader&) = delete;

  uint64_t payload_bytes() const;

  /// Reads the next `size` bytes of the payload; fewer only at its end or on a read error.
  size_t Read(void* data, size_t size);

 private:
  struct Impl;
  explicit IndexFileReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::retrieval
