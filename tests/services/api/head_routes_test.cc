// HEAD over a socket: the headers of GET on every route, no body, and the connection stays usable.
#include <gtest/gtest.h>

#include <string>

#include "services/http/http_server.h"
#include "tests/services/api/shop_routes_fixture.h"
#include "tests/services/http/raw_client.h"

namespace emptor::services {
namespace {

using emptor::testing::RawClient;
using emptor::testing::RawReply;

/// A path of the pattern that exists where the shop has one.
std::string PathOf(std::string path) {
  const size_t brace = path.find('{');
  if (brace == std::string::npos) return path;
  const std::string segment = path.starts_with("/assets/")   ? "index.html"
                              : path.starts_with("/images/") ? "k20.svg"
                                                             : "k20";
  return path.replace(brace, path.find('}') + 1 - brace, segment);
}

/// The head without what differs between any two answers.
std::string CommonHead(std::string head) {
  for (const char* name : {"\r\nDate: ", "\r\nX-Request-Id: "}) {
    const size_t at = head.find(name);
    if (at != std::string::npos) head.erase(at, head.find("\r\n", at + 2) - at);
  }
  return head;
}

TEST_F(ShopRoutesTest, HeadGetsTheHeadersOfGetOnEveryRoute) {
  const auto server = std::make_unique<HttpServer>();
  ASSERT_TRUE(
      server->Start([this](std::shared_ptr<Exchange> exchange) { (*router_)(std::move(exchange)); })
          .ok());
  RawClient client(server->port());
  const auto send = [&](const char* method, const std::string& path) {
    client.Send(std::string(method) + " " + path + " HTTP/1.1\r\nHost: shop\r\n" +
                "Authorization: Bearer " + gate_.key() + "\r\n\r\n");
    return client.ReadReply(std::string_view(method) != "HEAD");
  };
  int found = 0;
  for (const Route& route : router_->routes()) {
    if (route.method != "GET") continue;
    const std::string path = PathOf(route.pattern);
    const RawReply head = send("HEAD", path), get = send("GET", path);
    EXPECT_EQ(CommonHead(head.head), CommonHead(get.head)) << path;
    EXPECT_EQ(head.Header("Content-Length"), std::to_string(get.body.size())) << path;
    found += get.status == 200;
  }
  EXPECT_GE(found, 6) << "routes that have something to show";
  EXPECT_EQ(send("HEAD", "/v1/search").Header("Allow"), "POST");
  EXPECT_EQ(send("PUT", "/v1/jobs").Header("Allow"), "POST, GET, HEAD");
  EXPECT_EQ(server->stats().connections, 1u) << "all on one connection";
  server->Stop();
}

}  // namespace
}  // namespace emptor::services
