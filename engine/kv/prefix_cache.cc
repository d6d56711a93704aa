// The chain of blocks, one hash look-up per link.
#include "engine/kv/prefix_cache.h"

#include <algorithm>
#include <cassert>
#include <random>

namespace emptor::engine {
namespace {

uint64_t RandomSecret() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

/// One round of a multiplicative hash; the shift brings the high half down.
uint64_t Mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

}  // namespace

PrefixCache::PrefixCache(BlockPool& pool, int block_tokens)
    : pool_(&pool),
      block_tokens_(static_cast<size_t>(block_tokens)),
      secret_(RandomSecret()),
      entries_(static_cast<size_t>(pool.capacity())) {
  pool.set_on_evict([this](BlockId block) { Forget(block); });
}

PrefixCache::~PrefixCache() { pool_->set_on_evict(nullptr); }

uint64_t PrefixCache::Hash(const Key& key) const {
  uint64_t hash = Mix(secret_, static_cast<uint64_t>(key.before));
  for (const char c : key.salt) hash = Mix(hash, static_cast<uint8_t>(c));
  for (const int32_t token : key.tokens) hash = Mix(hash, static_cast<uint32_t>(token));
  return Mix(hash, secret_);
}

const PrefixCache::Entry* PrefixCache::Find(const Key& key, uint64_t hash, BlockId& block) const {
  const auto [begin, end] = index_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Entry& entry = At(it->second);
    if (entry.before == key.before && entry.salt == key.salt &&
        std::equal(entry.tokens.begin(), entry.tokens.end(), key.tokens.begin(),
                   key.tokens.end())) {
      block = it->second;
      return &entry;
    }
  }
  return nullptr;
}

void PrefixCache::MatchInto(std::string_view salt, std::span<const int32_t> tokens, int max_blocks,
                            std::vector<CachedBlock>& match) const {
  const auto limit =
      std::min(static_cast<size_t>(std::max(max_blocks, 0)), tokens.size() / block_tokens_);
  if (match.size() > limit) match.resize(limit);
  // The end of a chain is evicted before its beginning.
  while (!match.empty() && At(match.back().block).prefix != match.back().prefix) match.pop_back();
  while (match.size() < limit) {
    const bool first = match.empty();
    const Key key{first ? PrefixId::kEmpty : match.back().prefix, first ? salt : std::string_view(),
                  tokens.subspan(match.size() * block_tokens_, block_tokens_)};
    BlockId block{};
    const Entry* entry = Find(key, Hash(key), block);
    if (entry == nullptr) return;
    match.push_back({block, entry->prefix});
  }
}

CachedBlock PrefixCache::Insert(PrefixId before, std::string_view salt,
                                std::span<const int32_t> tokens, BlockId block) {
  assert(tokens.size() == block_tokens_);
  const Key key{before, before == PrefixId::kEmpty ? salt : std::string_view(), tokens};
  const uint64_t hash = Hash(key);
  BlockId found{};
  if (const Entry* entry = Find(key, hash, found)) return {found, entry->prefix};
  Entry& entry = entries_[static_cast<size_t>(block)];
  assert(entry.prefix == PrefixId::kEmpty);
  entry = {.prefix = PrefixId{++last_prefix_},
           .before = before,
           .hash = hash,
           .salt = std::string(key.salt),
           .tokens = {tokens.begin(), tokens.end()}};
  index_.emplace(hash, block);
  pool_->Keep(block);
  return {block, entry.prefix};
}

void PrefixCache::Forget(BlockId block) {
  Entry& entry = entries_[static_cast<size_t>(block)];
  const auto [begin, end] = index_.equal_range(entry.hash);
  const auto found =
      std::find_if(begin, end, [block](const auto& item) { return item.second == block; });
  assert(found != end);
  index_.erase(found);
  entry = {};
}

}  // namespace emptor::engine
