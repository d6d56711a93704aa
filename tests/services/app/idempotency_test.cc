// A running service is sent the same request twice.
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

class IdempotencyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto app = App::Start(testing::ConfigWithoutModel(data_.path()));
    ASSERT_TRUE(app.ok()) << app.status();
    app_ = *std::move(app);
  }
  HttpReply Send(const std::string& method, const std::string& path, const std::string& body,
                 const std::string& key, bool is_admin_port = false) {
    const std::string& url = is_admin_port ? app_->admin_url() : app_->url();
    HttpConnection connection(std::stoi(url.substr(url.rfind(':') + 1)));
    EXPECT_TRUE(connection.Send(
        method + " " + path + " HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n" +
        "Content-Type: application/json\r\nAuthorization: Bearer " + ReadOwnKey(data_.path()) +
        "\r\n" + (key.empty() ? "" : "Idempotency-Key: " + key + "\r\n") +
        "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body));
    return connection.ReadReply(std::chrono::seconds(30));
  }
  const emptor::testing::TemporaryDirectory data_;
  std::unique_ptr<App> app_;
};

TEST_F(IdempotencyTest, EventsCountOnce) {
  const std::string body = R"({"events":[{"type":"click","product_id":"k20"}]})";
  const HttpReply first = Send("POST", "/v1/events", body, "\"e-1\"");
  EXPECT_EQ(first.status, 202);
  EXPECT_THAT(first.head, Not(HasSubstr("Idempotency-Replayed")));
  for (int i = 0; i < 3; ++i) {
    const HttpReply again = Send("POST", "/v1/events", body, "\"e-1\"");
    EXPECT_EQ(again.status, 202);
    EXPECT_EQ(again.body, first.body);
    EXPECT_THAT(again.head, HasSubstr("Idempotency-Replayed: true\r\n"));
  }
  EXPECT_EQ(Send("POST", "/v1/events", body + " ", "\"e-1\"").status, 422);
  EXPECT_EQ(Send("POST", "/v1/events", body, "").status, 202);
  EXPECT_THAT(Send("GET", "/admin/shops/default/activity", "", "", true).body,
              HasSubstr(R"("click":{"none":2,)"));
  EXPECT_THAT(Send("GET", "/metrics", "", "", true).body,
              HasSubstr("emptor_idempotency_requests_total{outcome=\"replayed\"} 3"));
}

TEST_F(IdempotencyTest, AQuestionIsOneTurnOfItsConversation) {
  const std::string body = R"({"message":"hello","conversation_id":"c_mine","stream":false})";
  const HttpReply first = Send("POST", "/v1/assist", body, "q-1");
  ASSERT_EQ(first.status, 200) << first.body;
  const HttpReply again = Send("POST", "/v1/assist", body, "q-1");
  EXPECT_EQ(again.body, first.body);
  const std::string kept = Send("GET", "/v1/conversations/c_mine", "", "").body;
  EXPECT_THAT(kept, HasSubstr(R"("answers":1)"));
  // A refused question may be mended under its key.
  EXPECT_EQ(Send("POST", "/v1/assist", R"({"stream":false})", "q-2").status, 400);
  EXPECT_EQ(Send("POST", "/v1/assist", body, "q-2").status, 200);
}

TEST_F(IdempotencyTest, AnImportOfTheFaqDoesNotUndoWhatCameAfterIt) {
  const std::string entry = R"({"id":"open","questions":["When do you open?"],"answer":"At 9."})";
  const HttpReply first = Send("POST", "/v1/faq/entries", entry, "f-1");
  ASSERT_EQ(first.status, 200) << first.body;
  const std::string changed =
      R"({"id":"open","questions":["When do you open?"],"answer":"At 10."})";
  EXPECT_EQ(Send("PUT", "/v1/faq/entries/open", changed, "").status, 200);
  EXPECT_EQ(Send("POST", "/v1/faq/entries", entry, "f-1").body, first.body);
  EXPECT_THAT(Send("GET", "/v1/faq/entries/open", "", "").body, HasSubstr("At 10."));
}

}  // namespace
}  // namespace emptor::services
