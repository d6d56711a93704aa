// The place of one shop in a ShopDirectory. Used by its own files alone.
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

  // A generation's store can be opened once: who wants it again shares it, or waits for its end.
  std::mutex held_mutex;  // taken with or without mutex; never the other way round
  std::condition_variable released;
  std::map<std::string, std::weak_ptr<Shop>> held;  // by generation; guarded by held_mutex
  bool is_deleted = false;  // set with both locks, so either is enough to read it

  /// A generation that is closed; the last one of a deleted shop takes its files along.
  void Release(const std::string& generation);
};

}  // namespace emptor::services
