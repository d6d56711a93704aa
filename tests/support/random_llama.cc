// Llama models of random weights in GGUF.
#include "tests/support/random_llama.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/tensor/dtype.h"
#include "engine/tensor/half.h"
#include "engine/tokenizer/byte_alphabet.h"

namespace emptor::testing {
namespace {

template <typename T>
void Put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void PutQ8(std::string& out, const std::vector<float>& values) {
  for (size_t i = 0; i < values.size(); i += engine::kQuantBlock) {
    float largest = 0;
    for (size_t j = 0; j < engine::kQuantBlock; ++j) {
      largest = std::max(largest, std::fabs(values[i + j]));
    }
    engine::BlockQ8 block{};
    block.scale = engine::FloatToHalf(largest / 127);
    const float scale = engine::HalfToFloat(block.scale);
    for (size_t j = 0; j < engine::kQuantBlock; ++j) {
      const float q = scale > 0 ? std::round(values[i + j] / scale) : 0;
      block.quants[j] = static_cast<int8_t>(std::clamp(q, -127.0f, 127.0f));
    }
    Put(out, block);
  }
}

}  // namespace

std::string RandomMatrix(uint32_t type, int64_t rows, int64_t cols, float scale, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> values(static_cast<size_t>(rows * cols));
  for (float& value : values) value = normal(random);
  std::string out;
  if (type == GgufWriter::kQ8) PutQ8(out, values);
  if (type == GgufWriter::kF32) {
    for (const float value : values) Put(out, value);
  }
  if (type == GgufWriter::kF16) {
    for (const float value : values) Put(out, engine::FloatToHalf(value));
  }
  if (type == GgufWriter::kBF16) {
    for (const float value : values) Put(out, engine::FloatToBFloat16(value));
  }
  return out;
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
  writer.AddString("tokenizer.chat_template", "{{'<|im_start|>' + message['role']}}");
  return static_cast<int>(tokens.size());
}

GgufWriter MakeRandomLlama(const LlamaShape& s) {
  GgufWriter writer;
  writer.AddString("general.architecture", "llama");
  const auto number = [&](const std::string& key, int value) {
    writer.AddUint32("llama." + key, static_cast<uint32_t>(value));
  };
  number("context_length", s.context);
  number("embedding_length", s.width);
  number("block_count", s.layers);
  number("feed_forward_length", s.feed_forward);
  number("attention.head_count", s.heads);
  number("attention.head_count_kv", s.kv_heads);
  number("attention.key_length", s.head_dim);
  number("attention.value_length", s.head_dim);
  number("rope.dimension_count", s.head_dim);
  writer.AddFloat("llama.attention.layer_norm_rms_epsilon", 1e-5f);
  const int vocabulary = AddTestTokenizer(writer);
  uint64_t seed = s.seed * 1000;
  const auto matrix = [&](const std::string& name, int rows, int cols) {
    const float scale = 1.0f / std::sqrt(static_cast<float>(cols));
    writer.AddTensor(name + ".weight", {static_cast<uint64_t>(cols), static_cast<uint64_t>(rows)},
                     s.type, RandomMatrix(s.type, rows, cols, scale, ++seed));
  };
  const auto norm = [&](const std::string& name) {
    writer.AddTensor(name + ".weight", {static_cast<uint64_t>(s.width)}, GgufWriter::kF32,
                     RandomMatrix(GgufWriter::kF32, 1, s.width, 1, ++seed));
  };
  matrix("token_embd", vocabulary, s.width);
  if (!s.tied) matrix("output", vocabulary, s.width);
  norm("output_norm");
  for (int i = 0; i < s.layers; ++i) {
    const std::string layer = "blk." + std::to_string(i) + ".";
    norm(layer + "attn_norm");
    matrix(layer + "attn_q", s.heads * s.head_dim, s.width);
    matrix(layer + "attn_k", s.kv_heads * s.head_dim, s.width);
    matrix(layer + "attn_v", s.kv_heads * s.head_dim, s.width);
    matrix(layer + "attn_output", s.width, s.heads * s.head_dim);
    norm(layer + "ffn_norm");
    matrix(layer + "ffn_gate", s.feed_forward, s.width);
    matrix(layer + "ffn_up", s.feed_forward, s.width);
    matrix(layer + "ffn_down", s.width, s.feed_forward);
  }
  return writer;
}

}  // namespace emptor::testing
