// The settings of `emptor serve`: defaults, then a YAML file, then flags.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/vector/vector_index_spec.h"
#include "services/embedding/embedder_settings.h"
#include "services/models/generator_settings.h"
#include "services/models/model_spec.h"

namespace emptor::services {

/// The value of `vector_index` that leaves the choice to the service.
inline constexpr std::string_view kAutoVectorIndex = "auto";

/// The values of the settings. settings.cc describes each.
struct Config {
  std::string data_dir = "./var/emptor";
  std::string shop = "default";  // of commands; a request names its own (X-Emptor-Shop)
  std::string listen = "127.0.0.1:8080";
  std::string admin_listen = "127.0.0.1:8081";
  std::string api_key;  // of commands, to a service
  std::string public_url;
  std::string images_dir;
  std::vector<std::string> image_hosts;
  std::string default_locale = "en-US";
  std::string log_level = "info";
  bool access_log = true;
  int drain_ms = 10000;

  std::string open_reading = "until_keys";
  bool insecure = false;
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> backup_roots;
  std::vector<std::string> backup_buckets;

  std::vector<std::string> trusted_proxies;
  int address_requests_per_minute = 600;
  int address_tokens_per_minute = 60000;
  int address_streams = 16;
  int key_requests_per_minute = 30000;
  int key_tokens_per_minute = 2000000;
  int key_streams = 1000;

  int http_threads = 2;
  int max_streams = 2000;
  int max_import_megabytes = 32;
  int unfinished_megabytes = 40;
  int workers = 4;
  int max_queued = 1024;
  int answer_deadline_ms = 60000;
  int max_products = 4;
  int answer_cache_megabytes = 8;
  int answer_cache_seconds = 600;

  int max_open_shops = 64;
  int all_shops_megabytes = 0;
  int shop_megabytes = 4096;
  std::string vector_index = std::string(kAutoVectorIndex);
  std::string screen = "flag";

  int conversation_hours = 24;
  int stored_conversations = 20000;
  int conversation_megabytes = 256;
  int trace_megabytes = 0;

  std::string model;
  std::string adapter;                   // path of one that is added to `model`
  std::string draft_model;               // path of one that drafts for `model`
  std::string generator = "none";        // URL of an endpoint
  GeneratorSettings generator_settings;  // the rest of the map `generator`
  std::string embedder;
  EmbedderSettings embedder_settings;  // the rest of the map `embedder`
  std::string need_embedder;           // of messages that name no goods
  std::vector<ModelSpec> models;

  int engine_threads = 0;
  int engine_ranks = 1;
  int engine_max_running = 64;
  int engine_max_waiting = 256;
  int engine_max_waiting_tokens = 1 << 18;
  int engine_prefix_cache = 1;
  int kv_megabytes = 256;
  int kv_bits = 16;
  std::string speculation = "none";
  int speculation_tokens = 8;
};

/// Where the values of settings come from, by name: "emptor.yaml:3" or "--listen". A setting that
/// is not there has its default.
using ConfigSources = std::map<std::string, std::string, std::less<>>;

/// Defaults with the shipped models and images, found relative to the executable: in
/// $EMPTOR_SHARE_DIR, in the source tree that holds the executable's build folder, or in
/// <prefix>/share/emptor.
Config DefaultConfig();

/// Lays a YAML file over `config`: a map of the names above. Errors: kNotFound, kInvalidArgument
/// (not YAML, an unknown name, a value of another type or out of its range), naming file and line.
absl::Status LoadConfig(const std::string& path, Config& config);
/// The same, but continues after a mistake. Returns all mistakes; adds to `sources`.
std::vector<absl::Status> ReadConfigFile(const std::string& path, Config& config,
                                         ConfigSources& sources);

/// The language models of this process, the one that is active at start in front: `model`, under
/// the name that `models` gives it or else that of its file, then the others of `models`. A `model`
/// in another process is not among them.
std::vector<ModelSpec> LanguageModelsOf(const Config& config);
/// The name of the one that is active at start, "model" or "model:adapter"; empty: there is none.
/// Errors: kInvalidArgument (`adapter` without a model of this process, or an unknown adapter).
absl::StatusOr<std::string> ActiveModelOf(const Config& config);
/// The shop's embedder, under the name that `models` gives it or else that of its file.
ModelSpec EmbedderSpecOf(const Config& config);
/// The encoders of `models`.
std::vector<ModelSpec> EncodersOf(const Config& config);
/// A model's name when the settings give none: that of its file, without folder and ".gguf".
std::string ModelNameOfPath(const std::string& path);

/// The index of a shop's vectors. REQUIRES: `config.vector_index` is valid, as LoadConfig
/// checks.
retrieval::VectorIndexSpec VectorIndexOf(const Config& config);

/// The value of `image_hosts` that allows no host.
inline constexpr std::string_view kNoImageHosts = "none";
/// Hosts from which the pages may load images; nothing: those of the shop's records.
std::optional<std::vector<std::string>> ImageHostsOf(const Config& config);

/// "127.0.0.1:8080", "[::1]:0". Errors: kInvalidArgument.
struct ListenAddress {
  std::string host;
  int port = 0;
};
absl::StatusOr<ListenAddress> ParseListenAddress(const std::string& text);

}  // namespace emptor::services
