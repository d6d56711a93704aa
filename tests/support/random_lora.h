// LoRA adapters of random numbers in GGUF, for the models of random_llama.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/random_llama.h"

namespace emptor::testing {

struct LoraShape {
  int rank = 4;
  float alpha = 8;
  std::vector<std::string> targets = {"attn_q",   "attn_k", "attn_v",  "attn_output",
                                      "ffn_gate", "ffn_up", "ffn_down"};
  uint32_t type = GgufWriter::kF32;
  uint64_t seed = 1;
};

/// The metadata and tensors of such an adapter, whose changes are about as large as the weights.
GgufWriter MakeRandomLora(const LlamaShape& base, const LoraShape& shape);

}  // namespace emptor::testing
