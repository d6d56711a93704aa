// Shares of a budget.
#include "services/shop/shop_memory.h"

#include <algorithm>

namespace emptor::services {
namespace {

constexpr size_t kCacheShare = 16;
constexpr size_t kSmallestCache = 1u << 20;

}  // namespace

catalog::StoreOptions StoreWithin(size_t memory_bytes) {
  catalog::StoreOptions options;
  if (memory_bytes == 0) return options;
  const size_t most = std::max(kSmallestCache, memory_bytes / kCacheShare);
  options.write_buffer_bytes = std::min(options.write_buffer_bytes, most);
  options.block_cache_bytes = std::min(options.block_cache_bytes, most);
  return options;
}

size_t StoreBytes(const catalog::StoreOptions& options) {
  return 2 * options.write_buffer_bytes + options.block_cache_bytes;
}

}  // namespace emptor::services
