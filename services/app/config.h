// The settings of `emptor serve`: defaults, then a YAML file, then flags.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/vector/vector_index_spec.h"
#include "services/embedding/embedder_settings.h"
#include "services/models/model_spec.h"

namespace emptor::services {

struct Config {
  std::string data_dir = "./var/emptor";
  std::string shop = "default";       // of commands; a request names its own (X-Emptor-Shop)
  int max_open_shops = 64;            // those that nobody uses are closed beyond that
  std::string vector_index = "auto";  // or a factory string, e.g. "IVF4096,SQ8"
  int shop_megabytes = 4096;          // of memory that a shop may hold; more text is refused
  int all_shops_megabytes = 0;        // shops that nobody uses are closed beyond it; 0: no bound
  std::string listen = "127.0.0.1:8080";
  std::string admin_listen = "127.0.0.1:8081";
  /// GGUF file or model directory, or a name of `models`; "none": answers are told from the records
  /// alone.
  std::string model;
  /// GGUF file or model directory of a text encoder, or the URL of an OpenAI-compatible endpoint.
  std::string embedder;
  EmbedderSettings embedder_settings;  // the rest of the map `embedder`
  std::string ranker;                  // model file of the reranker; "none": fused scores decide
  /// More models that can be asked for by name and activated: {name, path, kind, load}.
  std::vector<ModelSpec> models;
  std::string images_dir;  // served under /images/; empty: none
  std::string public_url;  // how clients reach the service; empty: the request's Host header
  std::vector<std::string> image_hosts;  // "https://cdn.example": for the page's policy
  std::string log_level = "info";
  /// What becomes of imported text that speaks to the assistant: "off", "flag" or "quarantine".
  std::string screen = "flag";
  std::string default_locale = "en-US";

  int http_threads = 2;
  int workers = 4;         // search, prompts, hydration
  int max_queued = 1024;   // questions and searches that wait for a worker
  int engine_threads = 0;  // 0: one per core
  int kv_bits = 16;        // of the elements of keys and values: 16 or 8
  int engine_ranks = 1;    // tensor parallel; they share the threads
  int engine_max_running = 64;
  int engine_max_waiting = 256;
  int engine_max_waiting_tokens = 1 << 18;  // of prompts that wait
  int engine_prefix_cache = 1;              // 0: prompts share no keys and values
  int kv_megabytes = 256;
  int max_streams = 2000;
  int max_import_megabytes = 32;
  int answer_deadline_ms = 60000;
  int drain_ms = 10000;
  int max_products = 4;
};

/// Defaults with the shipped models and images, found beside the executable: in $EMPTOR_SHARE_DIR,
/// in the source tree that holds the executable's build folder, or in <prefix>/share/emptor.
Config DefaultConfig();

/// Lays a YAML file over `config`: a map of the names above. Errors: kNotFound, kInvalidArgument
/// (not YAML, an unknown name, a value of another type or out of its range), naming file and line.
absl::Status LoadConfig(const std::string& path, Config& config);

/// The language models of the settings, the one that is active at start in front: `model`, under
/// the name that `models` gives it or else that of its file, then the others of `models`.
std::vector<ModelSpec> LanguageModelsOf(const Config& config);
/// The shop's embedder, under the name that `models` gives it or else that of its file.
ModelSpec EmbedderSpecOf(const Config& config);
/// The encoders of `models`.
std::vector<ModelSpec> EncodersOf(const Config& config);
/// A model's name when the settings give none: that of its file, without folder and ".gguf".
std::string ModelNameOfPath(const std::string& path);

/// The index of a shop's vectors. REQUIRES: `config.vector_index` is valid, as LoadConfig
/// checks.
retrieval::VectorIndexSpec VectorIndexOf(const Config& config);

/// "127.0.0.1:8080", "[::1]:0". Errors: kInvalidArgument.
struct ListenAddress {
  std::string host;
  int port = 0;
};
absl::StatusOr<ListenAddress> ParseListenAddress(const std::string& text);

}  // namespace emptor::services
