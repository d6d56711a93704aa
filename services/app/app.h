// The service in one process: its parts, in building order.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/app/config.h"
#include "services/assistant/assistant.h"
#include "services/shop/shop.h"

namespace emptor::services {

class EngineEmbedder;
class RemoteEmbedder;
class Metrics;
class ShopDirectory;
class ModelRegistry;
struct Sample;

/// What answers questions: models, shop, assistant; no sockets. `emptor ask` without a service uses
/// it as it is, `emptor serve` puts the ports in front.
/// Thread-safety: const access from any thread after Open.
class ShopCore {
 public:
  /// Loads the models and opens the shop. Errors: of the parts, with what to do about it.
  static absl::StatusOr<std::unique_ptr<ShopCore>> Open(const Config& config,
                                                        bool create_if_missing);
  ~ShopCore();

  /// Those of the shop of the settings. REQUIRES: ServeShops was not called.
  Shop& shop();
  Assistant& assistant();

 private:
  friend void ServeShops(ShopCore& core);
  friend ShopDirectory& CoreShops(ShopCore& core);
  friend std::unique_ptr<Assistant> MakeShopAssistant(ShopCore& core, const std::string& name,
                                                      const Shop& shop,
                                                      ConversationStore& conversations);
  friend Metrics& CoreMetrics(ShopCore& core);
  friend ModelRegistry& CoreModels(ShopCore& core);
  friend std::string CoreMetricsText(const ShopCore& core);
  friend WorkerPool& CoreWorkers(ShopCore& core);
  friend void SetHttpSamples(ShopCore& core, std::function<std::vector<Sample>()> samples);
  struct Impl;
  explicit ShopCore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The running service. Thread-safety: one thread builds, waits and stops it.
class App {
 public:
  static absl::StatusOr<std::unique_ptr<App>> Start(const Config& config);
  /// Stops what still runs.
  ~App();

  /// Addresses as they are bound: "http://127.0.0.1:8080".
  const std::string& url() const;
  const std::string& admin_url() const;

  /// Readiness goes first; requests in flight may finish within drain_ms, late ones are ended with
  /// an error; then the ports close.
  void Stop();

 private:
  struct Impl;
  explicit App(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Only the embedder and the shops, that of the settings opened: what `emptor ingest` and `emptor
/// search` need.
class ShopOnly {
 public:
  static absl::StatusOr<std::unique_ptr<ShopOnly>> Open(const Config& config,
                                                        bool create_if_missing);
  /// The same without the shop of the settings: it may be one that must not be opened yet.
  static absl::StatusOr<std::unique_ptr<ShopOnly>> OpenDirectory(const Config& config,
                                                                 bool create_if_missing);
  ~ShopOnly();
  /// REQUIRES: it was opened, and ReleaseShop was not called.
  Shop& shop();
  ShopDirectory& shops();
  /// Holds the shop no longer: its generation may be replaced.
  void ReleaseShop();
  /// What stands behind the shops' embedder; one of the two is null.
  const std::shared_ptr<const EngineEmbedder>& encoder() const;
  const std::shared_ptr<const RemoteEmbedder>& remote_embedder() const;
  /// Of all its shops.
  const TextCounters& text_counters() const;

 private:
  struct Impl;
  explicit ShopOnly(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services
