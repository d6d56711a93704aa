// Walks the double-array trie.
#include "engine/tokenizer/charsmap.h"

#include <algorithm>
#include <cstring>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr size_t kLongestReplacement = 1000;

// A unit of the double array. A leaf holds a value in its low 31 bits; another node the byte that
// leads to it, whether a leaf follows, and where its children lie.
bool HasLeaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
uint32_t Value(uint32_t unit) { return unit & 0x7fffffffu; }
uint32_t Label(uint32_t unit) { return unit & 0x800000ffu; }
uint32_t Offset(uint32_t unit) { return unit >> 10 << ((unit >> 9 & 1) * 8); }

}  // namespace

absl::StatusOr<Charsmap> Charsmap::Create(std::string_view bytes) {
  uint32_t trie_bytes = 0;
  if (bytes.size() < sizeof trie_bytes) {
    return absl::InvalidArgumentError("shorter than its length");
  }
  std::memcpy(&trie_bytes, bytes.data(), sizeof trie_bytes);
  bytes.remove_prefix(sizeof trie_bytes);
  if (trie_bytes == 0 || trie_bytes % 4 != 0 || trie_bytes > bytes.size()) {
    return absl::InvalidArgumentError(fmt::format(
        "trie: expected a multiple of 4 up to {} bytes, found {}", bytes.size(), trie_bytes));
  }
  Charsmap map;
  map.trie_.resize(trie_bytes / 4);
  std::memcpy(map.trie_.data(), bytes.data(), trie_bytes);
  map.replacements_ = bytes.substr(trie_bytes);
  if (map.replacements_.empty() || map.replacements_.back() != '\0') {
    return absl::InvalidArgumentError("replacements: the last one has no end");
  }
  for (size_t begin = 0; begin < map.replacements_.size();) {
    const size_t end = map.replacements_.find('\0', begin);
    map.longest_replacement_ = std::max(map.longest_replacement_, end - begin);
    begin = end + 1;
  }
  if (map.longest_replacement_ > kLongestReplacement) {
    return absl::InvalidArgumentError(
        fmt::format("replacements: expected at most {} bytes, found {}", kLongestReplacement,
                    map.longest_replacement_));
  }
  return map;
}

std::optional<Charsmap::Match> Charsmap::Find(std::string_view text, bool shortest) const {
  std::optional<Match> match;
  if (trie_.empty()) return match;
  uint32_t node = Offset(trie_[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    node ^= byte;
    if (node >= trie_.size() || Label(trie_[node]) != byte) break;
    const bool leaf = HasLeaf(trie_[node]);
    node ^= Offset(trie_[node]);
    if (node >= trie_.size()) break;
    if (!leaf) continue;
    const uint32_t value = Value(trie_[node]);
    if (value < replacements_.size()) match = {i + 1, replacements_.data() + value};
    if (match && shortest) break;
  }
  return match;
}

}  // namespace emptor::engine
