// Hashes of the last few tokens, and the position after each.
#include "engine/speculation/ngram_index.h"

#include <algorithm>
#include <bit>

namespace emptor::engine {
namespace {

constexpr size_t kSlotsOfToken = 8;  // at least, for three n-grams

/// How many tokens before `a` equal those before `b`.
int EqualBefore(std::span<const int32_t> tokens, size_t a, size_t b) {
  const auto most = static_cast<int>(std::min({a, b, size_t{NgramIndex::kMaxLength}}));
  int length = 0;
  for (; length < most; ++length) {
    const auto back = static_cast<size_t>(length) + 1;
    if (tokens[a - back] != tokens[b - back]) break;
  }
  return length;
}

}  // namespace

size_t NgramIndex::Slot(std::span<const int32_t> tokens, size_t end, int count) const {
  auto hash = static_cast<uint64_t>(count);
  for (size_t i = end - static_cast<size_t>(count); i < end; ++i) {
    hash = (hash ^ static_cast<uint32_t>(tokens[i])) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return static_cast<size_t>(hash * 0x9e3779b97f4a7c15u >> shift_);
}

/// All but the end of the text, which would find itself. A table that is too small is made again.
void NgramIndex::Insert(std::span<const int32_t> tokens) {
  if (ends_.size() < kSlotsOfToken * tokens.size()) {
    ends_.assign(std::bit_ceil(kSlotsOfToken * (tokens.size() + tokens.size() / 2)), 0);
    shift_ = 64 - std::countr_zero(ends_.size());
    inserted_ = 0;
  }
  for (; inserted_ + 1 < tokens.size(); ++inserted_) {
    const size_t end = inserted_ + 1;
    for (int count = kMinTokens; count <= kMaxTokens; ++count) {
      if (end < static_cast<size_t>(count)) break;
      ends_[Slot(tokens, end, count)] = static_cast<uint32_t>(end);
    }
  }
}

/// The last match, where the text went on as it did after it.
NgramIndex::Match NgramIndex::Continued(std::span<const int32_t> tokens) const {
  if (last_.length == 0) return {};
  const auto added = tokens.subspan(seen_);
  if (!std::equal(added.begin(), added.end(), tokens.subspan(last_.next).begin())) return {};
  const size_t length = static_cast<size_t>(last_.length) + added.size();
  return {static_cast<int>(std::min(length, size_t{kMaxLength})), last_.next + added.size()};
}

NgramIndex::Match NgramIndex::LookUp(std::span<const int32_t> tokens) const {
  for (int count = kMaxTokens; count >= kMinTokens; --count) {
    if (tokens.size() <= static_cast<size_t>(count)) continue;
    const size_t end = ends_[Slot(tokens, tokens.size(), count)];
    if (end == 0) continue;
    const int length = EqualBefore(tokens, end, tokens.size());
    if (length >= count) return {length, end};
  }
  return {};
}

NgramIndex::Match NgramIndex::Find(std::span<const int32_t> tokens) {
  if (tokens.empty()) return {};
  Insert(tokens);
  const Match continued = Continued(tokens);
  const Match looked_up = continued.length < kMaxTokens ? LookUp(tokens) : Match{};
  last_ = continued.length >= looked_up.length ? continued : looked_up;
  seen_ = tokens.size();
  return last_;
}

}  // namespace emptor::engine
