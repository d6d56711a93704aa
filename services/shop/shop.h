// One shop's data directory: the records, and the search over them, kept in step.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/embedding/embedder.h"
#include "services/shop/shop_lifecycle.h"
#include "services/shop/shop_options.h"
#include "services/shop/shop_reader.h"
#include "services/shop/shop_writer.h"

namespace emptor::services {

/// Owns a shop. Hand on no more than is needed: a reader to what answers shoppers, a writer to what
/// imports. Lifetime: the embedder outlives it. Invariant: a write that the store has acknowledged
/// is found by the next search; prices and stock are always those of the store.
class Shop {
 public:
  /// Opens the saved search and brings it up to date with the store, or builds it from the records;
  /// embeds only texts without a stored vector of this embedder, and stores those vectors. Errors:
  /// of ProductStore::Open and HybridSearcher::Build; kFailedPrecondition when the stored vectors
  /// are another embedder's.
  static absl::StatusOr<std::unique_ptr<Shop>> Open(const ShopOptions& options,
                                                    const retrieval::Embedder& embedder);
  /// Saves the search if it has changed since the last save.
  ~Shop();
  Shop(const Shop&) = delete;
  Shop& operator=(const Shop&) = delete;

  const ShopReader& reader() const { return reader_; }
  ShopWriter& writer() { return writer_; }
  ShopLifecycle& lifecycle() { return lifecycle_; }
  const std::string& directory() const;

 private:
  explicit Shop(std::unique_ptr<ShopParts> parts);

  std::unique_ptr<ShopParts> parts_;
  ShopReader reader_;
  ShopWriter writer_;
  ShopLifecycle lifecycle_;
};

}  // namespace emptor::services
