// Any bytes as the gateway's file: read, or refused with its name and a line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "services/gateway/gateway_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto config = emptor::services::ParseGatewayConfig(bytes, "g.yaml");
  if (!config.ok()) {
    const std::string message(config.status().message());
    if (message.rfind("g.yaml:", 0) != 0) std::abort();
    return 0;
  }
  const auto settings = emptor::services::ReplicaSettings(*config);
  if (settings.empty() || settings.size() > emptor::services::kMaxReplicas) std::abort();
  for (const auto& one : settings) {
    const auto groups = static_cast<int>(config->dispatch.group_weights.size());
    if (one.group < 0 || one.group >= groups || !(one.capacity > 0)) std::abort();
  }
  return 0;
}
