// The MCP endpoint in front of a small shop: methods, tools, and each error.
#include "services/mcp/mcp_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "services/api/rate_gate.h"
#include "services/http/in_memory_exchange.h"
#include "tests/services/assistant/test_shop.h"
#include "tests/services/models/scripted_generator.h"
#include "tests/services/support/test_gate.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kMeta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                              R"("io.modelcontextprotocol/clientCapabilities":{}})";

class McpRoutesTest : public ::testing::Test {
 protected:
  McpRoutesTest() { Make(2); }
  ~McpRoutesTest() override { generator_.Join(); }

  void Make(int workers) {
    workers_ = std::make_unique<WorkerPool>(workers, 64);
    assistant_ = std::make_unique<Assistant>(AssistantOptions{},
                                             AssistantParts{shop_.shop().reader(),
                                                            &generator_,
                                                            conversations_,
                                                            *workers_,
                                                            [] { return int64_t{1700000000}; },
                                                            {}});
    McpRoutesParts parts{shop_.shop().reader(), *assistant_, *workers_,
                         [] { return int64_t{1700000000}; }};
    parts.on_call = [this](std::string_view tool, bool is_error) {
      ++calls_[std::string(tool) + (is_error ? " error" : "")];
    };
    router_ = std::make_unique<Router>(MakeMcpRoutes(parts), gate_.gate(), nullptr);
  }

  Response Post(const std::string& body, std::map<std::string, std::string> headers = {},
                const std::string& method = "POST") {
    Request request;
    request.method = method;
    request.path = "/mcp";
    request.body = body;
    request.id = "req-1";
    request.headers = {{"host", "shop.test:8080"}, {"content-type", "application/json"}};
    for (const auto& [name, value] : headers) request.headers.emplace_back(name, value);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(20)));
    return client->response();
  }
  /// A request of a revision with a handshake.
  Response Legacy(const std::string& method, const std::string& params = "{}") {
    return Post(R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":)" + params + "}",
                {{"mcp-protocol-version", "2025-11-25"}});
  }
  /// A request that carries its version.
  Response Modern(const std::string& method, const std::string& params = "",
                  const std::string& name = "") {
    std::map<std::string, std::string> headers = {{"mcp-protocol-version", "2026-07-28"},
                                                  {"mcp-method", method}};
    if (!name.empty()) headers["mcp-name"] = name;
    return Post(R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":{)" + params +
                    (params.empty() ? "" : ",") + kMeta + "}}",
                headers);
  }
  JsonValue Call(const std::string& tool, const std::string& arguments) {
    return ResultOf(
        Legacy("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}"));
  }
  static JsonValue Json(const Response& response) {
    auto value = catalog::ParseJson(response.body);
    EXPECT_TRUE(value.ok()) << response.body;
    return value.ok() ? *std::move(value) : JsonValue();
  }
  static JsonValue ResultOf(const Response& response) {
    EXPECT_EQ(response.status, 200) << response.body;
    const JsonValue body = Json(response);
    const JsonValue* result = body.Find("result");
    EXPECT_NE(result, nullptr) << response.body;
    return result == nullptr ? JsonValue() : *result;
  }
  static std::string TextOf(const JsonValue& result, size_t block = 0) {
    const JsonValue* content = result.Find("content");
    if (content == nullptr || content->as_array().size() <= block) return "";
    return content->as_array()[block].Find("text")->as_string();
  }
  static bool IsError(const JsonValue& result) { return result.Find("isError")->as_bool(); }
  void ExpectError(const Response& response, int status, int code, const std::string& message) {
    EXPECT_EQ(response.status, status) << response.body;
    const JsonValue body = Json(response);
    const JsonValue* error = body.Find("error");
    ASSERT_NE(error, nullptr) << response.body;
    EXPECT_EQ(body.Find("jsonrpc")->as_string(), "2.0");
    EXPECT_EQ(error->Find("code")->as_int(), code) << response.body;
    EXPECT_THAT(error->Find("message")->as_string(), HasSubstr(message));
  }

  testing::TestGate gate_;
  testing::TestShop shop_;
  testing::ScriptedGenerator generator_{{"The [1:title] costs ", "[1:price] [1]."}};
  ConversationStore conversations_{{}, [] { return std::chrono::steady_clock::now(); }};
  std::map<std::string, int> calls_;
  std::unique_ptr<WorkerPool> workers_;
  std::unique_ptr<Assistant> assistant_;
  std::unique_ptr<Router> router_;
};

TEST_F(McpRoutesTest, ShakesHandsWithTheRevisionThatTheClientKnows) {
  for (const auto& [asked, given] :
       std::vector<std::pair<std::string, std::string>>{{"2025-11-25", "2025-11-25"},
                                                        {"2025-06-18", "2025-06-18"},
                                                        {"2024-11-05", "2025-11-25"}}) {
    const Response response =
        Post(R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":")" +
             asked + R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
    const JsonValue result = ResultOf(response);
    EXPECT_EQ(result.Find("protocolVersion")->as_string(), given);
    EXPECT_NE(result.Find("capabilities")->Find("tools"), nullptr);
    EXPECT_EQ(result.Find("serverInfo")->Find("name")->as_string(), "emptor");
    EXPECT_THAT(result.Find("instructions")->as_string(), HasSubstr("search_products"));
    EXPECT_THAT(response.body, HasSubstr(R"("id":"a")"));
    EXPECT_THAT(response.body, Not(HasSubstr("resultType")));
  }
  const Response note = Post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                             {{"mcp-protocol-version", "2025-11-25"}});
  EXPECT_EQ(note.status, 202);
  EXPECT_EQ(note.body, "");
  EXPECT_TRUE(ResultOf(Legacy("ping")).as_object().empty());
}

TEST_F(McpRoutesTest, ServesTheRevisionWithoutAHandshake) {
  const JsonValue found = ResultOf(Modern("server/discover"));
  EXPECT_EQ(found.Find("resultType")->as_string(), "complete");
  EXPECT_EQ(found.Find("supportedVersions")->as_array().front().as_string(), "2026-07-28");
  EXPECT_EQ(found.Find("cacheScope")->as_string(), "public");
  EXPECT_GT(found.Find("ttlMs")->as_int(), 0);
  EXPECT_NE(found.Find("_meta")->Find("io.modelcontextprotocol/serverInfo"), nullptr);
  const JsonValue list = ResultOf(Modern("tools/list"));
  EXPECT_EQ(list.Find("tools")->as_array().size(), 5u);
  EXPECT_EQ(list.Find("resultType")->as_string(), "complete");
  EXPECT_GT(list.Find("ttlMs")->as_int(), 0);
  const JsonValue called = ResultOf(
      Modern("tools/call", R"("name":"get_product","arguments":{"id":"k20"})", "get_product"));
  EXPECT_EQ(called.Find("resultType")->as_string(), "complete");
  EXPECT_EQ(called.Find("structuredContent")->Find("id")->as_string(), "k20");
  // Methods that it no longer has.
  for (const char* method : {"initialize", "ping", "resources/list"}) {
    ExpectError(Modern(method), 404, -32601, "this server has server/discover, tools/list");
  }
}

TEST_F(McpRoutesTest, EachToolHasBothSchemasAndTheyHoldTheirDefinitions) {
  const JsonValue list = ResultOf(Legacy("tools/list"));
  EXPECT_EQ(list.Find("ttlMs"), nullptr);
  std::vector<std::string> names;
  for (const JsonValue& tool : list.Find("tools")->as_array()) {
    names.push_back(tool.Find("name")->as_string());
    EXPECT_FALSE(tool.Find("description")->as_string().empty());
    for (const char* name : {"inputSchema", "outputSchema"}) {
      const JsonValue* schema = tool.Find(name);
      ASSERT_NE(schema, nullptr) << names.back();
      EXPECT_EQ(schema->Find("type")->as_string(), "object") << names.back() << name;
      catalog::JsonWriter writer;
      writer.Value(*schema);
      const std::string text = writer.Take();
      EXPECT_THAT(text, Not(HasSubstr("#/components/")));
      const std::string head = "\"#/$defs/";
      for (size_t at = text.find(head); at != std::string::npos; at = text.find(head, at + 1)) {
        const size_t from = at + head.size();
        const std::string target = text.substr(from, text.find('"', from) - from);
        ASSERT_NE(schema->Find("$defs"), nullptr);
        EXPECT_NE(schema->Find("$defs")->Find(target), nullptr) << names.back() << target;
      }
    }
    EXPECT_FALSE(tool.Find("inputSchema")->Find("additionalProperties")->as_bool());
  }
  EXPECT_THAT(names, ::testing::ElementsAre("search_products", "get_product", "compare_products",
                                            "shop_policies", "ask"));
}

TEST_F(McpRoutesTest, SearchesAsTheSearchRouteDoes) {
  const JsonValue result =
      Call("search_products",
           R"({"query":"kettle","filters":{"price":{"max":6000,"currency":"USD"}},"limit":1})");
  EXPECT_FALSE(IsError(result));
  const JsonValue* found = result.Find("structuredContent");
  ASSERT_EQ(found->Find("items")->as_array().size(), 1u);
  EXPECT_EQ(found->Find("items")->as_array().front().Find("url")->as_string(),
            "http://shop.test:8080/p/" +
                found->Find("items")->as_array().front().Find("id")->as_string());
  EXPECT_THAT(TextOf(result), HasSubstr("1 of 2 products:\n1. Torvane "));
  EXPECT_THAT(TextOf(result), HasSubstr("(Torvane) | $"));
  EXPECT_THAT(TextOf(result), HasSubstr("call again with `cursor`"));
  catalog::JsonWriter writer;
  writer.Value(*found);
  EXPECT_EQ(TextOf(result, 1), writer.Take());
  const std::string cursor = found->Find("next_cursor")->as_string();
  const JsonValue second = Call(
      "search_products",
      R"({"query":"kettle","filters":{"price":{"max":6000,"currency":"USD"}},"limit":1,"cursor":")" +
          cursor + "\"}");
  EXPECT_EQ(second.Find("structuredContent")->Find("items")->as_array().front().Find("n")->as_int(),
            2);
  EXPECT_EQ(calls_["search_products"], 2);
  const JsonValue none = Call("search_products", R"({"query":"","filters":{"brands":["Nobody"]}})");
  EXPECT_FALSE(IsError(none));
  EXPECT_THAT(TextOf(none), HasSubstr("Use other words, or fewer conditions"));
}

TEST_F(McpRoutesTest, GivesAProductAndComparesTwo) {
  const JsonValue product = Call("get_product", R"({"id":"k20","locale":"en-US"})");
  EXPECT_THAT(TextOf(product),
              HasSubstr("Torvane Glide Kettle K20 (Torvane) | $49.99 | in stock | rated 4.5 by 312 "
                        "| id k20 | http://shop.test:8080/p/k20"));
  EXPECT_THAT(TextOf(product), HasSubstr("- capacity: 1.7 liters"));
  EXPECT_EQ(product.Find("structuredContent")->Find("price")->Find("amount")->as_int(), 4999);
  const JsonValue compared = Call("compare_products", R"({"ids":["k20","k80"]})");
  const JsonValue* table = compared.Find("structuredContent");
  std::map<std::string, const JsonValue*> rows;
  for (const JsonValue& row : table->Find("rows")->as_array()) {
    rows[row.Find("name")->as_string()] = &row;
  }
  ASSERT_TRUE(rows.contains("price") && rows.contains("noise level") && rows.contains("brand"));
  EXPECT_EQ(rows["price"]->Find("values")->as_array()[1].as_string(), "$39.99");
  EXPECT_TRUE(rows["price"]->Find("differs")->as_bool());
  EXPECT_FALSE(rows["brand"]->Find("differs")->as_bool());
  EXPECT_TRUE(rows["noise level"]->Find("values")->as_array()[1].is_null());
  EXPECT_FALSE(rows.contains("was_price"));
  EXPECT_THAT(TextOf(compared), HasSubstr("| noise level | 65 dB | not stated |"));
}

TEST_F(McpRoutesTest, LooksPoliciesUpAndAsksTheAssistant) {
  const JsonValue policy = Call("shop_policies", R"({"question":"How long does shipping take?"})");
  EXPECT_EQ(policy.Find("structuredContent")->Find("decision")->as_string(), "hit");
  EXPECT_THAT(TextOf(policy), HasSubstr("3 to 5 business days"));
  const JsonValue unknown = Call("shop_policies", R"({"question":"Do you sell elephants?"})");
  EXPECT_FALSE(IsError(unknown));
  EXPECT_THAT(TextOf(unknown), HasSubstr("The shop has published no"));
  const JsonValue answer = Call("ask", R"({"message":"What does the Glide Kettle K20 cost?"})");
  EXPECT_FALSE(IsError(answer));
  EXPECT_THAT(TextOf(answer), HasSubstr("$49.99"));
  const JsonValue* whole = answer.Find("structuredContent");
  EXPECT_EQ(whole->Find("text")->as_string(), TextOf(answer));
  // The conversation goes on.
  const std::string id = whole->Find("conversation_id")->as_string();
  const JsonValue next =
      Call("ask", R"({"message":"and is it in stock?","conversation_id":")" + id + "\"}");
  EXPECT_EQ(next.Find("structuredContent")->Find("conversation_id")->as_string(), id);
  EXPECT_EQ(calls_["ask"], 2);
}

TEST_F(McpRoutesTest, TellsHowFarAnAnswerIsWhereThatIsAskedFor) {
  const std::string body =
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask","arguments":)"
      R"({"message":"What does the Glide Kettle K20 cost?"},"_meta":{"progressToken":"t-1"}}})";
  const std::string accept = "application/json, text/event-stream";
  const Response streamed = Post(body, {{"accept", accept}});
  EXPECT_EQ(streamed.content_type, "text/event-stream");
  std::vector<JsonValue> events;
  const std::string head = "event: message\ndata: ";
  for (size_t at = 0; at < streamed.body.size();) {
    ASSERT_EQ(streamed.body.compare(at, head.size(), head), 0) << streamed.body.substr(at, 100);
    const size_t end = streamed.body.find("\n\n", at);
    events.push_back(
        *catalog::ParseJson(streamed.body.substr(at + head.size(), end - at - head.size())));
    at = end + 2;
  }
  ASSERT_GT(events.size(), 1u);
  std::string text;
  int64_t before = 0;
  for (size_t i = 0; i + 1 < events.size(); ++i) {
    EXPECT_EQ(events[i].Find("method")->as_string(), "notifications/progress");
    const JsonValue* params = events[i].Find("params");
    EXPECT_EQ(params->Find("progressToken")->as_string(), "t-1");
    EXPECT_GT(params->Find("progress")->as_int(), before);
    before = params->Find("progress")->as_int();
    text += params->Find("message")->as_string();
  }
  EXPECT_EQ(events.back().Find("id")->as_int(), 7);
  const JsonValue* result = events.back().Find("result");
  EXPECT_EQ(result->Find("structuredContent")->Find("text")->as_string(), text);
  // A client that reads no streams, and one that asks for no progress, get one piece.
  EXPECT_EQ(Post(body).content_type, "application/json");
  EXPECT_EQ(Post(body, {{"accept", "application/json"}}).content_type, "application/json");
  // So does a call that fails before its first word.
  const Response wrong =
      Post(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask","arguments":{},)"
           R"("_meta":{"progressToken":1}}})",
           {{"accept", accept}});
  EXPECT_EQ(wrong.content_type, "application/json");
  EXPECT_TRUE(IsError(ResultOf(wrong)));
}

TEST_F(McpRoutesTest, AToolSaysWhatIsWrongWithItsArguments) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"search_products", "{}", "query: must not be empty"},
      {"search_products", R"({"query":"x","limit":0})", "limit: must be from 1 to 100"},
      {"search_products", R"({"query":"x","cursor":"junk"})", "cursor: "},
      {"search_products", R"({"query":"x","filters":{"price":{"max":1}}})",
       "filters.price.currency"},
      {"search_products", R"({"query":"x","colour":"red"})", "colour: unknown field"},
      {"get_product", "{}", "id: expected a product's id"},
      {"get_product", R"({"id":"nope"})", "id: no such product: take ids from search_products"},
      {"get_product", R"({"id":"../x"})", "id: no such product"},
      {"get_product", R"({"id":"k20","currency":"usd"})", "currency: expected three capital"},
      {"compare_products", R"({"ids":["k20"]})", "ids: expected 2 to 10 ids"},
      {"compare_products", R"({"ids":["k20","k20"]})", "ids: expected ids that differ"},
      {"compare_products", R"({"ids":["k20","nope"]})", "ids[1]: no such product"},
      {"compare_products", R"({"ids":"k20"})", "ids: expected"},
      {"shop_policies", "{}", "question: expected a text"},
      {"ask", "{}", "message: must not be empty"},
      {"ask", R"({"message":"x","stream":true})", "stream: unknown field"},
      {"ask", R"({"message":"x","conversation_id":"a b"})", "conversation_id: expected letters"}};
  for (const auto& [tool, arguments, message] : cases) {
    const JsonValue result = Call(tool, arguments);
    EXPECT_TRUE(IsError(result)) << tool << arguments;
    EXPECT_THAT(TextOf(result), HasSubstr(message)) << tool << arguments;
    EXPECT_EQ(result.Find("structuredContent"), nullptr);
  }
  EXPECT_EQ(calls_["ask error"], 3);
}

TEST_F(McpRoutesTest, RequestsThatAreNoneAreErrorsOfTheProtocol) {
  ExpectError(Post("{"), 400, -32700, "body: ");
  ExpectError(Post("[]"), 400, -32600, "not a batch");
  ExpectError(Legacy("resources/list"), 200, -32601,
              "this server has initialize, ping, tools/list");
  ExpectError(Legacy("tools/list", R"({"cursor":"x"})"), 200, -32602, "params.cursor");
  ExpectError(Legacy("tools/call", "{}"), 200, -32602, "params.name: expected the name of a tool");
  ExpectError(Legacy("tools/call", R"({"name":"buy"})"), 200, -32602,
              "no tool buy: tools/list has search_products, get_product");
  ExpectError(Legacy("tools/call", R"({"name":"ask","arguments":[]})"), 200, -32602,
              "params.arguments: expected an object");
  ExpectError(
      Post(R"({"jsonrpc":"2.0","id":7,"method":"ping"})", {{"mcp-protocol-version", "2024-11-05"}}),
      400, -32022, "protocol version 2024-11-05");
  // Sessions and streams of the server: there are none.
  EXPECT_EQ(Post("", {}, "GET").status, 405);
  EXPECT_EQ(Post("", {}, "DELETE").status, 405);
  EXPECT_EQ(calls_["other error"], 3);
}

TEST_F(McpRoutesTest, RefusalsOfTheGateAreJsonRpcErrors) {
  const std::string ping = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";
  const Response foreign = Post(ping, {{"origin", "https://evil.example"}});
  ExpectError(foreign, 403, 403, "browser key that lists its origin");
  EXPECT_THAT(foreign.body, HasSubstr(R"("data":{"code":"foreign_origin")"));
  ExpectError(Post(ping, {{"x-emptor-shop", "other"}}), 401, 401, "is reached with a key");
}

TEST_F(McpRoutesTest, OnlyTheAssistantTakesTokensOfTheCaller) {
  RateGateOptions options;
  options.per_address.tokens = {.per_minute = 100, .burst = 1500};
  const auto rates = std::make_shared<RateGate>(options, std::chrono::steady_clock::now);
  std::vector<Route> routes = router_->routes();
  Route route = routes.front();
  const auto limited = [&](size_t, const Grant& grant, std::shared_ptr<Exchange> exchange,
                           std::string_view tail) {
    if (rates->Admit(route, grant, exchange)) route.handle(std::move(exchange), tail);
  };
  router_ = std::make_unique<Router>(std::move(routes), gate_.gate(), nullptr, limited);
  const auto call = [&](const std::string& tool, const std::string& arguments) {
    Request request;
    request.method = "POST";
    request.path = "/mcp";
    request.remote = "192.0.2.1";
    request.headers = {{"host", "shop.test"}, {"content-type", "application/json"}};
    request.body = R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")" + tool +
                   R"(","arguments":)" + arguments + "}}";
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(20)));
    return client->response();
  };
  EXPECT_EQ(call("ask", R"({"message":"What does the Glide Kettle K20 cost?"})").status, 200);
  const Response refused = call("ask", R"({"message":"What does the Glide Kettle K20 cost?"})");
  ExpectError(refused, 429, 429, "too many generated text");
  EXPECT_EQ(call("get_product", R"({"id":"k20"})").status, 200);
}

}  // namespace
}  // namespace emptor::services
