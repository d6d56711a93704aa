// The shape of a Llama-architecture model, as its file tells it.
#pragma once

#include "absl/status/statusor.h"
#include "engine/model/gguf_file.h"

namespace emptor::engine {

struct LlamaConfig {
  int vocabulary = 0;
  int context = 0;
  int width = 0;
  int layers = 0;
  int heads = 0, kv_heads = 0;  // heads is a multiple of kv_heads
  int head_dim = 0;
  int rope_dims = 0;  // of head_dim, rotated; even
  int feed_forward = 0;
  float rope_base = 10000;
  float norm_epsilon = 1e-5f;

  int query_width() const { return heads * head_dim; }
  int kv_width() const { return kv_heads * head_dim; }

  /// Reads and bounds the metadata; the vocabulary comes from token_embd.weight.
  /// Errors: kInvalidArgument (names the key), kUnimplemented (architecture, rope scaling).
  static absl::StatusOr<LlamaConfig> Read(const GgufFile& file);
};

}  // namespace emptor::engine
