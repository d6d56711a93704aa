// The shape of a BERT-family encoder and how its vectors are made.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "engine/loading/gguf_file.h"

namespace emptor::engine {

enum class Pooling { kMean, kCls };

/// Every number is bounded. Source: Devlin et al. 2018, arXiv:1810.04805; Reimers and Gurevych
/// 2019, arXiv:1908.10084, for the pooling.
struct BertConfig {
  int vocabulary = 0, hidden_size = 0, layers = 0, heads = 0, intermediate_size = 0;
  int positions = 0;        // rows of the position embedding
  int position_offset = 0;  // of the first token: RoBERTa begins behind its padding id
  int types = 0;            // rows of the token type embedding; the first is used
  float norm_epsilon = 0;
  Pooling pooling = Pooling::kMean;
  int max_tokens = 0;  // of a text, special ones among them
  std::string query_prefix, passage_prefix;

  int head_dim() const { return hidden_size / heads; }

  /// From config.json, and where they are there modules.json, the configuration of its Pooling,
  /// sentence_bert_config.json and config_sentence_transformers.json. Errors: as ReadJsonFile;
  /// kInvalidArgument (names the file and field), kUnimplemented (another model_type, activation,
  /// position embedding, module or pooling).
  static absl::StatusOr<BertConfig> ReadDirectory(const std::string& directory);
  /// From the bert.* keys, and emptor.query_prefix and emptor.passage_prefix where they are there.
  /// Errors: alike.
  static absl::StatusOr<BertConfig> ReadGguf(const GgufFile& file);
};

}  // namespace emptor::engine
