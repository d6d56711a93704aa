// What the admin page uses, over the admin port of a service.
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

class AdminPortTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto app = App::Start(testing::ConfigWithoutModel(data_.path()));
    ASSERT_TRUE(app.ok()) << app.status();
    app_ = *std::move(app);
  }
  HttpReply Send(const std::string& url, const std::string& method, const std::string& target,
                 const std::string& body = "", const std::string& more = "") const {
    HttpConnection connection(std::stoi(url.substr(url.rfind(':') + 1)));
    EXPECT_TRUE(connection.Send(
        method + " " + target + " HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n" + more +
        "Content-Type: application/json\r\nAuthorization: Bearer " + ReadOwnKey(data_.path()) +
        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body));
    return connection.ReadReply(std::chrono::seconds(30));
  }
  HttpReply Admin(const std::string& method, const std::string& target,
                  const std::string& body = "", const std::string& more = "") const {
    return Send(app_->admin_url(), method, target, body, more);
  }

  const emptor::testing::TemporaryDirectory data_;
  std::unique_ptr<App> app_;
};

TEST_F(AdminPortTest, EntriesOfTheFaqAreWrittenThereAsOnTheOtherPort) {
  const std::string entry = R"({"questions":["Do you ship to Iceland?"],"answer":"Yes."})";
  EXPECT_EQ(
      Admin("PUT", "/admin/shops/default/faq?id=iceland", entry, "If-None-Match: *\r\n").status,
      201);
  EXPECT_EQ(
      Admin("PUT", "/admin/shops/default/faq?id=iceland", entry, "If-None-Match: *\r\n").status,
      412);
  const HttpReply listed = Admin("GET", "/admin/shops/default/faq?limit=5");
  EXPECT_EQ(listed.status, 200);
  EXPECT_THAT(listed.body, HasSubstr(R"("id":"iceland","questions":["Do you ship to Iceland?"])"));
  // The log of changes names the key that the admin port saw.
  const HttpReply changes = Send(app_->url(), "GET", "/v1/faq/changes");
  EXPECT_THAT(changes.body, HasSubstr("iceland"));
  EXPECT_THAT(changes.body, Not(HasSubstr("no key")));
  EXPECT_EQ(Admin("DELETE", "/admin/shops/default/faq?id=iceland").status, 200);
  EXPECT_EQ(Admin("PUT", "/admin/shops/none/faq?id=iceland", entry).status, 404);
  EXPECT_EQ(Admin("GET", "/admin/shops/default/faq?limit=0").status, 400);
}

TEST_F(AdminPortTest, JobsOfAShopAreListedThere) {
  const std::string feed = R"({"id":"a","title":"A kettle"})"
                           "\n"
                           R"({"id":"b"})"
                           "\n";
  ASSERT_EQ(Send(app_->url(), "POST", "/v1/catalog/import", feed).status, 200);
  const HttpReply jobs = Admin("GET", "/admin/shops/default/jobs");
  EXPECT_THAT(jobs.body, HasSubstr(R"("id":"job-00000001","state":"done")"));
  const HttpReply letters = Admin("GET", "/admin/shops/default/dead-letters?id=job-00000001");
  EXPECT_EQ(letters.status, 200);
  EXPECT_THAT(letters.body, HasSubstr(R"("id":"b","field":"title")"));
  EXPECT_EQ(Admin("DELETE", "/admin/shops/default/jobs?id=job-00000001").status, 409) << "it ended";
  EXPECT_EQ(Admin("DELETE", "/admin/shops/default/jobs?id=none").status, 404);
}

TEST_F(AdminPortTest, QuestionsThatTheServiceAsksItselfAreNotCounted) {
  EXPECT_THAT(Admin("GET", "/admin/shops/default/activity").body, HasSubstr("\"answers\":0,"));
  EXPECT_THAT(Admin("GET", "/admin/shops/default/answers").body, HasSubstr("\"answers\":[]"));
  EXPECT_THAT(Admin("GET", "/admin/shops/default/unanswered").body, HasSubstr("\"questions\":[]"));
}

TEST_F(AdminPortTest, SearchesThatFoundNothingAreListed) {
  const std::string search = R"({"query":"kettle of ann@example.com"})";
  EXPECT_THAT(Send(app_->url(), "POST", "/v1/search", search).body, HasSubstr("\"items\":[]"));
  const std::string feed = R"({"id":"a","title":"A kettle","locale":"en"})";
  ASSERT_EQ(Send(app_->url(), "POST", "/v1/catalog/import", feed).status, 200);
  EXPECT_THAT(Send(app_->url(), "POST", "/v1/search", R"({"query":"kettle"})").body,
              HasSubstr("A kettle"));
  // That a filter leaves nothing does not say that the shop has nothing.
  const std::string filtered = R"({"query":"kettle","filters":{"brands":["Torvane"]}})";
  EXPECT_THAT(Send(app_->url(), "POST", "/v1/search", filtered).body, HasSubstr("\"items\":[]"));
  const std::string listed = Admin("GET", "/admin/shops/default/unanswered").body;
  EXPECT_THAT(listed,
              HasSubstr(R"([{"kind":"empty_search","question":"kettle of \u003cemail\u003e",)"));
  EXPECT_THAT(Admin("GET", "/metrics").body,
              HasSubstr("emptor_unanswered_questions_total{kind=\"empty_search\"} 1"));
}

TEST_F(AdminPortTest, ThePageIsOnTheAdminPortAlone) {
  EXPECT_THAT(Admin("GET", "/admin").head, HasSubstr("Content-Type: text/html"));
  for (const char* path : {"/admin", "/assets/admin/admin_page.js", "/assets/admin_page.js"}) {
    EXPECT_EQ(Send(app_->url(), "GET", path).status, 404) << path;
  }
}

}  // namespace
}  // namespace emptor::services
