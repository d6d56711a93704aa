// Dispatch to shops, and the lives of their services.
#include "services/app/shop_service.h"

#include <algorithm>
#include <utility>

#include "services/api/api_errors.h"
#include "services/api/catalog_routes.h"
#include "services/app/counting_exchange.h"

namespace emptor::services {
namespace {

constexpr int kOpeners = 2;
constexpr size_t kMaxWaiting = 256;  // requests to shops that are being opened
constexpr size_t kMaxQueuedImports = 16;
// Shoppers take precedence over imports of any shop, but a slow batch must not hold up a price.
constexpr int kImportNiceness = 5;
constexpr size_t kMaxQueuedChanges = 1000;

/// Keeps a service alive while a stream of it is open.
class KeepingSink final : public StreamSink {
 public:
  KeepingSink(std::shared_ptr<StreamSink> inner, std::shared_ptr<void> kept)
      : kept_(std::move(kept)), inner_(std::move(inner)) {}
  bool Push(std::string_view bytes) override { return inner_->Push(bytes); }
  bool PushWhenRoom(std::string_view bytes, std::chrono::milliseconds patience) override {
    return inner_->PushWhenRoom(bytes, patience);
  }
  bool HasRoom(size_t bytes) const override { return inner_->HasRoom(bytes); }
  void Finish() override { inner_->Finish(); }

 private:
  const std::shared_ptr<void> kept_;
  const std::shared_ptr<StreamSink> inner_;
};

/// Keeps a service alive until its exchange is answered, and knows who calls it.
class KeepingExchange final : public CallerExchange {
 public:
  KeepingExchange(std::shared_ptr<Exchange> inner, std::shared_ptr<void> kept, std::string caller)
      : CallerExchange(std::move(inner), std::move(caller)), kept_(std::move(kept)) {}
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override {
    auto sink = inner().StartSse(std::move(options));
    return sink == nullptr ? sink : std::make_shared<KeepingSink>(std::move(sink), kept_);
  }

 private:
  const std::shared_ptr<void> kept_;
};

}  // namespace

ShopServices::ShopServices(ShopServiceParts parts)
    : parts_(std::move(parts)),
      closers_(std::make_unique<WorkerPool>(1, kMaxWaiting)),
      openers_(std::make_unique<WorkerPool>(kOpeners, kMaxWaiting)) {}

ShopServices::~ShopServices() { Close(); }

absl::Status ShopServices::Open(const std::string& name) { return MakeReady(name).status(); }

void ShopServices::Handle(const std::string& shop, size_t route, std::shared_ptr<Exchange> exchange,
                          std::string_view tail, const std::string& caller) {
  if (auto service = FindReady(shop)) {
    return Pass(service, route, std::move(exchange), tail, caller);
  }
  const bool is_queued =
      openers_->TrySubmit([this, shop, route, exchange, segment = std::string(tail), caller] {
        const auto service = MakeReady(shop);
        if (service.ok()) return Pass(*service, route, exchange, segment, caller);
        exchange->Respond(MakeErrorResponse(service.status(), exchange->request().id));
      });
  if (is_queued) return;
  const absl::Status full = absl::ResourceExhaustedError("too many wait for shops to open");
  exchange->Respond(MakeErrorResponse(full, exchange->request().id));
}

void ShopServices::Pass(const std::shared_ptr<ShopService>& service, size_t route,
                        std::shared_ptr<Exchange> exchange, std::string_view tail,
                        const std::string& caller) {
  service->routes_[route].handle(
      std::make_shared<KeepingExchange>(std::move(exchange), service, caller), tail);
}

/// Null when the shop, or this generation of it, has no service yet.
std::shared_ptr<ShopService> ShopServices::FindReady(const std::string& name) {
  const std::shared_ptr<Shop> shop = parts_.shops.FindOpen(name);
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (shop == nullptr || found == entries_.end() || found->second.service == nullptr ||
      found->second.service->shop_ != shop) {
    return nullptr;
  }
  found->second.last_used = ++clock_;
  return found->second.service;
}

absl::StatusOr<std::shared_ptr<ShopService>> ShopServices::MakeReady(const std::string& name) {
  auto shop = parts_.shops.Find(name);
  if (!shop.ok()) return shop.status();
  const std::lock_guard making(making_mutex_);
  std::shared_ptr<ConversationStore> conversations;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return absl::UnavailableError("stopping");
    const auto found = entries_.find(name);
    if (found != entries_.end()) {
      if (found->second.service->shop_ == *shop) return found->second.service;
      found->second.service->jobs_->Interrupt();  // of the generation before
      conversations = found->second.conversations;
    }
  }
  if (conversations == nullptr) conversations = parts_.make_conversations(name);
  auto service = Make(name, *std::move(shop), conversations);
  if (!service.ok()) return service;
  std::shared_ptr<ShopService> before;  // dies without the lock
  {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[name];
    before = std::exchange(entry.service, *service);
    entry.conversations = std::move(conversations);
    entry.last_used = ++clock_;
  }
  const auto idle = TakeIdle();
  ResumeJobs((*service)->jobs(), (*service)->imports());
  return service;
}

absl::StatusOr<std::shared_ptr<ShopService>> ShopServices::Make(
    const std::string& name, std::shared_ptr<Shop> shop, std::shared_ptr<ConversationStore> store) {
  std::unique_ptr<ShopService> made(new ShopService());
  made->name_ = name;
  made->shop_ = std::move(shop);
  made->conversations_ = std::move(store);
  made->assistant_ = parts_.make_assistant(name, *made->shop_, *made->conversations_);
  JobsOptions options;
  options.directory = made->shop_->directory() + "/jobs";
  options.on_finished = parts_.on_job_finished;
  auto jobs = Jobs::Open(made->shop_->writer(), options);
  if (!jobs.ok()) return jobs.status();
  made->jobs_ = *std::move(jobs);
  made->imports_ = std::make_unique<WorkerPool>(1, kMaxQueuedImports, kImportNiceness);
  made->changes_ = std::make_unique<WorkerPool>(1, kMaxQueuedChanges);
  made->routes_ = parts_.make_routes(*made);
  {
    const std::lock_guard lock(mutex_);
    ++alive_;
  }
  return std::shared_ptr<ShopService>(made.release(), [this](ShopService* service) {
    closers_->Submit([this, service] {
      service->changes_.reset();  // what is queued still uses the rest
      service->imports_.reset();
      delete service;
      const std::lock_guard lock(mutex_);
      --alive_;
      gone_.notify_all();
    });
  });
}

/// Removes idle services, the longest idle first, while there are too many.
std::vector<std::shared_ptr<ShopService>> ShopServices::TakeIdle() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<ShopService>> idle;
  while (entries_.size() > parts_.max_cached) {
    auto oldest = entries_.end();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->second.service.use_count() > 1) continue;
      if (oldest == entries_.end() || entry->second.last_used < oldest->second.last_used) {
        oldest = entry;
      }
    }
    if (oldest == entries_.end()) break;
    idle.push_back(std::move(oldest->second.service));
    entries_.erase(oldest);
  }
  return idle;
}

absl::StatusOr<std::shared_ptr<ConversationStore>> ShopServices::Conversations(
    const std::string& name) {
  const auto service = MakeReady(name);
  if (!service.ok()) return service.status();
  return (*service)->conversations_;
}

void ShopServices::Renew(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_ || !entries_.contains(name)) return;
  }
  if (!MakeReady(name).ok()) Forget(name);
}

void ShopServices::Forget(const std::string& name) {
  const std::lock_guard making(making_mutex_);  // waits for a service under construction
  Entry entry;                                  // dies without the lock
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  found->second.service->jobs_->Interrupt();
  entry = std::move(found->second);
  entries_.erase(found);
}

void ShopServices::Close() {
  std::map<std::string, Entry> entries;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    entries.swap(entries_);
  }
  for (const auto& [name, entry] : entries) entry.service->jobs_->Interrupt();
  openers_.reset();
  entries.clear();
  std::unique_lock lock(mutex_);
  gone_.wait(lock, [this] { return alive_ == 0; });
}

}  // namespace emptor::services
