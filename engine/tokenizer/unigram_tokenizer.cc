// Viterbi over the token lattice.
#include "engine/tokenizer/unigram_tokenizer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "engine/tokenizer/detokenizer.h"

namespace emptor::engine {
namespace {

constexpr TokenId kUnknown = -1;
constexpr size_t kUnreached = std::numeric_limits<size_t>::max();
constexpr std::string_view kSpaceMark = "\xe2\x96\x81";

// The penalty of a character without a token, relative to the worst token.
constexpr double kUnknownPenalty = 10;

}  // namespace

absl::StatusOr<std::unique_ptr<const Tokenizer>> UnigramTokenizer::Create(Vocabulary words) {
  auto normalizer = SentencePieceNormalizer::Create(words.spec());
  if (!normalizer.ok()) return normalizer.status();
  absl::StatusOr<TextPipeline> pipeline = TextPipeline::Create(words);
  if (!pipeline.ok()) return pipeline.status();
  return std::unique_ptr<const Tokenizer>(
      new UnigramTokenizer(std::move(words), std::move(*pipeline), std::move(*normalizer)));
}

UnigramTokenizer::UnigramTokenizer(Vocabulary words, TextPipeline pipeline,
                                   SentencePieceNormalizer normalizer)
    : Tokenizer(std::move(words)),
      pipeline_(std::move(pipeline)),
      normalizer_(std::move(normalizer)),
      user_tokens_(vocabulary()),
      scores_(vocabulary().spec().scores),
      single_precision_(!vocabulary().spec().text_rules) {
  double least = 0;
  for (TokenId id = 0; id < vocabulary().size(); ++id) {
    const auto index = static_cast<size_t>(id);
    const TokenType type = vocabulary().type(id);
    if (type == TokenType::kUserDefined) {
      scores_[index] = 0;  // certain: beats every way to cut it
      trie_.Insert(MarkBlanks(vocabulary().Bytes(id), false), id);
    }
    const std::string& text = vocabulary().spec().tokens[index];
    if (type != TokenType::kNormal || text.empty()) continue;
    least = std::min(least, scores_[index]);
    trie_.Insert(text, id);
  }
  unknown_score_ = least - kUnknownPenalty;
}

std::vector<UnigramTokenizer::Place> UnigramTokenizer::FindBest(std::string_view text) const {
  std::vector<Place> best(text.size() + 1, Place{0, kUnknown, kUnreached});
  best[0].begin = 0;
  const auto offer = [&](size_t begin, size_t end, TokenId token, double score) {
    double sum = score + best[begin].score;
    if (single_precision_) sum = static_cast<float>(sum);
    Place& place = best[end];
    if (place.begin == kUnreached || sum > place.score) place = {sum, token, begin};
  };
  for (size_t begin = 0; begin < text.size();) {
    const int prefix = Utf8Prefix(text.substr(begin, 4));
    const size_t character = prefix > 0 ? static_cast<size_t>(prefix) : 1;
    bool covered = false;
    int32_t node = 0;
    for (size_t end = begin; end < text.size();) {
      node = trie_.Child(node, static_cast<uint8_t>(text[end++]));
      if (node == TokenTrie::kNone) break;
      const TokenId token = trie_.Token(node);
      if (token == TokenTrie::kNone) continue;
      covered = covered || end - begin == character;
      offer(begin, end, token, scores_[static_cast<size_t>(token)]);
    }
    if (!covered) offer(begin, begin + character, kUnknown, unknown_score_);
    begin += character;
  }
  return best;
}

void UnigramTokenizer::EncodeInto(std::string_view text, std::vector<TokenId>& tokens) const {
  const std::optional<TextRules>& rules = vocabulary().spec().text_rules;
  if (!rules) {
    EncodeNormal(normalizer_.Normalize(text, user_tokens_), tokens);
    return;
  }
  const auto on_text = [&](std::string_view stretch, bool first) {
    ForEachMarkedWord(*rules, stretch, first,
                      [&](std::string_view word) { EncodeNormal(word, tokens); });
  };
  pipeline_.ForEachStretch(text, on_text, [&](TokenId token) { tokens.push_back(token); });
}

void UnigramTokenizer::EncodeNormal(std::string_view normal, std::vector<TokenId>& tokens) const {
  const std::vector<Place> best = FindBest(normal);
  std::vector<size_t> ends;
  for (size_t end = normal.size(); end > 0; end = best[end].begin) ends.push_back(end);
  bool after_unknown = false;
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    const Place& place = best[*end];
    if (place.token != kUnknown) {
      tokens.push_back(place.token);
    } else if (vocabulary().FindByte(0)) {
      EmitUnknown(std::string_view(normal).substr(place.begin, *end - place.begin), tokens);
    } else if (!after_unknown && vocabulary().spec().unknown) {
      tokens.push_back(*vocabulary().spec().unknown);
    }
    after_unknown = place.token == kUnknown;
  }
}

void UnigramTokenizer::EmitUnknown(std::string_view text, std::vector<TokenId>& tokens) const {
  for (const char c : text) {
    std::optional<TokenId> token = vocabulary().FindByte(static_cast<uint8_t>(c));
    if (!token) token = vocabulary().spec().unknown;
    if (token) tokens.push_back(*token);
  }
}

}  // namespace emptor::engine
