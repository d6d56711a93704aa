// Byte-level BPE, as GPT-2, Llama 3, Qwen2, StarCoder, Falcon and DeepSeek do it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/text_pipeline.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

/// User-defined tokens first, then the words of the model's pre-tokenizer, then merges in the order
/// of their rank. A byte that the vocabulary lacks is the unknown token of a tokenizer.json that
/// names one, and is dropped otherwise, before the merges: as the library of Hugging Face does it.
/// A GGUF file's unknown token is not used, since it comes from another file of the model.
/// Cost: n log n in the length of a word. Source: Sennrich et al. 2016, arXiv:1508.07909.
class BpeTokenizer final : public Tokenizer {
 public:
  /// Errors: kInvalidArgument: a merge that is malformed or whose parts or result are not
  /// tokens, a broken normalizer.
  static absl::StatusOr<std::unique_ptr<const Tokenizer>> Create(Vocabulary vocabulary);

  void EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const override;

 private:
  BpeTokenizer(Vocabulary vocabulary, TextPipeline pipeline);
  void EncodeWord(std::string_view word, std::vector<TokenId>& tokens) const;
  void AppendByte(uint8_t byte, bool& after_unknown, std::vector<TokenId>& tokens) const;

  const PreTokenizerTraits traits_;
  const TextPipeline pipeline_;
  const std::span<const SplitRule> rules_;
  const bool blank_in_front_;
  std::array<TokenId, 256> byte_ids_{};
  std::optional<TokenId> unknown_;  // for bytes that the vocabulary lacks
  // Tokens by their bytes, for models that take whole words first; keys lie in the vocabulary.
  std::unordered_map<std::string_view, TokenId> words_;
  MergeTable merges_;
};

}  // namespace emptor::engine
