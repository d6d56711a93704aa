// The file by which a running service tells commands that its data directory is taken, and where to
// turn to: <data-dir>/service.json.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"

namespace emptor::services {

/// Writes {"url":"http://127.0.0.1:8080","admin_url":"http://127.0.0.1:8081","pid":123} by an
/// atomic rename. Errors: kUnavailable.
absl::Status WriteServiceFile(const std::string& data_dir, const std::string& url,
                              const std::string& admin_url);
void RemoveServiceFile(const std::string& data_dir);

/// The address of the service, or nothing when no file is there or its process has ended.
std::optional<std::string> FindService(const std::string& data_dir);
/// The same for its admin port.
std::optional<std::string> FindServiceAdmin(const std::string& data_dir);

}  // namespace emptor::services
