// The replicas as the gateway calls them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "services/client/http_streams.h"
#include "services/gateway/gateway_config.h"

namespace emptor::services {

/// Thread-safety: config and keys are not changed once it serves; addresses are the loop's.
struct Fleet {
  const GatewayConfig config;
  std::vector<std::string> keys;  // of the replicas; empty: none
  std::vector<std::string>
      addresses;  // of those found by name, or that were; empty: nobody was there

  explicit Fleet(GatewayConfig given);

  /// A call of the replica, without a body.
  HttpStreamCall CallTo(size_t replica, const std::string& path) const;
  const std::string& name(size_t replica) const { return config.replicas[replica].name; }
  /// The text without the replica's key.
  std::string Hide(size_t replica, std::string_view text) const;
  /// For the log: "http://models.internal:8000/health at 10.0.0.1".
  std::string Where(size_t replica, const std::string& path = "") const;
};

}  // namespace emptor::services
