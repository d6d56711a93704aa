// The decision about a request, as tables.
#include "services/auth/decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

const Principal kAdminKey{"a", KeyKind::kAdmin, "", {}};
const Principal kServerKey{"s", KeyKind::kServer, "tools", {}};
const Principal kBrowserKey{"b", KeyKind::kBrowser, "tools", {"https://shop.example"}};

/// A request that may pass with the right key.
RequestFacts Facts(Access access) {
  RequestFacts facts;
  facts.access = access;
  facts.host = "localhost:8080";
  facts.remote = "10.0.0.7";
  facts.has_body = true;
  facts.content_type = "application/json";
  return facts;
}

/// "" where it passes, else the label of the reason.
std::string Verdict(const AccessPolicy& policy, const Principal* principal, RequestFacts facts) {
  if (principal != nullptr) facts.credential = Credential::kKnown;
  const Decision decision = Decide(policy, principal, facts);
  return decision.refusal ? std::string(ToString(decision.refusal->reason)) : "";
}

TEST(DecisionTest, EachKindOfKeyCoversItsRoutes) {
  const struct {
    Access access;
    const char* nobody;
    const char* browser;
    const char* server;
    const char* admin;
  } rows[] = {{Access::kOpen, "", "", "", ""},
              {Access::kAsk, "no_key", "", "", ""},
              {Access::kCatalog, "no_key", "scope", "", ""},
              {Access::kMonitor, "no_key", "scope", "scope", ""},
              {Access::kAdmin, "no_key", "scope", "scope", ""},
              {static_cast<Access>(0), "no_key", "scope", "scope", "scope"}};
  for (const auto& row : rows) {
    const int access = static_cast<int>(row.access);
    RequestFacts facts = Facts(row.access);
    EXPECT_EQ(Verdict({}, nullptr, facts), row.nobody) << access;
    EXPECT_EQ(Verdict({}, &kServerKey, facts), row.server) << access;
    EXPECT_EQ(Verdict({}, &kAdminKey, facts), row.admin) << access;
    facts.origin = "https://shop.example";
    EXPECT_EQ(Verdict({}, &kBrowserKey, facts), row.browser) << access;
  }
}

TEST(DecisionTest, ReadingIsOpenAsThePolicySays) {
  const struct {
    OpenReading reading;
    bool has_keys;
    const char* verdict;
  } rows[] = {{OpenReading::kUntilKeys, false, ""},
              {OpenReading::kUntilKeys, true, "no_key"},
              {OpenReading::kAlways, true, ""},
              {OpenReading::kNever, false, "no_key"}};
  for (const auto& row : rows) {
    AccessPolicy policy;
    policy.reading = row.reading;
    RequestFacts facts = Facts(Access::kAsk);
    facts.has_issued_keys = row.has_keys;
    EXPECT_EQ(Verdict(policy, nullptr, facts), row.verdict);
    // Clients of OpenAI's interface always send some key.
    facts.credential = Credential::kUnknown;
    EXPECT_EQ(Verdict(policy, nullptr, facts), *row.verdict == '\0' ? "" : "unknown_key");
    facts.access = Access::kCatalog;
    EXPECT_EQ(Verdict(policy, nullptr, facts), "unknown_key");
    facts.credential = Credential::kNone;
    EXPECT_EQ(Verdict(policy, nullptr, facts), "no_key");
  }
}

TEST(DecisionTest, MetricsAreOpenToThisMachine) {
  RequestFacts facts = Facts(Access::kMonitor);
  facts.changes_state = false;
  for (const char* remote : {"127.0.0.1", "::1", "::ffff:127.0.0.1"}) {
    facts.remote = remote;
    EXPECT_EQ(Verdict({}, nullptr, facts), "") << remote;
  }
  for (const char* remote : {"10.0.0.7", "", "::2", "127.0.0.1.evil.example"}) {
    facts.remote = remote;
    EXPECT_EQ(Verdict({}, nullptr, facts), "no_key") << remote;
  }
}

TEST(DecisionTest, AHostMustBeANameOfTheService) {
  AccessPolicy policy;
  policy.hosts = {"shop.example"};
  const struct {
    std::optional<std::string_view> host;
    const char* verdict;
  } rows[] = {{"localhost", ""},
              {"LOCALHOST:8080", ""},
              {"127.0.0.1:8080", ""},
              {"[::1]:8080", ""},
              {"192.168.1.5", ""},
              {"shop.example:443", ""},
              {"Shop.Example", ""},
              {std::nullopt, ""},
              {"evil.example", "host"},
              {"localhost.evil.example:8080", "host"},
              {"127.0.0.1.evil.example", "host"},
              {"x.shop.example", "host"},
              {"shop.example.", "host"},
              {"", "host"},
              {"127.1", "host"},
              {"[::1", "host"}};
  for (const auto& row : rows) {
    RequestFacts facts = Facts(Access::kAdmin);
    facts.host = row.host;
    EXPECT_EQ(Verdict(policy, &kAdminKey, facts), row.verdict) << row.host.value_or("none");
    facts.access = Access::kOpen;
    EXPECT_EQ(Verdict(policy, nullptr, facts), row.verdict) << row.host.value_or("none");
  }
}

TEST(DecisionTest, APageOfAnotherOriginChangesNothing) {
  AccessPolicy policy;
  policy.reading = OpenReading::kAlways;
  policy.hosts = {"shop.example"};
  policy.own_origin = "https://public.example";
  const struct {
    const char* host;
    const char* origin;
    const char* fetch_site;
    const char* verdict;
  } rows[] = {{"localhost:8080", "", "", ""},
              {"localhost:8080", "", "none", ""},
              {"localhost:8080", "", "same-origin", ""},
              {"localhost:8080", "http://localhost:8080", "same-origin", ""},
              {"shop.example", "https://shop.example", "", ""},
              {"shop.example:443", "https://shop.example", "", ""},
              {"shop.example", "https://public.example", "", ""},
              {"localhost:8080", "http://localhost:3000", "same-site", "origin"},
              {"localhost:8080", "http://127.0.0.1:8080", "", "origin"},
              {"localhost:8080", "https://evil.example", "cross-site", "origin"},
              {"localhost:8080", "https://evil.example", "", "origin"},
              {"localhost:8080", "null", "", "origin"},
              {"localhost:8080", "", "cross-site", "origin"},
              {"localhost:8080", "", "same-site", "origin"},
              {"localhost:8080", "", "anything", "origin"},
              {"shop.example", "https://shop.example.evil", "", "origin"}};
  for (const auto& row : rows) {
    for (const Access access : {Access::kAsk, Access::kCatalog, Access::kAdmin}) {
      RequestFacts facts = Facts(access);
      facts.host = row.host;
      facts.origin = row.origin;
      facts.fetch_site = row.fetch_site;
      EXPECT_EQ(Verdict(policy, &kAdminKey, facts), row.verdict)
          << row.host << " " << row.origin << " " << row.fetch_site;
      facts.changes_state = false;  // a browser shows the page no answer without CORS
      EXPECT_EQ(Verdict(policy, &kAdminKey, facts), "") << row.origin;
    }
  }
}

TEST(DecisionTest, ABrowserKeyWorksOnPagesOfItsOrigins) {
  const struct {
    const char* origin;
    const char* fetch_site;
    const char* verdict;
    const char* cors;
  } rows[] = {{"https://shop.example", "cross-site", "", "https://shop.example"},
              {"https://SHOP.example:443", "", "", "https://SHOP.example:443"},
              {"http://localhost:8080", "same-origin", "", ""},
              {"", "same-origin", "", ""},
              {"", "", "origin", ""},
              {"", "cross-site", "origin", ""},
              {"http://shop.example", "", "origin", ""},
              {"https://evil.example", "", "origin", ""},
              {"null", "", "origin", ""}};
  for (const auto& row : rows) {
    for (const bool changes : {true, false}) {
      RequestFacts facts = Facts(Access::kAsk);
      facts.credential = Credential::kKnown;
      facts.changes_state = changes;
      facts.origin = row.origin;
      facts.fetch_site = row.fetch_site;
      EXPECT_EQ(Verdict({}, &kBrowserKey, facts), row.verdict) << row.origin << row.fetch_site;
      EXPECT_EQ(Decide({}, &kBrowserKey, facts).grant.cors_origin, row.cors);
    }
  }
}

TEST(DecisionTest, TheShopIsTheKeys) {
  const struct {
    const Principal* principal;
    const char* header;
    const char* verdict;
    const char* shop;
  } rows[] = {{&kServerKey, "", "", "tools"},       {&kServerKey, "tools", "", "tools"},
              {&kServerKey, "default", "shop", ""}, {&kServerKey, "other", "shop", ""},
              {&kAdminKey, "", "", "default"},      {&kAdminKey, "other", "", "other"},
              {nullptr, "", "", "default"},         {nullptr, "default", "", "default"},
              {nullptr, "other", "shop", ""}};
  AccessPolicy policy;
  policy.reading = OpenReading::kAlways;
  for (const auto& row : rows) {
    RequestFacts facts = Facts(Access::kAsk);
    facts.shop = row.header;
    EXPECT_EQ(Verdict(policy, row.principal, facts), row.verdict) << row.header;
    if (*row.verdict == '\0') {
      EXPECT_EQ(Decide(policy, row.principal, facts).grant.shop, row.shop) << row.header;
    }
  }
}

TEST(DecisionTest, ABodyIsOfATypeThatNoPageSendsUnasked) {
  const struct {
    const char* type;
    const char* command;  // the verdict about a change, and about a question
    const char* question;
  } rows[] = {{"application/json", "", ""},
              {"application/json; charset=utf-8", "", ""},
              {"application/x-ndjson", "", ""},
              {"application/octet-stream", "", ""},
              {"text/csv", "", ""},
              {"multipart/form-data; boundary=x", "", ""},
              {"text/plain", "content_type", "content_type"},
              {"Text/Plain;charset=utf-8", "content_type", "content_type"},
              {"application/x-www-form-urlencoded", "content_type", ""},  // what curl -d says
              {"", "content_type", ""},
              {"json", "content_type", ""}};
  AccessPolicy policy;
  policy.reading = OpenReading::kAlways;
  for (const auto& row : rows) {
    RequestFacts facts = Facts(Access::kCatalog);
    facts.content_type = row.type;
    EXPECT_EQ(Verdict(policy, &kAdminKey, facts), row.command) << row.type;
    facts.access = Access::kAdmin;
    EXPECT_EQ(Verdict(policy, &kAdminKey, facts), row.command) << row.type;
    facts.has_body = false;
    EXPECT_EQ(Verdict(policy, &kAdminKey, facts), "") << row.type;
    facts.has_body = true;
    facts.access = Access::kAsk;
    EXPECT_EQ(Verdict(policy, nullptr, facts), row.question) << row.type;
  }
}

TEST(DecisionTest, ARepeatedKeyIsNone) {
  RequestFacts facts = Facts(Access::kAsk);
  facts.credential = Credential::kRepeated;
  AccessPolicy policy;
  policy.reading = OpenReading::kAlways;
  EXPECT_EQ(Verdict(policy, nullptr, facts), "repeated_key");
}

TEST(DecisionTest, ARefusalSaysWhatToDo) {
  const auto message = [](const Principal* principal, const RequestFacts& facts) {
    const auto refusal = Decide({}, principal, facts).refusal;
    return refusal ? std::to_string(refusal->status) + " " + refusal->message : "";
  };
  RequestFacts facts = Facts(Access::kCatalog);
  EXPECT_THAT(message(nullptr, facts), AllOf(HasSubstr("401 "), HasSubstr("admin.key")));
  facts.access = Access::kAdmin;
  EXPECT_THAT(message(&kServerKey, facts), AllOf(HasSubstr("403 "), HasSubstr("an admin key")));
  facts.host = "evil.example";
  EXPECT_THAT(message(nullptr, facts), AllOf(HasSubstr("421 "), HasSubstr("allowed_hosts")));
  facts = Facts(Access::kCatalog);
  facts.content_type = "text/plain";
  facts.shop = "tools";
  EXPECT_THAT(message(&kServerKey, facts), AllOf(HasSubstr("415 "), HasSubstr("application/json")));
  facts.origin = "https://evil.example";
  EXPECT_THAT(message(&kServerKey, facts), AllOf(HasSubstr("403 "), HasSubstr("browser key")));
}

}  // namespace
}  // namespace emptor::services
