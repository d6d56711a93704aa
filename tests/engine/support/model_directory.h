// Directories of models as Hugging Face lays them out, written by tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/engine/support/golden_logits.h"

namespace emptor::testing {

/// A temporary folder of the running test, removed with what is in it.
class ModelDirectory {
 public:
  ModelDirectory();
  ~ModelDirectory();
  ModelDirectory(const ModelDirectory&) = delete;
  ModelDirectory& operator=(const ModelDirectory&) = delete;

  const std::string& path() const { return path_; }
  void Write(std::string_view file, std::string_view bytes) const;

 private:
  std::string path_;
};

/// One tensor of F32 and its numbers.
struct FloatTensor {
  std::string name;
  std::vector<int64_t> dims;
  std::vector<float> values;
};

/// One tensor of any type, as it is stored.
struct RawTensor {
  std::string name, dtype;
  std::vector<int64_t> dims;
  std::string bytes;
};

/// A safetensors file of them.
std::string SafetensorsBytes(const std::vector<RawTensor>& tensors);
std::string SafetensorsBytes(const std::vector<FloatTensor>& tensors);

/// The tensors of a golden model: numbers as tests/golden/model_logits/make.py has them.
std::vector<FloatTensor> GoldenTensors(const GoldenLogits& golden);

/// A tokenizer.json of byte-level BPE: the 256 bytes, <|im_start|> (256) and <|im_end|> (257).
std::string ByteTokenizerJson();

/// Writes config.json and the weights of tests/golden/model_logits/`name`: in one file, or every
/// second tensor in a shard of its own.
void WriteGoldenModel(const ModelDirectory& directory, const std::string& name, bool sharded);

}  // namespace emptor::testing
