// What several commands share.
#include "services/cli/commands.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <utility>

#include "services/observability/log.h"
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

void WarnIfInsecure(const Config& config) {
  if (!config.insecure) return;
  Log(LogLevel::kWarning, "insecure",
      {{"listen", config.listen},
       {"gives_up", std::string("whoever reaches this address reads and asks without a key")}});
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(path + ": cannot be read");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

absl::Status WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return file ? absl::OkStatus() : absl::UnavailableError(path + ": cannot be written");
}

std::string ShopPath(const Config& config) {
  return config.shop == kDefaultShop ? config.data_dir : config.data_dir + "/shops/" + config.shop;
}

}  // namespace emptor::services
