// The files of the admin page, and the routes of shops that it reaches on the admin port.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/api/admin_page_routes.h"
#include "services/http/in_memory_exchange.h"
#include "tests/services/support/test_gate.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class AdminPageTest : public ::testing::Test {
 protected:
  AdminPageTest() {
    std::vector<Route> routes = MakeAdminPageRoutes(pages_);
    for (Route& route : MakeForwardedRoutes(
             [this](const std::string&shop, std::string_view method, std::string_view pattern,
                    const std::shared_ptr<Exchange>&exchange, std::string_view tail) {
               forwarded_.push_back(shop + " " + std::string(method) + " " + std::string(pattern) +
                                    " " + std::string(tail));
               exchange->Respond({});
             })) {
      routes.push_back(std::move(route));
    }
    router_ = std::make_unique<Router>(std::move(routes), gate_.gate(), nullptr);
  }
  Response Fetch(const std::string& method, const std::string& path, bool has_key,
                 const std::string& id = "") {
    Request request;
    request.method = method;
    request.path = path;
    request.headers = {{"host", "shop.test"}, {"content-type", "application/json"}};
    if (!id.empty()) request.query.emplace_back("id", id);
    if (has_key) gate_.Sign(request);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(20)));
    return client->response();
  }
  static std::string HeaderOf(const Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }

  const StaticFiles pages_ = StaticFiles::Embedded();
  testing::TestGate gate_;
  std::vector<std::string> forwarded_;
  std::unique_ptr<Router> router_;
};

TEST_F(AdminPageTest, FilesNeedNoKeyAndRunUnderAStrictPolicy) {
  for (const char* path : {"/admin", "/admin/assets/admin/admin_page.js", "/admin/assets/dom.js"}) {
    const Response response = Fetch("GET", path, false);
    EXPECT_EQ(response.status, 200) << path;
    const std::string policy = HeaderOf(response, "Content-Security-Policy");
    EXPECT_THAT(policy, HasSubstr("default-src 'none'; script-src 'self'; style-src 'self'"));
    EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'; require-trusted-types-for 'script'"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  }
  const std::string page = Fetch("GET", "/admin", false).body;
  EXPECT_THAT(page, HasSubstr("/admin/assets/admin/admin_page.js"));
  for (const char* path : {"/admin/assets/admin/none.js", "/admin/assets/none.js"}) {
    EXPECT_EQ(Fetch("GET", path, false).status, 404) << path;
  }
  EXPECT_EQ(pages_.Find("/assets/admin_page.js"), nullptr) << "not among the files of shoppers";
}

TEST_F(AdminPageTest, RoutesOfAShopAreReachedWithAnAdminKeyAlone) {
  EXPECT_EQ(Fetch("GET", "/admin/shops/tools/jobs", true).status, 200);
  EXPECT_EQ(Fetch("DELETE", "/admin/shops/tools/jobs", true, "job-1").status, 200);
  EXPECT_EQ(Fetch("GET", "/admin/shops/tools/dead-letters", true, "job-1").status, 200);
  EXPECT_EQ(Fetch("GET", "/admin/shops/tools/faq", true).status, 200);
  EXPECT_EQ(Fetch("PUT", "/admin/shops/tools/faq", true, "returns").status, 200);
  EXPECT_EQ(Fetch("DELETE", "/admin/shops/tools/faq", true, "returns").status, 200);
  EXPECT_EQ(Fetch("GET", "/admin/shops/tools/faq-suggestions", true).status, 200);
  EXPECT_THAT(
      forwarded_,
      ElementsAre("tools GET /v1/jobs ", "tools DELETE /v1/jobs/{id} job-1",
                  "tools GET /v1/jobs/{id}/dead_letters job-1", "tools GET /v1/faq/entries ",
                  "tools PUT /v1/faq/entries/{id} returns",
                  "tools DELETE /v1/faq/entries/{id} returns", "tools GET /v1/faq/suggestions "));
  forwarded_.clear();
  EXPECT_EQ(Fetch("PUT", "/admin/shops/tools/faq", true).status, 400) << "without an id";
  EXPECT_EQ(Fetch("GET", "/admin/shops/tools/jobs", false).status, 401);
  EXPECT_EQ(Fetch("PUT", "/admin/shops/tools/faq", false, "returns").status, 401);
  EXPECT_THAT(forwarded_, ElementsAre());
}

}  // namespace
}  // namespace emptor::services
