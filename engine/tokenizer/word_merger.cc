// Short words by looking at every pair, long ones with a heap.
#include "engine/tokenizer/word_merger.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <utility>

namespace emptor::engine {
namespace {

// Up to this many symbols looking at every pair is faster than a heap.
constexpr size_t kShortWord = 32;

/// A pair that could merge; the lowest rank first, then the leftmost.
struct Candidate {
  MergeTable::Merge merge;
  int left;
  TokenId left_token, right_token;

  bool operator>(const Candidate& other) const {
    return std::pair(merge.rank, left) > std::pair(other.merge.rank, other.left);
  }
};

/// Tokens of a word as a doubly linked list; -1 ends it on both sides. A dead node has token -1.
struct Node {
  TokenId token;
  int previous, next;
};

void MergeShort(const MergeTable& merges, std::vector<TokenId>& tokens, size_t begin) {
  size_t n = tokens.size() - begin;
  TokenId* word = tokens.data() + begin;
  std::array<MergeTable::Merge, kShortWord> pairs;
  for (size_t i = 0; i + 1 < n; ++i) pairs[i] = merges.Find(word[i], word[i + 1]);
  while (n > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < n; ++i) {
      if (pairs[i].rank < pairs[best].rank) best = i;
    }
    if (pairs[best].rank == MergeTable::kNoMerge) break;
    word[best] = pairs[best].result;
    std::copy(word + best + 2, word + n, word + best + 1);
    std::copy(pairs.begin() + best + 1, pairs.begin() + n - 1, pairs.begin() + best);
    --n;
    if (best + 1 < n) pairs[best] = merges.Find(word[best], word[best + 1]);
    if (best > 0) pairs[best - 1] = merges.Find(word[best - 1], word[best]);
  }
  tokens.resize(begin + n);
}

void MergeLong(const MergeTable& merges, std::vector<TokenId>& tokens, size_t begin) {
  const int n = static_cast<int>(tokens.size() - begin);
  std::vector<Node> nodes(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    nodes[static_cast<size_t>(i)] = {tokens[begin + static_cast<size_t>(i)], i - 1,
                                     i + 1 < n ? i + 1 : -1};
  }
  const auto node = [&](int i) -> Node& { return nodes[static_cast<size_t>(i)]; };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto offer = [&](int left) {
    if (left < 0 || node(left).next < 0) return;
    const TokenId right_token = node(node(left).next).token;
    const MergeTable::Merge merge = merges.Find(node(left).token, right_token);
    if (merge.rank != MergeTable::kNoMerge)
      queue.push({merge, left, node(left).token, right_token});
  };
  for (int i = 0; i < n; ++i) offer(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Node& left = node(best.left);
    // Stale when one of the two tokens has merged with another neighbour since.
    if (left.token != best.left_token || left.next < 0) continue;
    Node& right = node(left.next);
    if (right.token != best.right_token) continue;
    left.token = best.merge.result;
    right.token = -1;
    left.next = right.next;
    if (left.next >= 0) node(left.next).previous = best.left;
    offer(left.previous);
    offer(best.left);
  }
  tokens.resize(begin);
  for (int i = 0; i >= 0; i = node(i).next) tokens.push_back(node(i).token);
}

}  // namespace

void MergeWord(const MergeTable& merges, std::vector<TokenId>& tokens, size_t begin) {
  if (tokens.size() - begin <= kShortWord) {
    MergeShort(merges, tokens, begin);
  } else {
    MergeLong(merges, tokens, begin);
  }
}

}  // namespace emptor::engine
