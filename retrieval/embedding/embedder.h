// The port of embedding models: text to vectors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace emptor::retrieval {

/// Turns texts into unit vectors whose inner product is their similarity.
/// Thread-safety: any thread.
class Embedder {
 public:
  virtual ~Embedder() = default;

  /// Length of every vector.
  virtual int dimension() const = 0;

  /// Names model and version. Vectors of different ids must not be mixed in one index.
  virtual const std::string& model_id() const = 0;

  /// True when embedding a batch takes long (about a second, or a remote call), so that callers
  /// should not queue behind each other's batches.
  virtual bool is_slow() const { return false; }

  /// Writes one vector per text: `out` is [texts.size(), dimension()] f32, row-major. A text
  /// without a known token gives the zero vector. Errors: kInvalidArgument (size of `out`), and
  /// those of a remote model.
  virtual absl::Status EmbedInto(std::span<const std::string> texts,
                                 std::span<float> out) const = 0;

  /// The vector of a query, for models that embed queries and passages differently.
  virtual absl::Status EmbedQueryInto(const std::string& query, std::span<float> out) const {
    return EmbedInto({&query, 1}, out);
  }
};

}  // namespace emptor::retrieval
