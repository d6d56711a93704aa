// <data-dir>/service.json: names the running service that holds a data directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace emptor::services {

/// Writes {"url":"http://127.0.0.1:8080","admin_url":"http://127.0.0.1:8081","pid":123} by an
/// atomic rename. Errors: kUnavailable.
absl::Status WriteServiceFile(const std::string& data_dir, const std::string& url,
                              const std::string& admin_url);
void RemoveServiceFile(const std::string& data_dir);

/// A running service, as its file describes it.
struct RunningService {
  std::string url, admin_url;
  int64_t pid = 0;
};

/// The service that holds the data directory. Nothing when there is no file, or when its process
/// has ended.
std::optional<RunningService> FindService(const std::string& data_dir);

/// Explains the error of opening a store that another process has locked: which process serves the
/// data directory, and what to do. Any other status is returned as it is.
absl::Status ExplainLock(const std::string& data_dir, const absl::Status& status);

}  // namespace emptor::services
