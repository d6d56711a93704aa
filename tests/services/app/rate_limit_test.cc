// Limits of a running service, asked through a proxy of this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "services/app/app.h"
#include "services/auth/key_store.h"
#include "tests/services/support/test_config.h"
#include "tests/support/child_process.h"
#include "tests/support/sse_client.h"

namespace emptor::services {
namespace {

using emptor::testing::HttpConnection;
using emptor::testing::HttpReply;
using ::testing::HasSubstr;
using ::testing::Not;

class RateLimitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Config config = testing::ConfigWithoutModel(data_.path());
    config.open_reading = "always";
    config.address_requests_per_minute = 10;  // two at once
    auto app = App::Start(config);
    ASSERT_TRUE(app.ok()) << app.status();
    app_ = *std::move(app);
  }
  HttpReply Get(const std::string& path, const std::string& lines, bool is_admin_port = false) {
    const std::string& url = is_admin_port ? app_->admin_url() : app_->url();
    HttpConnection connection(std::stoi(url.substr(url.rfind(':') + 1)));
    EXPECT_TRUE(connection.Send("GET " + path + " HTTP/1.1\r\nConnection: close\r\n" +
                                "Host: localhost\r\n" + lines + "\r\n"));
    return connection.ReadReply(std::chrono::seconds(30));
  }
  const emptor::testing::TemporaryDirectory data_;
  std::unique_ptr<App> app_;
};

TEST_F(RateLimitTest, AClientBehindAProxyIsLimitedAndNobodyElse) {
  const std::string client = "X-Forwarded-For: 198.51.100.7\r\n";
  const std::string path = "/v1/autocomplete?q=ket";
  const HttpReply first = Get(path, client);
  EXPECT_EQ(first.status, 200);
  EXPECT_THAT(first.head, HasSubstr("RateLimit: \"requests-per-address\";r=1;t=6\r\n"));
  EXPECT_THAT(first.head, HasSubstr("RateLimit-Policy: \"requests-per-address\";q=10;w=60"));
  EXPECT_EQ(Get(path, client).status, 200);
  const HttpReply refused = Get(path, client);
  EXPECT_EQ(refused.status, 429);
  EXPECT_THAT(refused.head, HasSubstr("Retry-After: "));
  EXPECT_THAT(refused.body, HasSubstr("rate_limited"));
  EXPECT_EQ(Get(path, "X-Forwarded-For: 198.51.100.8\r\n").status, 200);
  for (int i = 0; i < 5; ++i) {
    const HttpReply own = Get(path, "");
    EXPECT_EQ(own.status, 200) << "a program of this machine";
    EXPECT_THAT(own.head, Not(HasSubstr("RateLimit")));
    EXPECT_EQ(Get("/", client).status, 200) << "a page";
    EXPECT_EQ(Get("/healthz", client, true).status, 200);
    EXPECT_EQ(Get("/readyz", client, true).status, 200);
    EXPECT_EQ(
        Get(path, client + "Authorization: Bearer " + ReadOwnKey(data_.path()) + "\r\n").status,
        200)
        << "the operator";
  }
  const std::string metrics = Get("/metrics", client, true).body;
  EXPECT_THAT(metrics, HasSubstr("emptor_rate_limited_total{limit=\"requests\",of=\"address\"} 1"));
}

}  // namespace
}  // namespace emptor::services
