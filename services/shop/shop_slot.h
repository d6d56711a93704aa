// State of one shop in a ShopDirectory. Included by the directory's files alone.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "catalog/faq/faq_store.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {

struct ShopDirectory::Slot {
  Slot(std::string name_in, std::string path_in)
      : name(std::move(name_in)), path(std::move(path_in)) {}

  const std::string name, path;
  std::atomic<uint64_t> last_used{0};
  std::atomic<bool> is_building{false};

  std::mutex mutex;                            // held while opening, closing and flipping
  std::shared_ptr<Shop> shop;                  // guarded by mutex; null: not open
  std::optional<ShopGenerations> generations;  // guarded by mutex
  absl::Status error;                          // of the last opening; guarded by mutex

  // A generation's store can be open only once: a second caller shares it, or waits until it is
  // closed.
  std::mutex held_mutex;  // locked after mutex, or alone
  std::condition_variable released;
  std::map<std::string, std::weak_ptr<Shop>> held;  // by generation; guarded by held_mutex
  std::shared_ptr<catalog::FaqStore> faq;  // of all generations; null: not open; by held_mutex
  bool is_deleted = false;                 // written with both locks held, read with either

  /// Opens the FAQ's entries, once for all generations. Errors: of FaqStore::Open.
  absl::StatusOr<std::shared_ptr<catalog::FaqStore>> OpenFaq();
  /// Closes them where no generation uses them.
  void CloseIdleFaq();
  /// To be called when a generation is closed. The last one of a deleted shop removes its files.
  void Release(const std::string& generation);
};

}  // namespace emptor::services
