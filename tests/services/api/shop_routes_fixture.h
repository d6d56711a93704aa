// The routes of a small shop, asked without sockets: real shop, scripted model, in-memory
// exchanges.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "services/api/catalog_routes.h"
#include "services/api/shop_routes.h"
#include "services/http/in_memory_exchange.h"
#include "tests/services/assistant/test_shop.h"
#include "tests/services/models/scripted_generator.h"
#include "tests/services/support/test_gate.h"

namespace emptor::services {

inline std::string HeaderOf(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return {};
}

class ShopRoutesTest : public ::testing::Test {
 protected:
  ShopRoutesTest() {
    std::filesystem::create_directories(shop_.directory() + "/images");
    std::ofstream(shop_.directory() + "/images/k20.svg") << "<svg onload='x()'/>";
    std::ofstream(shop_.directory() + "/images/notes.txt") << "secret";
    images_ = *StaticFiles::LoadImages(shop_.directory() + "/images");
    jobs_ = *Jobs::Open(shop_.shop().writer(), {.directory = shop_.directory() + "/jobs"});
    MakeRouter();
  }

  /// Makes the routes again, without their state.
  void MakeRouter() {
    ShopRoutesParts parts{shop_.shop().reader(),
                          assistant_,
                          workers_,
                          pages_,
                          images_,
                          [] { return int64_t{1700000000}; },
                          nullptr};
    std::vector<Route> routes = MakeShopRoutes({}, parts);
    for (Route& route : MakeCatalogRoutes({shop_.shop().writer(), *jobs_, workers_, *imports_})) {
      routes.push_back(std::move(route));
    }
    router_ = std::make_unique<Router>(std::move(routes), gate_.gate(), nullptr);
  }

  std::shared_ptr<InMemoryClient> Send(std::string method, std::string path, std::string body = "",
                                       InMemoryClient::Options options = {}) {
    Request request;
    request.method = std::move(method);
    const size_t question = path.find('?');
    for (size_t at = question; at < path.size();) {  // "?a=b&c=d", already decoded
      const size_t end = std::min(path.find('&', at + 1), path.size());
      const std::string pair = path.substr(at + 1, end - at - 1);
      const size_t equals = std::min(pair.find('='), pair.size());
      if (!pair.empty()) {
        request.query.emplace_back(pair.substr(0, equals),
                                   pair.substr(std::min(equals + 1, pair.size())));
      }
      at = end;
    }
    request.path = path.substr(0, question);
    request.body = std::move(body);
    request.id = "req-1";
    request.headers = {{"host", "shop.test:8080"}};
    if (signs_) gate_.Sign(request);
    if (!accept_language_.empty()) {
      request.headers.emplace_back("accept-language", accept_language_);
    }
    if (!if_none_match_.empty()) request.headers.emplace_back("if-none-match", if_none_match_);
    if (!accept_encoding_.empty()) {
      request.headers.emplace_back("accept-encoding", accept_encoding_);
    }
    auto client = std::make_shared<InMemoryClient>(options);
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    return client;
  }
  Response Fetch(std::string method, std::string path, std::string body = "") {
    const auto client = Send(std::move(method), std::move(path), std::move(body));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(20)));
    return client->response();
  }

  testing::TestGate gate_;
  testing::TestShop shop_;
  testing::ScriptedGenerator generator_{{"The [1:title] costs ", "[1:price] [1]."}};
  ConversationStore conversations_{{}, [] { return std::chrono::steady_clock::now(); }};
  StaticFiles pages_ = StaticFiles::Embedded();
  StaticFiles images_;
  std::unique_ptr<Jobs> jobs_;
  WorkerPool workers_{2, 64};
  std::unique_ptr<WorkerPool> imports_ = std::make_unique<WorkerPool>(1, 4);
  Assistant assistant_{{},
                       {shop_.shop().reader(),
                        &generator_,
                        conversations_,
                        workers_,
                        [] { return int64_t{1700000000}; },
                        {}}};
  std::unique_ptr<Router> router_;
  std::string if_none_match_;
  std::string accept_encoding_;
  std::string accept_language_;
  bool signs_ = true;  // requests carry the service's own key
};

}  // namespace emptor::services
