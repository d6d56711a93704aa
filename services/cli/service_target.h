// The running service that a command speaks to, and what it sends to be let in.
#pragma once

#include <string>
#include <vector>

#include "services/app/config.h"

namespace emptor::services {

/// A port of a service, and the headers of every call to it: the shop of the settings and a key.
struct ServiceTarget {
  std::string url;  // without a slash at its end; empty: no service
  std::vector<std::string> headers;
};

/// The public port of `url` if given, else of the service that holds the data directory. The key is
/// that of the settings (--api-key, EMPTOR_API_KEY); the service that holds the data directory gets
/// its own key without it. No other service ever gets that one. REQUIRES: IsValidShopName.
ServiceTarget FindTarget(const std::string& url, const Config& config);
/// The admin port, alike; without the header of the shop.
ServiceTarget FindAdminTarget(const std::string& admin_url, const Config& config);

}  // namespace emptor::services
