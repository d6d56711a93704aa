// Writes a model as a GGUF file of another element type.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/model/model_source.h"
#include "engine/tensor/dtype.h"

namespace emptor::engine {

struct QuantizedModel {
  uint64_t bytes = 0;              // of the file
  std::map<DType, int> tensors;    // how many of each type
  std::vector<std::string> notes;  // tensors whose type differs from the requested one, and why
};

/// Writes the model to a temporary file and renames it to `path` when it is complete. Matrices
/// become `type`; those whose rows are no whole blocks of it become Q8_0, else F16. Vectors and the
/// routers of experts stay F32. Tensors that already have their type are copied bit by bit.
/// Metadata and tokenizer: of a GGUF file all keys; of a Hugging Face directory those of
/// gguf_keys.h, and the chat template. The same source gives the same bytes. Cost: one pass, a row
/// at a time, one thread. REQUIRES: one of kWritableDTypes. Errors: as ModelSource::Config,
/// ModelWeights::Read, AddModelKeys and AddTokenizerKeys; kInvalidArgument (a number that is not
/// finite, or beyond the range of the type; names the tensor), kUnavailable (the file cannot be
/// written). A failure leaves no file.
absl::StatusOr<QuantizedModel> QuantizeModel(const ModelSource& source, DType type,
                                             const std::string& path);

}  // namespace emptor::engine
