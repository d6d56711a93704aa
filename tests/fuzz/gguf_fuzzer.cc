// Fuzz target of the GGUF reader and of what reads models and vocabularies out of it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "engine/loading/gguf_file.h"
#include "engine/loading/vocabulary_reader.h"
#include "engine/model/model_config.h"
#include "engine/model/model_weights.h"
#include "engine/tensor/store.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::engine;
  std::vector<uint64_t> aligned(size / 8 + 1);
  if (size > 0) std::memcpy(aligned.data(), data, size);
  const auto file = GgufFile::Parse(std::as_bytes(std::span(aligned)).first(size), "fuzz");
  if (!file.ok()) return 0;
  // Reads the first and last byte of every tensor and the values of its first block: a span outside
  // of the file is caught here.
  unsigned sum = 0;
  for (const GgufTensor& tensor : (*file)->tensors()) {
    sum += std::to_integer<unsigned>(tensor.bytes.front());
    sum += std::to_integer<unsigned>(tensor.bytes.back());
    std::array<float, kSuperBlock> values;
    const auto block = static_cast<size_t>(BlockElements(tensor.type));
    LoadInto(tensor.type, tensor.bytes.data(), std::span(values).first(block));
    sum += values[0] > values[block - 1] ? 1 : 0;
  }
  const auto config = (*file)->Config();
  if (config.ok()) {
    const auto weights = ModelWeights::Read(**file, *config);
    sum += weights.ok() ? 1 : 0;
  }
  const auto tokenizer = ReadTokenizer(**file);
  if (tokenizer.ok()) {
    std::vector<TokenId> tokens;
    (*tokenizer)->EncodeInto("hello [1:price] <|im_end|>", tokens);
    sum += static_cast<unsigned>((*tokenizer)->Decode(tokens).size());
  }
  // The sum is used, so that none of the reads is optimised away.
  return sum == 0xffffffffu ? -1 : 0;
}
