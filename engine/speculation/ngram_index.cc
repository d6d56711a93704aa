// Hashes of the last few tokens, and the position after each.
#include "engine/speculation/ngram_index.h"

#include <algorithm>

namespace emptor::engine {
namespace {

/// The hash of the `count` tokens before position `end`.
uint64_t HashBefore(std::span<const int32_t> tokens, size_t end, int count) {
  uint64_t hash = static_cast<uint64_t>(count);
  for (size_t i = end - static_cast<size_t>(count); i < end; ++i) {
    hash = (hash ^ static_cast<uint32_t>(tokens[i])) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

/// How many tokens before `a` equal those before `b`.
int EqualBefore(std::span<const int32_t> tokens, size_t a, size_t b) {
  int length = 0;
  const size_t most = std::min({a, b, size_t{NgramIndex::kMaxLength}});
  while (static_cast<size_t>(length) < most && tokens[a - 1 - static_cast<size_t>(length)] ==
                                                   tokens[b - 1 - static_cast<size_t>(length)]) {
    ++length;
  }
  return length;
}

}  // namespace

/// All but the end of the text, which would find itself.
void NgramIndex::Insert(std::span<const int32_t> tokens) {
  if (inserted_ == 0) ends_.reserve(tokens.size() * (kMaxTokens - kMinTokens + 1));
  for (; inserted_ + 1 < tokens.size(); ++inserted_) {
    const size_t end = inserted_ + 1;
    for (int count = kMinTokens; count <= kMaxTokens; ++count) {
      if (end < static_cast<size_t>(count)) break;
      ends_[HashBefore(tokens, end, count)] = static_cast<uint32_t>(end);
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
    const auto found = ends_.find(HashBefore(tokens, tokens.size(), count));
    if (found == ends_.end()) continue;
    const int length = EqualBefore(tokens, found->second, tokens.size());
    if (length >= count) return {length, found->second};
  }
  return {};
}

NgramIndex::Match NgramIndex::Find(std::span<const int32_t> tokens) {
  Insert(tokens);
  const Match continued = Continued(tokens);
  const Match looked_up = LookUp(tokens);
  last_ = continued.length >= looked_up.length ? continued : looked_up;
  seen_ = tokens.size();
  return last_;
}

}  // namespace emptor::engine
