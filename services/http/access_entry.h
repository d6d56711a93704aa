// What an access log learns of a request: collected while it is answered, reported when it is over.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/http/http_server.h"

namespace emptor::services {

/// Collects one AccessRecord. Thread-safety: one thread at a time.
class AccessEntry {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  /// `observer` outlives the entry and is not empty.
  AccessEntry(const AccessObserver& observer, std::string_view method, std::string_view path,
              const Headers& headers, std::string_view remote, std::string_view request_id);

  void SetStatus(int status, bool is_stream);
  /// Hands the record to the observer; only the first call counts.
  void Report(uint64_t bytes, StreamEnd end);

 private:
  const AccessObserver& observer_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  AccessRecord record_;
  bool is_reported_ = false;
};

}  // namespace emptor::services
