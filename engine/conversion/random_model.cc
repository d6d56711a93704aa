// Plans, fills and writes random models.
#include "engine/conversion/random_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/loading/gguf_output.h"
#include "engine/tensor/store.h"
#include "engine/tokenizer/byte_alphabet.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

// Elements that are made and written at a time; a multiple of every block.
constexpr uint64_t kPiece = 1 << 18;

uint64_t SplitMix64(uint64_t state) {
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
  return state ^ (state >> 31);
}

constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;

/// Bytes of the tensor's data in the file.
uint64_t DataBytes(const RandomTensor& tensor) {
  return tensor.elements() / static_cast<uint64_t>(BlockElements(tensor.type)) *
         static_cast<uint64_t>(BlockBytes(tensor.type));
}

absl::Status CheckBlocks(const RandomTensor& tensor) {
  if (tensor.dims[0] % static_cast<uint64_t>(BlockElements(tensor.type)) == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("{}: {}: expected rows of a multiple of {}, found {}", tensor.name,
                  DTypeName(tensor.type), BlockElements(tensor.type), tensor.dims[0]));
}

void WriteTensor(const RandomTensor& tensor, GgufOutput& out) {
  std::vector<float> values(std::min(kPiece, tensor.elements()));
  std::vector<std::byte> stored(values.size() * sizeof(float));
  for (uint64_t at = 0; at < tensor.elements() && out.good(); at += kPiece) {
    const uint64_t n = std::min(kPiece, tensor.elements() - at);
    const std::span<float> piece = std::span(values).first(n);
    RandomNumbersInto(tensor, at, piece);
    StoreInto(tensor.type, piece, stored.data());
    out.Write(stored.data(), n / static_cast<uint64_t>(BlockElements(tensor.type)) *
                                 static_cast<uint64_t>(BlockBytes(tensor.type)));
  }
  out.Align();
}

}  // namespace

void RandomNumbersInto(const RandomTensor& tensor, uint64_t first, std::span<float> values) {
  // The sum of four numbers evenly from 0 to 65535 has this mean and, divided, deviation 1.
  constexpr int32_t kMean = 2 * 65535;
  static const float kScale = static_cast<float>(1 / std::sqrt((65536.0 * 65536.0 - 1) / 3));
  const uint64_t start = SplitMix64(tensor.seed + kGolden);
  const float scale = kScale * tensor.deviation;
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t bits = SplitMix64(start + (first + i + 1) * kGolden);
    const auto sum = static_cast<int32_t>((bits & 0xffff) + (bits >> 16 & 0xffff) +
                                          (bits >> 32 & 0xffff) + (bits >> 48));
    values[i] = tensor.mean + static_cast<float>(sum - kMean) * scale;
  }
}

std::vector<RandomTensor> PlanRandomTensors(const ModelShape& s, DType type, uint64_t seed) {
  std::vector<RandomTensor> tensors;
  uint64_t next = SplitMix64(seed * kGolden);
  const auto matrix = [&](const std::string& name, int rows, int cols) {
    const float deviation = 1 / std::sqrt(static_cast<float>(cols));
    tensors.push_back({name + ".weight",
                       {static_cast<uint64_t>(cols), static_cast<uint64_t>(rows)},
                       type,
                       0,
                       deviation,
                       ++next});
  };
  const auto norm = [&](const std::string& name) {
    tensors.push_back(
        {name + ".weight", {static_cast<uint64_t>(s.hidden_size)}, DType::kF32, 1, 0.1f, ++next});
  };
  matrix("token_embd", s.vocabulary, s.hidden_size);
  if (!s.tied) matrix("output", s.vocabulary, s.hidden_size);
  norm("output_norm");
  for (int i = 0; i < s.layers; ++i) {
    const std::string layer = fmt::format("blk.{}.", i);
    norm(layer + "attn_norm");
    matrix(layer + "attn_q", s.heads * s.head_dim, s.hidden_size);
    matrix(layer + "attn_k", s.kv_heads * s.head_dim, s.hidden_size);
    matrix(layer + "attn_v", s.kv_heads * s.head_dim, s.hidden_size);
    matrix(layer + "attn_output", s.hidden_size, s.heads * s.head_dim);
    norm(layer + "ffn_norm");
    matrix(layer + "ffn_gate", s.intermediate_size, s.hidden_size);
    matrix(layer + "ffn_up", s.intermediate_size, s.hidden_size);
    matrix(layer + "ffn_down", s.hidden_size, s.intermediate_size);
  }
  return tensors;
}

void AddLlamaMetadata(const ModelShape& s, GgufHead& head) {
  head.AddString("general.architecture", "llama");
  const auto number = [&](const std::string& key, int value) {
    head.AddUint32("llama." + key, static_cast<uint32_t>(value));
  };
  number("context_length", s.context);
  number("embedding_length", s.hidden_size);
  number("block_count", s.layers);
  number("feed_forward_length", s.intermediate_size);
  number("attention.head_count", s.heads);
  number("attention.head_count_kv", s.kv_heads);
  number("attention.key_length", s.head_dim);
  number("attention.value_length", s.head_dim);
  number("rope.dimension_count", s.head_dim);
  const bool usual = s.rope_base == ModelShape().rope_base;
  if (!usual) head.AddFloat("llama.rope.freq_base", s.rope_base);
  head.AddFloat("llama.attention.layer_norm_rms_epsilon", 1e-5f);
}

void AddByteVocabulary(const ModelShape& shape, GgufHead& head) {
  const auto size = static_cast<size_t>(shape.vocabulary);
  std::vector<std::string> tokens, merges;
  for (int byte = 0; byte < 256; ++byte) {
    tokens.push_back(ByteAlphabet::Get().Encode(static_cast<uint8_t>(byte)));
  }
  for (const char* control : {"<|pad|>", "<|im_start|>", "<|im_end|>"})
    tokens.emplace_back(control);
  std::vector<int32_t> types(size, 1);
  std::fill_n(types.begin() + 256, 3, 3);
  // Every string of two letters, then of three, and so on: each is the one before it and a letter.
  std::vector<std::string> shorter;
  for (char c = 'a'; c <= 'z'; ++c) shorter.emplace_back(1, c);
  while (tokens.size() < size) {
    std::vector<std::string> longer;
    for (const std::string& left : shorter) {
      for (char right = 'a'; right <= 'z' && tokens.size() < size; ++right) {
        merges.push_back(left + ' ' + right);
        tokens.push_back(left + right);
        longer.push_back(tokens.back());
      }
    }
    shorter = std::move(longer);
  }
  head.AddString("tokenizer.ggml.model", "gpt2");
  head.AddString("tokenizer.ggml.pre", "gpt-2");
  head.AddStrings("tokenizer.ggml.tokens", tokens);
  head.AddInts("tokenizer.ggml.token_type", types);
  head.AddStrings("tokenizer.ggml.merges", merges);
  head.AddUint32("tokenizer.ggml.eos_token_id", 258);
  head.AddString("tokenizer.chat_template",
                 "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + "
                 "message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}"
                 "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}");
}

absl::StatusOr<uint64_t> WriteRandomModel(const RandomModelOptions& options,
                                          const std::string& path) {
  GgufHead head;
  AddLlamaMetadata(options.shape, head);
  AddByteVocabulary(options.shape, head);
  const std::vector<RandomTensor> tensors =
      PlanRandomTensors(options.shape, options.type, options.seed);
  for (const RandomTensor& tensor : tensors) {
    const absl::Status whole = CheckBlocks(tensor);
    if (!whole.ok()) return whole;
    head.AddTensor(tensor.name, tensor.dims, GgufTypeNumber(tensor.type), DataBytes(tensor));
  }
  GgufOutput out(path);
  const std::string bytes = head.HeadBytes();
  out.Write(bytes.data(), bytes.size());
  for (const RandomTensor& tensor : tensors) WriteTensor(tensor, out);
  if (absl::Status status = out.Finish(); !status.ok()) return status;
  return out.written();
}

}  // namespace emptor::engine
