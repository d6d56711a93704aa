// What several commands share.
#include "services/cli/commands.h"

#include <cstdio>

#include "services/app/service_file.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "emptor: %s\n", std::string(status.message()).c_str());
  return 2;
}

int FailForShop(const Config& config, const absl::Status& status) {
  const bool is_default = config.shop == kDefaultShop;
  const bool is_unknown =
      absl::IsNotFound(status) &&
      status.message().find("there is no \"" + config.shop + "\"") != std::string::npos;
  if (is_default || !is_unknown) return Fail(status);
  return Fail(absl::NotFoundError(std::string(status.message()) +
                                  " (\"emptor shop list\" names those that exist, \"emptor "
                                  "shop create " +
                                  config.shop + "\" makes it)"));
}

std::string ServiceUrl(const std::string& url, const Config& config) {
  std::string found = url;
  if (found.empty()) found = FindService(config.data_dir).value_or(RunningService{}).url;
  while (!found.empty() && found.back() == '/') found.pop_back();
  return found;
}

std::vector<std::string> ShopHeaders(const Config& config) {
  if (config.shop == kDefaultShop) return {};
  return {"X-Emptor-Shop: " + config.shop};
}

}  // namespace emptor::services
