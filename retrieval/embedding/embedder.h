// Text to vectors: the port behind which any embedding model stands.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace emptor::retrieval {

/// Turns texts into unit vectors whose inner product is their similarity.
/// Thread-safety: Embed may be called from several threads at once.
class Embedder {
 public:
  virtual ~Embedder() = default;

  /// Length of every vector.
  virtual int dimension() const = 0;

  /// Names model and version. Vectors of different ids must never meet in one index.
  virtual const std::string& model_id() const = 0;

  /// True when texts take so long that nobody should wait for others': a batch is a second's work,
  /// or a peer's.
  virtual bool is_slow() const { return false; }

  /// Writes one vector per text: `out` is [texts.size(), dimension()] f32, row-major. A text
  /// without any known token gives the zero vector. Errors: kInvalidArgument (size of `out`), and
  /// whatever a remote model answers.
  virtual absl::Status EmbedInto(std::span<const std::string> texts,
                                 std::span<float> out) const = 0;

  /// The vector of a query, for models that tell what is searched for from what is searched in.
  virtual absl::Status EmbedQueryInto(const std::string& query, std::span<float> out) const {
    return EmbedInto({&query, 1}, out);
  }
};

}  // namespace emptor::retrieval
