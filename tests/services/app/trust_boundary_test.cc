// Every route of both ports against every kind of caller that may not use it. The routes are those
// that the service serves, so that a new one cannot be left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "services/app/app.h"
#include "services/auth/audit_log.h"
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

// A route that does not say who may call it does not compile.
static_assert(!std::is_default_constructible_v<Route>);
static_assert(!std::is_constructible_v<Route, const char*, const char*, Route::Handle>);
static_assert(
    std::is_constructible_v<Route, const char*, const char*, Access, Route::Handle, size_t>);

constexpr const char* kOrigin = "https://shop.example";

/// Header lines by name, in place of those of a good request.
using Lines = std::map<std::string, std::string>;

class TrustBoundaryTest : public ::testing::Test {
 protected:
  void Start(const std::string& open_reading) {
    Config config = testing::ConfigWithoutModel(data_.path());
    config.open_reading = open_reading;
    auto app = App::Start(config);
    ASSERT_TRUE(app.ok()) << app.status();
    app_ = *std::move(app);
    own_ = ReadOwnKey(data_.path());
  }
  void IssueKeys() {
    auto keys = KeyStore::Open(data_.path());
    ASSERT_TRUE(keys.ok()) << keys.status();
    const auto issue = [&](KeyKind kind, const std::string& shop) {
      KeyRecord wanted;
      wanted.principal.kind = kind;
      wanted.principal.shop = shop;
      if (kind == KeyKind::kBrowser) wanted.principal.origins = {kOrigin};
      auto issued = (*keys)->Issue(std::move(wanted));
      EXPECT_TRUE(issued.ok()) << issued.status();
      return issued->text;
    };
    browser_ = issue(KeyKind::kBrowser, "default");
    server_ = issue(KeyKind::kServer, "default");
    other_ = issue(KeyKind::kServer, "other");
  }
  int PortOf(const std::string& url) const { return std::stoi(url.substr(url.rfind(':') + 1)); }
  /// A request of the route; `lines` with an empty value are left out.
  HttpReply Send(bool is_admin_port, const Route& route, const Lines& lines,
                 const std::string& body = "{") const {
    std::string path = route.pattern;
    if (const size_t brace = path.find('{'); brace != std::string::npos) {
      path.replace(brace, path.find('}') + 1 - brace, "x");
    }
    const int port = PortOf(is_admin_port ? app_->admin_url() : app_->url());
    Lines all = {{"Host", "localhost:" + std::to_string(port)},
                 {"Authorization", "Bearer " + own_},
                 {"Content-Type", "application/json"}};
    for (const auto& [name, value] : lines) all[name] = value;
    std::string request = route.method + " " + path + " HTTP/1.1\r\nConnection: close\r\n";
    for (const auto& [name, value] : all) {
      if (!value.empty()) request += name + ": " + value + "\r\n";
    }
    request += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    HttpConnection connection(port);
    EXPECT_TRUE(connection.Send(request));
    return connection.ReadReply(std::chrono::seconds(30));
  }
  /// Calls `visit(is_admin_port, route)` for every route that changes or computes something.
  template <typename Visit>
  void ForEachChange(Visit visit) const {
    for (const bool is_admin_port : {false, true}) {
      for (const Route& route : is_admin_port ? app_->admin_routes() : app_->routes()) {
        if (route.method != "GET") visit(is_admin_port, route);
      }
    }
  }
  static std::string CodeOf(const HttpReply& reply) {
    const std::string head = "\"code\":\"";
    const size_t begin = reply.body.find(head);
    if (begin == std::string::npos) return "";
    const size_t from = begin + head.size();
    return reply.body.substr(from, reply.body.find('"', from) - from);
  }

  const emptor::testing::TemporaryDirectory data_;
  std::unique_ptr<App> app_;
  std::string own_, browser_, server_, other_;
};

TEST_F(TrustBoundaryTest, NoChangeIsAcceptedFromWhoMayNotMakeIt) {
  IssueKeys();
  Start("never");
  struct Attack {
    const char* name;
    Lines lines;
    std::set<std::string> codes;  // the refusal has one of these
  };
  const auto bearer = [](const std::string& key) { return "Bearer " + key; };
  const std::string broken = own_.substr(0, own_.size() - 1) + (own_.back() == '0' ? "1" : "0");
  const std::vector<Attack> attacks = {
      {"no key", {{"Authorization", ""}}, {"key_needed"}},
      {"empty key", {{"Authorization", "Bearer"}}, {"key_needed"}},
      {"nearly the key", {{"Authorization", bearer(broken)}}, {"unknown_key"}},
      {"some key", {{"Authorization", "Bearer sk-1234"}}, {"unknown_key"}},
      {"key by another scheme", {{"Authorization", "Basic " + own_}}, {"key_needed"}},
      {"two keys", {{"authorization", bearer(own_)}}, {"bad_request"}},
      {"key of another shop",
       {{"Authorization", bearer(other_)}, {"X-Emptor-Shop", "default"}},
       {"wrong_shop", "wrong_scope"}},
      {"browser key from nowhere", {{"Authorization", bearer(browser_)}}, {"foreign_origin"}},
      {"foreign origin", {{"Origin", "https://evil.example"}}, {"foreign_origin"}},
      {"origin of nothing", {{"Origin", "null"}}, {"foreign_origin"}},
      {"another port of this machine", {{"Origin", "http://localhost:1"}}, {"foreign_origin"}},
      {"foreign page without origin", {{"Sec-Fetch-Site", "cross-site"}}, {"foreign_origin"}},
      {"foreign page with a browser key",
       {{"Authorization", bearer(browser_)}, {"Origin", "https://evil.example"}},
       {"foreign_origin"}},
      {"plain text", {{"Content-Type", "text/plain"}}, {"unsupported_media_type"}},
      {"rebinding host", {{"Host", "evil.example"}}, {"unknown_host"}},
      {"rebinding host with port", {{"Host", "localhost.evil.example:8080"}}, {"unknown_host"}}};
  int tried = 0;
  ForEachChange([&](bool is_admin_port, const Route& route) {
    for (const Attack& attack : attacks) {
      const HttpReply reply = Send(is_admin_port, route, attack.lines);
      EXPECT_TRUE(attack.codes.contains(CodeOf(reply)))
          << attack.name << ": " << route.method << " " << route.pattern << ": " << reply.status
          << " " << reply.body;
      ++tried;
    }
    // Of the right caller the same request is no matter of access.
    const HttpReply good = Send(is_admin_port, route, {});
    for (const int refused : {401, 403, 415, 421}) {
      EXPECT_NE(good.status, refused) << route.method << " " << route.pattern << " " << good.body;
    }
  });
  EXPECT_GT(tried, 300);
  const Route page("GET", "/", Access::kOpen, nullptr);
  EXPECT_THAT(Send(false, page, {{"Host", "evil.example"}}, "").head,
              HasSubstr("HTTP/1.1 421 Misdirected Request"));
}

TEST_F(TrustBoundaryTest, AKeyOfTooNarrowAScopeIsRefused) {
  IssueKeys();
  Start("never");
  for (const bool is_admin_port : {false, true}) {
    for (const Route& route : is_admin_port ? app_->admin_routes() : app_->routes()) {
      const std::string what = route.method + " " + route.pattern;
      const HttpReply browser =
          Send(is_admin_port, route, {{"Authorization", "Bearer " + browser_}, {"Origin", kOrigin}},
               route.method == "GET" ? "" : "{");
      const HttpReply server = Send(is_admin_port, route, {{"Authorization", "Bearer " + server_}},
                                    route.method == "GET" ? "" : "{");
      const bool is_catalog = route.access == Access::kCatalog;
      const bool is_admin = route.access == Access::kAdmin;
      EXPECT_EQ(CodeOf(browser) == "wrong_scope", is_catalog || is_admin) << what << browser.body;
      EXPECT_EQ(CodeOf(server) == "wrong_scope", is_admin) << what << server.body;
      if (!is_catalog && !is_admin) continue;
      const HttpReply nobody =
          Send(is_admin_port, route, {{"Authorization", ""}}, route.method == "GET" ? "" : "{");
      EXPECT_EQ(nobody.status, 401) << what;
      EXPECT_THAT(nobody.head, HasSubstr("WWW-Authenticate: Bearer")) << what;
    }
  }
}

// Whoever adds a route that anybody may call enters it here.
TEST_F(TrustBoundaryTest, OnlyTheseRoutesAreForShoppers) {
  Start("until_keys");
  const std::set<std::string> asking = {"GET /c/{category}",
                                        "POST /v1/assist",
                                        "GET /v1/assist/{id}",
                                        "DELETE /v1/assist/{id}",
                                        "POST /v1/search",
                                        "GET /v1/autocomplete",
                                        "GET /v1/products/{id}",
                                        "GET /v1/conversations",
                                        "GET /v1/conversations/{id}",
                                        "PATCH /v1/conversations/{id}",
                                        "DELETE /v1/conversations/{id}",
                                        "GET /v1/conversations/{id}/export",
                                        "POST /v1/feedback",
                                        "POST /v1/events",
                                        "POST /v1/faq/lookup",
                                        "POST /mcp",
                                        "POST /v1/assist/ui-messages",
                                        "POST /v1/chat/completions",
                                        "POST /v1/completions",
                                        "POST /v1/embeddings",
                                        "GET /v1/models",
                                        "GET /v1/models/{id}",
                                        "POST /generate",
                                        "POST /generate_stream",
                                        "POST /",
                                        "GET /info"};
  const std::set<std::string> open = {"GET /",
                                      "GET /p/{id}",
                                      "GET /assets/{file}",
                                      "GET /images/{file}",
                                      "GET /healthz",
                                      "GET /readyz",
                                      "GET /openapi.json",
                                      "GET /widget.js",
                                      "GET /admin",
                                      "GET /admin/assets/{file}",
                                      "GET /admin/assets/admin/{file}"};
  std::set<std::string> found_asking, found_open, monitored;
  for (const auto* routes : {&app_->routes(), &app_->admin_routes()}) {
    for (const Route& route : *routes) {
      const std::string what = route.method + " " + route.pattern;
      if (route.access == Access::kAsk) found_asking.insert(what);
      if (route.access == Access::kOpen) found_open.insert(what);
      if (route.access == Access::kMonitor) monitored.insert(what);
    }
  }
  EXPECT_EQ(found_asking, asking);
  EXPECT_EQ(found_open, open);
  EXPECT_EQ(monitored, std::set<std::string>{"GET /metrics"});
  for (const Route& route : app_->admin_routes()) EXPECT_NE(route.access, Access::kAsk);
}

TEST_F(TrustBoundaryTest, WithoutIssuedKeysReadingIsOpenAndChangesAreNot) {
  Start("until_keys");
  const Lines nobody = {{"Authorization", ""}};
  const Lines somebody = {{"Authorization", "Bearer sk-of-some-client"}};
  const Route search("POST", "/v1/search", Access::kAsk, nullptr);
  const Route page("GET", "/", Access::kOpen, nullptr);
  const Route import("POST", "/v1/catalog/import", Access::kCatalog, nullptr);
  for (const Lines& lines : {nobody, somebody}) {
    EXPECT_EQ(Send(false, search, lines, R"({"query":"kettle"})").status, 200);
    EXPECT_EQ(Send(false, page, lines, "").status, 200);
    EXPECT_EQ(Send(false, import, lines, R"({"id":"a","title":"A"})").status, 401);
  }
  EXPECT_EQ(Send(false, import, {}, R"({"id":"a","title":"A"})").status, 200);
  Lines of_other = nobody;
  of_other["X-Emptor-Shop"] = "other";
  EXPECT_EQ(CodeOf(Send(false, search, of_other, R"({"query":"kettle"})")), "key_needed");
  IssueKeys();
  // Another process issued them: the service looks at the files once a second.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (Send(false, search, nobody, R"({"query":"kettle"})").status == 200 &&
         std::chrono::steady_clock::now() < end) {
  }
  EXPECT_EQ(CodeOf(Send(false, search, nobody, R"({"query":"kettle"})")), "key_needed");
  EXPECT_EQ(CodeOf(Send(false, search, somebody, R"({"query":"kettle"})")), "unknown_key");
  EXPECT_EQ(Send(false, page, nobody, "").status, 200);
  EXPECT_EQ(
      Send(false, search, {{"Authorization", "Bearer " + server_}}, R"({"query":"kettle"})").status,
      200);
}

TEST_F(TrustBoundaryTest, PagesOfABrowserKeyReadAnswersAndNoOthers) {
  IssueKeys();
  Start("never");
  const Route ask("OPTIONS", "/v1/search", Access::kAsk, nullptr);
  const auto preflight = [&](const Route& route, const std::string& origin,
                             const std::string& method) {
    return Send(false, route,
                {{"Authorization", ""},
                 {"Content-Type", ""},
                 {"Origin", origin},
                 {"Access-Control-Request-Method", method}},
                "");
  };
  const HttpReply yes = preflight(ask, kOrigin, "POST");
  EXPECT_EQ(yes.status, 204);
  EXPECT_THAT(yes.head, HasSubstr("Access-Control-Allow-Origin: https://shop.example\r\n"));
  EXPECT_THAT(yes.head, HasSubstr("Vary: Origin\r\n"));
  for (const char* field : {"Authorization", "Idempotency-Key", "Mcp-Protocol-Version",
                            "Mcp-Method", "Mcp-Name", "X-Vercel-AI-UI-Message-Stream"}) {
    EXPECT_THAT(yes.head, HasSubstr(field)) << field;
  }
  for (const char* origin : {"https://evil.example", "null", "http://shop.example"}) {
    const HttpReply no = preflight(ask, origin, "POST");
    EXPECT_EQ(no.status, 403) << origin;
    EXPECT_THAT(no.head, Not(HasSubstr("Access-Control"))) << origin;
  }
  const Route change("OPTIONS", "/v1/catalog/products/k1", Access::kCatalog, nullptr);
  EXPECT_EQ(preflight(change, kOrigin, "PATCH").status, 403);
  EXPECT_EQ(preflight(ask, kOrigin, "DELETE").status, 405);
  const Route conversation("OPTIONS", "/v1/conversations/c_1", Access::kAsk, nullptr);
  for (const char* method : {"GET", "PATCH", "DELETE"}) {
    const HttpReply allowed = preflight(conversation, kOrigin, method);
    EXPECT_EQ(allowed.status, 204) << method;
    EXPECT_THAT(allowed.head, HasSubstr("X-Emptor-Shopper")) << method;
    EXPECT_THAT(allowed.head, HasSubstr(std::string(method))) << method;
  }
  const Route search("POST", "/v1/search", Access::kAsk, nullptr);
  const std::string body = R"({"query":"kettle"})";
  const HttpReply answer =
      Send(false, search, {{"Authorization", "Bearer " + browser_}, {"Origin", kOrigin}}, body);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Access-Control-Allow-Origin: https://shop.example\r\n"));
  const HttpReply own = Send(false, search, {}, body);
  EXPECT_EQ(own.status, 200);
  EXPECT_THAT(own.head, Not(HasSubstr("Access-Control")));
  // Events, too.
  const Route assist("POST", "/v1/assist", Access::kAsk, nullptr);
  const HttpReply stream =
      Send(false, assist, {{"Authorization", "Bearer " + browser_}, {"Origin", kOrigin}},
           R"({"message":"a kettle"})");
  EXPECT_THAT(stream.head, HasSubstr("text/event-stream"));
  EXPECT_THAT(stream.head, HasSubstr("Access-Control-Allow-Origin: https://shop.example\r\n"));
}

TEST_F(TrustBoundaryTest, AConversationIsReachedByItsShopAndItsShopperAlone) {
  IssueKeys();
  Start("never");
  const Route create("POST", "/admin/shops/other/create", Access::kAdmin, nullptr);
  ASSERT_EQ(Send(true, create, {}, "").status, 200);
  const std::string ann(32, 'a'), bob(32, 'b');
  const auto lines = [](const std::string& key, const std::string& shopper) {
    return Lines{{"Authorization", "Bearer " + key}, {"X-Emptor-Shopper", shopper}};
  };
  const Lines mine = lines(server_, ann);
  const Route assist("POST", "/v1/assist", Access::kAsk, nullptr);
  const std::string reply =
      Send(false, assist, mine, R"({"message":"a kettle","stream":false})").body;
  const auto member = [&](const std::string& name) {
    const std::string head = "\"" + name + "\":\"";
    const size_t from = reply.find(head) + head.size();
    return reply.substr(from, reply.find('"', from) - from);
  };
  const std::string path = "/v1/conversations/" + member("conversation_id");
  const std::string rating = R"({"rating":"up","answer_id":")" + member("id") +
                             R"(","conversation_id":")" + member("conversation_id") + "\"}";
  struct Swapped {
    const char* method;
    std::string path, body;
  };
  const Swapped swapped[] = {{"GET", path, ""},
                             {"GET", path + "/export", ""},
                             {"PATCH", path, R"({"title":"mine now"})"},
                             {"DELETE", path, ""},
                             {"POST", "/v1/feedback", rating}};
  for (const Lines& other : {lines(other_, ann), lines(other_, bob), lines(server_, bob),
                             lines(server_, ""), lines(other_, "")}) {
    for (const Swapped& each : swapped) {
      const Route route(each.method, each.path, Access::kAsk, nullptr);
      EXPECT_EQ(Send(false, route, other, each.body).status, 404) << each.method << each.path;
    }
  }
  const Route list("GET", "/v1/conversations", Access::kAsk, nullptr);
  EXPECT_THAT(Send(false, list, lines(other_, ann), "").body, HasSubstr(R"("items":[])"));
  for (const Swapped& each : swapped) {
    if (std::string_view(each.method) == "DELETE") continue;
    const Route route(each.method, each.path, Access::kAsk, nullptr);
    EXPECT_LT(Send(false, route, mine, each.body).status, 300) << each.method << each.path;
  }
  EXPECT_EQ(Send(false, {"DELETE", path, Access::kAsk, nullptr}, mine, "").status, 204);
}

TEST_F(TrustBoundaryTest, KeysAreIssuedRotatedAndRevokedOverTheAdminPort) {
  Start("never");
  const Route keys("POST", "/admin/keys", Access::kAdmin, nullptr);
  const Route search("POST", "/v1/search", Access::kAsk, nullptr);
  const auto member = [](const HttpReply& reply, const std::string& name) {
    const std::string head = "\"" + name + "\":\"";
    const size_t begin = reply.body.find(head);
    if (begin == std::string::npos) return std::string();
    const size_t from = begin + head.size();
    return reply.body.substr(from, reply.body.find('"', from) - from);
  };
  const auto status_of = [&](const std::string& key) {
    return Send(false, search, {{"Authorization", "Bearer " + key}}, R"({"query":"x"})").status;
  };
  const HttpReply issued = Send(true, keys, {}, R"({"kind":"server","name":"feed"})");
  ASSERT_EQ(issued.status, 200) << issued.body;
  const std::string key = member(issued, "key"), id = member(issued, "id");
  EXPECT_EQ(status_of(key), 200);
  const Route rotate("POST", "/admin/keys/" + id + "/rotate", Access::kAdmin, nullptr);
  const HttpReply rotated = Send(true, rotate, {}, R"({"grace_hours":1})");
  const std::string next = member(rotated, "key");
  EXPECT_EQ(status_of(key), 200);
  EXPECT_EQ(status_of(next), 200);
  const Route revoke("POST", "/admin/keys/" + id + "/revoke", Access::kAdmin, nullptr);
  EXPECT_EQ(Send(true, revoke, {}, "").status, 200);
  EXPECT_EQ(status_of(key), 401);
  EXPECT_EQ(status_of(next), 200);
  const Route list("GET", "/admin/keys", Access::kAdmin, nullptr);
  const HttpReply listed = Send(true, list, {}, "");
  EXPECT_THAT(listed.body, HasSubstr(R"("state":"revoked")"));
  EXPECT_THAT(listed.body, Not(HasSubstr(key.substr(key.rfind('_') + 1))));
  EXPECT_EQ(Send(true, keys, {}, R"({"kind":"root"})").status, 400);
  EXPECT_EQ(Send(true, keys, {}, R"({"kind":"browser"})").status, 400);
  // All of it is in the audit log.
  const auto log = VerifyAuditLog(AuditLogPath(data_.path()));
  ASSERT_TRUE(log.ok()) << log.status();
  EXPECT_EQ(log->lines, 5u);
  std::ifstream file(AuditLogPath(data_.path()));
  std::string first;
  std::getline(file, first);
  EXPECT_THAT(first, HasSubstr(R"("actor":"own","action":"POST /admin/keys","subject":")" + id));
  const Route metrics("GET", "/metrics", Access::kMonitor, nullptr);
  EXPECT_THAT(Send(true, metrics, {{"Authorization", ""}}, "").body,
              HasSubstr("emptor_access_refused_total{reason=\"unknown_key\"} 1"));
}

}  // namespace
}  // namespace emptor::services
