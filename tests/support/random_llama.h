// Llama models of random weights in GGUF, of any shape and stored type.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/gguf_writer.h"

namespace emptor::testing {

struct LlamaShape {
  int hidden_size = 64, layers = 2, heads = 4, kv_heads = 2, head_dim = 16;
  int intermediate_size = 96, context = 256;
  bool tied = true;
  uint32_t type = GgufWriter::kF32;  // of the matrices
  uint64_t seed = 1;
};

/// Metadata, tokenizer and tensors of such a model. The vocabulary is byte-level BPE with a few
/// merges, the ChatML control tokens and two user-defined tokens; see AddTestTokenizer.
GgufWriter MakeRandomLlama(const LlamaShape& shape);

/// Tokens: 256 bytes, "he", "ll", "hell", "hello", then <|pad|>, <|im_start|>, <|im_end|> (end),
/// [1], [1:price]. Returns how many.
int AddTestTokenizer(GgufWriter& writer);

/// `rows` x `cols` random numbers of about `scale`, as stored in a file.
std::string RandomMatrix(uint32_t type, int64_t rows, int64_t cols, float scale, uint64_t seed);

}  // namespace emptor::testing
