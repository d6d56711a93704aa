// Text made from the table of settings.
#include "services/app/settings_page.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "services/app/settings.h"

namespace emptor::services {
namespace {

constexpr size_t kSampleWidth = 90;  // of the comments of a sample file

constexpr const char* kPageHead = R"(# Settings

<!-- Made from services/app/settings.cc; `UPDATE_GOLDEN=1 services_config_tests` rewrites this page. -->

Settings come from three places. A later one overrides an earlier one: the defaults below, the YAML file of `--config`,
flags of the command line. A file is a map of names to values:

```yaml
listen: 0.0.0.0:8080
workers: 8
embedder: {url: https://models.example/v1, model: bge-m3, key_env: MODELS_KEY}
```

| command | does |
| --- | --- |
| `emptor config check FILE` | checks a file and names every mistake with its line; prints the values in effect and where each comes from |
| `emptor config print` | prints a file with all settings, commented out ([deploy/emptor.yaml](../deploy/emptor.yaml)) |
)";

template <typename Owner>
std::string Table(std::span<const Setting<Owner>> settings) {
  std::string text = "\n| setting | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Setting<Owner>& setting : settings) {
    std::string value = DefaultText(setting);
    if (setting.default_text.empty()) value = value.empty() ? "empty" : "`" + value + "`";
    text += fmt::format("| `{}` | {} | {} | {} |\n", setting.name, TypeText(setting), value,
                        setting.meaning);
  }
  return text;
}

/// `text` in lines that begin with `head`.
std::string Wrapped(std::string_view head, std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t room = kSampleWidth - head.size();
    size_t end = text.size();
    if (text.size() > room) end = std::min(text.rfind(' ', room), text.size());
    lines += fmt::format("{}{}\n", head, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string WithoutBackticks(std::string text) {
  std::erase(text, '`');
  return text;
}

/// A value that can be written in place of a default that depends on something else.
template <typename Owner>
std::string ExampleText(const Setting<Owner>& setting) {
  if (!setting.example.empty()) return std::string(setting.example);
  if (!setting.choices.empty()) return std::string(setting.choices.front());
  if (IsList(setting)) return "[]";
  const bool is_number = std::holds_alternative<int Owner::*>(setting.member);
  return is_number ? std::to_string(setting.low) : "\"\"";
}

template <typename Owner>
std::string SampleEntry(std::string_view indent, const Setting<Owner>& setting) {
  std::string text = fmt::format("{} ({})", setting.meaning, TypeText(setting));
  if (!setting.default_text.empty()) text += fmt::format(" Default: {}.", setting.default_text);
  const std::string value = setting.default_text.empty() ? ValueText(setting, Owner{}) : "";
  return Wrapped(fmt::format("# {}", indent), WithoutBackticks(text)) +
         fmt::format("#{}{}: {}\n", indent, setting.name,
                     value.empty() ? ExampleText(setting) : value);
}

std::string SourceOf(const std::string& name, const ConfigSources& sources) {
  const auto found = sources.find(name);
  return found == sources.end() ? "default" : found->second;
}

std::string EffectiveLine(std::string_view name, const std::string& value,
                          const std::string& source) {
  return fmt::format("{:<28} {:<40} {}\n", name, value.empty() ? "\"\"" : value, source);
}

}  // namespace

std::string SettingsPage() {
  std::string page = kPageHead;
  for (const SettingGroup& group : SettingGroups()) {
    page += fmt::format("\n## {}\n", group.title) + Table(group.settings);
  }
  page +=
      "\n## The map `embedder`\n\nIt has `path` or `url`, and these members. See "
      "[embedders.md](embedders.md).\n" +
      Table(EmbedderMembers());
  page +=
      "\n## The map `generator`\n\nIt has `url`, and these members. See "
      "[models.md](models.md#a-model-behind-an-endpoint).\n" +
      Table(GeneratorMembers());
  page +=
      "\n## An entry of `models`\n\n```yaml\nmodels:\n  - {name: qwen, path: "
      "/models/qwen2.5-1.5b.gguf, kind: llm, load: false}\n```\n" +
      Table(ModelMembers());
  page +=
      "\n## An entry of `adapters`\n\nA list within an entry of `models`. See "
      "[models.md](models.md#lora-adapters).\n\n```yaml\nmodels:\n  - {name: qwen, path: "
      "/models/qwen2.5-1.5b.gguf, adapters: [{name: support, path: /models/qwen-support}]}\n```\n" +
      Table(AdapterMembers());
  return page;
}

std::string SampleConfig() {
  std::string text =
      "# Settings of Emptor, with their defaults, or with an example where a comment names the\n"
      "# default. Printed by `emptor config print`.\n"
      "# Remove the # in front of a name to change a value; check with `emptor config check "
      "FILE`.\n";
  for (const SettingGroup& group : SettingGroups()) {
    text += fmt::format("\n# ---- {}\n", group.title);
    for (const Setting<Config>& setting : group.settings) text += "\n" + SampleEntry("", setting);
  }
  text += "\n# ---- The map embedder, in place of one path\n\n#embedder:\n#  path: \"\"\n";
  for (const auto& member : EmbedderMembers()) text += SampleEntry("  ", member);
  text +=
      "\n# ---- The map generator, in place of one URL\n\n#generator:\n#  url: "
      "http://127.0.0.1:8000\n";
  for (const auto& member : GeneratorMembers()) text += SampleEntry("  ", member);
  text += "\n# ---- An entry of the list models\n\n#models:\n#  -\n";
  for (const auto& member : ModelMembers()) {
    if (member.name != kAdaptersSetting) text += SampleEntry("    ", member);
  }
  text += "#    adapters:\n#      -\n";
  for (const auto& member : AdapterMembers()) text += SampleEntry("        ", member);
  return text;
}

std::string SettingHelp(std::string_view name) {
  const Setting<Config>* setting = FindSetting(name);
  if (setting == nullptr) return "";
  std::string text = WithoutBackticks(std::string(setting->meaning));
  if (const size_t end = text.find(". "); end != text.npos) text.resize(end);
  if (text.ends_with('.')) text.pop_back();
  const bool is_word = text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0;
  if (is_word) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  if (!setting->choices.empty()) text += ": " + AnyOf(setting->choices);
  const std::string value = DefaultText(*setting);
  return value.empty() ? text : fmt::format("{} ({})", text, value);
}

namespace {

/// The members of a map of settings.
template <typename Owner>
std::string EffectiveMembers(std::string_view map, std::span<const Setting<Owner>> members,
                             const Owner& owner, const ConfigSources& sources) {
  std::string text;
  for (const Setting<Owner>& member : members) {
    const std::string value = ValueText(member, owner);
    const bool is_default = value == ValueText(member, Owner{});
    text += EffectiveLine(fmt::format("{}.{}", map, member.name), value,
                          is_default ? "default" : SourceOf(std::string(map), sources));
  }
  return text;
}

}  // namespace

std::string EffectiveSettings(const Config& config, const ConfigSources& sources) {
  std::string text;
  for (const SettingGroup& group : SettingGroups()) {
    for (const Setting<Config>& setting : group.settings) {
      const std::string name(setting.name);
      text += EffectiveLine(name, ValueText(setting, config), SourceOf(name, sources));
    }
  }
  text += EffectiveMembers(kEmbedderSetting, EmbedderMembers(), config.embedder_settings, sources);
  text +=
      EffectiveMembers(kGeneratorSetting, GeneratorMembers(), config.generator_settings, sources);
  return text;
}

std::vector<absl::Status> FindMissingFiles(const Config& config, const ConfigSources& sources) {
  std::vector<absl::Status> missing;
  const auto check = [&](const std::string& name, const std::string& path) {
    std::error_code error;
    if (path.empty() || path == "none" || std::filesystem::exists(path, error)) return;
    missing.push_back(absl::NotFoundError(
        fmt::format("{}: {}: {}: no such file or directory", SourceOf(name, sources), name, path)));
  };
  const bool is_name =
      std::any_of(config.models.begin(), config.models.end(), [&](const ModelSpec& model) {
        return model.name == SplitModelReference(config.model).model;
      });
  if (!is_name) check("model", config.model);
  if (!IsEmbedderUrl(config.embedder)) check(std::string(kEmbedderSetting), config.embedder);
  check("need_embedder", config.need_embedder);
  check("images_dir", config.images_dir);
  check("adapter", config.adapter);
  for (const ModelSpec& model : config.models) {
    check(std::string(kModelsSetting), model.path);
    check(std::string(kModelsSetting), model.adapter);
    for (const AdapterSpec& adapter : model.adapters) {
      check(std::string(kModelsSetting), adapter.path);
    }
  }
  return missing;
}

}  // namespace emptor::services
