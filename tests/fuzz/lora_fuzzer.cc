// Any bytes as an adapter: a GGUF file, or else adapter_config.json up to the first zero byte and a
// safetensors file behind it. It is refused, or fits the base model.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "engine/loading/lora_reader.h"

namespace {

using namespace emptor::engine;

void Require(bool holds) {
  if (!holds) std::abort();
}

ModelConfig Base() {
  ModelConfig config;
  config.architecture = "llama";
  config.hidden_size = 8;
  config.layers = 2;
  config.heads = 2;
  config.kv_heads = 1;
  config.head_dim = 4;
  config.intermediate_size = 12;
  return config;
}

void Check(const LoraAdapter& adapter, const ModelConfig& base) {
  Require(adapter.layers.size() == static_cast<size_t>(base.layers) && adapter.matrices() > 0);
  for (const LoraLayer& layer : adapter.layers) {
    for (size_t t = 0; t < layer.size(); ++t) {
      const LowRank& change = layer[t];
      if (change.empty()) continue;
      const auto [rows, cols] = LoraTargetShape(base, static_cast<LoraTarget>(t));
      Require(change.a.cols == cols && change.b.rows == rows && change.b.cols == change.a.rows);
      Require(std::isfinite(change.scale) && BlockElements(change.a.type) == 1);
      const std::byte* end = adapter.storage.data() + adapter.storage.size();
      Require(change.b.data + change.b.bytes() <= end && change.a.data + change.a.bytes() <= end);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ModelConfig base = Base();
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const bool is_gguf = input.starts_with("GGUF");
  const size_t text = is_gguf ? 0 : std::min(input.find('\0'), size);
  const size_t from = is_gguf ? 0 : std::min(text + 1, size);
  std::vector<uint64_t> aligned((size - from) / 8 + 1);
  if (size > from) std::memcpy(aligned.data(), data + from, size - from);
  const auto bytes = std::as_bytes(std::span(aligned)).first(size - from);
  if (is_gguf) {
    const auto file = GgufFile::Parse(bytes, "fuzz");
    if (!file.ok()) return 0;
    const auto adapter = ReadGgufLora(**file, base);
    if (adapter.ok()) Check(*adapter, base);
    return 0;
  }
  const auto file = SafetensorsFile::Parse(bytes, "fuzz");
  if (!file.ok()) return 0;
  const auto adapter = ReadPeftLora("fuzz", input.substr(0, text), **file, base);
  if (adapter.ok()) Check(*adapter, base);
  return 0;
}
