// The generations of a shop's data: the one that is served, the previous one, the one being built.
//
//   <directory>/CURRENT        "gen-000002" and a hash: the generation that is served; replaced by
//                              one rename
//   <directory>/gen-000001/    catalog/ and index/ of a generation
//   <directory>/gen-000002/
//
// A directory of a version without generations holds catalog/ and no CURRENT: its generation is
// named ".".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::services {

/// Thread-safety: one thread at a time; one process at a time.
class ShopGenerations {
 public:
  /// Reads the directory; with `create`, makes the first generation if there is none.
  /// Errors: kNotFound (no shop), kDataLoss (CURRENT is damaged, missing, or names a generation
  /// that does not exist), kUnavailable.
  static absl::StatusOr<ShopGenerations> Open(const std::string& directory, bool create);

  const std::string& current() const { return current_; }
  /// The newest generation older than the current one, if it is kept.
  std::optional<std::string> previous() const;
  /// All generations, oldest first.
  std::vector<std::string> All() const;
  std::string PathOf(const std::string& generation) const;

  /// Makes the directory of the next generation. Removes what an earlier build left unfinished.
  absl::StatusOr<std::string> Begin();
  /// Makes `generation` the current one, atomically and durably. After an error the old one stays.
  /// Errors: kNotFound, kUnavailable.
  absl::Status Activate(const std::string& generation);
  /// Removes every older generation except the previous one and those in use.
  absl::Status RemoveOld(const std::function<bool(const std::string& generation)>& is_in_use);
  /// Removes a generation that is not the current one.
  absl::Status Remove(const std::string& generation);

 private:
  explicit ShopGenerations(std::string directory) : directory_(std::move(directory)) {}

  std::string directory_;
  std::string current_;
};

}  // namespace emptor::services
