// Reading settings.
#include "services/app/config.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>

#include "catalog/text_safety/safe_record.h"
#include "services/app/embedder_option.h"
#include "services/app/integer_setting.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = "engine/models/emptor-lm.gguf";
constexpr const char* kEmbedder = "retrieval/models/emptor-embed.gguf";
constexpr const char* kRanker = "retrieval/models/emptor-rank.json";
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

using IntSetting = IntegerSetting<Config>;

const std::map<std::string, std::string Config::*>& TextSettings() {
  static const std::map<std::string, std::string Config::*> kSettings = {
      {"data_dir", &Config::data_dir},
      {"listen", &Config::listen},
      {"admin_listen", &Config::admin_listen},
      {"model", &Config::model},
      {"ranker", &Config::ranker},
      {"images_dir", &Config::images_dir},
      {"public_url", &Config::public_url},
      {"log_level", &Config::log_level},
      {"default_locale", &Config::default_locale},
      {"screen", &Config::screen}};
  return kSettings;
}

const std::map<std::string, IntSetting>& IntSettings() {
  static const std::map<std::string, IntSetting> kSettings = {
      {"http_threads", {&Config::http_threads, 1, 64}},
      {"workers", {&Config::workers, 1, 256}},
      {"max_queued", {&Config::max_queued, 1, 100000}},
      {"engine_threads", {&Config::engine_threads, 0, 256}},
      {"engine_ranks", {&Config::engine_ranks, 1, 64}},
      {"engine_max_running", {&Config::engine_max_running, 1, 4096}},
      {"engine_max_waiting", {&Config::engine_max_waiting, 1, 100000}},
      {"engine_max_waiting_tokens", {&Config::engine_max_waiting_tokens, 1, 1 << 30}},
      {"engine_prefix_cache", {&Config::engine_prefix_cache, 0, 1}},
      {"kv_bits", {&Config::kv_bits, 8, 16}},
      {"kv_megabytes", {&Config::kv_megabytes, 1, 1 << 20}},
      {"max_streams", {&Config::max_streams, 1, 1000000}},
      {"max_open_shops", {&Config::max_open_shops, 1, 100000}},
      {"shop_megabytes", {&Config::shop_megabytes, 16, 1 << 20}},
      {"all_shops_megabytes", {&Config::all_shops_megabytes, 0, 1 << 20}},
      {"max_import_megabytes", {&Config::max_import_megabytes, 1, 1024}},
      {"answer_deadline_ms", {&Config::answer_deadline_ms, 100, 3600000}},
      {"drain_ms", {&Config::drain_ms, 0, 600000}},
      {"max_products", {&Config::max_products, 1, 5}}};
  return kSettings;
}

/// One entry of `models`.
absl::Status AddModel(const YAML::Node& entry, const std::string& where, Config& config) {
  if (!entry.IsMap()) {
    return absl::InvalidArgumentError(where + ": expected a list of {name, path, kind, load}");
  }
  ModelSpec spec;
  for (const auto& member : entry) {
    const std::string name = member.first.as<std::string>();
    const std::string at = fmt::format("{}: {}", where, name);
    if (!member.second.IsScalar()) return absl::InvalidArgumentError(at + ": expected one value");
    const std::string text = member.second.as<std::string>();
    if (name == "name") {
      spec.name = text;
    } else if (name == "path") {
      spec.path = text;
    } else if (name == "kind" && (text == "llm" || text == "encoder")) {
      spec.kind = text == "llm" ? ModelKind::kLanguageModel : ModelKind::kEncoder;
    } else if (name == "load" && (text == "true" || text == "false")) {
      spec.load = text == "true";
    } else if (name == "kind" || name == "load") {
      return absl::InvalidArgumentError(
          fmt::format("{}: expected {}, found \"{}\"", at,
                      name == "kind" ? "llm or encoder" : "true or false", text));
    } else {
      return absl::InvalidArgumentError(at + ": unknown setting");
    }
  }
  if (!IsModelName(spec.name) || spec.name == kAssistantModel) {
    return absl::InvalidArgumentError(
        fmt::format("{}: name: expected 1 to 96 of [A-Za-z0-9._-], not {}, found \"{}\"", where,
                    kAssistantModel, spec.name));
  }
  if (spec.path.empty()) return absl::InvalidArgumentError(where + ": path: missing");
  for (const ModelSpec& other : config.models) {
    if (other.name == spec.name) {
      return absl::InvalidArgumentError(
          fmt::format("{}: name: \"{}\" is there twice", where, spec.name));
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
    if (!member.second.IsScalar()) return absl::InvalidArgumentError(at + ": expected one value");
    const std::string text = member.second.as<std::string>();
    if (name == "path" || name == "url") {
      config.embedder = text;
    } else if (absl::Status status = SetEmbedderOption(name, text, at, config.embedder_settings);
               !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<retrieval::VectorIndexSpec> ParseVectorIndexSetting(const std::string& text) {
  if (text == "auto") return retrieval::VectorIndexSpec{};
  return retrieval::ParseVectorIndex(text);
}

absl::Status SetVectorIndex(const std::string& text, const std::string& where, Config& config) {
  const auto parsed = ParseVectorIndexSetting(text);
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(fmt::format("{}: expected auto or a FAISS factory string: {}",
                                                  where, std::string(parsed.status().message())));
  }
  config.vector_index = text;
  return absl::OkStatus();
}

/// Settings that `vector_index` has replaced.
bool IsReplacedByVectorIndex(const std::string& name) {
  return name == "faiss_from" || name == "graph_from";
}

absl::Status SetOne(const std::string& name, const YAML::Node& value, const std::string& where,
                    Config& config) {
  if (name == "image_hosts") {
    if (!value.IsSequence()) return absl::InvalidArgumentError(where + ": expected a list");
    config.image_hosts.clear();
    for (const YAML::Node& host : value) config.image_hosts.push_back(host.as<std::string>());
    return absl::OkStatus();
  }
  if (name == "models") return SetModels(value, where, config);
  if (name == "embedder") return SetEmbedder(value, where, config);
  if (!value.IsScalar()) return absl::InvalidArgumentError(where + ": expected one value");
  const std::string text = value.as<std::string>();
  if (name == "vector_index") return SetVectorIndex(text, where, config);
  if (const auto found = TextSettings().find(name); found != TextSettings().end()) {
    config.*found->second = text;
    return absl::OkStatus();
  }
  if (const auto found = IntSettings().find(name); found != IntSettings().end()) {
    return SetInteger(found->second, text, where, config);
  }
  if (IsReplacedByVectorIndex(name)) {
    return absl::InvalidArgumentError(
        where + ": replaced by vector_index: auto, or a factory string such as \"IVF4096,SQ8\"");
  }
  return absl::InvalidArgumentError(where + ": unknown setting");
}

/// A host of a Content-Security-Policy: nothing that could end the directive.
bool IsPolicyHost(const std::string& host) {
  return host.rfind("https://", 0) == 0 &&
         host.find_first_of(" ;,'\"\t\r\n") == std::string::npos && host.size() < 256;
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
  if (fs::exists(share / kRanker, error)) config.ranker = (share / kRanker).string();
  if (fs::exists(share / kImages, error)) config.images_dir = (share / kImages).string();
  return config;
}

absl::Status LoadConfig(const std::string& path, Config& config) {
  try {
    const YAML::Node root = YAML::LoadFile(path);
    if (root.IsNull()) return absl::OkStatus();
    if (!root.IsMap()) return absl::InvalidArgumentError(path + ": expected a map of settings");
    for (const auto& entry : root) {
      const std::string name = entry.first.as<std::string>();
      const std::string where = fmt::format("{}:{}: {}", path, entry.first.Mark().line + 1, name);
      absl::Status status = SetOne(name, entry.second, where, config);
      if (!status.ok()) return status;
    }
  } catch (const YAML::BadFile&) {
    return absl::NotFoundError(path + ": cannot be read");
  } catch (const YAML::Exception& error) {
    return absl::InvalidArgumentError(
        fmt::format("{}:{}: {}", path, error.mark.line + 1, error.msg));
  }
  for (const std::string& host : config.image_hosts) {
    if (!IsPolicyHost(host)) {
      return absl::InvalidArgumentError(path + ": image_hosts: expected https://host, found \"" +
                                        host + "\"");
    }
  }
  if (!catalog::ParseScreenPolicy(config.screen)) {
    return absl::InvalidArgumentError(
        path + ": screen: expected off, flag or quarantine, found \"" + config.screen + "\"");
  }
  return absl::OkStatus();
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
  if (config.model == "none") return all;
  const auto named = std::find_if(all.begin(), all.end(), [&](const ModelSpec& spec) {
    return spec.name == config.model || spec.path == config.model;
  });
  if (named != all.end()) {
    named->load = true;
    std::rotate(all.begin(), named, named + 1);
    return all;
  }
  all.insert(all.begin(), {FreeName(config.model, config.models), config.model,
                           ModelKind::kLanguageModel, true});
  return all;
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
  const auto parsed = ParseVectorIndexSetting(config.vector_index);
  assert(parsed.ok());
  return parsed.value_or(retrieval::VectorIndexSpec{});
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
