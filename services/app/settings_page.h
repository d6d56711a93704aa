// The settings as documents: a reference page, a sample file, and what is in effect.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "services/app/config.h"
#include "services/app/setting.h"

namespace emptor::services {

/// docs/settings.md.
std::string SettingsPage();

/// deploy/emptor.yaml: every setting with its meaning and default, commented out.
std::string SampleConfig();

/// What --help says of the flag of a setting: the first sentence of its meaning, and the default.
std::string SettingHelp(std::string_view name);

/// One line for each setting: name, value, and where the value comes from.
std::string EffectiveSettings(const Config& config, const ConfigSources& sources);

/// Paths of the settings under which there is no file. Each message begins with the place where the
/// value is set.
std::vector<absl::Status> FindMissingFiles(const Config& config, const ConfigSources& sources);

}  // namespace emptor::services
