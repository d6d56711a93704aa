// GGUF metadata of a model, from its configuration and tokenizer.
#pragma once

#include "absl/status/status.h"
#include "engine/loading/gguf_head.h"
#include "engine/model/model_config.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// general.architecture and the keys under it. Errors: kUnimplemented (windows that differ between
/// layers, YaRN's bounds not rounded: no key says so).
absl::Status AddModelKeys(const ModelConfig& config, GgufHead& head);

/// tokenizer.ggml.*: byte-level BPE whose rules FindPreTokenizer knows, and SentencePiece's BPE as
/// Llama 2 has it. Errors: kUnimplemented (other rules, or more end tokens than there are keys).
absl::Status AddTokenizerKeys(const VocabularySpec& spec, GgufHead& head);

}  // namespace emptor::engine
