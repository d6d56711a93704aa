// Reading settings.
#include "services/app/config.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "services/app/settings.h"
#include "services/models/grpc_model_url.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = "engine/models/emptor-lm.gguf";
constexpr const char* kEmbedder = "retrieval/models/emptor-embed.gguf";
constexpr const char* kNeedEmbedder = "retrieval/models/emptor-embed-multilingual.gguf";
constexpr const char* kImages = "data/sample-shop/images";

/// The folder that holds the shipped models; empty when none is found.
fs::path ShareDirectory() {
  if (const char* named = std::getenv("EMPTOR_SHARE_DIR"); named != nullptr && *named != '\0') {
    return named;
  }
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path installed = executable.parent_path().parent_path() / "share/emptor";
  if (fs::exists(installed / kModel, error)) return installed;
  for (fs::path at = executable.parent_path(); at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / "engine/models", error)) return at;
  }
  return {};
}

/// The text of a node that is one value.
absl::StatusOr<std::string> Scalar(const YAML::Node& value, const std::string& where) {
  if (!value.IsScalar()) return absl::InvalidArgumentError(where + ": expected one value");
  return value.as<std::string>();
}

/// Sets `owner`'s member that `setting` describes: one value, or a list of texts.
template <typename Owner>
absl::Status SetValue(const Setting<Owner>& setting, const YAML::Node& value,
                      const std::string& where, Owner& owner) {
  if (IsList(setting)) {
    if (!value.IsSequence()) return absl::InvalidArgumentError(where + ": expected a list");
    return SetListSetting(setting, value.as<std::vector<std::string>>(), where, owner);
  }
  const auto text = Scalar(value, where);
  return text.ok() ? SetSetting(setting, *text, where, owner) : text.status();
}

/// Sets the member of `owner` that the table `members` has under `name`.
template <typename Owner>
absl::Status SetMember(std::span<const Setting<Owner>> members, const std::string& name,
                       const YAML::Node& value, const std::string& where, Owner& owner) {
  std::vector<std::string_view> names;
  for (const Setting<Owner>& member : members) {
    names.push_back(member.name);
    if (member.name != name) continue;
    return SetValue(member, value, where, owner);
  }
  return UnknownSetting(name, names, where);
}

/// `adapters` of an entry of `models`.
absl::Status SetAdapters(const YAML::Node& list, const std::string& where, ModelSpec& spec) {
  if (!list.IsSequence()) return absl::InvalidArgumentError(where + ": expected a list");
  for (const YAML::Node& entry : list) {
    if (!entry.IsMap()) {
      return absl::InvalidArgumentError(where +
                                        ": expected a list of {name, path, references, languages}");
    }
    AdapterSpec adapter;
    for (const auto& member : entry) {
      const std::string name = member.first.as<std::string>();
      absl::Status status = SetMember(AdapterMembers(), name, member.second,
                                      fmt::format("{}: {}", where, name), adapter);
      if (!status.ok()) return status;
    }
    for (const auto& [member, value] :
         {std::pair("name", &adapter.name), {"path", &adapter.path}}) {
      if (value->empty()) {
        return absl::InvalidArgumentError(fmt::format("{}: {}: missing", where, member));
      }
    }
    for (const AdapterSpec& other : spec.adapters) {
      if (other.name != adapter.name) continue;
      return absl::InvalidArgumentError(
          fmt::format("{}: name: \"{}\" is used twice", where, adapter.name));
    }
    spec.adapters.push_back(std::move(adapter));
  }
  return absl::OkStatus();
}

/// One entry of `models`.
absl::Status AddModel(const YAML::Node& entry, const std::string& where, Config& config) {
  if (!entry.IsMap()) {
    return absl::InvalidArgumentError(
        where +
        ": expected a list of {name, path, kind, load, references, languages, adapter, "
        "draft_model, adapters}");
  }
  ModelSpec spec;
  for (const auto& member : entry) {
    const std::string name = member.first.as<std::string>();
    const std::string at = fmt::format("{}: {}", where, name);
    absl::Status status = name == kAdaptersSetting
                              ? SetAdapters(member.second, at, spec)
                              : SetMember(ModelMembers(), name, member.second, at, spec);
    if (!status.ok()) return status;
  }
  if (spec.name.empty()) return absl::InvalidArgumentError(where + ": name: missing");
  if (spec.path.empty()) return absl::InvalidArgumentError(where + ": path: missing");
  const bool has_adapters = !spec.adapter.empty() || !spec.adapters.empty();
  if (has_adapters && spec.kind == ModelKind::kEncoder) {
    return absl::InvalidArgumentError(where + ": kind: an encoder takes no adapters");
  }
  if (!spec.draft_model.empty() && spec.kind == ModelKind::kEncoder) {
    return absl::InvalidArgumentError(where + ": kind: an encoder takes no draft model");
  }
  for (const ModelSpec& other : config.models) {
    if (other.name == spec.name) {
      return absl::InvalidArgumentError(
          fmt::format("{}: name: \"{}\" is used twice", where, spec.name));
    }
  }
  config.models.push_back(std::move(spec));
  return absl::OkStatus();
}

absl::Status SetModels(const YAML::Node& value, const std::string& where, Config& config) {
  if (!value.IsSequence()) return absl::InvalidArgumentError(where + ": expected a list");
  config.models.clear();
  for (const YAML::Node& entry : value) {
    if (absl::Status status = AddModel(entry, where, config); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// `embedder`: one path or URL, or a map of it and the settings of its use.
absl::Status SetEmbedder(const YAML::Node& value, const std::string& where, Config& config) {
  if (value.IsScalar()) {
    config.embedder = value.as<std::string>();
    return absl::OkStatus();
  }
  if (!value.IsMap()) return absl::InvalidArgumentError(where + ": expected a path or a map");
  config.embedder_settings = {};
  for (const auto& member : value) {
    const std::string name = member.first.as<std::string>();
    const std::string at = fmt::format("{}: {}", where, name);
    if (name == "path" || name == "url") {
      const auto text = Scalar(member.second, at);
      if (!text.ok()) return text.status();
      config.embedder = *text;
    } else if (absl::Status status =
                   SetMember(EmbedderMembers(), name, member.second, at, config.embedder_settings);
               !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

/// `generator`: one URL, or a map of it and the settings of its use.
absl::Status SetGenerator(const YAML::Node& value, const std::string& where, Config& config) {
  const Setting<Config>& url = *FindSetting(kGeneratorSetting);
  if (value.IsScalar()) return SetValue(url, value, where, config);
  if (!value.IsMap()) return absl::InvalidArgumentError(where + ": expected a URL or a map");
  config.generator_settings = {};
  bool has_url = false;
  for (const auto& member : value) {
    const std::string name = member.first.as<std::string>();
    const std::string at = fmt::format("{}: {}", where, name);
    has_url = has_url || name == "url";
    const absl::Status status = name == "url" ? SetValue(url, member.second, at, config)
                                              : SetMember(GeneratorMembers(), name, member.second,
                                                          at, config.generator_settings);
    if (!status.ok()) return status;
  }
  return has_url ? absl::OkStatus() : absl::InvalidArgumentError(where + ": url: missing");
}

/// Settings that `vector_index` has replaced.
bool IsReplacedByVectorIndex(const std::string& name) {
  return name == "faiss_from" || name == "graph_from";
}

absl::Status SetOne(const std::string& name, const YAML::Node& value, const std::string& where,
                    Config& config) {
  if (name == kModelsSetting) return SetModels(value, where, config);
  if (name == kEmbedderSetting) return SetEmbedder(value, where, config);
  if (name == kGeneratorSetting) return SetGenerator(value, where, config);
  const Setting<Config>* setting = FindSetting(name);
  if (IsReplacedByVectorIndex(name)) {
    return absl::InvalidArgumentError(
        where + ": replaced by vector_index: auto, or a factory string such as \"IVF4096,SQ8\"");
  }
  if (setting == nullptr) {
    std::vector<std::string_view> names;
    for (const SettingGroup& group : SettingGroups()) {
      for (const Setting<Config>& each : group.settings) names.push_back(each.name);
    }
    return UnknownSetting(name, names, where);
  }
  return SetValue(*setting, value, where, config);
}

/// The name of a file's model, or something like it that none of `others` has.
std::string FreeName(const std::string& path, const std::vector<ModelSpec>& others) {
  std::string name = ModelNameOfPath(path);
  const auto is_taken = [&](const ModelSpec& spec) { return spec.name == name; };
  while (std::any_of(others.begin(), others.end(), is_taken)) name += "-1";
  return name;
}

}  // namespace

Config DefaultConfig() {
  Config config;
  const fs::path share = ShareDirectory();
  std::error_code error;
  config.model = (share / kModel).string();
  config.embedder = (share / kEmbedder).string();
  config.need_embedder = (share / kNeedEmbedder).string();
  if (fs::exists(share / kImages, error)) config.images_dir = (share / kImages).string();
  return config;
}

std::vector<absl::Status> ReadConfigFile(const std::string& path, Config& config,
                                         ConfigSources& sources) {
  std::vector<absl::Status> mistakes;
  try {
    const YAML::Node root = YAML::LoadFile(path);
    if (root.IsNull()) return {};
    if (!root.IsMap()) return {absl::InvalidArgumentError(path + ": expected a map of settings")};
    for (const auto& entry : root) {
      const std::string name = entry.first.as<std::string>();
      const std::string line = fmt::format("{}:{}", path, entry.first.Mark().line + 1);
      absl::Status status = SetOne(name, entry.second, line + ": " + name, config);
      if (!status.ok()) mistakes.push_back(std::move(status));
      sources[name] = line;
    }
  } catch (const YAML::BadFile&) {
    mistakes.push_back(absl::NotFoundError(path + ": cannot be read"));
  } catch (const YAML::Exception& error) {
    mistakes.push_back(
        absl::InvalidArgumentError(fmt::format("{}:{}: {}", path, error.mark.line + 1, error.msg)));
  }
  return mistakes;
}

absl::Status LoadConfig(const std::string& path, Config& config) {
  ConfigSources sources;
  const std::vector<absl::Status> mistakes = ReadConfigFile(path, config, sources);
  return mistakes.empty() ? absl::OkStatus() : mistakes.front();
}

std::string ModelNameOfPath(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  if (name.size() > 5 && name.rfind(".gguf") == name.size() - 5) name.resize(name.size() - 5);
  for (char& c : name) {
    if (!IsModelName(std::string("a") + c)) c = '-';
  }
  name.resize(std::min<size_t>(name.size(), 90));
  if (!IsModelName(name) || name == kAssistantModel) name = "model-" + name;
  return name;
}

std::vector<ModelSpec> LanguageModelsOf(const Config& config) {
  std::vector<ModelSpec> all;
  for (const ModelSpec& spec : config.models) {
    if (spec.kind == ModelKind::kLanguageModel) all.push_back(spec);
  }
  if (config.model == "none" || IsGrpcModelUrl(config.model)) return all;
  auto named = std::find_if(all.begin(), all.end(), [&](const ModelSpec& spec) {
    return spec.name == SplitModelReference(config.model).model || spec.path == config.model;
  });
  if (named == all.end()) {
    named = all.insert(all.end(), {FreeName(config.model, config.models), config.model,
                                   ModelKind::kLanguageModel, true});
  }
  named->load = true;
  if (!config.adapter.empty()) named->adapter = config.adapter;
  if (!config.draft_model.empty()) named->draft_model = config.draft_model;
  std::rotate(all.begin(), named, named + 1);
  return all;
}

absl::StatusOr<std::string> ActiveModelOf(const Config& config) {
  if (config.model == "none" || IsGrpcModelUrl(config.model)) {
    if (!config.draft_model.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("draft_model: expected a model of this process to draft for, found model: {}",
                      config.model));
    }
    if (config.adapter.empty()) return std::string();
    return absl::InvalidArgumentError(fmt::format(
        "adapter: expected a model of this process to add it to, found model: {}", config.model));
  }
  const ModelSpec first = LanguageModelsOf(config).front();
  const auto [model, adapter] = SplitModelReference(config.model);
  if (first.name != model || adapter.empty()) return first.name;
  for (const AdapterSpec& known : first.adapters) {
    if (known.name == adapter) return config.model;
  }
  return absl::InvalidArgumentError(
      fmt::format("model: \"{}\" has no adapter \"{}\"", model, adapter));
}

ModelSpec EmbedderSpecOf(const Config& config) {
  for (const ModelSpec& spec : EncodersOf(config)) {
    if (spec.path == config.embedder) return spec;
  }
  std::vector<ModelSpec> others = LanguageModelsOf(config);
  others.insert(others.end(), config.models.begin(), config.models.end());
  return {FreeName(config.embedder, others), config.embedder, ModelKind::kEncoder, true};
}

std::vector<ModelSpec> EncodersOf(const Config& config) {
  std::vector<ModelSpec> all;
  for (const ModelSpec& spec : config.models) {
    if (spec.kind == ModelKind::kEncoder) all.push_back(spec);
  }
  return all;
}

retrieval::VectorIndexSpec VectorIndexOf(const Config& config) {
  if (config.vector_index == kAutoVectorIndex) return {};
  const auto parsed = retrieval::ParseVectorIndex(config.vector_index);
  assert(parsed.ok());
  return parsed.value_or(retrieval::VectorIndexSpec{});
}

std::optional<std::vector<std::string>> ImageHostsOf(const Config& config) {
  if (config.image_hosts.empty()) return std::nullopt;
  std::vector<std::string> hosts;
  for (const std::string& host : config.image_hosts) {
    if (host != kNoImageHosts) hosts.push_back(host);
  }
  return hosts;
}

absl::StatusOr<ListenAddress> ParseListenAddress(const std::string& text) {
  const size_t colon = text.rfind(':');
  ListenAddress address;
  if (colon != std::string::npos && colon > 0) {
    address.host = text.substr(0, colon);
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, address.port);
    const bool is_number = read.ec == std::errc() && read.ptr == end && colon + 1 < text.size();
    if (is_number && address.port >= 0 && address.port <= 65535) return address;
  }
  return absl::InvalidArgumentError("listen: expected HOST:PORT, found \"" + text + "\"");
}

}  // namespace emptor::services
