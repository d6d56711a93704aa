// The files of the admin page, and the routes of shops that it reaches on the admin port.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
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
    auto forwarded = MakeForwardedRoutes(
        shop_routes_, [this](const std::string& shop, size_t route,
                             const std::shared_ptr<Exchange>& exchange, std::string_view tail) {
          const Route& target = shop_routes_.at(route);
          forwarded_.push_back(shop + " " + target.method + " " + target.pattern + " " +
                               std::string(tail));
          exchange->Respond({});
        });
    EXPECT_TRUE(forwarded.ok()) << forwarded.status();
    for (Route& route : *forwarded) routes.push_back(std::move(route));
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
  const std::vector<Route> shop_routes_ = {
      {"GET", "/v1/jobs", Access::kCatalog, nullptr},
      {"DELETE", "/v1/jobs/{id}", Access::kCatalog, nullptr},
      {"GET", "/v1/jobs/{id}/dead_letters", Access::kCatalog, nullptr},
      {"GET", "/v1/faq/entries", Access::kCatalog, nullptr},
      {"PUT", "/v1/faq/entries/{id}", Access::kCatalog, nullptr},
      {"DELETE", "/v1/faq/entries/{id}", Access::kCatalog, nullptr},
      {"GET", "/v1/faq/suggestions", Access::kCatalog, nullptr}};
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

TEST_F(AdminPageTest, ARouteThatNoShopHasIsAnError) {
  const std::span<const Route> but_one(shop_routes_.data(), shop_routes_.size() - 1);
  EXPECT_EQ(MakeForwardedRoutes(but_one, nullptr).status().message(),
            "no route GET /v1/faq/suggestions");
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
