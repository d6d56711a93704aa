// Building the parts of a service.
#include "services/app/service_parts.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>
#include <utility>

#include "services/api/version.h"
#include "services/app/engine_options.h"
#include "services/app/service_file.h"
#include "services/app/service_samples.h"
#include "services/client/api_key.h"
#include "services/embedding/open_embedder.h"
#include "services/models/active_text_generator.h"
#include "services/models/grpc_model_url.h"
#include "services/models/grpc_text_generator.h"
#include "services/observability/engine_metrics.h"
#include "services/observability/log.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kConnectTime{10000};  // for an engine server to answer at the start

int64_t NowUnix() { return static_cast<int64_t>(std::time(nullptr)); }

absl::Status WithHint(const absl::Status& status, const std::string& hint) {
  return absl::Status(status.code(), std::string(status.message()) + " (" + hint + ")");
}

ModelRegistryOptions RegistryOptions(const Config& config, EngineMetrics& metrics) {
  ModelRegistryOptions options;
  options.engine = EngineOptionsOf(config);
  options.drain = milliseconds(config.drain_ms);
  options.on_generation = [&metrics](const GenerationRecord& record) { metrics.Observe(record); };
  return options;
}

/// The model of an engine server. Errors: of Connect.
absl::Status ConnectGenerator(const std::string& url, ServiceParts& parts) {
  const auto parsed = ParseGrpcModelUrl(url);
  if (!parsed.ok()) return parsed.status();
  auto connected = GrpcTextGenerator::Connect(parsed->address, parsed->model, kConnectTime);
  if (!connected.ok()) return WithHint(connected.status(), "is `emptor engine serve` running?");
  parts.remote = connected->get();
  parts.generator = *std::move(connected);
  return absl::OkStatus();
}

/// The model behind the endpoint of the settings. Errors: of its URL and its key.
absl::Status OpenGenerator(const Config& config, ServiceParts& parts) {
  const GeneratorSettings& settings = config.generator_settings;
  auto key = ReadApiKey("generator", settings.key_env, settings.key_file);
  if (!key.ok()) return key.status();
  EndpointOptions options;
  options.url = config.generator;
  options.api_key = *std::move(key);
  options.settings = settings;
  auto opened = EndpointTextGenerator::Open(std::move(options));
  if (!opened.ok()) return opened.status();
  parts.endpoint = opened->get();
  parts.generator = *std::move(opened);
  return absl::OkStatus();
}

/// The shop's embedder, then the models of the settings; the first one must load.
absl::Status OpenModels(const Config& config, ServiceParts& parts) {
  parts.models = std::make_unique<ModelRegistry>(RegistryOptions(config, parts.engine_metrics));
  ModelRegistry& models = *parts.models;
  const std::vector<ModelSpec> language_models = LanguageModelsOf(config);
  absl::Status status;
  if (parts.shops.embedder.encoder != nullptr) {
    status = models.AddPinned(EmbedderSpecOf(config), parts.shops.embedder.encoder);
  }
  if (!status.ok()) return status;
  for (const std::vector<ModelSpec>& specs : {language_models, EncodersOf(config)}) {
    for (const ModelSpec& spec : specs) {
      if (spec.path == config.embedder) continue;
      if (status = models.Add(spec); !status.ok()) return status;
      if (spec.load) status = models.Load(spec.name);
      if (!status.ok()) return status;
    }
  }
  const auto active = ActiveModelOf(config);
  if (!active.ok()) return active.status();
  if (config.generator != "none") return OpenGenerator(config, parts);
  if (config.model == "none") return absl::OkStatus();
  if (IsGrpcModelUrl(config.model)) return ConnectGenerator(config.model, parts);
  parts.generator = std::make_unique<ActiveTextGenerator>(models);
  status = models.WaitFor(*active);
  if (status.ok()) return models.Activate(*active);
  return WithHint(status, "choose a language model with --model FILE, or --model none");
}

}  // namespace

absl::StatusOr<LocalShops> OpenShopDirectory(const Config& config, bool create_if_missing) {
  LocalShops parts;
  auto embedder = OpenEmbedder(config.embedder, config.embedder_settings);
  if (!embedder.ok()) {
    return IsEmbedderUrl(config.embedder)
               ? embedder.status()
               : WithHint(embedder.status(), "choose an embedder with --embedder FILE");
  }
  parts.embedder = *std::move(embedder);
  if (create_if_missing) {
    std::error_code error;
    std::filesystem::create_directories(config.data_dir, error);
    if (error) return absl::UnavailableError(config.data_dir + ": " + error.message());
  }
  ShopDirectoryOptions options;
  options.data_directory = config.data_dir;
  options.shop.create_if_missing = create_if_missing;
  options.shop.embed_when_changed = config.embedder_settings.embed_when_changed;
  options.shop.screen =
      catalog::ParseScreenPolicy(config.screen).value_or(catalog::ScreenPolicy::kFlag);
  options.shop.counters = parts.counters;
  options.max_open = static_cast<size_t>(config.max_open_shops);
  options.shop.vector_index = VectorIndexOf(config);
  options.shop.memory_bytes = static_cast<size_t>(config.shop_megabytes) << 20;
  options.max_open_bytes = static_cast<size_t>(config.all_shops_megabytes) << 20;
  parts.directory = std::make_unique<ShopDirectory>(options, *parts.embedder.embedder);
  return parts;
}

absl::StatusOr<LocalShops> OpenShop(const Config& config, bool create_if_missing) {
  auto parts = OpenShopDirectory(config, create_if_missing);
  if (!parts.ok()) return parts;
  auto shop = parts->directory->Find(config.shop);
  if (!shop.ok()) return ExplainLock(config.data_dir, shop.status());
  parts->shop = *std::move(shop);
  return parts;
}

absl::StatusOr<Meanings> OpenMeanings(const Config& config) {
  std::shared_ptr<const retrieval::Embedder> embedder;
  if (!config.need_embedder.empty() && config.need_embedder != "none") {
    auto loaded = EngineEmbedder::Load(config.need_embedder);
    if (!loaded.ok()) {
      return WithHint(loaded.status(), "choose a model with need_embedder, or need_embedder: none");
    }
    embedder = *std::move(loaded);
  }
  auto needs = NeedIndex::Make(TheNeedExamples(), embedder);
  if (!needs.ok()) return needs.status();
  return Meanings{*std::move(needs), std::make_shared<const KeyMeanings>(std::move(embedder))};
}

ServiceParts::~ServiceParts() {
  if (models) models->Stop();  // the last callbacks queue work for the workers
  if (remote != nullptr) remote->Stop();
  if (endpoint != nullptr) endpoint->Stop();
  workers.reset();  // runs the queued work while the parts that it needs still exist
}

std::unique_ptr<Assistant> MakeAssistant(ServiceParts& parts, const std::string& name,
                                         const Shop& shop, ConversationStore& conversations,
                                         std::function<void(const AnswerTrace&)> on_trace) {
  AssistantParts needed{
      shop.reader(),
      parts.generator.get(),
      conversations,
      *parts.workers,
      NowUnix,
      [metrics = parts.metrics.get(), forms = &parts.forms](const AnswerRecord& answer) {
        metrics->CountAnswer(answer);
        forms->Count(answer);
        LogAnswer(answer);
      },
      name};
  needed.meanings = parts.meanings;
  if (parts.cache_options.max_bytes > 0) {
    AnswerCacheOptions cache = parts.cache_options;
    cache.seed = std::random_device()();
    needed.answers = std::make_shared<AnswerCache>(cache, parts.cache_counters);
  }
  needed.on_trace = std::move(on_trace);
  const auto& archive = conversations.archive();
  if (!needed.on_trace && archive != nullptr && archive->keeps_traces()) {
    needed.on_trace = [archive](const AnswerTrace& trace) {
      archive->SaveTrace(trace.conversation_id(), trace.id(), trace.ToBytes());
    };
  }
  return std::make_unique<Assistant>(parts.assistant_options, std::move(needed));
}

absl::StatusOr<std::unique_ptr<ServiceParts>> OpenServiceParts(const Config& config,
                                                               bool create_if_missing) {
  auto parts = std::make_unique<ServiceParts>();
  auto shops = OpenShop(config, create_if_missing);
  if (!shops.ok()) return shops.status();
  parts->shops = *std::move(shops);
  if (absl::Status status = OpenModels(config, *parts); !status.ok()) return status;
  auto meanings = OpenMeanings(config);
  if (!meanings.ok()) return meanings.status();
  parts->meanings = *std::move(meanings);
  parts->conversations = std::make_unique<ConversationStore>(
      ConversationLimits{}, [] { return std::chrono::steady_clock::now(); }, nullptr,
      parts->conversation_counters);
  parts->metrics =
      std::make_unique<Metrics>([self = parts.get()] { return ServiceSamples(*self); });
  parts->workers =
      std::make_unique<WorkerPool>(config.workers, static_cast<size_t>(config.max_queued));
  AssistantOptions& options = parts->assistant_options;
  options.deadline = milliseconds(config.answer_deadline_ms);
  options.default_locale = config.default_locale;
  options.warms_types = create_if_missing;  // a service stays, a command answers once
  options.build = kVersion;
  options.retriever.max_products = config.max_products;
  parts->cache_options.max_bytes = static_cast<size_t>(config.answer_cache_megabytes) << 20;
  parts->cache_options.ttl = std::chrono::seconds(config.answer_cache_seconds);
  parts->assistant = MakeAssistant(*parts, config.shop, *parts->shops.shop, *parts->conversations);
  return parts;
}

}  // namespace emptor::services
