// Many clients at once, some of which leave or never read; and what a restart finds.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "catalog/product_json.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using std::chrono::milliseconds;

constexpr int kClients = 50;
constexpr int kLeaving = 10;

std::string MakeShop(const TemporaryDirectory& directory) {
  const std::string shop = directory.path() + "/shop";
  IngestSampleShop(shop);
  return shop;
}

/// Polls until the condition holds; false after ten seconds.
bool Eventually(const std::function<bool()>& holds) {
  for (int i = 0; i < 1000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

constexpr std::string_view kQuestion =
    R"({"message":"Compare the capacity and price of your kettles, please"})";

/// What one well-behaved client saw.
struct Seen {
  int status = 0, terminal = 0;
  bool in_order = true, products_first = false;
};

Seen ReadWholeAnswer(int port) {
  Seen seen;
  long last_id = -1;
  bool delta = false;
  const HttpReply reply = Fetch(port, "POST", "/v1/assist", kQuestion, [&](const SseEvent& event) {
    const long id = std::atol(event.id.c_str());
    seen.in_order = seen.in_order && id == last_id + 1;
    if (last_id < 0) seen.in_order = true;  // the first id may start anywhere
    last_id = id;
    if (event.name == "products") seen.products_first = !delta;
    delta = delta || event.name == "delta";
    seen.terminal += event.name == "done" || event.name == "error";
    return true;
  });
  seen.status = reply.complete ? reply.status : 0;
  return seen;
}

TEST(ManyClientsTest, OthersGetEveryEventWhenTenLeaveAndOneNeverReads) {
  TemporaryDirectory directory;
  ServiceProcess service(MakeShop(directory));
  const double blocks = service.Metric("emptor_engine_kv_blocks");
  ASSERT_GT(blocks, 0);

  HttpConnection never_reads(service.port());
  ASSERT_TRUE(never_reads.SendRequest("POST", "/v1/assist", kQuestion));
  std::vector<Seen> seen(kClients);
  std::atomic<int> left{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] {
      if (i % (kClients / kLeaving) != 0) {
        seen[static_cast<size_t>(i)] = ReadWholeAnswer(service.port());
        return;
      }
      int events = 0;
      Fetch(service.port(), "POST", "/v1/assist", kQuestion, [&](const SseEvent&) {
        return ++events < 3;  // hangs up with a reset in the middle of the answer
      });
      ++left;
    });
  }
  for (std::thread& client : clients) client.join();

  EXPECT_EQ(left, kLeaving);
  for (int i = 0; i < kClients; ++i) {
    if (i % (kClients / kLeaving) == 0) continue;
    const Seen& client = seen[static_cast<size_t>(i)];
    EXPECT_EQ(client.status, 200) << i;
    EXPECT_EQ(client.terminal, 1) << i;
    EXPECT_TRUE(client.in_order) << i;
    EXPECT_TRUE(client.products_first) << i;
  }
  EXPECT_TRUE(Eventually([&] {
    return service.Metric("emptor_engine_kv_blocks_free") == blocks &&
           service.Metric("emptor_engine_requests_running") == 0 &&
           service.Metric("emptor_engine_requests_waiting") == 0;
  })) << "free "
      << service.Metric("emptor_engine_kv_blocks_free") << " of " << blocks;
}

TEST(RestartTest, AKilledServiceRestartsWithEverythingAcknowledged) {
  TemporaryDirectory directory;
  const std::string shop = MakeShop(directory);
  std::string id;
  {
    ServiceProcess service(shop);
    const Answer answer = service.Ask("Which kettle is the cheapest?");
    ASSERT_FALSE(answer.products.empty());
    id = answer.products[0].Find("id")->as_string();
    // A new price goes in while the service runs, and is acknowledged.
    std::ifstream file(SourcePath("data/sample-shop/products.jsonl"));
    for (std::string line; std::getline(file, line);) {
      auto product = catalog::ParseProduct(line);
      ASSERT_TRUE(product.ok()) << product.status().ToString();
      if (product->id != id) continue;
      product->price = catalog::Money{.amount = 12345, .currency = "USD"};
      product->sale_price.reset();
      product->sale_price_effective.reset();
      const HttpReply reply =
          service.Change("POST", "/v1/catalog/import", catalog::ToJson(*product) + "\n");
      ASSERT_EQ(reply.status, 200) << reply.body;
      EXPECT_NE(reply.body.find("\"updated\""), std::string::npos) << reply.body;
    }
    EXPECT_EQ(service.GetJson("/v1/products/" + id).Find("price")->Find("amount")->as_int(), 12345);
    service.process().Signal(SIGKILL);
    service.process().Wait(milliseconds(5000));
  }
  ServiceProcess service(shop);
  EXPECT_EQ(service.GetJson("/v1/products/" + id).Find("price")->Find("amount")->as_int(), 12345);
}

TEST(RestartTest, TerminatedServiceDrainsAndExitsCleanly) {
  TemporaryDirectory directory;
  ServiceProcess service(MakeShop(directory));
  EXPECT_EQ(service.Ask("hello").status, 200);
  service.process().Signal(SIGTERM);
  EXPECT_EQ(service.process().Wait(milliseconds(15000)), 0) << service.process().output();
}

}  // namespace
}  // namespace emptor::testing
