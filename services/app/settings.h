// All settings, each described once. Reading, checking, --help, docs/settings.md and
// deploy/emptor.yaml are made from these descriptions.
#pragma once

#include <span>
#include <string_view>

#include "services/app/config.h"
#include "services/app/setting.h"

namespace emptor::services {

struct SettingGroup {
  std::string_view title;
  std::span<const Setting<Config>> settings;
};

/// The settings of a file, in the order of the documents.
std::span<const SettingGroup> SettingGroups();
/// The group of the LLM engine.
std::span<const Setting<Config>> EngineSettings();
/// The members of the map `embedder` other than `path` and `url`.
std::span<const Setting<EmbedderSettings>> EmbedderMembers();
/// The members of the map `generator` other than `url`.
std::span<const Setting<GeneratorSettings>> GeneratorMembers();
/// The members of an entry of the list `models`.
std::span<const Setting<ModelSpec>> ModelMembers();
/// The members of an entry of a model's list `adapters`.
std::span<const Setting<AdapterSpec>> AdapterMembers();

/// Of SettingGroups(); null where there is none.
const Setting<Config>* FindSetting(std::string_view name);

/// Four settings hold more than one value; config.cc reads them.
inline constexpr std::string_view kAdaptersSetting = "adapters";
inline constexpr std::string_view kEmbedderSetting = "embedder";
inline constexpr std::string_view kGeneratorSetting = "generator";
inline constexpr std::string_view kModelsSetting = "models";

}  // namespace emptor::services
