// Compares records without their prices.
#include "services/shop/price_changes.h"

#include <algorithm>
#include <utility>

namespace emptor::services {
namespace {

using catalog::Product;

Product WithoutPrices(Product product) {
  product.price.reset();
  product.sale_price.reset();
  product.sale_price_effective.reset();
  product.updated_at.clear();
  return product;
}

bool HasSameCurrency(const Product& before, const Product& after) {
  if (!before.price || !after.price) return !before.price && !after.price;
  return before.price->currency == after.price->currency;
}

bool ChangesPriceAlone(const Product& before, const Product& after) {
  return HasSameCurrency(before, after) && WithoutPrices(before) == WithoutPrices(after);
}

}  // namespace

bool ChangesPricesAlone(const catalog::ProductStore& stored, const catalog::ImportBatch& batch) {
  const catalog::StoreBatch& changes = batch.changes;
  const bool has_others = !changes.deleted_products.empty() || !changes.documents.empty() ||
                          !changes.deleted_documents.empty() || changes.puts.empty() ||
                          std::find(batch.needs_embedding.begin(), batch.needs_embedding.end(),
                                    true) != batch.needs_embedding.end();
  if (has_others) return false;
  return std::all_of(changes.puts.begin(), changes.puts.end(), [&](const catalog::ProductPut& put) {
    const auto before = stored.Find(put.product.id);
    return before.ok() && *before && ChangesPriceAlone(**before, put.product);
  });
}

}  // namespace emptor::services
