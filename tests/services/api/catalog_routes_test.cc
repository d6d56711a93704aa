// Imports, jobs and single changes over HTTP, without sockets.
#include "services/api/catalog_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>

#include "services/http/in_memory_exchange.h"
#include "tests/services/assistant/test_shop.h"
#include "tests/services/support/test_gate.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestShop;

constexpr const char* kLamp =
    R"({"id":"n1","title":"New Lamp","price":{"amount":5,"currency":"USD"}})";

class CatalogRoutesTest : public ::testing::Test {
 protected:
  CatalogRoutesTest() {
    jobs_ = *Jobs::Open(shop_.shop().writer(), {.directory = shop_.directory() + "/jobs"});
    changes_ = std::make_unique<WorkerPool>(1, 64);
    imports_ = std::make_unique<WorkerPool>(1, 4);
    router_ = std::make_unique<Router>(
        MakeCatalogRoutes({shop_.shop().writer(), *jobs_, *changes_, *imports_}), gate_.gate(),
        nullptr);
  }

  // `path` may hold a query of plain words.
  Response Fetch(std::string method, std::string path, std::string body = "",
                 const std::string& key = "") {
    Request request;
    request.method = std::move(method);
    request.path = path.substr(0, path.find('?'));
    for (std::string_view rest = path; rest.find_first_of("?&") != std::string_view::npos;) {
      rest.remove_prefix(rest.find_first_of("?&") + 1);
      const std::string_view pair = rest.substr(0, rest.find('&'));
      request.query.emplace_back(pair.substr(0, pair.find('=')), pair.substr(pair.find('=') + 1));
    }
    request.body = std::move(body);
    request.id = "req-1";
    if (!key.empty()) request.headers.emplace_back("idempotency-key", key);
    gate_.Sign(request);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(20)));
    return client->response();
  }
  std::shared_ptr<InMemoryClient> Send(Request request, InMemoryClient::Options options = {}) {
    gate_.Sign(request);
    auto client = std::make_shared<InMemoryClient>(options);
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    return client;
  }
  /// An import of so many rows: more results than are held back.
  static Request ManyRows(int rows, const std::string& mode = "upsert") {
    Request request;
    request.method = "POST";
    request.path = "/v1/catalog/import";
    request.query = {{"mode", mode}};
    request.headers = {{"idempotency-key", "many"}};
    request.id = "req-2";
    for (int i = 0; i < rows; ++i) {
      request.body += "{\"id\":\"m" + std::to_string(i) + "\",\"title\":\"Mug\"}\n";
    }
    return request;
  }
  static auto LinesOf(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
  static std::string JobIdOf(const Response& response) {
    for (const auto& [name, value] : response.headers) {
      if (name == "X-Job-Id") return value;
    }
    return "";
  }
  // Waits until what is queued for the imports' thread has run.
  void FinishImports() { imports_ = std::make_unique<WorkerPool>(1, 4); }
  retrieval::SearchResult SearchUpTo(int64_t price) {
    retrieval::SearchRequest request;
    request.query = "kettle";
    request.filter.max_price = price;
    request.filter.currency = "USD";
    return *shop_.shop().reader().SearchProducts(request);
  }

  testing::TestGate gate_;
  TestShop shop_;
  std::unique_ptr<Jobs> jobs_;
  std::unique_ptr<WorkerPool> imports_, changes_;
  std::unique_ptr<Router> router_;
};

TEST_F(CatalogRoutesTest, AnImportIsAJob) {
  const std::string feed = std::string(kLamp) + "\n{\"id\":\"n2\",\"titel\":\"x\"}\n";
  const Response response = Fetch("POST", "/v1/catalog/import?mode=create&format=jsonl", feed);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/x-ndjson");
  EXPECT_THAT(response.body, HasSubstr(R"({"line":1,"id":"n1","status":"created"})"));
  EXPECT_THAT(response.body, HasSubstr(R"("status":"error","message":"title: missing or empty"})"));
  const std::string id = JobIdOf(response);
  const Response job = Fetch("GET", "/v1/jobs/" + id);
  EXPECT_THAT(job.body,
              HasSubstr(R"("state":"done","options":{"mode":"create","format":"jsonl"})"));
  EXPECT_THAT(job.body,
              HasSubstr(R"("created":1,"updated":0,"unchanged":0,"deleted":0,"errors":1)"));
  EXPECT_THAT(Fetch("GET", "/v1/jobs").body, HasSubstr(id));
  EXPECT_EQ(Fetch("GET", "/v1/jobs/" + id + "/results").body, response.body);
  EXPECT_THAT(Fetch("GET", "/v1/jobs/" + id + "/dead_letters").body,
              HasSubstr(R"("field":"title","reason":"missing or empty")"));
  EXPECT_EQ(Fetch("DELETE", "/v1/jobs/" + id).status, 409);
}

TEST_F(CatalogRoutesTest, TheSameKeyGivesTheSameReport) {
  const Response first = Fetch("POST", "/v1/catalog/import", kLamp, "night");
  const Response again = Fetch("POST", "/v1/catalog/import", kLamp, "night");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(JobIdOf(again), JobIdOf(first));
  const Response other = Fetch("POST", "/v1/catalog/import?idempotency_key=night", "{}");
  EXPECT_EQ(other.status, 409);
  EXPECT_THAT(other.body, HasSubstr(R"("code":"idempotency_conflict")"));
  EXPECT_EQ(Fetch("POST", "/v1/catalog/import", kLamp, std::string(200, 'k')).status, 400);
}

TEST_F(CatalogRoutesTest, AnUploadIsAnsweredBeforeItRuns) {
  std::mutex mutex;
  mutex.lock();
  imports_->Submit([&] { const std::lock_guard wait(mutex); });
  const Response accepted = Fetch("POST", "/v1/jobs", kLamp, "key");
  EXPECT_EQ(accepted.status, 202);
  EXPECT_THAT(accepted.body, HasSubstr(R"("state":"queued")"));
  EXPECT_EQ(Fetch("POST", "/v1/jobs", kLamp, "key").status, 200);
  const Response cancelled = Fetch("POST", "/v1/jobs", "{}");
  EXPECT_EQ(Fetch("DELETE", "/v1/jobs/" + JobIdOf(cancelled)).status, 202);
  EXPECT_FALSE(shop_.shop().reader().FindProduct("n1")->has_value());
  mutex.unlock();
  FinishImports();
  EXPECT_THAT(Fetch("GET", "/v1/jobs/" + JobIdOf(accepted)).body, HasSubstr(R"("state":"done")"));
  EXPECT_THAT(Fetch("GET", "/v1/jobs/" + JobIdOf(cancelled)).body,
              HasSubstr(R"("state":"cancelled")"));
  EXPECT_TRUE(shop_.shop().reader().FindProduct("n1")->has_value());
}

TEST_F(CatalogRoutesTest, AReplacementThatShrinksTheShopTooMuchIsRefused) {
  const Response refused = Fetch("POST", "/v1/catalog/import?mode=replace", kLamp);
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr(R"("code":"replace_refused")"));
  EXPECT_THAT(refused.body, HasSubstr("3 of 3 products are left out, more than 20 %"));
  EXPECT_TRUE(shop_.shop().reader().FindProduct("k20")->has_value());
  EXPECT_EQ(Fetch("POST", "/v1/catalog/import?mode=replace&shrink_limit=1", kLamp).status, 200);
  EXPECT_FALSE(shop_.shop().reader().FindProduct("k20")->has_value());
  EXPECT_TRUE(shop_.shop().reader().FindProduct("n1")->has_value());
}

TEST_F(CatalogRoutesTest, ManyResultsAreStreamed) {
  const auto client = Send(ManyRows(2000));
  ASSERT_TRUE(client->WaitForEnd(std::chrono::seconds(60)));
  EXPECT_TRUE(client->is_stream());
  const Response response = client->response();
  EXPECT_EQ(response.content_type, "application/x-ndjson");
  EXPECT_EQ(LinesOf(response.body), 2000);
  EXPECT_THAT(response.body, ::testing::EndsWith(R"("id":"m1999","status":"created"})"
                                                 "\n"));
  EXPECT_EQ(Fetch("GET", "/v1/jobs/" + JobIdOf(response) + "/results").body, response.body);
  const auto again = Send(ManyRows(2000));  // the key gives the same, and nothing runs
  ASSERT_TRUE(again->WaitForEnd(std::chrono::seconds(60)));
  EXPECT_EQ(again->response().body, response.body);
  EXPECT_EQ(JobIdOf(again->response()), JobIdOf(response));
}

TEST_F(CatalogRoutesTest, AStreamOfAnImportThatFailsEndsWithTheError) {
  const auto client = Send(ManyRows(2000, "replace"));
  ASSERT_TRUE(client->WaitForEnd(std::chrono::seconds(60)));
  ASSERT_TRUE(client->is_stream());
  const std::string body = client->response().body;
  EXPECT_EQ(LinesOf(body), 2001);
  const std::string last = body.substr(body.rfind('\n', body.size() - 2) + 1);
  EXPECT_THAT(last, HasSubstr(R"({"error":{"code":"replace_refused")"));
  EXPECT_EQ(Fetch("GET", "/v1/jobs/" + JobIdOf(client->response())).status, 200);
}

TEST_F(CatalogRoutesTest, AnImportGoesAsFastAsItsResultsAreRead) {
  constexpr size_t kQueue = 32u << 10;
  const auto client = Send(ManyRows(2500), {.reads = false, .max_stream_queue_bytes = kQueue});
  std::string body;
  size_t most = 0;
  while (!client->WaitForEnd(std::chrono::milliseconds(1))) {
    const std::string some = client->Read();
    most = std::max(most, some.size());
    body += some;
  }
  body += client->Read();
  EXPECT_EQ(client->end(), StreamEnd::kFinished);
  EXPECT_EQ(LinesOf(body), 2500);
  EXPECT_LE(most, kQueue);
}

TEST_F(CatalogRoutesTest, AClientThatLeavesDoesNotEndTheImport) {
  const auto client = Send(ManyRows(2000), {.reads = false, .max_stream_queue_bytes = 32u << 10});
  ASSERT_TRUE(client->WaitForAnswer(std::chrono::seconds(60)));
  client->Leave();
  std::promise<void> imported;
  imports_->Submit([&imported] { imported.set_value(); });
  imported.get_future().wait();
  EXPECT_TRUE(shop_.shop().reader().FindProduct("m1999")->has_value());
  const auto again = Send(ManyRows(2000));
  ASSERT_TRUE(again->WaitForEnd(std::chrono::seconds(60)));
  EXPECT_EQ(LinesOf(again->response().body), 2000);
}

TEST_F(CatalogRoutesTest, DuplicatesAreNamedOrLeftOut) {
  const std::string twins = R"({"id":"t1","title":"Pen","gtin":"4006381333931"})"
                            "\n"
                            R"({"id":"t2","title":"Pen","gtin":"04006381333931"})"
                            "\n";
  const Response skipped = Fetch("POST", "/v1/catalog/import?dedupe=skip", twins);
  EXPECT_THAT(skipped.body, HasSubstr(R"("id":"t2","status":"duplicate","duplicate_of":"t1")"));
  EXPECT_FALSE(shop_.shop().reader().FindProduct("t2")->has_value());
  // A change by itself is known to the next import.
  EXPECT_EQ(
      Fetch("PUT", "/v1/catalog/products/t3", R"({"title":"Cup","brand":"Acme","mpn":"CUP-77"})")
          .status,
      201);
  const Response reported = Fetch("POST", "/v1/catalog/import?dedupe=report",
                                  R"({"id":"t4","title":"Cup","brand":"ACME","mpn":"cup77"})");
  EXPECT_THAT(reported.body, HasSubstr(R"("status":"created","duplicate_of":"t3")"));
  EXPECT_THAT(Fetch("GET", "/v1/jobs/" + JobIdOf(reported)).body, HasSubstr(R"("duplicates":1)"));
  EXPECT_EQ(Fetch("POST", "/v1/catalog/import?dedupe=merge", twins).status, 400);
}

TEST_F(CatalogRoutesTest, APatchIsLiveWhenItIsAnswered) {
  EXPECT_EQ(SearchUpTo(4700).hits.size(), 1u);
  const Response patched =
      Fetch("PATCH", "/v1/catalog/products/k20", R"({"price":{"amount":4599,"currency":"USD"}})");
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(patched.body, R"({"id":"k20","status":"updated"})");
  EXPECT_EQ(SearchUpTo(4700).hits.size(), 2u);
  EXPECT_EQ((*shop_.shop().reader().FindProduct("k20"))->title, "Torvane Glide Kettle K20");
  EXPECT_EQ(Fetch("PATCH", "/v1/catalog/products/zzz", R"({"title":"T"})").status, 404);
  const Response wrong = Fetch("PATCH", "/v1/catalog/products/k20", R"({"id":"k80","title":"T"})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr(R"("param":"id")"));
  EXPECT_THAT(Fetch("PATCH", "/v1/catalog/products/k20", R"({"price":7})").body,
              HasSubstr(R"("param":"price")"));
  EXPECT_EQ(Fetch("PATCH", "/v1/catalog/products/k20", "[]").status, 400);
}

TEST_F(CatalogRoutesTest, PutMakesOrReplacesAndDeleteTakesAway) {
  EXPECT_EQ(Fetch("PUT", "/v1/catalog/products/n1", R"({"title":"Lamp"})").status, 201);
  EXPECT_EQ(Fetch("PUT", "/v1/catalog/products/n1", R"({"id":"n1","title":"Lamp 2"})").status, 200);
  EXPECT_EQ((*shop_.shop().reader().FindProduct("n1"))->title, "Lamp 2");
  EXPECT_EQ(Fetch("PUT", "/v1/catalog/products/n1", R"({"brand":"x"})").status, 400);
  EXPECT_EQ(Fetch("DELETE", "/v1/catalog/products/n1").status, 200);
  EXPECT_EQ(Fetch("DELETE", "/v1/catalog/products/n1").status, 404);
  EXPECT_EQ(Fetch("PUT", "/v1/catalog/products/-", R"({"title":"T"})").status, 400);
}

// The import's thread is taken for as long as the test likes: a change of a price passes it by.
TEST_F(CatalogRoutesTest, AChangeOfAPriceDoesNotWaitForAnImport) {
  std::mutex mutex;
  mutex.lock();
  imports_->Submit([&] { const std::lock_guard wait(mutex); });
  EXPECT_EQ(Fetch("PATCH", "/v1/catalog/products/k20", R"({"availability":"out_of_stock"})").status,
            200);
  mutex.unlock();
  FinishImports();
}

TEST_F(CatalogRoutesTest, ErrorsHaveTheOneShape) {
  for (const Response& response :
       {Fetch("POST", "/v1/catalog/import?mode=insert", kLamp), Fetch("GET", "/v1/jobs/none"),
        Fetch("POST", "/v1/jobs?colour=red", kLamp), Fetch("DELETE", "/v1/jobs/none"),
        Fetch("GET", "/v1/jobs/none/results"),
        Fetch("PATCH", "/v1/catalog/products/k20", "{oops")}) {
    EXPECT_GE(response.status, 400);
    EXPECT_THAT(response.body, HasSubstr(R"({"error":{"code":")"));
    EXPECT_THAT(response.body, HasSubstr(R"("request_id":"req-1")"));
    EXPECT_THAT(response.body, Not(HasSubstr(shop_.directory())));
  }
}

}  // namespace
}  // namespace emptor::services
