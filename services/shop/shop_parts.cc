// Construction, and the sum of what the parts hold in memory.
#include "services/shop/shop_parts.h"

#include "services/shop/saved_index.h"
#include "services/shop/shop_memory.h"

namespace emptor::services {

ShopParts::ShopParts(const ShopOptions& options_in, const retrieval::Embedder& embedder,
                     std::unique_ptr<catalog::ProductStore> store_in,
                     const retrieval::Analyzer& analyzer)
    : options(options_in),
      store(std::move(store_in)),
      words(std::make_unique<retrieval::ShopWords>(analyzer)),
      embeddings(*store, embedder, options.embed_batch),
      merchandising(settings_directory()),
      saver(options.saves, [this] { return SaveIndex(*this); }) {}

size_t MemoryBytes(const ShopParts& parts) {
  return StoreBytes(StoreWithin(parts.options.memory_bytes)) + parts.products->stats().bytes +
         parts.documents->memory_bytes() + parts.faq->memory_bytes() + parts.words->stats().bytes +
         parts.writes.followed_bytes;
}

}  // namespace emptor::services
