// The parts of a service without its ports: plain structs in building order.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/app/config.h"
#include "services/assistant/assistant.h"
#include "services/embedding/open_embedder.h"
#include "services/models/endpoint_text_generator.h"
#include "services/models/grpc_text_generator.h"
#include "services/models/model_registry.h"
#include "services/observability/engine_metrics.h"
#include "services/observability/metrics.h"
#include "services/observability/model_form.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {

/// The embedder and the shops: what `emptor ingest` and `emptor search` need.
struct LocalShops {
  std::shared_ptr<TextCounters> counters = std::make_shared<TextCounters>();  // of all its shops
  ShopEmbedder embedder;
  std::unique_ptr<ShopDirectory> directory;
  /// The shop of the settings, where it was opened. Reset it to let another generation replace it.
  std::shared_ptr<Shop> shop;
};

/// Opens the embedder and the directory of shops, no shop. Errors: of the parts, with what to do
/// about it.
absl::StatusOr<LocalShops> OpenShopDirectory(const Config& config, bool create_if_missing);
/// The same, and opens the shop of the settings.
absl::StatusOr<LocalShops> OpenShop(const Config& config, bool create_if_missing);

/// With the settings' embedder of sentences. Errors: of the embedder, with what to do.
absl::StatusOr<Meanings> OpenMeanings(const Config& config);

/// What answers questions: models, shop, assistant; no sockets. `emptor ask` without a service uses
/// it as it is, App puts the ports in front. Each part uses those above it. The destructor stops
/// the models, then runs what the workers have queued, then destroys the parts in reverse order.
/// Thread-safety: const access from any thread.
struct ServiceParts {
  ServiceParts() = default;
  ServiceParts(const ServiceParts&) = delete;
  ServiceParts& operator=(const ServiceParts&) = delete;
  ~ServiceParts();

  LocalShops shops;
  EngineMetrics engine_metrics;
  ModelFormCounter forms;
  std::unique_ptr<ModelRegistry> models;
  std::unique_ptr<TextGenerator> generator;  // null: no language model
  // `generator`, when its model is elsewhere: at most one of the two.
  GrpcTextGenerator* remote = nullptr;
  EndpointTextGenerator* endpoint = nullptr;
  std::shared_ptr<ConversationCounters> conversation_counters =
      std::make_shared<ConversationCounters>();      // of all shops
  std::unique_ptr<ConversationStore> conversations;  // in memory
  std::shared_ptr<AnswerCacheCounters> cache_counters =
      std::make_shared<AnswerCacheCounters>();  // of all shops
  AnswerCacheOptions cache_options;             // of each shop's; max_bytes 0: there is none
  /// Samples of the HTTP servers. Set before metrics are read.
  std::function<std::vector<Sample>()> http_samples;
  std::unique_ptr<Metrics> metrics;
  std::unique_ptr<WorkerPool> workers;
  Meanings meanings;  // of the assistants of all shops
  AssistantOptions assistant_options;
  /// Of shops.shop. Null once shop services make their assistants.
  std::unique_ptr<Assistant> assistant;
};

/// Loads the models and opens the shop. Errors: of the parts, with what to do about it.
absl::StatusOr<std::unique_ptr<ServiceParts>> OpenServiceParts(const Config& config,
                                                               bool create_if_missing);

/// `name` is the shop's: the tenant of what its assistant generates. Traces of its answers go to
/// `on_trace`, or without one to the archive of the conversations where that keeps traces.
std::unique_ptr<Assistant> MakeAssistant(
    ServiceParts& parts, const std::string& name, const Shop& shop,
    ConversationStore& conversations, std::function<void(const AnswerTrace&)> on_trace = nullptr);

}  // namespace emptor::services
