// Byte-level BPE: words, then merges by rank.
#include "engine/tokenizer/bpe_tokenizer.h"

#include <algorithm>
#include <queue>
#include <string>
#include <utility>

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/gpt2_split.h"
#include "fmt/format.h"

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

}  // namespace

BpeTokenizer::BpeTokenizer(Vocabulary words)
    : Tokenizer(std::move(words)), user_tokens_(vocabulary()) {}

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
    if (!id) {
      return absl::InvalidArgumentError(
          fmt::format("tokenizer.ggml.tokens: no token for byte 0x{:02x}", byte));
    }
    byte_ids_[static_cast<size_t>(byte)] = *id;
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
  const auto on_text = [&](std::string_view plain) {
    while (!plain.empty()) {
      const size_t length = Gpt2WordLength(plain);
      EncodeWord(plain.substr(0, length), tokens);
      plain.remove_prefix(length);
    }
  };
  ForEachPiece(user_tokens_, text, on_text, [&](TokenId token) { tokens.push_back(token); });
}

void BpeTokenizer::EncodeWord(std::string_view word, std::vector<TokenId>& tokens) const {
  const size_t begin = tokens.size();
  for (const char c : word) tokens.push_back(byte_ids_[static_cast<uint8_t>(c)]);
  if (word.size() <= kShortWord) {
    MergeShort(tokens, begin);
  } else {
    MergeLong(tokens, begin);
  }
}

void BpeTokenizer::MergeShort(std::vector<TokenId>& tokens, size_t begin) const {
  size_t n = tokens.size() - begin;
  TokenId* word = tokens.data() + begin;
  std::array<MergeTable::Merge, kShortWord> pairs;
  for (size_t i = 0; i + 1 < n; ++i) pairs[i] = merges_.Find(word[i], word[i + 1]);
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
    if (best + 1 < n) pairs[best] = merges_.Find(word[best], word[best + 1]);
    if (best > 0) pairs[best - 1] = merges_.Find(word[best - 1], word[best]);
  }
  tokens.resize(begin + n);
}

void BpeTokenizer::MergeLong(std::vector<TokenId>& tokens, size_t begin) const {
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
    const MergeTable::Merge merge = merges_.Find(node(left).token, right_token);
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

}  // namespace emptor::engine
