// The service on the sample shop: event order, images and pages, refusals, the admin port.
#include <gtest/gtest.h>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using catalog::JsonValue;

/// One data folder and one service for all tests of the suite: they only read.
class SampleShopTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    directory_ = std::make_unique<TemporaryDirectory>();
    std::string output;
    const int code = RunEmptor(
        {"ingest", SourcePath("data/sample-shop/products.jsonl"),
         SourcePath("data/sample-shop/products.zh-CN.jsonl"),
         SourcePath("data/sample-shop/faq.jsonl"), "--data-dir", directory_->path() + "/shop"},
        &output);
    ASSERT_EQ(code, 0) << output;
    service_ = std::make_unique<ServiceProcess>(directory_->path() + "/shop");
  }
  static void TearDownTestSuite() {
    service_.reset();
    directory_.reset();
  }

  static std::unique_ptr<TemporaryDirectory> directory_;
  static std::unique_ptr<ServiceProcess> service_;
};

std::unique_ptr<TemporaryDirectory> SampleShopTest::directory_;
std::unique_ptr<ServiceProcess> SampleShopTest::service_;

std::string StringMember(const JsonValue& object, std::string_view name) {
  const JsonValue* member = object.Find(name);
  return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

TEST_F(SampleShopTest, ShowsProductsBeforeTheFirstWordAndEndsOnce) {
  const Answer answer = service_->Ask("Which kettle under $60 do you recommend?");
  ASSERT_EQ(answer.status, 200);
  ASSERT_GE(answer.events.size(), 4u);
  EXPECT_EQ(answer.events[0].name, "start");
  EXPECT_EQ(answer.events[1].name, "products");
  EXPECT_EQ(answer.events.back().name, "done");
  EXPECT_EQ(answer.CountOf("done") + answer.CountOf("error"), 1);
  int64_t last_id = -1;
  for (const SseEvent& event : answer.events) {
    ASSERT_FALSE(event.id.empty()) << event.name;
    EXPECT_GT(std::stoll(event.id), last_id);
    last_id = std::stoll(event.id);
  }
  EXPECT_FALSE(answer.text.empty());
  ASSERT_FALSE(answer.products.empty());
  for (const JsonValue& item : answer.products) {
    EXPECT_LE(item.Find("price")->Find("amount")->as_int(), 6000) << StringMember(item, "id");
    EXPECT_EQ(StringMember(item, "url").rfind("http", 0), 0u);
    EXPECT_EQ(StringMember(item, "image_url").rfind("http", 0), 0u);
  }
}

TEST_F(SampleShopTest, ServesTheImageAndThePageOfEveryCard) {
  const Answer answer = service_->Ask("Show me running shoes");
  ASSERT_FALSE(answer.products.empty());
  for (const JsonValue& item : answer.products) {
    const std::string image = StringMember(item, "image_url");
    const HttpReply picture =
        Fetch(service_->port(), "GET", image.substr(image.find('/', image.find("//") + 2)));
    EXPECT_EQ(picture.status, 200) << image;
    EXPECT_NE(picture.head.find("image/svg+xml"), std::string::npos);
    const std::string id = StringMember(item, "id");
    EXPECT_EQ(StringMember(service_->GetJson("/v1/products/" + id), "title"),
              StringMember(item, "title"));
    EXPECT_EQ(Fetch(service_->port(), "GET", "/p/" + id).status, 200);
  }
}

TEST_F(SampleShopTest, AnswersTheFaqFromItsEntry) {
  const Answer answer = service_->Ask("How long does shipping take?");
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.text.find("business days"), std::string::npos) << answer.text;
}

TEST_F(SampleShopTest, RefusesWhatItShouldWithACode) {
  const struct {
    const char* method;
    const char* path;
    const char* body;
    int status;
  } cases[] = {
      {"POST", "/v1/assist", "{", 400},
      {"POST", "/v1/assist", "{\"message\":\"\"}", 400},
      {"POST", "/v1/assist", "{\"message\":7}", 400},
      {"POST", "/v1/search", "{\"query\":\"kettle\",\"limit\":0}", 400},
      {"GET", "/v1/products/no-such-product", "", 404},
      {"GET", "/nowhere", "", 404},
      {"GET", "/metrics", "", 404},
      {"DELETE", "/v1/assist", "", 405},
  };
  for (const auto& test : cases) {
    const HttpReply reply = Fetch(service_->port(), test.method, test.path, test.body);
    EXPECT_EQ(reply.status, test.status) << test.method << " " << test.path << " " << test.body;
    const auto json = catalog::ParseJson(reply.body);
    ASSERT_TRUE(json.ok()) << reply.body;
    const JsonValue* error = json->Find("error");
    ASSERT_NE(error, nullptr) << reply.body;
    EXPECT_FALSE(StringMember(*error, "code").empty());
    EXPECT_FALSE(StringMember(*error, "request_id").empty());
  }
}

TEST_F(SampleShopTest, AdminPortReportsHealthAndMetrics) {
  EXPECT_EQ(Fetch(service_->admin_port(), "GET", "/healthz").status, 200);
  EXPECT_EQ(Fetch(service_->admin_port(), "GET", "/readyz").status, 200);
  const HttpReply metrics = Fetch(service_->admin_port(), "GET", "/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_NE(metrics.body.find("emptor_"), std::string::npos);
}

}  // namespace
}  // namespace emptor::testing
