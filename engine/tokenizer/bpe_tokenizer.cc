// Byte-level BPE: words, then merges by rank.
#include "engine/tokenizer/bpe_tokenizer.h"

#include <string>
#include <utility>

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/merge_list.h"
#include "engine/tokenizer/word_merger.h"

namespace emptor::engine {
namespace {

constexpr TokenId kNoToken = -1;
// U+FFFD, for bytes that no UTF-8 text has and that the vocabulary lacks.
constexpr std::array<uint8_t, 3> kReplacement = {0xef, 0xbf, 0xbd};

bool IsInNoText(uint8_t byte) { return byte == 0xc0 || byte == 0xc1 || byte >= 0xf5; }

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
  if (vocabulary().spec().text_rules) unknown_ = vocabulary().spec().unknown;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string& character = ByteAlphabet::Get().Encode(static_cast<uint8_t>(byte));
    byte_ids_[static_cast<size_t>(byte)] = vocabulary().FindNormal(character).value_or(kNoToken);
  }
  if (!traits_.whole_words_first) return;
  for (TokenId id = 0; id < vocabulary().size(); ++id) {
    if (vocabulary().type(id) == TokenType::kNormal) words_.emplace(vocabulary().Bytes(id), id);
  }
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> BpeTokenizer::Create(Vocabulary words) {
  absl::StatusOr<TextPipeline> pipeline = TextPipeline::Create(words);
  if (!pipeline.ok()) return pipeline.status();
  std::unique_ptr<BpeTokenizer> tokenizer(new BpeTokenizer(std::move(words), std::move(*pipeline)));
  const absl::Status merges = ReadMergeList(tokenizer->vocabulary(), tokenizer->merges_);
  if (!merges.ok()) return merges;
  return std::unique_ptr<const Tokenizer>(std::move(tokenizer));
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
  bool after_unknown = false;
  for (const char c : word) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte_ids_[byte] == kNoToken && IsInNoText(byte)) {
      for (const uint8_t part : kReplacement) AppendByte(part, after_unknown, tokens);
    } else {
      AppendByte(byte, after_unknown, tokens);
    }
  }
  MergeWord(merges_, tokens, begin);
}

void BpeTokenizer::AppendByte(uint8_t byte, bool& after_unknown,
                              std::vector<TokenId>& tokens) const {
  const TokenId id = byte_ids_[byte];
  if (id != kNoToken) {
    tokens.push_back(id);
    after_unknown = false;
  } else if (unknown_) {
    if (!after_unknown || !vocabulary().spec().fuse_unknown) tokens.push_back(*unknown_);
    after_unknown = true;
  }
}

}  // namespace emptor::engine
