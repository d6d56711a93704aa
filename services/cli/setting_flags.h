// The flags that set settings: --config and one for each of some settings.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/app/config.h"
#include "services/cli/command.h"

namespace emptor::services {

/// What was typed, of all commands. Its address is bound to the flags: it is not copied.
class SettingFlags {
 public:
  SettingFlags() = default;
  SettingFlags(const SettingFlags&) = delete;
  SettingFlags& operator=(const SettingFlags&) = delete;

  /// --config, --embedder.
  void AddForSearch(Command command);
  /// The same, and --data-dir.
  void AddForData(Command command);
  /// The same, and those of `emptor serve`.
  void AddForServe(Command command);
  void AddShop(Command command);
  /// --api-key, or the environment variable EMPTOR_API_KEY: of a command that speaks to a service.
  void AddApiKey(Command command);
  /// A switch that sets a setting to true: "insecure" as --insecure.
  void AddSwitch(Command command, const std::string& setting, const std::string& help);
  void AddConfig(Command command);
  /// Adds the flag of one setting: "data_dir" as --data-dir. `help`: in place of the table's.
  void Add(Command command, const std::string& setting, const std::string& help = "");

  /// Sets what `run` does with the settings: defaults, then the file, then the flags. Where these
  /// hold a mistake, it prints that and returns 2 in place of running.
  void OnRun(Command command, std::function<int(const Config&)> run,
             std::function<std::string()> missing = nullptr);

  /// The settings. Errors: as LoadConfig, and of a flag's value.
  absl::StatusOr<Config> Load() const;
  /// Lays the flags over `config`, which the file is in. Errors: kInvalidArgument.
  absl::Status Apply(Config& config, ConfigSources& sources) const;
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::map<std::string, std::string> texts_;  // by setting; empty: not given
};

}  // namespace emptor::services
