// Scanning the words, and scoring those that are near.
#include "retrieval/words/spelling.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "retrieval/text/english.h"
#include "retrieval/words/edit_distance.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMinCandidateLetters = 3;

uint32_t LettersOf(std::string_view word) {
  uint32_t letters = 0;
  for (const char c : word) letters |= 1u << (c - 'a');
  return letters;
}

/// An edit removes at most one letter and adds at most one.
bool MayBeWithin(uint32_t a, uint32_t b, int edits) {
  return std::popcount(a & ~b) <= edits && std::popcount(b & ~a) <= edits;
}

float LogOf(uint32_t count) { return std::log1p(static_cast<float>(count)); }

void KeepBetter(Reading reading, std::optional<Reading>& best) {
  if (!best || reading.score > best->score) best = std::move(reading);
}

}  // namespace

SpellingCorrector::SpellingCorrector(const Vocabulary& vocabulary, SpellingOptions options)
    : vocabulary_(vocabulary), options_(options), by_length_(kMaxTypedBytes + 1) {
  for (size_t i = 0; i < vocabulary.size(); ++i) {
    const auto word = static_cast<WordId>(i);
    const std::string& text = vocabulary.text(word);
    if (text.size() < kMinCandidateLetters || text.size() > kMaxTypedBytes) continue;
    if (IsPlainWord(text)) by_length_[text.size()].push_back({word, LettersOf(text)});
  }
}

bool SpellingCorrector::IsCorrectable(std::string_view word) const {
  return word.size() >= options_.min_letters && word.size() <= kMaxTypedBytes && IsPlainWord(word);
}

std::optional<Reading> SpellingCorrector::Correct(std::string_view typed,
                                                  std::span<const WordId> context) const {
  assert(IsCorrectable(typed));
  std::optional<Reading> best;
  TryWords(typed, context, best);
  TrySplits(typed, context, best);
  if (best && best->score < options_.min_score) best.reset();
  return best;
}

void SpellingCorrector::TryWords(std::string_view typed, std::span<const WordId> context,
                                 std::optional<Reading>& best) const {
  const int edits = typed.size() >= options_.two_edits_from ? 2 : 1;
  const uint32_t letters = LettersOf(typed);
  const size_t shortest = typed.size() - static_cast<size_t>(edits);
  const size_t longest = std::min(typed.size() + static_cast<size_t>(edits), kMaxTypedBytes);
  std::vector<WordId> near;
  for (size_t length = shortest; length <= longest; ++length) {
    for (const Entry& entry : by_length_[length]) {
      if (!MayBeWithin(letters, entry.letters, edits)) continue;
      const std::string& word = vocabulary_.text(entry.word);
      if (word != typed && EditDistance(typed, word, edits) <= edits) near.push_back(entry.word);
    }
  }
  std::sort(near.begin(), near.end());
  for (const WordId word : near) {
    Reading reading{
        .words = {word},
        .score = LogOf(vocabulary_.record_count(word)) -
                 options_.edit_weight * WeightedEditDistance(typed, vocabulary_.text(word))};
    for (const WordId other : context) {
      if (other == word) continue;
      reading.score += options_.context_weight * LogOf(vocabulary_.CountTogether(word, other));
    }
    KeepBetter(std::move(reading), best);
  }
}

void SpellingCorrector::TrySplits(std::string_view typed, std::span<const WordId> context,
                                  std::optional<Reading>& best) const {
  for (size_t at = kMinCandidateLetters; at + kMinCandidateLetters <= typed.size(); ++at) {
    const auto first = vocabulary_.Find(typed.substr(0, at));
    if (!first) continue;
    const auto second = vocabulary_.Find(typed.substr(at));
    if (!second) continue;
    const uint32_t together = vocabulary_.CountTogether(*first, *second);
    if (together == 0) continue;
    Reading reading{.words = {*first, *second},
                    .score = LogOf(together) - options_.edit_weight * options_.split_cost};
    for (const WordId other : context) {
      reading.score +=
          options_.context_weight * LogOf(std::min(vocabulary_.CountTogether(*first, other),
                                                   vocabulary_.CountTogether(*second, other)));
    }
    KeepBetter(std::move(reading), best);
  }
}

}  // namespace emptor::retrieval
