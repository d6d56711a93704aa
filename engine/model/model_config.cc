// Names and orders that depend on a model's shape.
#include "engine/model/model_config.h"

namespace emptor::engine {

std::string_view GgufArchitecture(const ModelConfig& config) {
  if (config.architecture == "qwen2") return "qwen2";
  return config.architecture == "qwen3" ? "qwen3" : "llama";
}

int64_t RowOfHalves(int64_t row, int head_dim) {
  const int64_t within = row % head_dim;
  return row - within + within / 2 + (within % 2) * (head_dim / 2);
}

int64_t RowOfNeighbours(int64_t row, int head_dim) {
  const int64_t within = row % head_dim;
  const int64_t half = head_dim / 2;
  return row - within + within % half * 2 + within / half;
}

}  // namespace emptor::engine
