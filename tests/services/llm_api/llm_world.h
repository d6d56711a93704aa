// Routes over a small random model and the shipped encoder, with clients in memory.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "services/http/in_memory_exchange.h"
#include "services/llm_api/openai_routes.h"
#include "tests/services/support/test_gate.h"
#include "tests/services/support/test_models.h"

namespace emptor::services::testing {

/// A registry with the model "tiny" (context 256, greedy answers that end by length) and its
/// adapter "tiny:tuned", the model "idle" that is not loaded, and the encoder "embed".
class LlmWorld {
 public:
  explicit LlmWorld(engine::EngineOptions engine = SmallEngine())
      : models_({.engine = std::move(engine)}) {
    ModelSpec tiny{"tiny", folder_.Write("tiny.gguf", 5), ModelKind::kLanguageModel, true};
    tiny.adapters = {{"tuned", folder_.WriteAdapter("tuned.gguf"), {}, {}}};
    Must(models_.Add(std::move(tiny)));
    Must(models_.Add({"idle", folder_.Write("idle.gguf"), ModelKind::kLanguageModel, false}));
    Must(models_.Add({"embed", ModelFolder::Encoder(), ModelKind::kEncoder, true}));
    for (const char* name : {"tiny", "embed"}) {
      Must(models_.Load(name));
      Must(models_.WaitFor(name));
    }
  }
  static engine::EngineOptions SmallEngine() {
    engine::EngineOptions options;
    options.threads = 1;
    options.kv_blocks = 64;
    return options;
  }
  LlmRoutesParts Parts() {
    return {models_, workers_, nullptr, [] { return int64_t{1700000000}; }};
  }
  void Serve(std::vector<Route> routes) {
    router_ = std::make_unique<Router>(std::move(routes), gate_.gate(), nullptr);
  }

  std::shared_ptr<InMemoryClient> Send(
      std::string method, std::string path, std::string body = "",
      std::vector<std::pair<std::string, std::string>> headers = {}) {
    Request request;
    request.method = std::move(method);
    request.path = std::move(path);
    request.body = std::move(body);
    request.id = "req-1";
    request.headers = std::move(headers);
    gate_.Sign(request);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    return client;
  }
  Response Fetch(std::string method, std::string path, std::string body = "",
                 std::vector<std::pair<std::string, std::string>> headers = {}) {
    const auto client =
        Send(std::move(method), std::move(path), std::move(body), std::move(headers));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(60)));
    return client->response();
  }
  /// Waits until the engine has nothing left to do and every KV block is free.
  bool WaitUntilIdle() {
    for (;;) {
      const engine::EngineStats stats = (*models_.FindLanguageModel("tiny"))->stats();
      if (stats.running == 0 && stats.waiting == 0) {
        return stats.kv_blocks_free == stats.kv_blocks_total;
      }
      std::this_thread::yield();
    }
  }

  TestGate gate_;
  ModelFolder folder_;
  ModelRegistry models_;
  WorkerPool workers_{2, 64};
  std::unique_ptr<Router> router_;

 private:
  static void Must(const absl::Status& status) {
    if (!status.ok()) throw std::runtime_error(status.ToString());
  }
};

inline std::string HeaderOf(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace emptor::services::testing
