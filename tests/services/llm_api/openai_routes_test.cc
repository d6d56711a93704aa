// The OpenAI routes over a real engine, without sockets.
#include "services/llm_api/openai_routes.h"

#include <gmock/gmock.h>

#include "catalog/encoding/json.h"
#include "services/llm_api/llm_job.h"
#include "tests/services/llm_api/llm_world.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::HeaderOf;
using testing::LlmWorld;
using ::testing::Not;

const JsonValue& At(const JsonValue& value, std::initializer_list<std::string_view> path) {
  static const JsonValue kNothing;
  const JsonValue* at = &value;
  for (const std::string_view name : path) {
    if (at->is_array()) {
      const size_t index = static_cast<size_t>(name[0] - '0');
      if (index >= at->as_array().size()) return kNothing;
      at = &at->as_array()[index];
    } else {
      at = at->Find(name);
      if (at == nullptr) return kNothing;
    }
  }
  return *at;
}
std::string TextAt(const JsonValue& value, std::initializer_list<std::string_view> path) {
  const JsonValue& found = At(value, path);
  return found.is_string() ? found.as_string() : "(not a string)";
}
int64_t IntAt(const JsonValue& value, std::initializer_list<std::string_view> path) {
  const JsonValue& found = At(value, path);
  return found.is_int() ? found.as_int() : -1;
}

JsonValue Json(const Response& response) {
  auto json = catalog::ParseJson(response.body);
  EXPECT_TRUE(json.ok()) << response.body;
  return json.ok() ? *std::move(json) : JsonValue();
}

/// The data of a stream's events, in order.
std::vector<std::string> EventsOf(const Response& response) {
  std::vector<std::string> events;
  std::string_view rest = response.body;
  while (!rest.empty()) {
    const size_t end = rest.find("\n\n");
    EXPECT_EQ(rest.substr(0, 6), "data: ");
    if (end == std::string_view::npos) break;
    events.emplace_back(rest.substr(6, end - 6));
    rest.remove_prefix(end + 2);
  }
  return events;
}

class OpenAiRoutesTest : public ::testing::Test {
 protected:
  OpenAiRoutesTest() { world_.Serve(MakeOpenAiRoutes(world_.Parts())); }
  Response Post(const std::string& path, const std::string& body,
                std::vector<std::pair<std::string, std::string>> headers = {}) {
    return world_.Fetch("POST", path, body, std::move(headers));
  }
  LlmWorld world_;
};

constexpr const char* kCompletion =
    R"({"model":"tiny","prompt":"hello","max_tokens":6,"temperature":0)";

TEST_F(OpenAiRoutesTest, CompletesAPrompt) {
  const Response response = Post("/v1/completions", std::string(kCompletion) + "}");
  EXPECT_EQ(response.status, 200);
  const JsonValue json = Json(response);
  EXPECT_EQ(TextAt(json, {"object"}), "text_completion");
  EXPECT_EQ(TextAt(json, {"id"}), "cmpl-req-1");
  EXPECT_EQ(IntAt(json, {"created"}), 1700000000);
  EXPECT_FALSE(TextAt(json, {"choices", "0", "text"}).empty());
  EXPECT_EQ(TextAt(json, {"choices", "0", "finish_reason"}), "length");
  EXPECT_TRUE(At(json, {"choices", "0", "logprobs"}).is_null());
  EXPECT_EQ(IntAt(json, {"usage", "completion_tokens"}), 6);
  EXPECT_EQ(IntAt(json, {"usage", "total_tokens"}), IntAt(json, {"usage", "prompt_tokens"}) + 6);
  EXPECT_TRUE(world_.WaitUntilIdle());
}

TEST_F(OpenAiRoutesTest, AnswersSeveralPromptsInTheirOrder) {
  const JsonValue both =
      Json(Post("/v1/completions",
                R"({"model":"tiny","prompt":["hello","hell"],"max_tokens":4,"temperature":0})"));
  ASSERT_EQ(At(both, {"choices"}).as_array().size(), 2u);
  const JsonValue second = Json(Post(
      "/v1/completions", R"({"model":"tiny","prompt":"hell","max_tokens":4,"temperature":0})"));
  EXPECT_EQ(TextAt(both, {"choices", "1", "text"}), TextAt(second, {"choices", "0", "text"}));
  EXPECT_EQ(IntAt(both, {"choices", "1", "index"}), 1);
  EXPECT_EQ(IntAt(both, {"usage", "completion_tokens"}), 8);
}

TEST_F(OpenAiRoutesTest, GivesSeveralAnswersToAPrompt) {
  const std::string request =
      R"({"prompt":["hello","hell"],"n":3,"max_tokens":4,"temperature":2,"seed":5)";
  const JsonValue one = Json(Post("/v1/completions", R"({"prompt":"hello","max_tokens":1})"));
  const JsonValue two = Json(Post("/v1/completions", R"({"prompt":"hell","max_tokens":1})"));
  const JsonValue all = Json(Post("/v1/completions", request + "}"));
  ASSERT_EQ(At(all, {"choices"}).as_array().size(), 6u);
  EXPECT_EQ(IntAt(all, {"usage", "completion_tokens"}), 24);
  // The answers to one prompt share it.
  EXPECT_EQ(IntAt(all, {"usage", "prompt_tokens"}),
            IntAt(one, {"usage", "prompt_tokens"}) + IntAt(two, {"usage", "prompt_tokens"}));
  std::vector<std::string> texts(6);
  for (const std::string& event :
       EventsOf(Post("/v1/completions", request + R"(,"stream":true})"))) {
    if (event == "[DONE]") continue;
    const JsonValue chunk = *catalog::ParseJson(event);
    texts.at(static_cast<size_t>(IntAt(chunk, {"choices", "0", "index"}))) +=
        TextAt(chunk, {"choices", "0", "text"});
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    const JsonValue& choice = At(all, {"choices"}).as_array()[i];
    EXPECT_EQ(texts[i], choice.Find("text")->as_string()) << i;
  }
  EXPECT_TRUE(world_.WaitUntilIdle());
}

TEST_F(OpenAiRoutesTest, StreamsAChatAsOpenAiDoes) {
  const Response response =
      Post("/v1/chat/completions",
           R"({"model":"tiny","messages":[{"role":"user","content":"hello"}],"max_tokens":5,)"
           R"("temperature":0,"stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(response.content_type, "text/event-stream");
  const std::vector<std::string> events = EventsOf(response);
  ASSERT_GE(events.size(), 5u);
  const std::string head =
      R"({"id":"chatcmpl-req-1","object":"chat.completion.chunk","created":1700000000,)"
      R"("model":"tiny","system_fingerprint":"fp_emptor","choices":[)";
  EXPECT_EQ(events[0],
            head + R"({"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,)"
                   R"("finish_reason":null}],"usage":null})");
  std::string text;
  for (size_t i = 1; i + 3 < events.size(); ++i) {
    const JsonValue chunk = *catalog::ParseJson(events[i]);
    EXPECT_EQ(events[i].substr(0, head.size()), head);
    EXPECT_TRUE(chunk.Find("usage") != nullptr && chunk.Find("usage")->is_null());
    text += TextAt(chunk, {"choices", "0", "delta", "content"});
  }
  EXPECT_EQ(events[events.size() - 3],
            head + R"({"index":0,"delta":{},"logprobs":null,"finish_reason":"length"}],)"
                   R"("usage":null})");
  const JsonValue usage = *catalog::ParseJson(events[events.size() - 2]);
  EXPECT_TRUE(At(usage, {"choices"}).as_array().empty());
  EXPECT_EQ(IntAt(usage, {"usage", "completion_tokens"}), 5);
  EXPECT_EQ(events.back(), "[DONE]");
  const JsonValue whole = Json(
      Post("/v1/chat/completions",
           R"({"messages":[{"role":"user","content":"hello"}],"max_tokens":5,"temperature":0})"));
  EXPECT_EQ(TextAt(whole, {"choices", "0", "message", "content"}), text);
  EXPECT_EQ(TextAt(whole, {"model"}), "tiny");  // the active one
}

TEST_F(OpenAiRoutesTest, StreamsWithoutUsageUnlessAsked) {
  const Response response =
      Post("/v1/completions", std::string(kCompletion) + R"(,"stream":true})");
  EXPECT_THAT(response.body, Not(HasSubstr("usage")));
  const std::vector<std::string> events = EventsOf(response);
  EXPECT_THAT(events.front(), HasSubstr(R"("object":"text_completion")"));
  EXPECT_THAT(events.front(), Not(HasSubstr("role")));
  EXPECT_THAT(events[events.size() - 2], HasSubstr(R"("text":"","logprobs":null,"finish_reason")"));
  EXPECT_EQ(events.back(), "[DONE]");
}

TEST_F(OpenAiRoutesTest, ClientsOfTgiReachTheActiveModel) {
  const Response named = Post("/v1/completions", std::string(kCompletion) + "}");
  for (const char* name : {"tgi", "dummy"}) {
    const JsonValue json =
        Json(Post("/v1/completions/", std::string(R"({"model":")") + name +
                                          R"(","prompt":"hello","max_tokens":6,"temperature":0})"));
    EXPECT_EQ(TextAt(json, {"model"}), "tiny") << name;
    EXPECT_EQ(TextAt(json, {"choices", "0", "text"}),
              TextAt(Json(named), {"choices", "0", "text"}));
  }
  EXPECT_TRUE(world_.WaitUntilIdle());
}

TEST_F(OpenAiRoutesTest, RefusesWithTheFieldInOpenAisShape) {
  struct Case {
    const char* body;
    int status;
    const char* code;
    const char* param;
  };
  std::string long_prompt = R"({"model":"tiny","prompt":")" + std::string(600, 'x') + R"("})";
  const Case cases[] = {
      {R"({"model":"nope","prompt":"a"})", 404, "model_not_found", "model"},
      {R"({"model":"embed","prompt":"a"})", 400, "invalid_value", "model"},
      {R"({"model":"idle","prompt":"a"})", 503, "unavailable", ""},
      {R"({"model":"tiny","prompt":"a","max_tokens":-1})", 400, "invalid_value", "max_tokens"},
      {R"({"model":"tiny","prompt":5})", 400, "invalid_value", "prompt"},
      {R"({"model":"tiny","prompt":"a","echo":true})", 400, "unsupported_parameter", "echo"},
      {R"({"model":"tiny","prompt":[99999]})", 400, "invalid_value", ""},
      {long_prompt.c_str(), 400, "context_length_exceeded", "prompt"},
      {"{", 400, "invalid_value", ""}};
  for (const Case& one : cases) {
    const Response response = Post("/v1/completions", one.body);
    const JsonValue json = Json(response);
    EXPECT_EQ(response.status, one.status) << one.body;
    EXPECT_EQ(TextAt(json, {"error", "code"}), one.code) << one.body;
    EXPECT_EQ(TextAt(json, {"error", "request_id"}), "req-1");
    if (*one.param != 0) {
      EXPECT_EQ(TextAt(json, {"error", "param"}), one.param) << one.body;
    }
    EXPECT_FALSE(TextAt(json, {"error", "type"}).empty());
  }
  EXPECT_THAT(Post("/v1/completions", long_prompt).body,
              AllOf(HasSubstr("expected fewer than 256 tokens"), HasSubstr("found 600")));
  EXPECT_TRUE(world_.WaitUntilIdle());
}

TEST_F(OpenAiRoutesTest, AnswersTooManyRequestsWithARetryHint) {
  engine::EngineOptions options = LlmWorld::SmallEngine();
  options.max_waiting = 1;
  options.max_running = 1;
  LlmWorld world(options);
  world.Serve(MakeOpenAiRoutes(world.Parts()));
  std::vector<std::shared_ptr<InMemoryClient>> clients;
  int refused = 0;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(world.Send(
        "POST", "/v1/completions",
        R"({"model":"tiny","prompt":"hello","max_tokens":200,"temperature":0,"stream":true})"));
  }
  for (const auto& client : clients) {
    ASSERT_TRUE(client->WaitForEnd(std::chrono::seconds(60)));
    const Response response = client->response();
    if (response.status == 200) continue;
    ++refused;
    EXPECT_EQ(response.status, 429);
    EXPECT_EQ(HeaderOf(response, "Retry-After"), "1");
    EXPECT_THAT(response.body, HasSubstr("rate_limit_error"));
  }
  EXPECT_GT(refused, 0);
  EXPECT_TRUE(world.WaitUntilIdle());
}

TEST_F(OpenAiRoutesTest, ADeadlineThatHasPassedIs504) {
  // The first request holds the one place; the second never starts.
  engine::EngineOptions options = LlmWorld::SmallEngine();
  options.max_running = 1;
  LlmWorld world(options);
  world.Serve(MakeOpenAiRoutes(world.Parts()));
  const std::string body =
      R"({"model":"tiny","prompt":"hello","max_tokens":250,"ignore_eos":true,"stream":)";
  const auto first = world.Send("POST", "/v1/completions", body + "true}");
  ASSERT_TRUE(first->WaitForAnswer(std::chrono::seconds(60)));
  const Response late =
      world.Fetch("POST", "/v1/completions", body + "false}", {{"x-request-timeout", "0.001"}});
  // On a machine that is fast enough it may have begun; then its text stands, cut by the deadline.
  if (late.status == 200) {
    EXPECT_THAT(late.body, HasSubstr(R"("stop_reason":"deadline")"));
  } else {
    EXPECT_EQ(late.status, 504);
    EXPECT_THAT(late.body, HasSubstr("deadline_exceeded"));
  }
  EXPECT_EQ(
      world.Fetch("POST", "/v1/completions", R"({"prompt":"a"})", {{"x-request-timeout", "soon"}})
          .status,
      400);
  ASSERT_TRUE(first->WaitForEnd(std::chrono::seconds(60)));
}

TEST_F(OpenAiRoutesTest, AClientThatLeavesStopsTheWork) {
  for (const char* stream : {"true", "false"}) {
    const auto client = world_.Send(
        "POST", "/v1/completions",
        std::string(
            R"({"model":"tiny","prompt":"hello","max_tokens":255,"temperature":0,"stream":)") +
            stream + "}");
    client->Leave();
    EXPECT_TRUE(world_.WaitUntilIdle()) << stream;
  }
}

TEST_F(OpenAiRoutesTest, AModelThatIsUnloadedEndsItsStreamsWithAnError) {
  ModelRegistry registry(
      {.engine = LlmWorld::SmallEngine(), .drain = std::chrono::milliseconds(0)});
  ASSERT_TRUE(
      registry.Add({"tiny", world_.folder_.Write("again.gguf", 5), ModelKind::kLanguageModel, true})
          .ok());
  ASSERT_TRUE(registry.Load("tiny").ok());
  ASSERT_TRUE(registry.WaitFor("tiny").ok());
  LlmRoutesParts parts{registry, world_.workers_, nullptr, [] { return int64_t{1}; }};
  world_.Serve(MakeOpenAiRoutes(parts));
  const auto client =
      world_.Send("POST", "/v1/completions",
                  R"({"prompt":"hello","max_tokens":255,"temperature":0,"stream":true})");
  ASSERT_TRUE(client->WaitForAnswer(std::chrono::seconds(60)));
  ASSERT_TRUE(registry.Unload("tiny").ok());
  ASSERT_TRUE(client->WaitForEnd(std::chrono::seconds(60)));
  const std::vector<std::string> events = EventsOf(client->response());
  // It was cut, or it was quicker than we.
  if (events.back() != "[DONE]") {
    EXPECT_EQ(TextAt(*catalog::ParseJson(events.back()), {"error", "code"}), "unavailable");
  }
}

TEST_F(OpenAiRoutesTest, DrainingAnswers503) {
  world_.models_.Drain(std::chrono::milliseconds(0));
  const Response response = Post("/v1/completions", R"({"prompt":"a"})");
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(HeaderOf(response, "Retry-After"), "1");
}

TEST_F(OpenAiRoutesTest, EmbedsTextsAndTokens) {
  const JsonValue json =
      Json(Post("/v1/embeddings", R"({"model":"embed","input":["kettle","toaster"]})"));
  EXPECT_EQ(TextAt(json, {"object"}), "list");
  ASSERT_EQ(At(json, {"data"}).as_array().size(), 2u);
  EXPECT_EQ(At(json, {"data", "1", "embedding"}).as_array().size(), 256u);
  EXPECT_EQ(IntAt(json, {"data", "1", "index"}), 1);
  EXPECT_GT(IntAt(json, {"usage", "prompt_tokens"}), 0);
  const auto encoder = *world_.models_.FindEncoder("embed");
  std::string tokens;
  for (const int32_t token : encoder->Tokenize("kettle")) {
    tokens += (tokens.empty() ? "" : ",") + std::to_string(token);
  }
  const JsonValue same = Json(Post("/v1/embeddings", R"({"input":[)" + tokens + "]}"));
  EXPECT_EQ(At(same, {"data", "0", "embedding"}).as_array()[0].as_double(),
            At(json, {"data", "0", "embedding"}).as_array()[0].as_double());
  EXPECT_EQ(TextAt(same, {"model"}), "embed");
  EXPECT_EQ(Post("/v1/embeddings", R"({"input":[99999999]})").status, 400);
  EXPECT_EQ(Post("/v1/embeddings", R"({"input":"a","model":"tiny"})").status, 400);
  EXPECT_EQ(Post("/v1/embeddings", R"({"input":"a","dimensions":257})").status, 400);
}

TEST_F(OpenAiRoutesTest, EmbedsInBase64AndFewerDimensions) {
  const JsonValue json = Json(
      Post("/v1/embeddings", R"({"input":"kettle","encoding_format":"base64","dimensions":3})"));
  // 3 floats of 4 bytes: 16 digits without padding.
  EXPECT_EQ(TextAt(json, {"data", "0", "embedding"}).size(), 16u);
  const JsonValue plain = Json(Post("/v1/embeddings", R"({"input":"kettle","dimensions":3})"));
  double squares = 0;
  for (const JsonValue& value : At(plain, {"data", "0", "embedding"}).as_array()) {
    squares += value.as_double() * value.as_double();
  }
  EXPECT_NEAR(squares, 1, 1e-5);
}

TEST_F(OpenAiRoutesTest, ShopsShareNoCachedPrompt) {
  const auto hits_in = [this](const std::string& shop, const std::string& salt) {
    LlmRoutesParts parts = world_.Parts();
    parts.shop = shop;
    world_.Serve(MakeOpenAiRoutes(parts));
    const auto model = world_.models_.FindLanguageModel("tiny");
    const uint64_t before = (*model)->stats().prefix_hits;
    const Response response = world_.Fetch(
        "POST", "/v1/completions",
        R"({"model":"tiny","max_tokens":2,"cache_salt":")" + salt +
            R"(","prompt":"a prompt of more than sixteen bytes, each of them a token"})");
    EXPECT_EQ(response.status, 200) << response.body;
    return (*model)->stats().prefix_hits - before;
  };
  EXPECT_EQ(hits_in("a", ""), 0u);
  EXPECT_EQ(hits_in("b", ""), 0u);
  EXPECT_GT(hits_in("a", ""), 0u);
  EXPECT_EQ(hits_in("a", "b"), 0u);
  EXPECT_EQ(hits_in("b", "a"), 0u) << "a salt does not lead into another shop";
  EXPECT_EQ(hits_in("", "a"), 0u) << "outside of the shops";
}

TEST(ScopeToShopTest, TenantAndSaltAreOfTheShop) {
  engine::GenerationRequest request;
  ScopeToShop("", request);
  EXPECT_EQ(request.tenant, "");
  ScopeToShop("kitchen", request);
  EXPECT_EQ(request.tenant, "kitchen");
  EXPECT_EQ(request.cache_salt, "kitchen");
  request.tenant = "user-1";
  request.cache_salt = "salt";
  ScopeToShop("kitchen", request);
  EXPECT_EQ(request.tenant, "kitchen/user-1");
  EXPECT_EQ(request.cache_salt, "kitchen/salt");
}

TEST_F(OpenAiRoutesTest, AnAdapterIsChosenAsAModel) {
  std::map<std::string, std::string> texts;
  for (const std::string name : {"tiny", "tiny:tuned"}) {
    const Response response = world_.Fetch(
        "POST", "/v1/chat/completions",
        R"({"messages":[{"role":"user","content":"hello"}],"max_tokens":12,"model":")" + name +
            "\"}");
    EXPECT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(TextAt(Json(response), {"model"}), name);
    texts[name] = TextAt(Json(response), {"choices", "0", "message", "content"});
  }
  EXPECT_NE(texts["tiny"], texts["tiny:tuned"]);
  const Response unknown =
      world_.Fetch("POST", "/v1/completions", R"({"prompt":"hello","model":"tiny:other"})");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_THAT(unknown.body, HasSubstr("has no adapter"));
}

TEST_F(OpenAiRoutesTest, ListsWhatCanBeUsed) {
  const Response response = world_.Fetch("GET", "/v1/models");
  EXPECT_EQ(response.body, [&] {
    std::string want = R"({"object":"list","data":[)";
    for (const std::string name : {"embed", "tiny", "tiny:tuned"}) {
      const ModelStatus status = *world_.models_.Status(name);
      want += std::string(name == "embed" ? "" : ",") + R"({"id":")" + name +
              R"(","object":"model","created":)" + std::to_string(status.loaded_at) +
              R"(,"owned_by":"emptor")" + (name == "tiny:tuned" ? R"(,"parent":"tiny")" : "") +
              (name == "embed" ? "" : R"(,"max_model_len":256)") + "}";
    }
    return want + "]}";
  }());
  EXPECT_EQ(world_.Fetch("GET", "/v1/models/tiny:tuned").status, 200);
  EXPECT_EQ(world_.Fetch("GET", "/v1/models/tiny").status, 200);
  EXPECT_EQ(world_.Fetch("GET", "/v1/models/nope").status, 404);
}

}  // namespace
}  // namespace emptor::services
