// The core of the service: models, shop, assistant, in building order.
#include <chrono>
#include <ctime>
#include <filesystem>
#include <utility>

#include "services/app/app.h"
#include "services/app/core_parts.h"
#include "services/app/engine_options.h"
#include "services/app/ranker.h"
#include "services/app/service_file.h"
#include "services/app/text_samples.h"
#include "services/embedding/open_embedder.h"
#include "services/models/active_text_generator.h"
#include "services/observability/engine_metrics.h"
#include "services/observability/log.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;

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

}  // namespace

// ---- Embedder and shop

struct ShopOnly::Impl {
  std::shared_ptr<TextCounters> counters = std::make_shared<TextCounters>();
  ShopEmbedder embedder;
  std::unique_ptr<ShopDirectory> shops;
  std::shared_ptr<Shop> shop;  // that of the settings, once it was asked for
};

ShopOnly::ShopOnly(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ShopOnly::~ShopOnly() = default;
Shop& ShopOnly::shop() { return *impl_->shop; }
ShopDirectory& ShopOnly::shops() { return *impl_->shops; }
void ShopOnly::ReleaseShop() { impl_->shop.reset(); }
const std::shared_ptr<const EngineEmbedder>& ShopOnly::encoder() const {
  return impl_->embedder.encoder;
}
const std::shared_ptr<const RemoteEmbedder>& ShopOnly::remote_embedder() const {
  return impl_->embedder.remote;
}

const TextCounters& ShopOnly::text_counters() const { return *impl_->counters; }

absl::StatusOr<std::unique_ptr<ShopOnly>> ShopOnly::OpenDirectory(const Config& config,
                                                                  bool create_if_missing) {
  auto impl = std::make_unique<Impl>();
  auto embedder = OpenEmbedder(config.embedder, config.embedder_settings);
  if (!embedder.ok()) {
    return IsEmbedderUrl(config.embedder)
               ? embedder.status()
               : WithHint(embedder.status(), "choose an embedder with --embedder FILE");
  }
  impl->embedder = *std::move(embedder);
  if (create_if_missing) {
    std::error_code error;
    std::filesystem::create_directories(config.data_dir, error);
    if (error) return absl::UnavailableError(config.data_dir + ": " + error.message());
  }
  ShopDirectoryOptions options;
  options.data_directory = config.data_dir;
  options.shop.create_if_missing = create_if_missing;
  options.shop.embed_when_changed = config.embedder_settings.embed_when_changed;
  auto ranker = LoadRanker(config.ranker);
  if (!ranker.ok()) return WithHint(ranker.status(), "or set ranker: none");
  options.shop.ranker = *std::move(ranker);
  options.shop.screen =
      catalog::ParseScreenPolicy(config.screen).value_or(catalog::ScreenPolicy::kFlag);
  options.shop.counters = impl->counters;
  options.max_open = static_cast<size_t>(config.max_open_shops);
  options.shop.faiss = FaissSizesOf(config);
  options.shop.memory_bytes = static_cast<size_t>(config.shop_megabytes) << 20;
  options.max_open_bytes = static_cast<size_t>(config.all_shops_megabytes) << 20;
  impl->shops = std::make_unique<ShopDirectory>(options, *impl->embedder.embedder);
  return std::unique_ptr<ShopOnly>(new ShopOnly(std::move(impl)));
}

absl::StatusOr<std::unique_ptr<ShopOnly>> ShopOnly::Open(const Config& config,
                                                         bool create_if_missing) {
  auto opened = OpenDirectory(config, create_if_missing);
  if (!opened.ok()) return opened;
  auto shop = (*opened)->shops().Find(config.shop);
  if (!shop.ok()) return ExplainLock(config.data_dir, shop.status());
  (*opened)->impl_->shop = *std::move(shop);
  return opened;
}

// ---- Models, shop, assistant

struct ShopCore::Impl {
  std::unique_ptr<ShopOnly> base;
  EngineMetrics engine_metrics;
  std::unique_ptr<ModelRegistry> models;
  std::unique_ptr<ActiveTextGenerator> generator;  // null: no language model
  std::unique_ptr<ConversationStore> conversations;
  std::unique_ptr<Metrics> metrics;
  std::unique_ptr<WorkerPool> workers;
  AssistantOptions assistant_options;
  std::unique_ptr<Assistant> assistant;  // of the shop of the settings, until ServeShops
  std::function<std::vector<Sample>()> http_samples;  // set once the ports are there

  std::vector<Sample> TakeSamples() const;
  std::unique_ptr<Assistant> MakeAssistant(const Shop& shop, ConversationStore& of_shop);
  absl::Status OpenModels(const Config& config);
};

/// Over all shops that are open.
struct ShopSums {
  catalog::StoreInfo records;
  retrieval::HybridSearcher::Stats search;
  TextSums texts;
  Shop::IndexCounts index;
  bool is_writable = true;
  size_t open = 0;
  size_t memory_bytes = 0;
};

ShopSums SumUp(ShopDirectory& shops) {
  ShopSums sums;
  for (const ShopInfo& info : shops.List()) {
    const std::shared_ptr<Shop> shop = shops.FindOpen(info.name);
    if (shop == nullptr) continue;
    ++sums.open;
    sums.memory_bytes += info.memory_bytes;
    sums.is_writable = sums.is_writable && shop->health().ok();
    sums.records.products += shop->info().products;
    sums.records.documents += shop->info().documents;
    const auto index = shop->index_counts();
    sums.index.builds += index.builds;
    sums.index.replayed += index.replayed;
    sums.index.saves += index.saves;
    const auto search = shop->search_stats();
    sums.search.immutable_vectors += search.immutable_vectors;
    sums.search.fresh_vectors += search.fresh_vectors;
    sums.search.tombstones += search.tombstones;
    sums.search.faiss_searches += search.faiss_searches;
    sums.search.scan_searches += search.scan_searches;
    sums.search.words_only_searches += search.words_only_searches;
    sums.search.folds += search.folds;
    sums.search.compactions += search.compactions;
    sums.search.merge_seconds += search.merge_seconds;
    sums.texts.Add(*shop);
  }
  return sums;
}

void AddSamples(const RemoteEmbedder& embedder, std::vector<Sample>& samples) {
  const RemoteEmbedder::Counts counts = embedder.counts();
  const auto add = [&](const char* name, const char* help, double value) {
    samples.push_back({name, help, true, value});
  };
  add("emptor_embedder_requests_total", "Requests to the endpoint of the embedder",
      static_cast<double>(counts.requests));
  add("emptor_embedder_failures_total", "Requests without a good answer",
      static_cast<double>(counts.failures));
  add("emptor_embedder_retries_total", "Batches of passages that were sent again",
      static_cast<double>(counts.retries));
  add("emptor_embedder_texts_total", "Texts sent", static_cast<double>(counts.texts));
  add("emptor_embedder_queries_refused_total", "Queries not sent, after a failure",
      static_cast<double>(counts.queries_refused));
  add("emptor_embedder_request_seconds_total", "Time that the requests took", counts.seconds);
}

std::vector<Sample> ShopCore::Impl::TakeSamples() const {
  const ShopSums sums = SumUp(base->shops());
  std::vector<Sample> samples = TextSamples(sums.texts, base->text_counters());
  const auto& search = sums.search;
  const auto add = [&](const char* name, const char* help, bool is_counter, double value) {
    samples.push_back({name, help, is_counter, value});
  };
  add("emptor_catalog_products", "Products in the store", false,
      static_cast<double>(sums.records.products));
  add("emptor_catalog_documents", "Documents in the store", false,
      static_cast<double>(sums.records.documents));
  add("emptor_catalog_writable", "1 while the store takes writes", false, sums.is_writable ? 1 : 0);
  add("emptor_shops_open", "Shops that are open", false, static_cast<double>(sums.open));
  add("emptor_shops_memory_bytes", "Memory that open shops hold, caches taken as full", false,
      static_cast<double>(sums.memory_bytes));
  add("emptor_index_vectors_immutable", "Vectors in the large part", false,
      static_cast<double>(search.immutable_vectors));
  add("emptor_index_vectors_fresh", "Vectors in the small part", false,
      static_cast<double>(search.fresh_vectors));
  add("emptor_index_tombstones", "Deleted records not yet merged away", false,
      static_cast<double>(search.tombstones));
  add("emptor_index_faiss_searches_total", "Searches through FAISS", true,
      static_cast<double>(search.faiss_searches));
  add("emptor_index_scan_searches_total", "Searches of vectors by scan", true,
      static_cast<double>(search.scan_searches));
  add("emptor_index_builds_total", "Searches of open shops that were built from all records", true,
      static_cast<double>(sums.index.builds));
  add("emptor_index_replayed_records_total", "Records taken again on saved searches of open shops",
      true, static_cast<double>(sums.index.replayed));
  add("emptor_index_saves_total", "Times that searches of open shops were saved", true,
      static_cast<double>(sums.index.saves));
  add("emptor_search_words_only_total", "Hybrid searches without vectors: the embedder failed",
      true, static_cast<double>(search.words_only_searches));
  add("emptor_index_folds_total", "Merges into the large part", true,
      static_cast<double>(search.folds));
  add("emptor_index_compactions_total", "Merges of the small parts", true,
      static_cast<double>(search.compactions));
  add("emptor_index_merge_seconds_total", "Time that merges took", true, search.merge_seconds);
  add("emptor_conversations", "Conversations in memory", false,
      static_cast<double>(conversations->size()));
  add("emptor_workers_queued", "Work that waits for a worker", false,
      static_cast<double>(workers->queued()));
  if (base->remote_embedder() != nullptr) AddSamples(*base->remote_embedder(), samples);
  if (http_samples) {
    for (Sample& sample : http_samples()) samples.push_back(std::move(sample));
  }
  return samples;
}

/// The shop's embedder, then the models of the settings; the first one must load.
absl::Status ShopCore::Impl::OpenModels(const Config& config) {
  models = std::make_unique<ModelRegistry>(RegistryOptions(config, engine_metrics));
  const std::vector<ModelSpec> language_models = LanguageModelsOf(config);
  absl::Status status;
  if (base->encoder() != nullptr) {
    status = models->AddPinned(EmbedderSpecOf(config), base->encoder());
  }
  if (!status.ok()) return status;
  for (const std::vector<ModelSpec>& specs : {language_models, EncodersOf(config)}) {
    for (const ModelSpec& spec : specs) {
      if (spec.path == config.embedder) continue;
      if (status = models->Add(spec); !status.ok()) return status;
      if (spec.load) status = models->Load(spec.name);
      if (!status.ok()) return status;
    }
  }
  if (config.model == "none") return absl::OkStatus();
  generator = std::make_unique<ActiveTextGenerator>(*models);
  status = models->WaitFor(language_models.front().name);
  if (status.ok()) return status;
  return WithHint(status, "choose a language model with --model FILE, or --model none");
}

ShopCore::ShopCore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ShopCore::~ShopCore() {
  impl_->models->Stop();   // the last callbacks hand their ends to the workers
  impl_->workers.reset();  // runs what is queued; the parts that it needs are still there
}
Shop& ShopCore::shop() { return impl_->base->shop(); }
Assistant& ShopCore::assistant() { return *impl_->assistant; }

std::unique_ptr<Assistant> ShopCore::Impl::MakeAssistant(const Shop& shop,
                                                         ConversationStore& of_shop) {
  AssistantParts parts{shop,
                       generator.get(),
                       of_shop,
                       *workers,
                       NowUnix,
                       [metrics = metrics.get()](const AnswerRecord& answer) {
                         metrics->CountAnswer(answer);
                         LogAnswer(answer);
                       }};
  return std::make_unique<Assistant>(assistant_options, std::move(parts));
}

absl::StatusOr<std::unique_ptr<ShopCore>> ShopCore::Open(const Config& config,
                                                         bool create_if_missing) {
  auto impl = std::make_unique<Impl>();
  auto base = ShopOnly::Open(config, create_if_missing);
  if (!base.ok()) return base.status();
  impl->base = *std::move(base);
  if (absl::Status status = impl->OpenModels(config); !status.ok()) return status;
  impl->conversations = std::make_unique<ConversationStore>(
      ConversationLimits{}, [] { return std::chrono::steady_clock::now(); });
  impl->metrics = std::make_unique<Metrics>([self = impl.get()] { return self->TakeSamples(); });
  impl->workers =
      std::make_unique<WorkerPool>(config.workers, static_cast<size_t>(config.max_queued));
  AssistantOptions& options = impl->assistant_options;
  options.deadline = milliseconds(config.answer_deadline_ms);
  options.default_locale = config.default_locale;
  options.retriever.max_products = config.max_products;
  options.model_languages = {"en"};  // what the shipped model was trained on
  impl->assistant = impl->MakeAssistant(impl->base->shop(), *impl->conversations);
  return std::unique_ptr<ShopCore>(new ShopCore(std::move(impl)));
}

void ServeShops(ShopCore& core) {
  core.impl_->assistant.reset();
  core.impl_->base->ReleaseShop();
}
ShopDirectory& CoreShops(ShopCore& core) { return core.impl_->base->shops(); }
std::unique_ptr<Assistant> MakeShopAssistant(ShopCore& core, const Shop& shop,
                                             ConversationStore& conversations) {
  return core.impl_->MakeAssistant(shop, conversations);
}
Metrics& CoreMetrics(ShopCore& core) { return *core.impl_->metrics; }
ModelRegistry& CoreModels(ShopCore& core) { return *core.impl_->models; }
std::string CoreMetricsText(const ShopCore& core) {
  return core.impl_->metrics->Text() +
         core.impl_->engine_metrics.Text(EngineSamples(*core.impl_->models));
}
WorkerPool& CoreWorkers(ShopCore& core) { return *core.impl_->workers; }
void SetHttpSamples(ShopCore& core, std::function<std::vector<Sample>()> samples) {
  core.impl_->http_samples = std::move(samples);
}

}  // namespace emptor::services
