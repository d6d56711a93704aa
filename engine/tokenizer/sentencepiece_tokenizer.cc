// SentencePiece BPE: merges by score, falls back to bytes.
#include "engine/tokenizer/sentencepiece_tokenizer.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/tokenizer/detokenizer.h"
#include "engine/tokenizer/merge_list.h"
#include "engine/tokenizer/word_merger.h"

namespace emptor::engine {
namespace {

constexpr std::string_view kSpaceMark = "\xe2\x96\x81";
constexpr uint32_t kSpaceMarkCharacter = 0x8196e2;

std::string Escape(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 2);
  for (const char c : text) {
    if (c == ' ') {
      out += kSpaceMark;
    } else {
      out += c;
    }
  }
  return out;
}

/// Bytes of the first character; a byte that is not UTF-8 is one.
size_t CharacterLength(std::string_view text) {
  if (static_cast<uint8_t>(text.front()) < 128) return 1;
  const int prefix = Utf8Prefix(text);
  return prefix > 0 ? static_cast<size_t>(prefix) : 1;
}

uint32_t Pack(std::string_view character) {
  uint32_t packed = 0;
  for (size_t i = 0; i < character.size(); ++i) {
    packed |= uint32_t{static_cast<uint8_t>(character[i])} << (8 * i);
  }
  return packed;
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(Vocabulary words, TextPipeline pipeline)
    : Tokenizer(std::move(words)),
      pipeline_(std::move(pipeline)),
      has_merges_(!vocabulary().spec().merges.empty()) {}

absl::StatusOr<std::unique_ptr<const Tokenizer>> SentencePieceTokenizer::Create(Vocabulary words) {
  absl::StatusOr<TextPipeline> pipeline = TextPipeline::Create(words);
  if (!pipeline.ok()) return pipeline.status();
  std::unique_ptr<SentencePieceTokenizer> tokenizer(
      new SentencePieceTokenizer(std::move(words), std::move(*pipeline)));
  tokenizer->IndexCharacters();
  if (tokenizer->has_merges_) {
    const absl::Status read = ReadMergeList(tokenizer->vocabulary(), tokenizer->merges_);
    if (!read.ok()) return read;
  } else {
    tokenizer->IndexMerges();
  }
  return std::unique_ptr<const Tokenizer>(std::move(tokenizer));
}

void SentencePieceTokenizer::IndexCharacters() {
  ascii_.fill(-1);
  const auto add = [&](std::string_view character) {
    const std::optional<TokenId> token = vocabulary().FindNormal(character);
    if (!token && has_merges_) return;  // a list merges tokens alone
    const TokenId next = vocabulary().size() + static_cast<TokenId>(parts_.size());
    const auto [place, added] = symbols_.emplace(Pack(character), token.value_or(next));
    if (added && !token) parts_.emplace_back(character);
    if (character.size() == 1 && static_cast<uint8_t>(character.front()) < 128) {
      ascii_[static_cast<uint8_t>(character.front())] = place->second;
    }
  };
  for (TokenId id = 0; id < vocabulary().size(); ++id) {
    std::string_view text = vocabulary().spec().tokens[static_cast<size_t>(id)];
    if (vocabulary().FindNormal(text) != id) continue;
    Character previous = 0;
    for (bool first = true; !text.empty(); first = false) {
      const std::string_view character = text.substr(0, CharacterLength(text));
      const Character packed = Pack(character);
      if (!first && packed == kSpaceMarkCharacter) before_blank_.insert(previous);
      add(character);
      previous = packed;
      text.remove_prefix(character.size());
    }
  }
}

std::optional<TokenId> SentencePieceTokenizer::PartOf(std::string_view text) const {
  if (const std::optional<TokenId> token = vocabulary().FindNormal(text)) return token;
  if (text.size() != CharacterLength(text)) return std::nullopt;
  return SymbolOf(Pack(text));
}

void SentencePieceTokenizer::IndexMerges() {
  const std::vector<double>& scores = vocabulary().spec().scores;
  std::vector<double> order = scores;
  std::sort(order.begin(), order.end(), std::greater<>());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  for (TokenId id = 0; id < vocabulary().size(); ++id) {
    const std::string_view text = vocabulary().spec().tokens[static_cast<size_t>(id)];
    if (vocabulary().FindNormal(text) != id || text.empty()) continue;
    const double score = scores[static_cast<size_t>(id)];
    const auto place = std::lower_bound(order.begin(), order.end(), score, std::greater<>());
    const MergeTable::Merge merge = {static_cast<uint32_t>(place - order.begin()), id};
    for (size_t cut = CharacterLength(text); cut < text.size();
         cut += CharacterLength(text.substr(cut))) {
      const std::optional<TokenId> left = PartOf(text.substr(0, cut));
      const std::optional<TokenId> right = PartOf(text.substr(cut));
      if (left && right) merges_.Insert(*left, *right, merge);
    }
  }
}

TokenId SentencePieceTokenizer::SymbolOf(Character character) const {
  if (character < 128) return ascii_[character];
  const auto found = symbols_.find(character);
  return found == symbols_.end() ? -1 : found->second;
}

void SentencePieceTokenizer::EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const {
  if (text.empty()) return;
  const VocabularySpec& spec = vocabulary().spec();
  const auto on_text = [&](std::string_view stretch, bool first) {
    if (spec.text_rules) {
      ForEachMarkedWord(*spec.text_rules, stretch, first,
                        [&](std::string_view word) { EncodePlain(word, tokens); });
    } else {
      const bool prefix = first && spec.add_space_prefix;
      EncodePlain(prefix ? std::string(kSpaceMark) + Escape(stretch) : Escape(stretch), tokens);
    }
  };
  pipeline_.ForEachStretch(text, on_text, [&](TokenId token) { tokens.push_back(token); });
}

void SentencePieceTokenizer::EncodePlain(std::string_view escaped,
                                         std::vector<TokenId>& tokens) const {
  std::vector<TokenId> symbols;  // of the word that is being read
  Output out{tokens};
  Character previous = 0;
  while (!escaped.empty()) {
    const std::string_view text = escaped.substr(0, CharacterLength(escaped));
    const Character character = Pack(text);
    const TokenId symbol = SymbolOf(character);
    if (character == kSpaceMarkCharacter && !before_blank_.contains(previous)) {
      EndWord(symbols, out);
    }
    if (symbol >= 0) {
      symbols.push_back(symbol);
    } else {
      EndWord(symbols, out);
      EmitBytes(text, out);
    }
    previous = character;
    escaped.remove_prefix(text.size());
  }
  EndWord(symbols, out);
}

void SentencePieceTokenizer::EndWord(std::vector<TokenId>& symbols, Output& out) const {
  MergeWord(merges_, symbols, 0);
  for (const TokenId symbol : symbols) {
    if (vocabulary().Contains(symbol)) {
      out.tokens.push_back(symbol);
      out.after_unknown = false;
    } else {
      EmitBytes(parts_[static_cast<size_t>(symbol - vocabulary().size())], out);
    }
  }
  symbols.clear();
}

void SentencePieceTokenizer::EmitBytes(std::string_view character, Output& out) const {
  const bool all_bytes = std::all_of(character.begin(), character.end(), [&](char c) {
    return vocabulary().FindByte(static_cast<uint8_t>(c)).has_value();
  });
  const VocabularySpec& spec = vocabulary().spec();
  if (all_bytes) {
    for (const char c : character) {
      out.tokens.push_back(*vocabulary().FindByte(static_cast<uint8_t>(c)));
    }
  } else if (spec.unknown && !(out.after_unknown && spec.fuse_unknown)) {
    out.tokens.push_back(*spec.unknown);
  }
  out.after_unknown = !all_bytes;
}

}  // namespace emptor::engine
