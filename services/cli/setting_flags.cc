// Settings from the command line.
#include "services/cli/setting_flags.h"

#include <utility>

#include "services/app/settings.h"
#include "services/app/settings_page.h"
#include "services/cli/commands.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {
namespace {

// No settings of a file.
constexpr const char* kShop = "shop";
constexpr const char* kApiKey = "api_key";

std::string FlagOf(std::string setting) {
  for (char& c : setting) {
    if (c == '_') c = '-';
  }
  return "--" + setting;
}

}  // namespace

void SettingFlags::Add(Command command, const std::string& setting, const std::string& help) {
  command.Add(FlagOf(setting), texts_[setting], help.empty() ? SettingHelp(setting) : help);
}

void SettingFlags::AddConfig(Command command) {
  command.Add("--config", file_, "YAML file of settings; a flag overrides it");
}

void SettingFlags::AddForSearch(Command command) {
  AddConfig(command);
  Add(command, "embedder");
}

void SettingFlags::AddForData(Command command) {
  AddForSearch(command);
  Add(command, "data_dir");
}

void SettingFlags::AddForServe(Command command) {
  AddForData(command);
  Add(command, "listen");
  Add(command, "admin_listen");
  Add(command, "model");
  Add(command, "adapter");
  Add(command, "generator");
  Add(command, "images_dir");
  Add(command, "log_level");
}

void SettingFlags::AddShop(Command command) {
  Add(command, kShop, "shop, also of a service (default)");
}

void SettingFlags::AddApiKey(Command command) {
  command
      .Add(FlagOf(kApiKey), texts_[kApiKey],
           "key to the service (its own, where it runs in the data directory)")
      .Environment("EMPTOR_API_KEY");
}

void SettingFlags::AddSwitch(Command command, const std::string& setting, const std::string& help) {
  command.AddSwitch(
      FlagOf(setting), [this, setting] { texts_[setting] = "true"; }, help);
}

void SettingFlags::OnRun(Command command, std::function<int(const Config&)> run,
                         std::function<std::string()> missing) {
  command.OnRun(
      [this, run = std::move(run)] {
        const auto config = Load();
        return config.ok() ? run(*config) : Fail(config.status());
      },
      std::move(missing));
}

absl::Status SettingFlags::Apply(Config& config, ConfigSources& sources) const {
  for (const auto& [name, text] : texts_) {
    if (text.empty()) continue;
    const std::string flag = FlagOf(name);
    const Setting<Config>* setting = FindSetting(name);
    if (name == kShop) config.shop = text;
    if (name == kApiKey) config.api_key = text;
    if (setting == nullptr) continue;
    if (absl::Status status = SetSetting(*setting, text, flag, config); !status.ok()) return status;
    sources[name] = flag;
  }
  for (const unsigned char c : config.api_key) {
    if (c > 0x20 && c < 0x7f) continue;
    return absl::InvalidArgumentError(FlagOf(kApiKey) + ": expected one line without blanks");
  }
  if (IsValidShopName(config.shop)) return absl::OkStatus();
  return absl::InvalidArgumentError("shop: expected up to 63 of a-z, 0-9 and '-', found \"" +
                                    config.shop.substr(0, 64) + "\"");
}

absl::StatusOr<Config> SettingFlags::Load() const {
  Config config = DefaultConfig();
  if (!file_.empty()) {
    if (absl::Status status = LoadConfig(file_, config); !status.ok()) return status;
  }
  ConfigSources sources;
  if (absl::Status status = Apply(config, sources); !status.ok()) return status;
  return config;
}

}  // namespace emptor::services
