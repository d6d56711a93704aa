// Shares of the budget, and the part of Shop that keeps to it.
#include "services/shop/shop_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "services/shop/shop.h"

namespace emptor::services {
namespace {

constexpr size_t kCacheShare = 16;
constexpr size_t kSmallestCache = 1u << 20;
constexpr double kMebi = 1 << 20;

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

size_t Shop::memory_bytes() const {
  return StoreBytes(StoreWithin(options_.memory_bytes)) + products_->stats().bytes +
         documents_->memory_bytes() + words_->stats().bytes + written_bytes_;
}

absl::Status Shop::CheckMemory(const catalog::ImportBatch& batch) const {
  const bool has_new_text = !batch.changes.documents.empty() ||
                            std::find(batch.needs_embedding.begin(), batch.needs_embedding.end(),
                                      true) != batch.needs_embedding.end();
  if (options_.memory_bytes == 0 || !has_new_text) return absl::OkStatus();
  const size_t held = memory_bytes();
  if (held < options_.memory_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(fmt::format(
      "shop: memory: {:.1f} MiB of the {:.1f} MiB that it may hold are taken; raise "
      "shop_megabytes or delete products",
      static_cast<double>(held) / kMebi, static_cast<double>(options_.memory_bytes) / kMebi));
}

}  // namespace emptor::services
