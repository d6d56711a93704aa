// Keys of a store in the order of their last use, with the bytes of their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace emptor::services {

/// Cost: O(log n) each, but KeyEndingIn, which is linear. Thread-safety: none.
class AgeIndex {
 public:
  struct Item {
    std::string key;
    int64_t unix = 0;
    size_t bytes = 0;
  };
  void Put(const std::string& key, int64_t unix, size_t bytes) {
    Erase(key);
    items_[key] = by_age_.insert({unix, {key, unix, bytes}});
    bytes_ += bytes;
  }
  void Erase(const std::string& key) {
    const auto found = items_.find(key);
    if (found == items_.end()) return;
    bytes_ -= found->second->second.bytes;
    by_age_.erase(found->second);
    items_.erase(found);
  }
  /// Null: there is no such key.
  const Item* Find(const std::string& key) const {
    const auto found = items_.find(key);
    return found == items_.end() ? nullptr : &found->second->second;
  }
  const Item* oldest() const { return by_age_.empty() ? nullptr : &by_age_.begin()->second; }
  /// In byte order.
  std::vector<std::string> KeysWith(const std::string& prefix) const {
    std::vector<std::string> keys;
    for (auto it = items_.lower_bound(prefix); it != items_.end(); ++it) {
      if (!it->first.starts_with(prefix)) break;
      keys.push_back(it->first);
    }
    return keys;
  }
  /// At most `limit`, the youngest first.
  std::vector<std::string> Youngest(size_t limit) const {
    std::vector<std::string> keys;
    for (auto it = by_age_.rbegin(); it != by_age_.rend() && keys.size() < limit; ++it) {
      keys.push_back(it->second.key);
    }
    return keys;
  }
  /// The last key with that ending; empty: none has it.
  std::string KeyEndingIn(const std::string& ending) const {
    std::string found;
    for (const auto& [key, place] : items_) {
      if (key.ends_with(ending)) found = key;
    }
    return found;
  }
  size_t size() const { return items_.size(); }
  uint64_t bytes() const { return bytes_; }

 private:
  using ByAge = std::multimap<int64_t, Item>;
  ByAge by_age_;  // by `unix`, then in the order of insertion
  std::map<std::string, ByAge::iterator> items_;
  uint64_t bytes_ = 0;
};

}  // namespace emptor::services
