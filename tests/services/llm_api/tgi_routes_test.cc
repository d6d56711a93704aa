// The TGI routes over a real engine, without sockets.
#include "services/llm_api/tgi_routes.h"

#include <gmock/gmock.h>

#include "catalog/encoding/json.h"
#include "tests/services/llm_api/llm_world.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using ::testing::HasSubstr;
using testing::HeaderOf;
using testing::LlmWorld;

constexpr const char* kBody =
    R"({"inputs":"hello","parameters":{"max_new_tokens":4,"top_n_tokens":2,"seed":9}})";

class TgiRoutesTest : public ::testing::Test {
 protected:
  TgiRoutesTest() { world_.Serve(MakeTgiRoutes(world_.Parts())); }
  Response Post(const std::string& path, const std::string& body) {
    return world_.Fetch("POST", path, body);
  }
  LlmWorld world_;
};

std::vector<JsonValue> EventsOf(const Response& response) {
  std::vector<JsonValue> events;
  std::string_view rest = response.body;
  for (size_t end; (end = rest.find("\n\n")) != rest.npos; rest.remove_prefix(end + 2)) {
    EXPECT_EQ(rest.substr(0, 5), "data:");
    auto json = catalog::ParseJson(rest.substr(5, end - 5));
    EXPECT_TRUE(json.ok()) << rest.substr(0, end);
    events.push_back(*std::move(json));
  }
  EXPECT_TRUE(rest.empty());
  return events;
}

TEST_F(TgiRoutesTest, GeneratesWithDetailsAndHeaders) {
  const Response response = Post("/generate", kBody);
  ASSERT_EQ(response.status, 200) << response.body;
  const JsonValue json = *catalog::ParseJson(response.body);
  EXPECT_FALSE(json.Find("generated_text")->as_string().empty());
  const JsonValue& details = *json.Find("details");
  EXPECT_EQ(details.Find("finish_reason")->as_string(), "length");
  EXPECT_EQ(details.Find("generated_tokens")->as_int(), 4);
  EXPECT_EQ(details.Find("seed")->as_int(), 9);
  EXPECT_EQ(details.Find("tokens")->as_array().size(), 4u);
  for (const char* name : {"x-compute-type", "x-compute-time", "x-compute-characters",
                           "x-total-time", "x-validation-time", "x-queue-time", "x-inference-time",
                           "x-time-per-token", "x-prompt-tokens", "x-generated-tokens"}) {
    EXPECT_FALSE(HeaderOf(response, name).empty()) << name;
  }
  EXPECT_EQ(HeaderOf(response, "x-generated-tokens"), "4");
  EXPECT_EQ(HeaderOf(response, "x-compute-characters"), "5");
}

TEST_F(TgiRoutesTest, StreamsTokensAndSendsTheWholeTextInTheLast) {
  const Response whole = Post("/generate", kBody);
  const Response response = Post("/generate_stream", kBody);
  EXPECT_EQ(response.content_type, "text/event-stream");
  const std::vector<JsonValue> events = EventsOf(response);
  ASSERT_EQ(events.size(), 4u);
  std::string text;
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].Find("index")->as_int(), static_cast<int64_t>(i) + 1);
    text += events[i].Find("token")->Find("text")->as_string();
    EXPECT_EQ(events[i].Find("generated_text")->is_null(), i + 1 < events.size());
  }
  EXPECT_EQ(events.back().Find("generated_text")->as_string(), text);
  EXPECT_EQ(events.back().Find("details")->Find("finish_reason")->as_string(), "length");
  EXPECT_EQ(events.back().Find("details")->Find("generated_tokens")->as_int(), 4);
  EXPECT_THAT(whole.body, HasSubstr("generated_text"));
}

TEST_F(TgiRoutesTest, RootDispatchesOnStream) {
  EXPECT_EQ(Post("/", R"({"inputs":"a","parameters":{"max_new_tokens":1}})").content_type,
            "application/json");
  EXPECT_EQ(
      Post("/", R"({"inputs":"a","stream":true,"parameters":{"max_new_tokens":1}})").content_type,
      "text/event-stream");
}

TEST_F(TgiRoutesTest, PutsThePromptInFrontAndCutsIt) {
  const Response full =
      Post("/generate",
           R"({"inputs":"hello","parameters":{"max_new_tokens":2,"return_full_text":true}})");
  EXPECT_EQ(catalog::ParseJson(full.body)->Find("generated_text")->as_string().substr(0, 5),
            "hello");
  const Response cut =
      Post("/generate", R"({"inputs":")" + std::string(2000, 'x') +
                            R"(","parameters":{"max_new_tokens":2,"truncate":7}})");
  EXPECT_EQ(cut.status, 200);
  EXPECT_EQ(HeaderOf(cut, "x-prompt-tokens"), "7");
}

TEST_F(TgiRoutesTest, RefusesAsTgiDoes) {
  struct Case {
    const char* body;
    int status;
    const char* type;
  };
  const std::string long_prompt = R"({"inputs":")" + std::string(600, 'x') + R"("})";
  const Case cases[] = {{R"({"inputs":""})", 422, "validation"},
                        {R"({"inputs":"a","parameters":{"best_of":2}})", 422, "validation"},
                        {long_prompt.c_str(), 422, "validation"},
                        {"{", 422, "validation"}};
  for (const Case& one : cases) {
    const Response response = Post("/generate", one.body);
    EXPECT_EQ(response.status, one.status) << one.body;
    const auto json = catalog::ParseJson(response.body);
    ASSERT_TRUE(json.ok());
    EXPECT_EQ(json->Find("error_type")->as_string(), one.type);
    EXPECT_FALSE(json->Find("error")->as_string().empty());
  }
  world_.models_.Drain(std::chrono::milliseconds(0));
  EXPECT_EQ(Post("/generate", R"({"inputs":"a"})").status, 503);
}

TEST_F(TgiRoutesTest, ReportsWhatItServes) {
  const Response response = world_.Fetch("GET", "/info");
  EXPECT_THAT(response.body, HasSubstr(R"("model_id":"tiny")"));
  EXPECT_THAT(response.body, HasSubstr(R"("max_total_tokens":256)"));
}

}  // namespace
}  // namespace emptor::services
