// Service file, key file, headers.
#include "services/cli/service_target.h"

#include <optional>
#include <utility>

#include "services/app/service_file.h"
#include "services/auth/key_store.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {
namespace {

std::string WithoutSlash(std::string url) {
  while (!url.empty() && url.back() == '/') url.pop_back();
  return url;
}

/// Two ways to write the URL of a listener on this machine become one.
std::string WithAddress(std::string url) {
  constexpr std::string_view kName = "//localhost:";
  const size_t at = url.find(kName);
  if (at != std::string::npos) url.replace(at, kName.size(), "//127.0.0.1:");
  return url;
}

ServiceTarget TargetOf(const std::string& given, std::string RunningService::*port,
                       const Config& config) {
  const std::optional<RunningService> service = FindService(config.data_dir);
  const std::string local = WithoutSlash(service ? (*service).*port : std::string());
  ServiceTarget target{given.empty() ? local : WithoutSlash(given), {}};
  std::string key = config.api_key;
  if (key.empty() && !local.empty() && WithAddress(target.url) == WithAddress(local)) {
    key = ReadOwnKey(config.data_dir);
  }
  if (!key.empty()) target.headers.push_back("Authorization: Bearer " + key);
  return target;
}

}  // namespace

ServiceTarget FindTarget(const std::string& url, const Config& config) {
  ServiceTarget target = TargetOf(url, &RunningService::url, config);
  if (config.shop != kDefaultShop) target.headers.push_back("X-Emptor-Shop: " + config.shop);
  return target;
}

ServiceTarget FindAdminTarget(const std::string& admin_url, const Config& config) {
  return TargetOf(admin_url, &RunningService::admin_url, config);
}

}  // namespace emptor::services
