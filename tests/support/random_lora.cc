// LoRA adapters of random numbers in GGUF.
#include "tests/support/random_lora.h"

#include <cmath>

namespace emptor::testing {

GgufWriter MakeRandomLora(const LlamaShape& base, const LoraShape& shape) {
  GgufWriter writer;
  writer.AddString("general.type", "adapter");
  writer.AddString("general.architecture", "llama");
  writer.AddString("adapter.type", "lora");
  writer.AddFloat("adapter.lora.alpha", shape.alpha);
  uint64_t seed = 1000 * shape.seed;
  const auto add = [&](const std::string& name, int64_t rows, int64_t cols, float scale) {
    writer.AddTensor(name, {static_cast<uint64_t>(cols), static_cast<uint64_t>(rows)}, shape.type,
                     RandomMatrix(shape.type, rows, cols, scale, ++seed));
  };
  for (int layer = 0; layer < base.layers; ++layer) {
    for (const std::string& target : shape.targets) {
      int64_t rows = base.hidden_size, cols = base.hidden_size;
      if (target == "attn_q") rows = int64_t{base.heads} * base.head_dim;
      if (target == "attn_k" || target == "attn_v") rows = int64_t{base.kv_heads} * base.head_dim;
      if (target == "attn_output") cols = int64_t{base.heads} * base.head_dim;
      if (target == "ffn_gate" || target == "ffn_up") rows = base.intermediate_size;
      if (target == "ffn_down") cols = base.intermediate_size;
      const std::string name = "blk." + std::to_string(layer) + '.' + target + ".weight.lora_";
      add(name + 'a', shape.rank, cols, 1 / std::sqrt(static_cast<float>(cols)));
      add(name + 'b', rows, shape.rank, 0.3f);
    }
  }
  return writer;
}

}  // namespace emptor::testing
