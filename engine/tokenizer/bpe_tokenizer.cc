// Byte-level BPE: words, then merges by rank.
#include "engine/tokenizer/bpe_tokenizer.h"

#include <string>
#include <utility>

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/merge_list.h"
#include "engine/tokenizer/word_merger.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr TokenId kNoToken = -1;
// U+FFFD, for bytes that the vocabulary lacks.
constexpr std::array<uint8_t, 3> kReplacement = {0xef, 0xbf, 0xbd};

/// Bytes that are not UTF-8, or that lead to planes 4 to 11 of Unicode, which are empty: a
/// vocabulary that was collected from text may lack them.
bool BeginsNoCharacter(int byte) {
  return byte == 0xc0 || byte == 0xc1 || byte == 0xf1 || byte == 0xf2 || byte >= 0xf5;
}

std::span<const SplitRule> RulesOf(const VocabularySpec& spec) {
  return spec.text_rules ? std::span<const SplitRule>(spec.text_rules->stages)
                         : SplitRules(spec.pre_tokenizer.rules);
}

}  // namespace

BpeTokenizer::BpeTokenizer(Vocabulary words, TextPipeline pipeline)
    : Tokenizer(std::move(words)),
      traits_(vocabulary().spec().pre_tokenizer),
      pipeline_(std::move(pipeline)),
      rules_(RulesOf(vocabulary().spec())),
      blank_in_front_(vocabulary().spec().text_rules &&
                      vocabulary().spec().text_rules->blank_in_front) {
  if (!traits_.whole_words_first) return;
  for (TokenId id = 0; id < vocabulary().size(); ++id) {
    if (vocabulary().type(id) == TokenType::kNormal) words_.emplace(vocabulary().Bytes(id), id);
  }
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> BpeTokenizer::Create(Vocabulary words) {
  absl::StatusOr<TextPipeline> pipeline = TextPipeline::Create(words);
  if (!pipeline.ok()) return pipeline.status();
  std::unique_ptr<BpeTokenizer> tokenizer(new BpeTokenizer(std::move(words), std::move(*pipeline)));
  absl::Status status = tokenizer->IndexBytes();
  if (status.ok()) status = ReadMergeList(tokenizer->vocabulary(), tokenizer->merges_);
  if (!status.ok()) return status;
  return std::unique_ptr<const Tokenizer>(std::move(tokenizer));
}

absl::Status BpeTokenizer::IndexBytes() {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string& character = ByteAlphabet::Get().Encode(static_cast<uint8_t>(byte));
    const std::optional<TokenId> id = vocabulary().FindNormal(character);
    byte_ids_[static_cast<size_t>(byte)] = id.value_or(kNoToken);
    if (!id && !BeginsNoCharacter(byte)) {
      return absl::InvalidArgumentError(
          fmt::format("{}: no token for byte 0x{:02x}", vocabulary().spec().fields.tokens, byte));
    }
  }
  return absl::OkStatus();
}

void BpeTokenizer::EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const {
  const auto on_word = [&](std::string_view word) { EncodeWord(word, tokens); };
  const auto on_text = [&](std::string_view stretch, bool) {
    if (blank_in_front_ && !stretch.starts_with(' ')) {
      ForEachWord(rules_, ' ' + std::string(stretch), on_word);
    } else {
      ForEachWord(rules_, stretch, on_word);
    }
  };
  pipeline_.ForEachStretch(text, on_text, [&](TokenId token) { tokens.push_back(token); });
}

void BpeTokenizer::EncodeWord(std::string_view word, std::vector<TokenId>& tokens) const {
  if (traits_.whole_words_first) {
    const auto whole = words_.find(word);
    if (whole != words_.end()) {
      tokens.push_back(whole->second);
      return;
    }
  }
  const size_t begin = tokens.size();
  for (const char c : word) {
    const TokenId id = byte_ids_[static_cast<uint8_t>(c)];
    if (id != kNoToken) {
      tokens.push_back(id);
    } else {
      for (const uint8_t byte : kReplacement) tokens.push_back(byte_ids_[byte]);
    }
  }
  MergeWord(merges_, tokens, begin);
}

}  // namespace emptor::engine
