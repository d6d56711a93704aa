// Llama models with random weights, for speed measurements and tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/loading/gguf_head.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

struct ModelShape {
  int hidden_size = 64, layers = 2, heads = 4, kv_heads = 2, head_dim = 16;
  int intermediate_size = 128, vocabulary = 512, context = 512;
  bool tied = true;  // the embedding is the output matrix too
  float rope_base = 10000;

  /// Reads a known name, `key=value` pairs over the shape above, or a name and pairs over it,
  /// separated by commas: "tinyllama-1.1b,layers=4". Keys are the members' names.
  /// Errors: kInvalidArgument (unknown name or key, a number out of range, heads that kv_heads do
  /// not divide, an odd head_dim, a vocabulary below the 259 tokens that any text needs).
  static absl::StatusOr<ModelShape> Parse(std::string_view text);
};

/// The names that ModelShape::Parse knows, separated by commas.
std::string ModelShapeNames();

/// A tensor of a random model: numbers around `mean` that lie within 3.5 deviations.
struct RandomTensor {
  std::string name;
  std::vector<uint64_t> dims;  // fastest first
  DType type = DType::kF32;
  float mean = 0, deviation = 1;
  uint64_t seed = 0;

  uint64_t elements() const { return dims.size() == 1 ? dims[0] : dims[0] * dims[1]; }
};

/// Every tensor of a Llama of that shape: matrices of `type` with a deviation of 1 / sqrt(columns),
/// norms in F32 around 1.
std::vector<RandomTensor> PlanRandomTensors(const ModelShape& shape, DType type, uint64_t seed);

/// Numbers first .. first + values.size() - 1 of the sequence of `seed`, the same on every machine:
/// the sum of the four 16-bit parts of splitmix64's output, scaled to the deviation.
void RandomNumbersInto(const RandomTensor& tensor, uint64_t first, std::span<float> values);

/// Architecture and hyperparameters.
void AddLlamaMetadata(const ModelShape& shape, GgufHead& head);

/// A byte-level vocabulary that encodes any text: 256 bytes, ChatML's markers, then strings of
/// small letters with their merges. REQUIRES: shape.vocabulary >= 259.
void AddByteVocabulary(const ModelShape& shape, GgufHead& head);

struct RandomModelOptions {
  ModelShape shape;
  DType type = DType::kQ8_0;  // of the matrices, one of kWritableDTypes
  uint64_t seed = 1;
};

/// Writes such a model piece by piece to a temporary file and renames it to `path` at the end. The
/// same options give the same bytes. Returns the size of the file.
/// Errors: kInvalidArgument (Q8_0 of rows that are no whole blocks), kUnavailable (the file cannot
/// be written; nothing is left of it).
absl::StatusOr<uint64_t> WriteRandomModel(const RandomModelOptions& options,
                                          const std::string& path);

}  // namespace emptor::engine
