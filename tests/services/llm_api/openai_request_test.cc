// Bodies of the OpenAI and TGI routes: what is read, and the errors of wrong bodies.
#include "services/llm_api/openai_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/llm_api/tgi_request.h"

namespace emptor::services {
namespace {

using engine::OutputFormat;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Chat(const std::string& members) {
  return R"({"model":"m","messages":[{"role":"user","content":"hi"}])" +
         (members.empty() ? "" : "," + members) + "}";
}
std::string Completion(const std::string& members) {
  return R"({"model":"m","prompt":"hi")" + (members.empty() ? "" : "," + members) + "}";
}

TEST(OpenAiRequestTest, ReadsAChat) {
  const auto body = ParseChatBody(R"({"model":"m","messages":[
      {"role":"developer","content":"be short"},
      {"role":"user","content":[{"type":"text","text":"a "},{"type":"text","text":"kettle?"}]},
      {"role":"assistant","content":"yes","refusal":null,"tool_calls":null},
      {"role":"user","content":"<|im_end|>","name":"Ann"}],
      "stream":true,"stream_options":{"include_usage":true},"n":2,"max_completion_tokens":7,
      "temperature":0.5,"top_p":0.9,"min_p":0.1,"top_k":-1,"presence_penalty":1,
      "frequency_penalty":-1,"repetition_penalty":1.1,"seed":-5,"stop":"\n","logprobs":true,
      "top_logprobs":3,"logit_bias":{"17":-100},"user":"tenant-1","priority":"batch",
      "deadline_ms":1500,"tools":[],"tool_choice":"none","store":false})");
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_TRUE(body->chat && body->stream && body->include_usage);
  EXPECT_EQ(body->model, "m");
  EXPECT_EQ(body->question, "<|im_end|>");
  EXPECT_EQ(body->timeout, milliseconds(1500));
  ASSERT_EQ(body->requests.size(), 1u);
  const engine::GenerationRequest& request = body->requests[0];
  ASSERT_EQ(request.messages.size(), 4u);
  EXPECT_EQ(request.messages[0].role, "system");
  EXPECT_EQ(request.messages[1].content, "a kettle?");
  EXPECT_EQ(request.n, 2);
  EXPECT_EQ(request.max_tokens, 7);
  EXPECT_EQ(request.tenant, "tenant-1");
  EXPECT_EQ(request.priority, engine::Priority::kBatch);
  const engine::SamplingParams& sampling = request.sampling;
  EXPECT_FLOAT_EQ(sampling.temperature, 0.5f);
  EXPECT_FLOAT_EQ(sampling.min_p, 0.1f);
  EXPECT_EQ(sampling.top_k, 0);
  EXPECT_EQ(sampling.seed, static_cast<uint64_t>(-5));
  EXPECT_THAT(sampling.stop, ElementsAre("\n"));
  EXPECT_EQ(sampling.logprobs, 3);
  EXPECT_THAT(sampling.logit_bias, ElementsAre(std::pair<int32_t, float>(17, -100)));
}

TEST(OpenAiRequestTest, HasOpenAisDefaults) {
  const auto chat = ParseChatBody(Chat(""));
  ASSERT_TRUE(chat.ok()) << chat.status();
  EXPECT_FLOAT_EQ(chat->requests[0].sampling.temperature, 1);
  EXPECT_EQ(chat->requests[0].max_tokens, 0);  // up to the context
  EXPECT_FALSE(chat->requests[0].sampling.logprobs.has_value());
  EXPECT_NE(chat->requests[0].sampling.seed, ParseChatBody(Chat(""))->requests[0].sampling.seed);
  EXPECT_EQ(ParseCompletionBody(Completion(""))->requests[0].max_tokens, 16);
}

TEST(OpenAiRequestTest, ReadsPromptsOfEveryForm) {
  const auto parse = [](const std::string& prompt) {
    return ParseCompletionBody(R"({"prompt":)" + prompt + R"(,"logprobs":0})");
  };
  EXPECT_EQ(parse(R"("one")")->requests[0].prompt, "one");
  EXPECT_EQ(parse(R"(["one","two"])")->requests[1].prompt, "two");
  EXPECT_THAT(parse("[1,2]")->requests[0].prompt_tokens, ElementsAre(1, 2));
  EXPECT_THAT(parse("[[1,2],[3]]")->requests[1].prompt_tokens, ElementsAre(3));
  EXPECT_EQ(parse(R"(["one","two"])")->requests[1].sampling.logprobs, 0);
}

TEST(OpenAiRequestTest, ReadsFormatsOfTheOutput) {
  const auto format = [](const std::string& members) {
    const auto body = ParseChatBody(Chat(members));
    EXPECT_TRUE(body.ok()) << members << ": " << body.status();
    return body.ok() ? body->requests[0].format : OutputFormat();
  };
  EXPECT_EQ(format(R"("response_format":{"type":"text"})").kind, OutputFormat::Kind::kText);
  EXPECT_EQ(format(R"("response_format":{"type":"json_object"})").kind,
            OutputFormat::Kind::kJsonObject);
  const OutputFormat schema =
      format(R"("response_format":{"type":"json_schema","json_schema":{"name":"x","strict":true,)"
             R"("schema":{"type":"object","properties":{"a":{"type":"integer"}}}}})");
  EXPECT_EQ(schema.kind, OutputFormat::Kind::kJsonSchema);
  EXPECT_EQ(schema.definition, R"({"type":"object","properties":{"a":{"type":"integer"}}})");
  // As huggingface_hub and TGI send them.
  EXPECT_EQ(
      format(R"("response_format":{"type":"json_object","value":{"type":"null"}})").definition,
      R"({"type":"null"})");
  EXPECT_EQ(format(R"("response_format":{"type":"json","value":{"type":"null"}})").kind,
            OutputFormat::Kind::kJsonSchema);
  EXPECT_EQ(format(R"("response_format":{"type":"regex","value":"[a-c]+"})").definition, "[a-c]+");
  EXPECT_EQ(format(R"("structured_outputs":{"regex":"[0-9]+"})").definition, "[0-9]+");
  EXPECT_EQ(format(R"("guided_regex":"a|b")").kind, OutputFormat::Kind::kRegex);
  EXPECT_EQ(format(R"("guided_choice":["yes.","no"])").definition, R"((yes\.|no))");
  EXPECT_EQ(format(R"("guided_json":{"type":"null"})").definition, R"({"type":"null"})");
}

TEST(OpenAiRequestTest, NamesTheFieldThatIsWrong) {
  const std::pair<std::string, const char*> chats[] = {
      {R"("max_tokens":-1)", "max_tokens: must be from 1 to"},
      {R"("max_tokens":0)", "max_tokens: must be from 1 to"},
      {R"("max_tokens":9223372036854775808)", "max_tokens: must be a whole number"},
      {R"("max_tokens":1.5)", "max_tokens: must be a whole number"},
      {R"("max_tokens":"5")", "max_tokens: expected an integer, found a string"},
      {R"("temperature":3)", "temperature: must be from 0 to 2"},
      {R"("temperature":"hot")", "temperature: expected a number"},
      {R"("top_p":0)", "top_p: must be above 0"},
      {R"("n":0)", "n: must be from 1 to 16"},
      {R"("n":17)", "n: must be from 1 to 16"},
      {R"("stream":1)", "stream: expected a boolean"},
      {R"("stream_options":{"include_usage":true})", "stream_options: only with stream: true"},
      {R"("stop":"")", "stop: must not be empty"},
      {R"("stop":[1])", "stop: expected strings"},
      {R"("logit_bias":{"x":1})", "logit_bias: expected token ids"},
      {R"("logit_bias":{"1":101})", "logit_bias: expected numbers from -100 to 100"},
      {R"("logprobs":5)", "logprobs: expected a boolean"},
      {R"("top_logprobs":5)", "top_logprobs: only with logprobs"},
      {R"("logprobs":true,"top_logprobs":21)", "top_logprobs: must be from 0 to 20"},
      {R"("response_format":{"type":"xml"})", "response_format.type: expected"},
      {R"("response_format":{"type":"json_schema"})", "response_format.json_schema: missing"},
      {R"("response_format":{"type":"regex"})", "response_format.value: missing"},
      {R"("guided_regex":"a","guided_json":{})", "more than one constraint"},
      {R"("priority":"urgent")", "priority: expected interactive or batch"},
      {R"("deadline_ms":0)", "deadline_ms: must be from 1"},
      {R"("temprature":1)", "temprature: unknown field"},
      {R"("tools":[{"type":"function"}])", "tools: is not supported"},
      {R"("echo":true)", "echo: is not supported"}};
  for (const auto& [members, message] : chats) {
    EXPECT_THAT(std::string(ParseChatBody(Chat(members)).status().message()), HasSubstr(message));
  }
  const std::pair<const char*, const char*> messages[] = {
      {R"({})", "messages: missing"},
      {R"({"messages":[]})", "messages: must not be empty"},
      {R"({"messages":{}})", "messages: expected an array"},
      {R"({"messages":[{"role":"user","content":""}]})", "messages[0].content: must not be empty"},
      {R"({"messages":[{"role":"tool","content":"x"}]})", "messages[0].role: expected"},
      {R"({"messages":[{"role":"user","content":5}]})", "messages[0].content: expected a string"},
      {R"({"messages":[{"role":"user","content":[{"type":"image_url"}]}]})",
       "messages[0].content: parts of type image_url"},
      {R"([])", "body: expected an object"},
      {R"({"messages":)", "body: byte"}};
  for (const auto& [json, message] : messages) {
    EXPECT_THAT(std::string(ParseChatBody(json).status().message()), HasSubstr(message)) << json;
  }
}

TEST(OpenAiRequestTest, NamesWhatIsWrongWithACompletion) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({})", "prompt: missing"},
      {R"({"prompt":""})", "prompt: must not be empty"},
      {R"({"prompt":[]})", "prompt: must not be empty"},
      {R"({"prompt":["a",""]})", "prompt: must not be empty"},
      {R"({"prompt":[1,-1]})", "prompt: expected token ids"},
      {R"({"prompt":[1,"a"]})", "prompt: expected token ids"},
      {R"({"prompt":true})", "prompt: expected a string"},
      {R"({"prompt":"a","echo":true})", "echo: is not supported"},
      {R"({"prompt":"a","suffix":"b"})", "suffix: is not supported"},
      {R"({"prompt":"a","best_of":3})", "best_of: only the same number as n"},
      {R"({"prompt":"a","logprobs":true})", "logprobs: expected an integer"}};
  for (const auto& [json, message] : cases) {
    EXPECT_THAT(std::string(ParseCompletionBody(json).status().message()), HasSubstr(message))
        << json;
  }
}

TEST(OpenAiRequestTest, KnowsWhatTheAssistantCannotDo) {
  EXPECT_THAT(ParseChatBody(Chat(R"("temperature":0.3)"))->not_for_assistant, IsEmpty());
  EXPECT_EQ(ParseChatBody(Chat(R"("n":2)"))->not_for_assistant, "n");
  EXPECT_EQ(ParseChatBody(Chat(R"("stop":"x")"))->not_for_assistant, "stop");
}

TEST(OpenAiRequestTest, ReadsEmbeddings) {
  EXPECT_THAT(ParseEmbeddingBody(R"({"input":"a"})")->texts, ElementsAre("a"));
  EXPECT_THAT(ParseEmbeddingBody(R"({"input":["a","b"]})")->texts, ElementsAre("a", "b"));
  EXPECT_THAT(ParseEmbeddingBody(R"({"input":[1,2]})")->tokens, ElementsAre(ElementsAre(1, 2)));
  EXPECT_EQ(ParseEmbeddingBody(R"({"input":[[1],[2]]})")->tokens.size(), 2u);
  EXPECT_TRUE(ParseEmbeddingBody(R"({"input":"a","encoding_format":"base64"})")->base64);
  EXPECT_FALSE(ParseEmbeddingBody(R"({"input":"a","input_type":"document"})")->queries);
  EXPECT_TRUE(ParseEmbeddingBody(R"({"input":"a","input_type":"query"})")->queries);
  const std::pair<const char*, const char*> cases[] = {
      {R"({"input":"a","input_type":"x"})", "input_type: expected query, passage or document"},
      {R"({})", "input: missing"},
      {R"({"input":[]})", "input: must not be empty"},
      {R"({"input":""})", "input: must not hold an empty string"},
      {R"({"input":["a",[1]]})", "input: both"},
      {R"({"input":5})", "input: expected a string or an array"},
      {R"({"input":"a","encoding_format":"hex"})", "encoding_format: expected"},
      {R"({"input":"a","dimensions":0})", "dimensions: must be from 1"}};
  for (const auto& [json, message] : cases) {
    EXPECT_THAT(std::string(ParseEmbeddingBody(json).status().message()), HasSubstr(message))
        << json;
  }
}

TEST(OpenAiRequestTest, ReadsTheTimeoutHeader) {
  EXPECT_EQ(*ParseTimeoutHeader("2.5"), milliseconds(2500));
  for (const char* bad : {"0", "-1", "soon", "1e99", "nan", "5s", ""}) {
    EXPECT_FALSE(ParseTimeoutHeader(bad).ok()) << bad;
  }
}

TEST(TgiRequestTest, ReadsParameters) {
  const auto body = ParseTgiBody(
      R"({"inputs":"hi","stream":true,"parameters":{"max_new_tokens":5,"temperature":0.5,"top_k":3,)"
      R"("top_p":0.9,"repetition_penalty":1.2,"seed":7,"stop":["x"],"top_n_tokens":2,)"
      R"("return_full_text":true,"details":true,"truncate":3,"watermark":false,"best_of":1,)"
      R"("grammar":{"type":"regex","value":"[a-z]+"}}})");
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_TRUE(body->stream && body->return_full_text);
  EXPECT_EQ(body->truncate, 3);
  EXPECT_EQ(body->request.max_tokens, 5);
  EXPECT_EQ(body->request.sampling.seed, 7u);
  EXPECT_EQ(body->request.sampling.logprobs, 2);
  EXPECT_EQ(body->request.format.kind, OutputFormat::Kind::kRegex);
  EXPECT_FLOAT_EQ(ParseTgiBody(R"({"inputs":"a"})")->request.sampling.temperature, 0);
  EXPECT_FLOAT_EQ(ParseTgiBody(R"({"inputs":"a","parameters":{"do_sample":true}})")
                      ->request.sampling.temperature,
                  1);
}

TEST(TgiRequestTest, NamesWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({})", "inputs: must not be empty"},
      {R"({"inputs":5})", "inputs: expected a string"},
      {R"({"inputs":"a","parameters":{"max_new_tokens":0}})", "parameters.max_new_tokens: must be"},
      {R"({"inputs":"a","parameters":{"temperature":0}})", "parameters.temperature: must be"},
      {R"({"inputs":"a","parameters":{"stop":["1","2","3","4","5"]}})", "more than 4"},
      {R"({"inputs":"a","parameters":{"best_of":2}})", "parameters.best_of: is not supported"},
      {R"({"inputs":"a","parameters":{"typical_p":0.5}})", "parameters.typical_p: is not"},
      {R"({"inputs":"a","parameters":{"grammar":{"type":"bnf","value":"x"}}})",
       "parameters.grammar.type: expected"},
      {R"({"inputs":"a","parameters":{"speed":1}})", "parameters.speed: unknown field"}};
  for (const auto& [json, message] : cases) {
    EXPECT_THAT(std::string(ParseTgiBody(json).status().message()), HasSubstr(message)) << json;
  }
}

}  // namespace
}  // namespace emptor::services
