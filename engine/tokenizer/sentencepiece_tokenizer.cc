// SentencePiece BPE: merges by score, falls back to bytes.
#include "engine/tokenizer/sentencepiece_tokenizer.h"

#include <queue>
#include <string>
#include <utility>

#include "engine/tokenizer/detokenizer.h"

namespace emptor::engine {
namespace {

constexpr std::string_view kSpaceMark = "\xe2\x96\x81";

/// A stretch of the text; neighbours are linked, a merged one has no bytes left.
struct Symbol {
  std::string_view text;
  int previous, next;
};

/// Two neighbours whose text is a token; the highest score first, then the leftmost.
struct Bigram {
  float score;
  int left, right;
  size_t bytes;  // of both when it was found: differs when either has merged since

  bool operator<(const Bigram& other) const {
    return score < other.score || (score == other.score && left > other.left);
  }
};

std::string Escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ') {
      out += kSpaceMark;
    } else {
      out += c;
    }
  }
  return out;
}

std::vector<Symbol> SplitCharacters(std::string_view text) {
  std::vector<Symbol> symbols;
  while (!text.empty()) {
    const int prefix = Utf8Prefix(text);
    const size_t length = prefix > 0 ? static_cast<size_t>(prefix) : 1;
    const int index = static_cast<int>(symbols.size());
    symbols.push_back({text.substr(0, length), index - 1, index + 1});
    text.remove_prefix(length);
  }
  if (!symbols.empty()) symbols.back().next = -1;
  return symbols;
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(Vocabulary words)
    : Tokenizer(std::move(words)), user_tokens_(vocabulary()) {}

void SentencePieceTokenizer::EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const {
  if (text.empty()) return;
  bool prefix = vocabulary().spec().add_space_prefix;
  const auto on_text = [&](std::string_view plain) {
    EncodePlain(prefix ? std::string(kSpaceMark) + Escape(plain) : Escape(plain), tokens);
    prefix = false;
  };
  const auto on_token = [&](TokenId token) {
    tokens.push_back(token);
    prefix = false;
  };
  ForEachPiece(user_tokens_, text, on_text, on_token);
}

void SentencePieceTokenizer::EncodePlain(std::string_view escaped,
                                         std::vector<TokenId>& tokens) const {
  std::vector<Symbol> symbols = SplitCharacters(escaped);
  const auto symbol = [&](int i) -> Symbol& { return symbols[static_cast<size_t>(i)]; };
  std::priority_queue<Bigram> queue;
  const auto offer = [&](int left, int right) {
    if (left < 0 || right < 0) return;
    const size_t bytes = symbol(left).text.size() + symbol(right).text.size();
    const auto token = vocabulary().FindNormal({symbol(left).text.data(), bytes});
    if (token) {
      queue.push({vocabulary().spec().scores[static_cast<size_t>(*token)], left, right, bytes});
    }
  };
  for (int i = 1; i < static_cast<int>(symbols.size()); ++i) offer(i - 1, i);
  while (!queue.empty()) {
    const Bigram best = queue.top();
    queue.pop();
    Symbol& left = symbol(best.left);
    Symbol& right = symbol(best.right);
    if (left.text.empty() || right.text.empty()) continue;
    if (left.text.size() + right.text.size() != best.bytes) continue;
    left.text = {left.text.data(), best.bytes};
    right.text = {};
    left.next = right.next;
    if (right.next >= 0) symbol(right.next).previous = best.left;
    offer(left.previous, best.left);
    offer(best.left, left.next);
  }
  if (symbols.empty()) return;
  for (int i = 0; i >= 0; i = symbol(i).next) EmitSymbol(symbol(i).text, tokens);
}

void SentencePieceTokenizer::EmitSymbol(std::string_view symbol,
                                        std::vector<TokenId>& tokens) const {
  if (const std::optional<TokenId> token = vocabulary().FindNormal(symbol)) {
    tokens.push_back(*token);
    return;
  }
  for (const char c : symbol) {
    std::optional<TokenId> token = vocabulary().FindByte(static_cast<uint8_t>(c));
    if (!token) token = vocabulary().spec().unknown;
    if (token) tokens.push_back(*token);
  }
}

}  // namespace emptor::engine
