// The ports in front of the parts of a service.
#include "services/app/app.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <utility>

#include "catalog/documents/pdf_process.h"
#include "services/api/activity_routes.h"
#include "services/api/admin_page_routes.h"
#include "services/api/admin_routes.h"
#include "services/api/catalog_routes.h"
#include "services/api/conversation_routes.h"
#include "services/api/document_routes.h"
#include "services/api/faq_routes.h"
#include "services/api/key_routes.h"
#include "services/api/model_routes.h"
#include "services/api/shop_admin_routes.h"
#include "services/api/shop_routes.h"
#include "services/app/access_policy.h"
#include "services/app/asked_questions.h"
#include "services/app/conversations.h"
#include "services/app/counting_exchange.h"
#include "services/app/generator_status.h"
#include "services/app/server_ports.h"
#include "services/app/service_file.h"
#include "services/app/service_parts.h"
#include "services/app/service_samples.h"
#include "services/app/shop_service.h"
#include "services/http/http_server.h"
#include "services/llm_api/openai_routes.h"
#include "services/llm_api/tgi_routes.h"
#include "services/mcp/mcp_routes.h"
#include "services/observability/access_log.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds, std::chrono::steady_clock;

constexpr size_t kMaxQueuedOperations = 16;
/// The service is ready when its first shop has a dictionary, or after this time.
constexpr milliseconds kWordsPatience{2000};

absl::StatusOr<StaticFiles> LoadImages(const std::string& directory) {
  if (directory.empty()) return StaticFiles();
  return StaticFiles::LoadImages(directory);
}

/// Memory for incomplete requests: one of the largest size must fit.
size_t UnfinishedBytesOf(const Config& config) {
  constexpr int kRoomForHeads = 2;
  return static_cast<size_t>(
             std::max(config.unfinished_megabytes, config.max_import_megabytes + kRoomForHeads))
         << 20;
}

std::vector<Sample> SamplesOf(const HttpServerStats& stats) {
  const auto value = [](auto number) { return static_cast<double>(number); };
  return {
      {"emptor_http_connections", "Open connections", false, value(stats.connections)},
      {"emptor_http_streams", "Open event streams", false, value(stats.active_streams)},
      {"emptor_http_refused_total", "Malformed requests", true, value(stats.refused)},
      {"emptor_http_streams_finished_total", "Streams to their end", true,
       value(stats.streams_finished)},
      {"emptor_http_streams_peer_gone_total", "Streams whose client left", true,
       value(stats.streams_peer_gone)},
      {"emptor_http_streams_overflow_total", "Streams cut: reader too slow", true,
       value(stats.streams_overflow)},
      {"emptor_http_streams_stalled_total", "Streams cut: reader asleep", true,
       value(stats.streams_stalled)},
      {"emptor_http_events_sent_total", "Events written", true, value(stats.events_sent)},
  };
}

int64_t NowUnix() { return static_cast<int64_t>(std::time(nullptr)); }

void Add(std::vector<Route> more, std::vector<Route>& all) {
  for (Route& route : more) all.push_back(std::move(route));
}

BackupPlaces BackupPlacesOf(const Config& config) {
  BackupPlaces places{config.backup_roots, config.backup_buckets};
  places.roots.push_back(config.data_dir + "/backups");
  return places;
}

}  // namespace

struct App::Impl {
  Config config;
  std::string url, admin_url;
  AccessObserver on_answered;
  AccessParts access;
  StaticFiles pages, images;
  std::unique_ptr<ServiceParts> core;
  std::unique_ptr<ShopServices> services;
  std::unique_ptr<WorkerPool> operations;  // on whole shops, for the admin port
  std::atomic<bool> ready{false};
  std::vector<Route> shop_routes;  // without handlers; set by the first shop, before the ports open
  std::shared_ptr<RateGate> rates;
  std::shared_ptr<IdempotencyGate> repeats;
  std::shared_ptr<const Router> router, admin_router;
  std::unique_ptr<HttpServer> admin_server;
  std::unique_ptr<HttpServer> server;

  absl::Status StartAdmin();
  absl::Status StartPublic();
  absl::StatusOr<std::vector<Route>> AdminRoutes();
  std::unique_ptr<ShopServices> MakeServices();
  std::vector<Route> ShopperRoutes(ShopService& service);
  McpRoutesParts McpParts(ShopService& service);
  std::vector<Route> MakeRoutes(ShopService& service);
  Router::Observer Counter() const;
};

/// Counts every answer under its route's pattern.
Router::Observer App::Impl::Counter() const {
  Metrics* metrics = core->metrics.get();
  return [metrics](const std::string& pattern, std::shared_ptr<Exchange> exchange) {
    return std::static_pointer_cast<Exchange>(std::make_shared<CountingExchange>(
        std::move(exchange), [metrics, pattern](int status, double seconds) {
          metrics->CountRequest(pattern, status, seconds);
        }));
  };
}

/// What shoppers call.
std::vector<Route> App::Impl::ShopperRoutes(ShopService& service) {
  Metrics* metrics = core->metrics.get();
  ShopRoutesOptions options;
  options.shop = service.name();
  options.public_url = config.public_url;
  options.image_hosts = ImageHostsOf(config);
  std::vector<Route> all = MakeShopRoutes(
      options, {service.shop().reader(), service.assistant(), *core->workers, pages, images,
                NowUnix, [metrics](double seconds) { metrics->ObserveSearch(seconds); },
                [&service](const std::string& query, const std::string& locale) {
                  UnansweredQuestion search{.kind = UnansweredKind::kEmptySearch, .text = query};
                  search.locale = locale;
                  search.asked_unix = NowUnix();
                  service.conversations().NoteUnanswered({}, std::move(search));
                }});
  Add(MakeConversationRoutes({service.shop().reader(), service.conversations(), *core->workers,
                              NowUnix, service.name(), config.public_url}),
      all);
  Add(MakeActivityRoutes({service.conversations(), *core->workers, NowUnix, service.name(),
                          [metrics](ShopperEvent event, Attribution by) {
                            metrics->CountShopperEvent(ToString(event), ToString(by));
                          },
                          [metrics](bool is_up) { metrics->CountRating(is_up ? "up" : "down"); }}),
      all);
  LlmRoutesParts llm{*core->models, *core->workers, &service.assistant(), NowUnix};
  llm.shop = service.name();
  llm.public_url = config.public_url;
  llm.max_concurrent = config.engine_max_running + config.engine_max_waiting;
  Add(MakeOpenAiRoutes(llm), all);
  Add(MakeTgiRoutes(llm), all);
  Add(MakeMcpRoutes(McpParts(service)), all);
  return all;
}

McpRoutesParts App::Impl::McpParts(ShopService& service) {
  Metrics* metrics = core->metrics.get();
  McpRoutesParts parts{service.shop().reader(), service.assistant(), *core->workers, NowUnix};
  parts.shop_name = service.name();
  parts.public_url = config.public_url;
  parts.on_search = [metrics](double seconds) { metrics->ObserveSearch(seconds); };
  parts.on_lookup = [metrics](const FaqReply& reply, double seconds) {
    metrics->ObserveFaqLookup(ToString(reply.decision), reply.broken, seconds);
  };
  parts.on_call = [metrics](std::string_view tool, bool is_error) {
    metrics->CountMcpCall(tool, is_error);
  };
  return parts;
}

/// The routes of one shop.
std::vector<Route> App::Impl::MakeRoutes(ShopService& service) {
  Metrics* metrics = core->metrics.get();
  std::vector<Route> all = ShopperRoutes(service);
  Add(MakeCatalogRoutes(
          {service.shop().writer(), service.jobs(), service.changes(), service.imports()}),
      all);
  Add(MakeDocumentRoutes({service.shop().writer(), service.imports(),
                          [](std::string_view pdf) { return catalog::ReadPdfInChild(pdf); }}),
      all);
  Add(MakeFaqRoutes(
          {service.shop().reader(), service.shop().writer(), *core->workers, service.changes(),
           service.imports(), NowUnix,
           [&service] { return ReadAskedQuestions(service.conversations().archive().get()); },
           [metrics](const FaqReply& reply, double seconds) {
             metrics->ObserveFaqLookup(ToString(reply.decision), reply.broken, seconds);
           }}),
      all);
  if (shop_routes.empty()) {  // all shops have the same routes
    for (const Route& route : all) {
      shop_routes.emplace_back(route.method, route.pattern, route.access, nullptr,
                               route.max_body_bytes);
      shop_routes.back().generates = route.generates;
      shop_routes.back().wrap = route.wrap;
      shop_routes.back().replay_time = route.replay_time;
    }
  }
  return all;
}

std::unique_ptr<ShopServices> App::Impl::MakeServices() {
  // From here on only the services hold shops (shop_service.h).
  core->assistant.reset();
  core->shops.shop.reset();
  Metrics* metrics = core->metrics.get();
  ShopServiceParts parts{
      *core->shops.directory,
      [this](const std::string& name, const Shop& shop, ConversationStore& conversations) {
        return MakeAssistant(*core, name, shop, conversations);
      },
      [this](const std::string& name) {
        return OpenConversations(config, name, core->conversation_counters);
      },
      [this](ShopService& service) { return MakeRoutes(service); },
      [metrics](const Job& job, const catalog::ImportReport& before) {
        metrics->CountJob(job, before);
      },
      static_cast<size_t>(config.max_open_shops)};
  return std::make_unique<ShopServices>(std::move(parts));
}

absl::StatusOr<std::vector<Route>> App::Impl::AdminRoutes() {
  auto forwarded = MakeForwardedRoutes(
      shop_routes, [this](const std::string& shop, size_t route, std::shared_ptr<Exchange> exchange,
                          std::string_view tail) {
        const std::string caller(exchange->caller());
        services->Handle(shop, route, std::move(exchange), tail, caller);
      });
  if (!forwarded.ok()) return forwarded.status();
  AdminRoutesParts parts;
  parts.readiness = [this] {
    return ready ? absl::OkStatus() : absl::UnavailableError("starting or stopping");
  };
  parts.metrics = [this] { return MetricsText(*core); };
  parts.generator = [this] { return GeneratorStatusJson(*core); };
  std::vector<Route> routes = MakeAdminRoutes(parts);
  Add(MakeModelRoutes(*core->models), routes);
  Add(MakeActivityAdminRoutes(
          [this](const std::string& shop) { return services->Conversations(shop); }, *operations,
          NowUnix),
      routes);
  Add(MakeAdminPageRoutes(pages), routes);
  Add(*std::move(forwarded), routes);
  Add(MakeKeyRoutes(*access.keys, *operations), routes);
  Add(MakeShopAdminRoutes(*core->shops.directory, *operations,
                          {BackupPlacesOf(config), ImageHostsOf(config),
                           [this](const std::string& shop) { services->Renew(shop); }}),
      routes);
  return routes;
}

absl::Status App::Impl::StartAdmin() {
  const auto address = ParseListenAddress(config.admin_listen);
  if (!address.ok()) return address.status();
  HttpServerOptions options;
  options.address = address->host;
  options.port = address->port;
  options.threads = 1;
  options.on_answered = on_answered;
  options.max_body_bytes = static_cast<size_t>(config.max_import_megabytes) << 20;  // feeds
  auto routes = AdminRoutes();
  if (!routes.ok()) return routes.status();
  options.max_unfinished_bytes = UnfinishedBytesOf(config);
  options.body_limit = BodyLimits(*routes);
  admin_server = std::make_unique<HttpServer>(options);
  admin_router = std::make_shared<const Router>(
      *std::move(routes), access.admin_gate, nullptr,
      [this](size_t route, const Grant& grant, std::shared_ptr<Exchange> exchange,
             std::string_view tail) {
        admin_router->routes()[route].handle(
            std::make_shared<CallerExchange>(std::move(exchange), grant.key_id), tail);
      });
  const absl::Status status = admin_server->Start(
      [this](std::shared_ptr<Exchange> exchange) { (*admin_router)(std::move(exchange)); });
  if (status.ok()) admin_url = UrlOf(*address, admin_server->port());
  return status;
}

absl::Status App::Impl::StartPublic() {
  const auto address = ParseListenAddress(config.listen);
  if (!address.ok()) return address.status();
  HttpServerOptions options;
  options.address = address->host;
  options.port = address->port;
  options.threads = config.http_threads;
  options.on_answered = on_answered;
  options.max_streams = static_cast<size_t>(config.max_streams);
  options.max_body_bytes = static_cast<size_t>(config.max_import_megabytes) << 20;
  options.max_unfinished_bytes = UnfinishedBytesOf(config);
  options.body_limit = BodyLimits(shop_routes);
  server = std::make_unique<HttpServer>(options);
  core->http_samples = [this] {
    std::vector<Sample> samples = SamplesOf(server->stats());
    for (Sample& sample : RefusalSamples(access)) {
      samples.push_back(std::move(sample));
    }
    for (Sample& sample : RateSamples(*rates)) samples.push_back(std::move(sample));
    for (Sample& sample : RepeatSamples(*repeats)) samples.push_back(std::move(sample));
    return samples;
  };
  rates = std::make_shared<RateGate>(RateGateOptionsOf(config), steady_clock::now);
  repeats = std::make_shared<IdempotencyGate>(IdempotencyLimits{}, steady_clock::now,
                                              config.trusted_proxies);
  const auto dispatch = [this](size_t route, const Grant& grant, std::shared_ptr<Exchange> exchange,
                               std::string_view tail) {
    if (!rates->Admit(shop_routes[route], grant, exchange)) return;
    if (!repeats->Admit(shop_routes[route], grant, exchange)) return;
    services->Handle(grant.shop, route, std::move(exchange), tail, grant.key_id);
  };
  router = std::make_shared<const Router>(shop_routes, access.gate, Counter(), dispatch);
  const absl::Status status =
      server->Start([this](std::shared_ptr<Exchange> exchange) { (*router)(std::move(exchange)); });
  if (status.ok()) url = UrlOf(*address, server->port());
  return status;
}

App::App(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
App::~App() { Stop(); }
const std::string& App::url() const { return impl_->url; }
const std::string& App::admin_url() const { return impl_->admin_url; }
const std::vector<Route>& App::routes() const { return impl_->router->routes(); }
const std::vector<Route>& App::admin_routes() const { return impl_->admin_router->routes(); }

absl::StatusOr<std::unique_ptr<App>> App::Start(const Config& config) {
  auto impl = std::make_unique<Impl>();
  impl->config = config;
  if (config.access_log && config.log_level == "info") impl->on_answered = MakeAccessLog();
  impl->pages = StaticFiles::Embedded();
  auto access = OpenAccess(config);
  if (!access.ok()) return access.status();
  impl->access = *std::move(access);
  auto images = LoadImages(config.images_dir);
  if (!images.ok()) return images.status();
  impl->images = *std::move(images);
  auto core = OpenServiceParts(config, /*create_if_missing=*/true);
  if (!core.ok()) return core.status();
  impl->core = *std::move(core);
  impl->services = impl->MakeServices();
  impl->operations = std::make_unique<WorkerPool>(2, kMaxQueuedOperations);
  std::unique_ptr<App> app(new App(std::move(impl)));
  if (absl::Status status = app->impl_->services->Open(config.shop); !status.ok()) return status;
  if (absl::Status status = app->impl_->StartAdmin(); !status.ok()) return status;
  if (absl::Status status = app->impl_->StartPublic(); !status.ok()) return status;
  if (const auto shop = app->impl_->core->shops.directory->FindOpen(config.shop)) {
    shop->lifecycle().WaitForWords(kWordsPatience);
  }
  absl::Status status = WriteServiceFile(config.data_dir, app->url(), app->admin_url());
  if (!status.ok()) return status;
  app->impl_->ready = true;
  return app;
}

void App::Stop() {
  Impl& parts = *impl_;
  const bool was_ready = parts.ready.exchange(false);
  if (was_ready) {
    const auto end = steady_clock::now() + milliseconds(parts.config.drain_ms);
    RemoveServiceFile(parts.config.data_dir);
    LogStop(parts.server->Drain(milliseconds(parts.config.drain_ms)));
    const auto rest = std::chrono::ceil<milliseconds>(end - steady_clock::now());
    parts.admin_server->Drain(std::max(milliseconds(0), rest));
  }
  if (parts.server) parts.server->Stop();
  // Its handlers use the operations and the services.
  if (parts.admin_server) parts.admin_server->Stop();
  parts.operations.reset();
  if (parts.services) parts.services->Close();
}

}  // namespace emptor::services
