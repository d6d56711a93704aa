// What a shop's products of a type state, learned from its records and kept.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/schema/shop_units.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/types/departments.h"
#include "services/assistant/types/goods_names.h"
#include "services/assistant/types/product_kinds.h"
#include "services/assistant/types/product_types.h"
#include "services/assistant/types/type_meanings.h"
#include "services/assistant/types/type_table.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// Tables of the types that were asked for last. A table is learned again once the shop has changed
/// and the table is older than ten seconds: by the refresher, while the old one answers, else by
/// the call. Products that came since are found, their new values are not named yet. Memory: the
/// distinct values and words of 300,000 products in at most 2,000 tables.
/// Thread-safety: any thread; two threads may learn the same table at once.
class TypeCatalog {
 public:
  /// Equal for equal types and locales. Pure.
  static std::string KeyOf(const ProductType& type, const std::string& locale);

  /// Errors: those of the search and the store.
  absl::StatusOr<std::shared_ptr<const TypeTable>> Get(const ShopReader& shop,
                                                       const ProductType& type,
                                                       const std::string& locale);

  /// Whether any product is of the type: cheaper than its table. Once the shop has changed, yes may
  /// be five minutes old, no ten seconds. Errors: as Get.
  absl::StatusOr<bool> IsSold(const ShopReader& shop, const ProductType& type,
                              const std::string& locale);

  /// The names of goods in the shop's titles, an hour old at most once the shop has changed. With a
  /// refresher the old ones are returned until it has read the new ones, unless the shop has grown
  /// to twice its size: a first import. One thread reads at a time, others wait or get the old
  /// ones. Null: the shop could not be read; the search to come will say why.
  std::shared_ptr<const GoodsNames> NamesOf(const ShopReader& shop);

  /// What the kinds of the shop's goods mean, made anew with the names of goods: by the refresher,
  /// or by the call where there is none. Null: not yet, or the embedder failed.
  std::shared_ptr<const TypeMeanings> MeaningsOf(const ShopReader& shop);
  /// Makes them where the ones it has are older than the names of goods.
  void LearnMeanings(const ShopReader& shop);

  /// The units of attributes whose values name none, as old as the names of goods. Null: as there.
  std::shared_ptr<const ShopUnits> UnitsOf(const ShopReader& shop);

  /// Whether it holds the table, outdated or not.
  bool Knows(const ProductType& type, const std::string& locale);

  /// Whether half of what it may hold is free, for tables that nobody has asked for yet.
  bool HasRoom();

  /// Reads the table from the shop and keeps it. Errors: as Get.
  absl::Status Learn(const ShopReader& shop, const ProductType& type, const std::string& locale);

  /// A table that is to be learned again.
  struct Outdated {
    ProductType type;
    std::string locale;
  };
  /// While there is a refresher, Get returns outdated tables and leaves them to NextOutdated.
  void AddRefresher();
  void RemoveRefresher();
  /// Reads the names and kinds of goods again where they are outdated and a call was answered with
  /// the old ones.
  void RefreshOverview(const ShopReader& shop);

  /// Waits for an outdated table; nothing once `stop` is requested, none came within `wait`, or the
  /// overview is to be refreshed.
  std::optional<Outdated> NextOutdated(const std::stop_token& stop, std::chrono::milliseconds wait);

 private:
  struct Entry {
    std::string key;
    uint64_t sequence = 0;  // of the store, when it was learned
    std::chrono::steady_clock::time_point learned;
    std::shared_ptr<const TypeTable> table;
    bool is_refreshing = false;
  };

  /// Whether a type is sold.
  struct Sold {
    uint64_t sequence = 0;  // of the store, when it was learned
    std::chrono::steady_clock::time_point learned;
    bool is_sold = false;
  };

  void Keep(Entry entry);
  size_t CountMembers() const;  // REQUIRES: mutex_ is held

  /// The table of one type, or of all that help with a need.
  absl::StatusOr<std::shared_ptr<const TypeTable>> Read(const ShopReader& shop,
                                                        const ProductType& type,
                                                        const std::string& locale);
  absl::StatusOr<std::shared_ptr<const TypeTable>> Combine(const ShopReader& shop,
                                                           const ProductType& need,
                                                           const std::string& locale);

  /// What one pass over the products tells.
  struct Overview {
    ProductKinds kinds;
    GoodsNames names;
    Departments departments;
    ShopUnits units;
    TypeTitles titles;
    uint64_t products = 0;  // of the shop, when it was read
  };
  /// Of every product, read again an hour after the shop has changed.
  std::shared_ptr<const Overview> OverviewOf(const ShopReader& shop);
  /// REQUIRES: overview_reading_ was set by this thread.
  std::shared_ptr<const Overview> ReadOverviewAlone(const ShopReader& shop);
  std::shared_ptr<const ProductKinds> KindsOf(const ShopReader& shop);
  std::shared_ptr<const Departments> DepartmentsOf(const ShopReader& shop);
  static std::shared_ptr<const Overview> ReadOverview(const ShopReader& shop);

  std::mutex mutex_;
  std::condition_variable_any outdated_came_;
  std::deque<Outdated> outdated_;                        // guarded by mutex_
  int refreshers_ = 0;                                   // guarded by mutex_
  std::map<std::string, Sold> sold_;                     // by key; guarded by mutex_
  std::list<Entry> entries_;                             // the latest used first; guarded by mutex_
  std::shared_ptr<const Overview> overview_;             // guarded by mutex_
  std::shared_ptr<const TypeMeanings> meanings_;         // guarded by mutex_
  std::weak_ptr<const Overview> meanings_overview_;      // that they were made of; as above
  uint64_t overview_sequence_ = 0;                       // guarded by mutex_
  std::chrono::steady_clock::time_point overview_read_;  // guarded by mutex_
  bool overview_wanted_ = false;                         // guarded by mutex_
  bool overview_reading_ = false;                        // by one thread; guarded by mutex_
  std::condition_variable overview_came_;
};

}  // namespace emptor::services
