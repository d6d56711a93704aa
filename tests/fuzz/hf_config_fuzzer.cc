// Any bytes as a config.json, up to the first zero byte; what follows is a generation_config.json.
// A shape that is taken holds together, and its frequencies can be made.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/loading/hf_directory.h"

namespace {

using namespace emptor::engine;

void Require(bool holds) {
  if (!holds) std::abort();
}

bool IsToken(const ModelConfig& c, int32_t id) { return id >= 0 && id < c.vocabulary; }

void Check(const ModelConfig& c) {
  Require(c.vocabulary > 0 && c.context > 0 && c.hidden_size > 0 && c.layers > 0 &&
          c.intermediate_size > 0);
  Require(c.kv_heads > 0 && c.heads % c.kv_heads == 0);
  Require(c.head_dim > 0 && c.head_dim % 2 == 0 && c.rope.dims == c.head_dim);
  Require(c.experts_used <= c.experts && (c.experts == 0 || c.experts_used > 0));
  Require(c.windows.size() == static_cast<size_t>(c.layers));
  for (const int window : c.windows) Require(window >= 0);
  Require(std::isfinite(c.norm_epsilon) && c.norm_epsilon >= 0);
  Require(!c.begin_token || IsToken(c, *c.begin_token));
  for (const int32_t id : c.end_tokens) Require(IsToken(c, id));
  for (const double frequency : RopeFrequencies(c.rope, nullptr)) Require(std::isfinite(frequency));
  Require(std::isfinite(c.rope.attention_factor));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = input.find('\0');
  const std::string_view generation = end == input.npos ? "" : input.substr(end + 1);
  const auto config = HfDirectory::ParseConfig(input.substr(0, end), generation, "fuzz");
  if (config.ok()) Check(*config);
  return 0;
}
