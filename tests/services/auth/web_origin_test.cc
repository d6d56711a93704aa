// Host, Origin, Content-Type and Authorization.
#include "services/auth/web_origin.h"

#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

TEST(WebOriginTest, AHostLosesItsPort) {
  EXPECT_EQ(HostNameOf("Shop.Example:8080"), "shop.example");
  EXPECT_EQ(HostNameOf("shop.example"), "shop.example");
  EXPECT_EQ(HostNameOf("[::1]:8080"), "::1");
  EXPECT_EQ(HostNameOf("[::1]"), "::1");
  EXPECT_EQ(HostNameOf(""), "");
  EXPECT_EQ(HostNameOf("[]"), "");
}

TEST(WebOriginTest, KnowsAddressesAndThoseOfThisMachine) {
  for (const char* host : {"localhost", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(IsLoopback(host)) << host;
  }
  for (const char* host : {"0.0.0.0", "128.0.0.1", "::", "::2", "::ffff:10.0.0.1", "localhost.x",
                           "127.1", "127.0.0.1.x", "", "2130706433"}) {
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
  EXPECT_TRUE(IsIpAddress("0.0.0.0") && IsIpAddress("fe80::1") && !IsIpAddress("shop"));
}

TEST(WebOriginTest, AnOriginHasANormalForm) {
  const struct {
    const char* text;
    const char* normal;  // empty: it is none
  } rows[] = {{"https://Shop.Example", "https://shop.example"},
              {"https://shop.example:443", "https://shop.example"},
              {"http://shop.example:80", "http://shop.example"},
              {"http://shop.example:443", "http://shop.example:443"},
              {"HTTP://localhost:3000", "http://localhost:3000"},
              {"http://[::1]:3000", "http://[::1]:3000"},
              {"null", ""},
              {"", ""},
              {"https://", ""},
              {"https://shop.example/", ""},
              {"https://shop.example/path", ""},
              {"https://user@shop.example", ""},
              {"https://shop.example:", ""},
              {"https://shop.example:port", ""},
              {"https://shop.example:1234567", ""},
              {"https://*.example", ""},
              {"ftp://shop.example", ""},
              {"file://", ""},
              {"https://[::1", ""},
              {"https://[evil]", ""}};
  for (const auto& row : rows) EXPECT_EQ(NormalOrigin(row.text).value_or(""), row.normal);
  EXPECT_FALSE(NormalOrigin("https://" + std::string(400, 'a')));
}

TEST(WebOriginTest, APageIsOfTheHostThatItNames) {
  EXPECT_TRUE(IsSameOrigin("http://localhost:8080", "localhost:8080"));
  EXPECT_TRUE(IsSameOrigin("http://LOCALHOST:8080", "localhost:8080"));
  EXPECT_TRUE(IsSameOrigin("https://shop.example", "shop.example:443"));
  EXPECT_TRUE(IsSameOrigin("http://shop.example", "shop.example"));
  EXPECT_FALSE(IsSameOrigin("http://localhost:8080", "localhost:8081"));
  EXPECT_FALSE(IsSameOrigin("http://localhost", "localhost:443"));
  EXPECT_FALSE(IsSameOrigin("null", "null"));
  EXPECT_FALSE(IsSameOrigin("", ""));
}

TEST(WebOriginTest, AMediaTypeLosesItsParameters) {
  EXPECT_EQ(MediaTypeOf("Text/Plain; charset=utf-8"), "text/plain");
  EXPECT_EQ(MediaTypeOf(" application/json "), "application/json");
  EXPECT_EQ(MediaTypeOf("application/merge-patch+json"), "application/merge-patch+json");
  for (const char* text : {"", ";", "text", "text/", "/plain", "text/plain, application/json",
                           "text plain/x", "text/pl\"ain"}) {
    EXPECT_EQ(MediaTypeOf(text), "") << text;
  }
}

TEST(WebOriginTest, AKeyStandsBehindBearer) {
  EXPECT_EQ(BearerOf("Bearer abc"), "abc");
  EXPECT_EQ(BearerOf("bearer  abc"), "abc");
  for (const char* text : {"", "Bearer", "Bearer ", "Basic abc", "abc", "Bearerabc"}) {
    EXPECT_FALSE(BearerOf(text)) << text;
  }
}

}  // namespace
}  // namespace emptor::services
