// The vectors of a shop's passages: embedded once, kept in a file between starts.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/hybrid/sealed_file.h"

namespace emptor::services {

/// Texts to vectors, by the digest of the text. The file (docs/formats/passage_vectors.md) is a
/// cache: one that is missing, damaged or another embedder's costs time and nothing else.
/// Thread-safety: any thread; no lock is held while a text is embedded. Lifetime: the embedder
/// outlives it.
class PassageVectors {
 public:
  /// Reads what lies at `path`.
  PassageVectors(const retrieval::Embedder& embedder, std::string path);

  /// The vector of each text; those that are not known are embedded. Errors: of the embedder; what
  /// it gave before is kept.
  absl::StatusOr<std::vector<std::vector<float>>> Embed(const std::vector<std::string>& texts,
                                                        size_t batch);
  /// The same, but texts that cannot be embedded now get zeros: they are found by words alone.
  /// Gives the number of these.
  size_t EmbedOrLeaveOut(const std::vector<std::string>& texts, size_t batch,
                         std::vector<std::vector<float>>& vectors);

  /// Writes the vectors that were asked for since this was made, if enough of them are new: a
  /// quarter, or, with `all`, any. Errors: kUnavailable (file system).
  absl::Status Save(bool all);

 private:
  using Key = std::string;  // 16 bytes of SHA-256
  struct Known {
    std::vector<float> fresh;  // empty: at `offset` of the file
    size_t offset = 0;
    bool used = false;
  };
  void ReadFile();  // REQUIRES: mutex_ held, or nobody else is there
  bool Find(const Key& key, std::vector<float>& vector);  // REQUIRES: mutex_ held
  retrieval::SealedFileKind Kind() const;

  const retrieval::Embedder& embedder_;
  const std::string path_;
  std::mutex mutex_;
  retrieval::MappedPayload file_;         // guarded by mutex_
  std::unordered_map<Key, Known> known_;  // guarded by mutex_
  size_t fresh_ = 0;                      // guarded by mutex_
};

}  // namespace emptor::services
