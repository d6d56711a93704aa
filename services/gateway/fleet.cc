// Addresses and keys into calls.
#include "services/gateway/fleet.h"

#include <utility>

#include "services/client/api_key.h"

namespace emptor::services {

Fleet::Fleet(GatewayConfig given)
    : config(std::move(given)), keys(config.replicas.size()), addresses(config.replicas.size()) {}

HttpStreamCall Fleet::CallTo(size_t place, const std::string& path) const {
  const ReplicaConfig& replica = config.replicas[place];
  HttpStreamCall http;
  http.url = replica.url + path;
  http.connect_to = addresses[place];
  http.connect_timeout = config.connect_time;
  http.ca_file = replica.ca_file;
  if (!keys[place].empty()) http.headers.push_back("Authorization: Bearer " + keys[place]);
  return http;
}

std::string Fleet::Hide(size_t place, std::string_view text) const {
  return WithoutKey(text, keys[place]);
}

std::string Fleet::Where(size_t place, const std::string& path) const {
  const std::string url = config.replicas[place].url + path;
  return addresses[place].empty() ? url : url + " at " + addresses[place];
}

}  // namespace emptor::services
