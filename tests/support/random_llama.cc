// Llama models of random weights in GGUF.
#include "tests/support/random_llama.h"

#include <vector>

#include "engine/conversion/random_model.h"
#include "engine/tensor/dtype.h"
#include "engine/tensor/store.h"
#include "engine/tokenizer/byte_alphabet.h"

namespace emptor::testing {
namespace {

engine::DType ToDType(uint32_t type) {
  for (const engine::DType known : engine::kAllDTypes) {
    if (engine::GgufTypeNumber(known) == type) return known;
  }
  return engine::DType::kF32;
}

std::string Data(const engine::RandomTensor& tensor) {
  std::vector<float> values(tensor.elements());
  engine::RandomNumbersInto(tensor, 0, values);
  const auto block = static_cast<size_t>(engine::BlockElements(tensor.type));
  std::string out(values.size() / block * static_cast<size_t>(engine::BlockBytes(tensor.type)), 0);
  engine::StoreInto(tensor.type, values, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

}  // namespace

std::string RandomMatrix(uint32_t type, int64_t rows, int64_t cols, float scale, uint64_t seed) {
  return Data({.name = {},
               .dims = {static_cast<uint64_t>(cols), static_cast<uint64_t>(rows)},
               .type = ToDType(type),
               .mean = 0,
               .deviation = scale,
               .seed = seed});
}

int AddTestTokenizer(GgufWriter& writer) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) {
    tokens.push_back(engine::ByteAlphabet::Get().Encode(static_cast<uint8_t>(byte)));
  }
  for (const char* merged : {"he", "ll", "hell", "hello"}) tokens.emplace_back(merged);
  std::vector<int32_t> types(tokens.size(), 1);
  const auto im_end = static_cast<uint32_t>(tokens.size() + 2);
  for (const char* control : {"<|pad|>", "<|im_start|>", "<|im_end|>"}) {
    tokens.emplace_back(control);
    types.push_back(3);
  }
  for (const char* defined : {"[1]", "[1:price]"}) {
    tokens.emplace_back(defined);
    types.push_back(4);
  }
  writer.AddString("tokenizer.ggml.model", "gpt2");
  writer.AddString("tokenizer.ggml.pre", "gpt-2");
  writer.AddStrings("tokenizer.ggml.tokens", tokens);
  writer.AddInts("tokenizer.ggml.token_type", types);
  writer.AddStrings("tokenizer.ggml.merges", {"h e", "l l", "he ll", "hell o"});
  writer.AddUint32("tokenizer.ggml.eos_token_id", im_end);
  writer.AddString("tokenizer.chat_template",
                   "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + "
                   "message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}"
                   "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}");
  return static_cast<int>(tokens.size());
}

GgufWriter MakeRandomLlama(const LlamaShape& s) {
  GgufWriter writer;
  engine::ModelShape shape = {.hidden_size = s.hidden_size,
                              .layers = s.layers,
                              .heads = s.heads,
                              .kv_heads = s.kv_heads,
                              .head_dim = s.head_dim,
                              .intermediate_size = s.intermediate_size,
                              .context = s.context,
                              .tied = s.tied};
  engine::AddLlamaMetadata(shape, writer);
  shape.vocabulary = AddTestTokenizer(writer);
  for (const engine::RandomTensor& tensor :
       engine::PlanRandomTensors(shape, ToDType(s.type), s.seed)) {
    writer.AddTensor(tensor.name, tensor.dims, engine::GgufTypeNumber(tensor.type), Data(tensor));
  }
  return writer;
}

}  // namespace emptor::testing
