// The vectors of the FAQ's phrasings, kept between starts, so that a text is embedded once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "retrieval/embedding/embedder.h"

namespace emptor::services {

/// An embedder that reads what it can from a file, which is a cache: one that is damaged, missing
/// or of another model is begun again, and what a kill cuts off is embedded again.
///
///   "EMPFAQV1", hash of the model's name and dimension [8], then records:
///   hash of the text [16], vector [dimension] f32, hash of both [8]; native byte order
///
/// Thread-safety: EmbedInto by one thread at a time; EmbedQueryInto any.
class FaqVectors final : public retrieval::Embedder {
 public:
  /// More records than this are not kept: they are embedded at each start.
  static constexpr size_t kMaxRecords = 100000;

  /// Lifetime: `inner` outlives it.
  FaqVectors(std::string path, const retrieval::Embedder& inner);

  int dimension() const override { return inner_.dimension(); }
  const std::string& model_id() const override { return inner_.model_id(); }
  bool is_slow() const override { return inner_.is_slow(); }
  absl::Status EmbedInto(std::span<const std::string> texts, std::span<float> out) const override;
  absl::Status EmbedQueryInto(const std::string& query, std::span<float> out) const override {
    return inner_.EmbedQueryInto(query, out);
  }

  /// All texts that the file was read for have been embedded: frees the memory. Where most of the
  /// file's records were not asked for, it is written again without them.
  void EndLoading();

 private:
  using Key = std::array<uint64_t, 2>;
  struct Known {
    std::vector<float> vector;
    bool is_used = false;
  };
  static Key KeyOf(const std::string& text);
  std::string Head() const;
  std::string Record(const Key& key, std::span<const float> vector) const;
  void Load();
  void Begin() const;
  void Append(const std::string& bytes) const;

  const std::string path_;
  const retrieval::Embedder& inner_;
  mutable std::map<Key, Known> known_;  // until EndLoading
  mutable size_t records_ = 0;          // in the file
};

}  // namespace emptor::services
