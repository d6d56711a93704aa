// Checks and indexes the tokens of a model.
#include "engine/tokenizer/vocabulary.h"

#include <array>
#include <charconv>
#include <utility>

#include "engine/tokenizer/byte_alphabet.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr size_t kMaxTokens = 1u << 21;
constexpr size_t kMaxTokenBytes = 1024;
constexpr std::string_view kSpaceMark = "\xe2\x96\x81";  // U+2581, SentencePiece's blank

absl::Status Invalid(std::string_view list, size_t index, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}[{}]: {}", list, index, what));
}

/// "<0x41>" gives 0x41.
std::optional<uint8_t> ParseByteToken(std::string_view text) {
  if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>') return std::nullopt;
  unsigned value = 0;
  const char* end = text.data() + 5;
  const auto [stopped, error] = std::from_chars(text.data() + 3, end, value, 16);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return static_cast<uint8_t>(value);
}

std::string ReplaceSpaceMarks(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with(kSpaceMark)) {
      out += ' ';
      text.remove_prefix(kSpaceMark.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

absl::Status Vocabulary::CheckLists() const {
  const size_t n = spec_.tokens.size();
  if (n == 0 || n > kMaxTokens) {
    return absl::InvalidArgumentError(
        fmt::format("{}: expected 1 to {} tokens, found {}", spec_.fields.tokens, kMaxTokens, n));
  }
  if (!spec_.types.empty() && spec_.types.size() != n) {
    return absl::InvalidArgumentError(fmt::format("{}: expected {} entries, found {}",
                                                  spec_.fields.types, n, spec_.types.size()));
  }
  if (marks_blanks() && spec_.scores.size() != n) {
    return absl::InvalidArgumentError(fmt::format("{}: expected {} entries, found {}",
                                                  spec_.fields.scores, n, spec_.scores.size()));
  }
  for (size_t i = 0; i < spec_.scores.size(); ++i) {
    if (spec_.scores[i] != spec_.scores[i]) return Invalid(spec_.fields.scores, i, "NaN");
  }
  return absl::OkStatus();
}

absl::Status Vocabulary::CheckSpecials() const {
  const std::array<std::pair<const char*, std::optional<TokenId>>, 4> specials = {
      {{"bos", spec_.bos}, {"eos", spec_.eos}, {"eot", spec_.eot}, {"unknown", spec_.unknown}}};
  for (const auto& [name, id] : specials) {
    if (id && !Contains(*id)) {
      return absl::InvalidArgumentError(fmt::format(
          "tokenizer.ggml.{}_token_id: expected less than {}, found {}", name, size(), *id));
    }
  }
  for (const TokenId id : spec_.more_ends) {
    if (!Contains(id)) {
      return absl::InvalidArgumentError(
          fmt::format("end tokens: expected less than {}, found {}", size(), id));
    }
  }
  if (spec_.add_bos && !spec_.bos) {
    return absl::InvalidArgumentError(
        "tokenizer.ggml.add_bos_token: no tokenizer.ggml.bos_token_id");
  }
  return absl::OkStatus();
}

absl::Status Vocabulary::IndexNormal(TokenId id) {
  const auto index = static_cast<size_t>(id);
  const std::string& text = spec_.tokens[index];
  if (!normal_.emplace(text, id).second) return Invalid(spec_.fields.tokens, index, "token twice");
  if (marks_blanks()) {
    bytes_[index] = ReplaceSpaceMarks(text);
  } else if (spec_.kind == TokenizerKind::kWordPiece) {
    const bool continues = text.starts_with(spec_.continuing_prefix);
    bytes_[index] = continues ? text.substr(spec_.continuing_prefix.size()) : " " + text;
  } else {
    // A text outside the byte alphabet can come from no merge; it stands for itself.
    bytes_[index] = ByteAlphabet::Get().Decode(text).value_or(text);
  }
  return absl::OkStatus();
}

absl::Status Vocabulary::IndexToken(TokenId id) {
  const auto index = static_cast<size_t>(id);
  const std::string& text = spec_.tokens[index];
  const std::string_view list = spec_.fields.tokens;
  if (text.size() > kMaxTokenBytes) return Invalid(list, index, "longer than 1024 bytes");
  switch (type(id)) {
    case TokenType::kControl:
    case TokenType::kUnknown:
      if (!control_.emplace(text, id).second) return Invalid(list, index, "control token twice");
      return absl::OkStatus();
    case TokenType::kUserDefined:
      if (text.empty()) return Invalid(list, index, "empty user-defined token");
      // Merges of a tokenizer.json may lead through such a token.
      if (spec_.text_rules) normal_.emplace(text, id);
      bytes_[index] = marks_blanks() ? ReplaceSpaceMarks(text) : text;
      return absl::OkStatus();
    case TokenType::kByte: {
      const std::optional<uint8_t> byte = ParseByteToken(text);
      if (!byte) return Invalid(list, index, fmt::format("not a byte token: {:?}", text));
      if (byte_tokens_[*byte] >= 0) return Invalid(list, index, "byte token twice");
      byte_tokens_[*byte] = id;
      bytes_[index] = static_cast<char>(*byte);
      return absl::OkStatus();
    }
    case TokenType::kUnused:
      if (text.empty()) return absl::OkStatus();
      return IndexNormal(id);
    case TokenType::kNormal:
      return IndexNormal(id);
  }
  return Invalid(spec_.fields.types, index,
                 fmt::format("expected 1 to 6, found {}", static_cast<int>(type(id))));
}

absl::Status Vocabulary::IndexTokens() {
  byte_tokens_.assign(256, -1);
  bytes_.resize(spec_.tokens.size());
  normal_.reserve(spec_.tokens.size());
  for (TokenId id = 0; id < size(); ++id) {
    const absl::Status indexed = IndexToken(id);
    if (!indexed.ok()) return indexed;
  }
  return absl::OkStatus();
}

absl::StatusOr<Vocabulary> Vocabulary::Create(VocabularySpec spec) {
  Vocabulary vocabulary;
  vocabulary.spec_ = std::move(spec);
  absl::Status status = vocabulary.CheckLists();
  if (status.ok()) status = vocabulary.CheckSpecials();
  if (status.ok()) status = vocabulary.IndexTokens();
  if (!status.ok()) return status;
  return vocabulary;
}

std::optional<TokenId> Vocabulary::FindNormal(std::string_view text) const {
  const auto found = normal_.find(text);
  return found == normal_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TokenId> Vocabulary::FindControl(std::string_view text) const {
  const auto found = control_.find(text);
  return found == control_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TokenId> Vocabulary::FindByte(uint8_t byte) const {
  const TokenId id = byte_tokens_[byte];
  return id < 0 ? std::nullopt : std::optional(id);
}

}  // namespace emptor::engine
