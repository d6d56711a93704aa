// What a shop's products of a type state, learned from its records and kept.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

#include "absl/status/statusor.h"
#include "services/assistant/product_types.h"
#include "services/assistant/type_schema.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// The products of one type.
struct TypeTable {
  TypeSchema schema;
  std::string locale;  // of these records; empty: any
  /// Its products in a shop whose records have no categories; empty: the categories decide.
  std::unordered_set<std::string> ids;
};

/// Tables of the types that were asked for last. A table is learned again once the shop has changed
/// and the table is older than ten seconds; products that came since are found, their new values
/// are not named yet. Memory: kMaxTables tables of at most 4,000 products' distinct values.
/// Thread-safety: any thread; two threads may learn the same table at once.
class TypeCatalog {
 public:
  /// Equal for equal types and locales. Pure.
  static std::string KeyOf(const ProductType& type, const std::string& locale);

  /// Errors: those of the search and the store.
  absl::StatusOr<std::shared_ptr<const TypeTable>> Get(const ShopReader& shop,
                                                       const ProductType& type,
                                                       const std::string& locale);

 private:
  struct Entry {
    std::string key;
    uint64_t sequence = 0;  // of the store, when it was learned
    std::chrono::steady_clock::time_point learned;
    std::shared_ptr<const TypeTable> table;
  };

  std::mutex mutex_;
  std::list<Entry> entries_;  // the latest used first; guarded by mutex_
};

}  // namespace emptor::services
