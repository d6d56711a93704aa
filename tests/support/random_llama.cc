// Llama models of random weights in GGUF.
#include "tests/support/random_llama.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "engine/conversion/random_model.h"
#include "engine/tensor/dtype.h"
#include "engine/tensor/half.h"
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

/// Where the halves of a block lie, and how large they are in random blocks of deviation 1.
struct RandomHalves {
  size_t scale_at = 0;
  float scale = 0;
  std::optional<size_t> least_at = {};
  float least = 0;
};

RandomHalves HalvesOf(engine::DType type) {
  using engine::DType;
  switch (type) {
    case DType::kQ4_1:
      return {0, 1 / 4.6f, 2, -7.5f / 4.6f};
    case DType::kQ5_0:
      return {0, 1 / 9.2f};
    case DType::kQ5_1:
      return {0, 1 / 9.2f, 2, -15.5f / 9.2f};
    case DType::kQ2_K:
      return {80, 1 / 10.0f, 82, 1.5f / 10.0f};
    case DType::kQ3_K:
      return {108, 1 / 42.0f};
    case DType::kQ5_K:
      return {0, 1 / 330.0f, 2, 15.5f / 330.0f};
    case DType::kIQ4_NL:
      return {0, 1 / 68.0f};
    default:
      return {0, 1 / 1220.0f};  // IQ4_XS
  }
}

/// Random bytes with such halves: for the types that nothing of ours writes.
void RandomBlocksInto(engine::DType type, float deviation, uint64_t seed, std::string& out) {
  std::mt19937_64 random(seed);
  for (char& byte : out) byte = static_cast<char>(random());
  std::uniform_real_distribution<float> size(0.5f * deviation, 1.5f * deviation);
  const RandomHalves halves = HalvesOf(type);
  const auto block = static_cast<size_t>(engine::BlockBytes(type));
  const auto put = [&](size_t at, float value) {
    const engine::Half half = engine::FloatToHalf(value);
    std::memcpy(out.data() + at, &half, sizeof half);
  };
  for (size_t at = 0; at < out.size(); at += block) {
    const float of_block = size(random);
    put(at + halves.scale_at, halves.scale * of_block);
    if (halves.least_at) put(at + *halves.least_at, halves.least * of_block);
  }
}

std::string Data(const engine::RandomTensor& tensor) {
  std::vector<float> values(tensor.elements());
  engine::RandomNumbersInto(tensor, 0, values);
  const auto block = static_cast<size_t>(engine::BlockElements(tensor.type));
  std::string out(values.size() / block * static_cast<size_t>(engine::BlockBytes(tensor.type)), 0);
  if (std::ranges::find(engine::kWritableDTypes, tensor.type) == engine::kWritableDTypes.end()) {
    RandomBlocksInto(tensor.type, tensor.deviation, tensor.seed, out);
    return out;
  }
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
