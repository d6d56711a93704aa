// /openapi.json against the routes that are served, both ways, and against their answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "catalog/encoding/json.h"
#include "services/api/openapi_text.h"
#include "services/app/app.h"
#include "services/auth/key_store.h"
#include "tests/services/support/test_config.h"
#include "tests/support/child_process.h"
#include "tests/support/sse_client.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using emptor::testing::HttpConnection;
using emptor::testing::HttpReply;
using ::testing::HasSubstr;

catalog::JsonLimits Limits() {
  catalog::JsonLimits limits;
  limits.max_bytes = 1 << 20;
  limits.max_depth = 32;
  limits.max_nodes = 50000;
  return limits;
}

const char* NameOf(Access access) {
  switch (access) {
    case Access::kOpen:
      return "open";
    case Access::kMonitor:
      return "monitor";
    case Access::kAsk:
      return "ask";
    case Access::kCatalog:
      return "catalog";
    case Access::kAdmin:
      return "admin";
  }
  return "";
}

class OpenApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Config config = testing::ConfigWithoutModel(data_.path());
    auto app = App::Start(config);
    ASSERT_TRUE(app.ok()) << app.status();
    app_ = *std::move(app);
    const auto parsed = catalog::ParseJson(OpenApiText(), Limits());
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    document_ = *parsed;
  }
  HttpReply Send(bool is_admin_port, const std::string& method, std::string path,
                 const std::string& body) const {
    if (const size_t brace = path.find('{'); brace != std::string::npos) {
      path.replace(brace, path.find('}') + 1 - brace, "x");
    }
    const std::string& url = is_admin_port ? app_->admin_url() : app_->url();
    HttpConnection connection(std::stoi(url.substr(url.rfind(':') + 1)));
    EXPECT_TRUE(connection.Send(method + " " + path +
                                " HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n"
                                "Content-Type: application/json\r\nAuthorization: Bearer " +
                                ReadOwnKey(data_.path()) + "\r\nContent-Length: " +
                                std::to_string(body.size()) + "\r\n\r\n" + body));
    return connection.ReadReply(std::chrono::seconds(30));
  }
  /// Calls `visit(method, path, operation)`.
  template <typename Visit>
  void ForEachOperation(Visit visit) const {
    for (const auto& [path, item] : document_.Find("paths")->as_object()) {
      for (const auto& [method, operation] : item.as_object()) {
        std::string upper = method;
        for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        visit(upper, path, operation);
      }
    }
  }
  static bool IsOfAdminPort(const JsonValue& operation) {
    return operation.Find("tags")->as_array().front().as_string() == "admin port";
  }
  void CheckReferences(const JsonValue& value) {
    if (value.is_array()) {
      for (const JsonValue& each : value.as_array()) CheckReferences(each);
    }
    if (!value.is_object()) return;
    for (const auto& [name, member] : value.as_object()) {
      if (name == "$ref" && member.is_string()) {
        const JsonValue* at = &document_;
        const std::string path = member.as_string();
        for (size_t begin = 2; at != nullptr && begin < path.size();) {
          const size_t end = std::min(path.find('/', begin), path.size());
          at = at->is_object() ? at->Find(path.substr(begin, end - begin)) : nullptr;
          begin = end + 1;
        }
        EXPECT_NE(at, nullptr) << path;
        ++references_;
      }
      CheckReferences(member);
    }
  }

  const emptor::testing::TemporaryDirectory data_;
  std::unique_ptr<App> app_;
  JsonValue document_;
  int references_ = 0;
};

TEST_F(OpenApiTest, HoldsEveryRouteThatIsServedAndNoOther) {
  std::set<std::string> served, described;
  for (const bool is_admin_port : {false, true}) {
    for (const Route& route : is_admin_port ? app_->admin_routes() : app_->routes()) {
      served.insert(std::string(is_admin_port ? "admin " : "shop ") + NameOf(route.access) + " " +
                    route.method + " " + route.pattern);
    }
  }
  ForEachOperation(
      [&](const std::string& method, const std::string& path, const JsonValue& operation) {
        described.insert(std::string(IsOfAdminPort(operation) ? "admin " : "shop ") +
                         operation.Find("x-access")->as_string() + " " + method + " " + path);
      });
  EXPECT_EQ(served, described);
  EXPECT_GT(served.size(), 60u);
}

TEST_F(OpenApiTest, SaysWhichRoutesTakeAnIdempotencyKey) {
  std::set<std::string> taking, described;
  for (const Route& route : app_->routes()) {
    if (route.replay_time.count() > 0) taking.insert(route.method + " " + route.pattern);
  }
  ForEachOperation(
      [&](const std::string& method, const std::string& path, const JsonValue& operation) {
        const JsonValue* parameters = operation.Find("parameters");
        if (parameters == nullptr) return;
        for (const JsonValue& each : parameters->as_array()) {
          const JsonValue* target = each.Find("$ref");
          if (target != nullptr && target->as_string().ends_with("/IdempotencyKey")) {
            described.insert(method + " " + path);
          }
        }
      });
  EXPECT_EQ(taking, described);
  EXPECT_EQ(taking.size(), 5u);
}

TEST_F(OpenApiTest, IsServedToAnybodyAndItsReferencesAreThere) {
  const HttpReply reply = Send(false, "GET", "/openapi.json", "");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, OpenApiText());
  EXPECT_THAT(reply.head, HasSubstr("Content-Type: application/json"));
  EXPECT_EQ(document_.Find("openapi")->as_string(), "3.1.0");
  CheckReferences(document_);
  EXPECT_GT(references_, 100);
  std::set<std::string> ids;
  ForEachOperation([&](const std::string& method, const std::string& path,
                       const JsonValue& operation) {
    EXPECT_TRUE(ids.insert(operation.Find("operationId")->as_string()).second) << method << path;
    // Each open segment of the path is a parameter.
    const size_t brace = path.find('{');
    if (brace == std::string::npos) return;
    const JsonValue* parameters = operation.Find("parameters");
    ASSERT_NE(parameters, nullptr) << path;
    EXPECT_EQ(parameters->as_array().front().Find("name")->as_string(),
              path.substr(brace + 1, path.find('}') - brace - 1));
  });
}

/// Whatever is sent, the status is one that the description names.
TEST_F(OpenApiTest, EveryAnswerHasAStatusThatIsDescribed) {
  int asked = 0;
  ForEachOperation(
      [&](const std::string& method, const std::string& path, const JsonValue& operation) {
        const bool has_body = operation.Find("requestBody") != nullptr;
        for (const char* body : {"", "{}", "[", R"({"message":"kettle","query":"kettle"})"}) {
          if (!has_body && *body != '\0') continue;
          const HttpReply reply = Send(IsOfAdminPort(operation), method, path, body);
          const std::string status = std::to_string(reply.status);
          const JsonValue* responses = operation.Find("responses");
          const bool is_described = responses->Find(status) != nullptr ||
                                    responses->Find(status.substr(0, 1) + "XX") != nullptr;
          EXPECT_TRUE(is_described) << method << " " << path << " " << body << ": " << status << " "
                                    << reply.body.substr(0, 200);
          EXPECT_LT(reply.status, 600) << method << path;
          ++asked;
        }
      });
  EXPECT_GT(asked, 100);
}

}  // namespace
}  // namespace emptor::services
