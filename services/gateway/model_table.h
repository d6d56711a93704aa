// Which models the replicas of a fleet serve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace emptor::services {

/// Thread-safety: any thread.
class ModelTable {
 public:
  /// `configured[i]` empty: the models of replica i are those that it lists.
  explicit ModelTable(const std::vector<std::vector<std::string>>& configured);

  /// What the replica lists. REQUIRES: its models are not configured.
  void Set(size_t replica, std::vector<std::string> names);
  /// Bit i: replica i serves the model; empty: any model. Replicas whose lists have not come yet
  /// count only where no other one is known to serve it.
  uint64_t Serving(const std::string& model) const;
  /// The models of the replicas in `replicas`, and how many of them serve each.
  std::map<std::string, int> List(uint64_t replicas) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::optional<std::vector<std::string>>> names_;  // guarded by mutex_
};

}  // namespace emptor::services
