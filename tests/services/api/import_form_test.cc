// Feeds as a part of a form, with their options as other parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "services/api/catalog_routes.h"
#include "services/http/in_memory_exchange.h"
#include "services/http/multipart_form.h"
#include "tests/services/assistant/test_shop.h"
#include "tests/services/support/test_gate.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestShop;

class ImportFormTest : public ::testing::Test {
 protected:
  Response Post(const std::string& path, const std::vector<FormPart>& parts,
                std::vector<std::pair<std::string, std::string>> query = {}) {
    MultipartForm form = WriteMultipartForm(parts);
    return Post(path, form.content_type, std::move(form.body), std::move(query));
  }
  Response Post(const std::string& path, const std::string& content_type, std::string body,
                std::vector<std::pair<std::string, std::string>> query) {
    Request request;
    request.method = "POST";
    request.path = path;
    request.query = std::move(query);
    request.headers.emplace_back("content-type", content_type);
    request.body = std::move(body);
    request.id = "req-1";
    gate_.Sign(request);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(20)));
    return client->response();
  }

  testing::TestGate gate_;
  TestShop shop_;
  std::unique_ptr<Jobs> jobs_ =
      *Jobs::Open(shop_.shop().writer(), {.directory = shop_.directory() + "/jobs"});
  std::unique_ptr<WorkerPool> changes_ = std::make_unique<WorkerPool>(1, 64);
  std::unique_ptr<WorkerPool> imports_ = std::make_unique<WorkerPool>(1, 4);
  std::unique_ptr<Router> router_ = std::make_unique<Router>(
      MakeCatalogRoutes({shop_.shop().writer(), *jobs_, *changes_, *imports_}), gate_.gate(),
      nullptr);
};

constexpr const char* kImport = "/v1/catalog/import";
constexpr const char* kMapping = R"({"columns":{"Nr":"id","Name":"title"},"delimiter":";"})";
constexpr const char* kTable = "Nr;Name\nf1;Lamp\nf2;Mug\n";

TEST_F(ImportFormTest, TakesAMappingThatNoRequestLineHolds) {
  std::string mapping = R"({"columns":{"Nr":"id","Name":"title")", head = "Nr;Name",
              row = "f1;Lamp";
  for (int i = 0; i < 190; ++i) {
    const std::string column = "Eigenschaft " + std::string(60, 'x') + std::to_string(i);
    mapping += ",\"" + column + "\":\"attributes.a" + std::to_string(i) + "\"";
    head += ";" + column;
    row += ";v" + std::to_string(i);
  }
  mapping += "},\"delimiter\":\";\"}\n";
  ASSERT_GT(mapping.size(), 16000u);
  const std::string feed = head + "\n" + row + "\n";
  const Response response = Post(kImport, {{"columns", mapping}, {"feed", feed}});
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.body, "{\"line\":2,\"id\":\"f1\",\"status\":\"created\"}\n");
  const auto product = shop_.shop().reader().FindProduct("f1");
  ASSERT_TRUE(product.ok() && product->has_value());
  EXPECT_EQ((*product)->attributes.size(), 190u);
}

TEST_F(ImportFormTest, OptionsMeanTheSameInTheQueryAndInTheForm) {
  const Response form = Post(
      kImport,
      {{"columns", kMapping}, {"mode", "create"}, {"idempotency_key", "night"}, {"feed", kTable}});
  EXPECT_EQ(form.status, 200) << form.body;
  // The same key, feed and options give the same job.
  const Response again =
      Post(kImport, {{"feed", kTable}},
           {{"columns", kMapping}, {"mode", "create"}, {"idempotency_key", "night"}});
  EXPECT_EQ(again.body, form.body);
  const Response plain =
      Post(kImport, "text/csv", kTable,
           {{"columns", kMapping}, {"mode", "create"}, {"idempotency_key", "night"}});
  EXPECT_EQ(plain.body, form.body);
  EXPECT_THAT(form.body, HasSubstr(R"("id":"f2","status":"created")"));
}

TEST_F(ImportFormTest, AJobKeepsTheFeedAndNotTheForm) {
  const Response job = Post("/v1/jobs", {{"feed", kTable}, {"columns", kMapping}});
  EXPECT_EQ(job.status, 202) << job.body;
  EXPECT_THAT(job.body,
              HasSubstr("\"kept_feed_bytes\":" + std::to_string(std::string(kTable).size())));
  imports_ = std::make_unique<WorkerPool>(1, 4);  // ends when what was queued has run
  EXPECT_TRUE((*shop_.shop().reader().FindProduct("f2")).has_value());
}

TEST_F(ImportFormTest, RefusesWhatItWouldHaveToGuess) {
  const auto refusal = [&](const std::vector<FormPart>& parts) {
    const Response response = Post(kImport, parts, {{"mode", "create"}});
    EXPECT_EQ(response.status, 400);
    return response.body;
  };
  EXPECT_THAT(refusal({{"columns", kMapping}}), HasSubstr("feed: the form has no such part"));
  EXPECT_THAT(refusal({{"feed", kTable}, {"feed", kTable}}), HasSubstr("feed: given twice"));
  EXPECT_THAT(refusal({{"mode", "update"}, {"feed", kTable}}), HasSubstr("mode: given twice"));
  EXPECT_THAT(refusal({{"spaltn", "x"}, {"feed", kTable}}), HasSubstr("spaltn"));
  EXPECT_THAT(refusal({{"columns", "{"}, {"feed", kTable}}), HasSubstr("columns"));
  const Response cut = Post(kImport, "multipart/form-data; boundary=b", "--b\r\n", {});
  EXPECT_EQ(cut.status, 400);
  EXPECT_THAT(cut.body, HasSubstr("form: "));
  EXPECT_FALSE((*shop_.shop().reader().FindProduct("f1")).has_value());
}

TEST_F(ImportFormTest, AnOptionOfTheQueryMayNotRepeat) {
  const Response twice =
      Post(kImport, "text/csv", "id,title\nf1,Lamp\n", {{"mode", "upsert"}, {"mode", "create"}});
  EXPECT_EQ(twice.status, 400);
  EXPECT_THAT(twice.body, HasSubstr("mode: given twice"));
}

}  // namespace
}  // namespace emptor::services
