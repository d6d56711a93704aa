// The generations of a shop's data: the one that is served, the one before, the one being built.
//
//   <directory>/CURRENT        "gen-000002" and a hash: the generation that is served; replaced by
//                              one rename
//   <directory>/gen-000001/    catalog/ and index/ of a generation
//   <directory>/gen-000002/
//
// A directory that was made before there were generations holds catalog/ itself and no CURRENT: its
// generation has the name ".".
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
  /// Reads what is there; with `create`, makes the first generation where there is none.
  /// Errors: kNotFound (no shop there), kDataLoss (CURRENT is damaged, missing, or names what is
  /// not there), kUnavailable.
  static absl::StatusOr<ShopGenerations> Open(const std::string& directory, bool create);

  const std::string& current() const { return current_; }
  /// The newest one older than the current, if it is kept.
  std::optional<std::string> previous() const;
  /// All that lie there, oldest first.
  std::vector<std::string> All() const;
  std::string PathOf(const std::string& generation) const;

  /// Makes the directory of the next generation. What an earlier build left unfinished goes.
  absl::StatusOr<std::string> Begin();
  /// From the moment it returns, also after a crash, `generation` is the current one; when it fails
  /// the old one stays. Errors: kNotFound, kUnavailable.
  absl::Status Activate(const std::string& generation);
  /// Removes every older generation but the one before the current, and those in use.
  absl::Status RemoveOld(const std::function<bool(const std::string& generation)>& is_in_use);
  /// Removes a generation that is not the current one.
  absl::Status Remove(const std::string& generation);

 private:
  explicit ShopGenerations(std::string directory) : directory_(std::move(directory)) {}

  std::string directory_;
  std::string current_;
};

}  // namespace emptor::services
