// Byte-level BPE: words, then merges by rank.
#include "engine/tokenizer/bpe_tokenizer.h"

#include <string>
#include <utility>

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/unicode_class.h"
#include "engine/tokenizer/word_merger.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr TokenId kNoToken = -1;
// U+FFFD, for bytes that the vocabulary leaves out.
constexpr std::array<uint8_t, 3> kReplacement = {0xef, 0xbf, 0xbd};

/// Bytes that are not UTF-8, or that lead to planes 4 to 11 of Unicode, which are empty: a
/// vocabulary that was collected from text may lack them.
bool BeginsNoCharacter(int byte) {
  return byte == 0xc0 || byte == 0xc1 || byte == 0xf1 || byte == 0xf2 || byte >= 0xf5;
}

}  // namespace

BpeTokenizer::BpeTokenizer(Vocabulary words)
    : Tokenizer(std::move(words)),
      traits_(vocabulary().spec().pre_tokenizer),
      rules_(SplitRules(traits_.rules)),
      user_tokens_(vocabulary()) {
  if (!traits_.whole_words_first) return;
  for (TokenId id = 0; id < vocabulary().size(); ++id) {
    if (vocabulary().type(id) == TokenType::kNormal) words_.emplace(vocabulary().Bytes(id), id);
  }
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> BpeTokenizer::Create(Vocabulary words) {
  std::unique_ptr<BpeTokenizer> tokenizer(new BpeTokenizer(std::move(words)));
  absl::Status status = tokenizer->IndexBytes();
  if (status.ok()) status = tokenizer->IndexMerges();
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
          fmt::format("tokenizer.ggml.tokens: no token for byte 0x{:02x}", byte));
    }
  }
  return absl::OkStatus();
}

absl::Status BpeTokenizer::IndexMerges() {
  const std::vector<std::string>& merges = vocabulary().spec().merges;
  merges_.Reserve(merges.size());
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const std::string& merge = merges[rank];
    const size_t blank = merge.find(' ', 1);
    const bool split = blank != std::string::npos && blank + 1 < merge.size();
    const std::string left = split ? merge.substr(0, blank) : "";
    const std::string right = split ? merge.substr(blank + 1) : "";
    const std::optional<TokenId> left_id = vocabulary().FindNormal(left);
    const std::optional<TokenId> right_id = vocabulary().FindNormal(right);
    const std::optional<TokenId> result = vocabulary().FindNormal(left + right);
    if (!split || !left_id || !right_id || !result) {
      return absl::InvalidArgumentError(fmt::format(
          "tokenizer.ggml.merges[{}]: expected two tokens that join to a third, found {:?}", rank,
          merge));
    }
    merges_.Insert(*left_id, *right_id, {static_cast<uint32_t>(rank), *result});
  }
  return absl::OkStatus();
}

void BpeTokenizer::EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const {
  const auto on_word = [&](std::string_view word) { EncodeWord(word, tokens); };
  const auto on_text = [&](std::string_view plain) {
    if (traits_.nfc) {
      ForEachWord(rules_, ComposeNfc(plain), on_word);
    } else {
      ForEachWord(rules_, plain, on_word);
    }
  };
  ForEachPiece(user_tokens_, text, on_text,
               [&](const UserTokenMatcher::Match& match) { tokens.push_back(match.token); });
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
