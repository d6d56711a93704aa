// Words by number.
#include "services/bench/prompt_maker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "services/bench/split_mix.h"

namespace emptor::services {
namespace {

constexpr std::array<std::string_view, 64> kWords = {
    "time",     "year",   "people", "way",    "day",   "man",     "thing",  "woman",
    "life",     "child",  "world",  "school", "state", "family",  "group",  "country",
    "hand",     "part",   "place",  "case",   "week",  "company", "system", "program",
    "question", "work",   "number", "night",  "point", "home",    "water",  "room",
    "mother",   "area",   "money",  "story",  "fact",  "month",   "lot",    "right",
    "study",    "book",   "eye",    "job",    "word",  "issue",   "side",   "kind",
    "head",     "house",  "friend", "father", "power", "hour",    "game",   "line",
    "end",      "member", "law",    "car",    "city",  "name",    "team",   "minute"};

constexpr uint64_t kSharedSeed = 0x5eed;
constexpr uint64_t kBlockSeeds = 0xb10c'0000'0000'0000;

}  // namespace

TokenScale TokenScale::Fit(int words_a, int tokens_a, int words_b, int tokens_b) {
  TokenScale scale;
  if (words_a == words_b) return scale;
  const double per_word =
      static_cast<double>(tokens_b - tokens_a) / static_cast<double>(words_b - words_a);
  if (!(per_word > 0)) return scale;
  scale.per_word = per_word;
  scale.per_request = std::max(0.0, tokens_a - per_word * words_a);
  return scale;
}

std::string MakeWords(uint64_t seed, int words) {
  SplitMix random(seed);
  std::string text;
  for (int i = 0; i < words; ++i) {
    if (i > 0) text += ' ';
    text += kWords[random.Next() % kWords.size()];
  }
  return text;
}

std::string MakePrompt(const PromptShape& shape, const TokenScale& scale, uint64_t seed) {
  const auto words_of = [&scale](double tokens) {
    return static_cast<int>(std::lround(std::max(0.0, tokens) / scale.per_word));
  };
  int left = std::max(1, words_of(shape.input_tokens - scale.per_request));
  std::string text;
  const auto add = [&](uint64_t words_seed, int words) {
    if (words < 1) return;
    if (!text.empty()) text += ' ';
    text += MakeWords(words_seed, words);
    left -= words;
  };
  add(kSharedSeed, std::min(left, words_of(shape.shared_tokens)));
  for (const uint64_t block : shape.prefix_blocks) {
    add(kBlockSeeds ^ block, std::min(left, std::max(1, words_of(shape.block_tokens))));
  }
  add(seed, left);
  return text;
}

}  // namespace emptor::services
