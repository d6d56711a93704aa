// The bodies of POST /v1/embeddings, from the side of who asks.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::services {

struct EmbeddingCall {
  std::string_view model;
  std::span<const std::string> texts;
  int dimensions = 0;                // to ask for; 0: what the model has
  bool base64 = false;               // numbers as bytes, a third of the size
  std::string_view input_type = {};  // "query", "passage"; empty: not sent
};
std::string EmbeddingCallJson(const EmbeddingCall& call);

/// Bytes that a good reply has at most.
size_t MaxEmbeddingReplyBytes(size_t texts, int dimension);

/// Writes the vectors of a reply into `out`, [texts, dimension] row-major, each in the row that its
/// "index" names and of length 1; numbers or base64. Errors: kDataLoss, message `data[3].embedding:
/// expected 384 numbers, found 256`: not JSON, a row that is missing or there twice, another
/// length, a number that is not finite, a vector of zeros.
absl::Status ReadEmbeddingReply(std::string_view json, size_t texts, int dimension,
                                std::span<float> out);

/// How many numbers the first vector of a reply has. Errors: kDataLoss.
absl::StatusOr<int> ReadEmbeddingDimension(std::string_view json);

/// What the body of a refusal says, cut to a line; empty when it says nothing readable.
std::string ReadEmbeddingError(std::string_view json);

}  // namespace emptor::services
