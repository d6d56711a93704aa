// emptor config: settings are checked, and a sample file is printed.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "services/app/settings_page.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

/// Prints the settings in effect, then every mistake. Returns 2 when there is one.
int CheckConfig(const SettingFlags& flags, const std::string& typed_file) {
  const std::string& file = typed_file.empty() ? flags.file() : typed_file;
  Config config = DefaultConfig();
  ConfigSources sources;
  std::vector<absl::Status> mistakes;
  if (!file.empty()) mistakes = ReadConfigFile(file, config, sources);
  if (absl::Status status = flags.Apply(config, sources); !status.ok()) mistakes.push_back(status);
  for (absl::Status& status : FindMissingFiles(config, sources)) mistakes.push_back(status);
  std::fputs(EffectiveSettings(config, sources).c_str(), stdout);
  std::fflush(stdout);
  for (const absl::Status& mistake : mistakes) Fail(mistake);
  return mistakes.empty() ? 0 : 2;
}

}  // namespace

void AddConfigCommand(Command root, SettingFlags& settings) {
  const Command config = root.AddCommand("config", "check settings, or print a sample file");
  config.RequireCommand();
  const auto file = std::make_shared<std::string>();
  const Command check = config.AddCommand(
      "check", "report every mistake in a file; print each setting, its value and where it is set");
  check.Add("FILE", *file, "YAML file of settings");
  settings.AddForServe(check);
  check.OnRun([file, &settings] { return CheckConfig(settings, *file); });
  const Command print =
      config.AddCommand("print", "print a file with every setting, its meaning and its default");
  print.OnRun([] {
    std::fputs(SampleConfig().c_str(), stdout);
    return 0;
  });
}

}  // namespace emptor::services
