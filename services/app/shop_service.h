// One shop as it is served: its routes and all that they need; and the services of all shops.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/assistant/assistant.h"
#include "services/ingest/jobs.h"
#include "services/shop/shop_directory.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

class ShopService;

/// What the services of all shops share. Everything outlives them.
struct ShopServiceParts {
  ShopDirectory& shops;
  std::function<std::unique_ptr<Assistant>(const std::string& name, const Shop&,
                                           ConversationStore&)>
      make_assistant;
  /// Of a shop in all its generations. Called where no other store of that shop is alive.
  std::function<std::shared_ptr<ConversationStore>(const std::string& name)> make_conversations;
  /// All shops have the same routes in the same order.
  std::function<std::vector<Route>(ShopService&)> make_routes;
  std::function<void(const Job&, const catalog::ImportReport& before)> on_job_finished;
  size_t max_cached = 64;
};

/// A shop in one of its generations. It lives until the last exchange that it took is answered.
class ShopService {
 public:
  const std::string& name() const { return name_; }
  Shop& shop() { return *shop_; }
  Assistant& assistant() { return *assistant_; }
  ConversationStore& conversations() { return *conversations_; }
  Jobs& jobs() { return *jobs_; }
  WorkerPool& changes() { return *changes_; }
  WorkerPool& imports() { return *imports_; }

 private:
  friend class ShopServices;
  ShopService() = default;

  std::string name_;
  // In building order: who is below uses who is above.
  std::shared_ptr<Shop> shop_;
  std::shared_ptr<ConversationStore> conversations_;  // shared with the next generation
  std::unique_ptr<Assistant> assistant_;
  std::unique_ptr<Jobs> jobs_;
  std::unique_ptr<WorkerPool> imports_, changes_;
  std::vector<Route> routes_;
};

/// Hands every request to the service of its shop. Shops are opened on threads that serve no other
/// requests.
/// Thread-safety: any thread.
class ShopServices {
 public:
  explicit ShopServices(ShopServiceParts parts);
  ~ShopServices();

  /// Opens a service ahead of its first request.
  absl::Status Open(const std::string& name);
  /// Handles a request that may reach the shop, by the route of that number.
  /// `caller`: the id of its key, or empty.
  void Handle(const std::string& shop, size_t route, std::shared_ptr<Exchange> exchange,
              std::string_view tail, const std::string& caller = "");

  /// The conversations of a shop, which is opened for it. Errors: of the shop.
  absl::StatusOr<std::shared_ptr<ConversationStore>> Conversations(const std::string& name);

  /// Lets go of what a shop no longer is, after its deletion or another generation: that service
  /// ends with the last exchange that it took, and a running job after the batch that is under way.
  /// What is served now has its service when this returns, if the shop had one.
  void Renew(const std::string& name);

  /// Running jobs stop after the batch that is under way; no service is opened any more; waits
  /// until every exchange is answered and every service is gone.
  void Close();

 private:
  struct Entry {
    std::shared_ptr<ShopService> service;
    std::shared_ptr<ConversationStore> conversations;
    uint64_t last_used = 0;
  };
  std::shared_ptr<ShopService> FindReady(const std::string& name);
  absl::StatusOr<std::shared_ptr<ShopService>> MakeReady(const std::string& name);
  absl::StatusOr<std::shared_ptr<ShopService>> Make(const std::string& name,
                                                    std::shared_ptr<Shop> shop,
                                                    std::shared_ptr<ConversationStore> store);
  void Forget(const std::string& name);
  static void Pass(const std::shared_ptr<ShopService>& service, size_t route,
                   std::shared_ptr<Exchange> exchange, std::string_view tail,
                   const std::string& caller);
  std::vector<std::shared_ptr<ShopService>> TakeIdle();

  const ShopServiceParts parts_;
  std::mutex mutex_;
  std::condition_variable gone_;
  std::map<std::string, Entry> entries_;  // guarded by mutex_
  uint64_t clock_ = 0;                    // guarded by mutex_
  int alive_ = 0;                         // services that are not destroyed; guarded by mutex_
  bool is_closed_ = false;                // guarded by mutex_
  std::mutex making_mutex_;               // one service of a shop
  std::unique_ptr<WorkerPool> closers_;   // a service must not be destroyed on one of its threads
  std::unique_ptr<WorkerPool> openers_;
};

}  // namespace emptor::services
