// Request bodies: what is taken, and which parameter an error names.
#include "services/api/request_codec.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/test_name.h"

namespace emptor::services {
namespace {

TEST(RequestCodecTest, ReadsAWholeAssistBody) {
  const auto body = ParseAssistBody(
      R"({"message":"kettle","conversation_id":"c_1","locale":"zh-CN","currency":"CNY",
          "filters":{"price":{"min":100,"max":6000,"currency":"USD"},"brands":["Sony"],
                     "categories":["Kettles"],"availability":["in_stock"]},
          "page":{"product_id":"k20"},"max_tokens":64,"stream":false})");
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_EQ(body->request.message, "kettle");
  EXPECT_EQ(body->request.conversation_id, "c_1");
  EXPECT_EQ(body->request.locale, "zh-CN");
  EXPECT_EQ(body->request.currency, "CNY");
  EXPECT_EQ(body->request.filter.min_price, 100);
  EXPECT_EQ(body->request.filter.max_price, 6000);
  EXPECT_EQ(body->request.filter.brands.size(), 1u);
  EXPECT_EQ(body->request.page_product_id, "k20");
  EXPECT_EQ(body->request.max_tokens, 64);
  EXPECT_FALSE(body->stream);
}

struct BadCase {
  std::string_view body, message_start;
};
class BadAssistBodyTest : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadAssistBodyTest, IsRefusedWithItsParameter) {
  const auto body = ParseAssistBody(GetParam().body);
  ASSERT_FALSE(body.ok());
  EXPECT_EQ(body.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(body.status().message()).rfind(GetParam().message_start, 0), 0u)
      << body.status();
}

const BadCase kBad[] = {
    {"", "body: "},
    {"[]", "body: expected an object"},
    {"{", "body: "},
    {R"({"message":7})", "message: expected a string"},
    {R"({"message":""})", "message: must not be empty"},
    {R"({"message":"  \n "})", "message: must not be empty"},
    {R"({})", "message: must not be empty"},
    {R"({"message":"x","message":"y"})", "body: "},
    {R"({"message":"x","tenant_id":"t"})", "tenant_id: unknown field"},
    {R"({"message":"x","max_tokens":0})", "max_tokens: must be from 1"},
    {R"({"message":"x","max_tokens":-1})", "max_tokens: must be"},
    {R"({"message":"x","max_tokens":0.5})", "max_tokens: must be a whole number from 1"},
    {R"({"message":"x","max_tokens":"10"})", "max_tokens: expected an integer"},
    {R"({"message":"x","max_tokens":9223372036854775808})",
     "max_tokens: must be a whole number from 1"},
    {R"({"message":"x","max_tokens":1e999999})", "body: "},
    {R"({"message":"x","max_tokens":NaN})", "body: "},
    {R"({"message":"x","__proto__":{}})", "__proto__: unknown field"},
    {R"({"message":"x","role":"system"})", "role: unknown field"},
    {"{\"message\":\"\xff\"}", "body: "},
    {R"({"message":"\ud800"})", "body: "},
    {"\xef\xbb\xbf{\"message\":\"x\"}", "body: "},
    {R"({"message":"x"}{"message":"y"})", "body: "},
    {R"({"message":"x","stream":1})", "stream: expected a boolean"},
    {R"({"message":"x","locale":"../etc"})", "locale: "},
    {R"({"message":"x","currency":"usd"})", "currency: "},
    {R"({"message":"x","page":{"product_id":"../x"}})", "page.product_id: "},
    {R"({"message":"x","page":7})", "page: expected an object"},
    {R"({"message":"x","filters":{"color":"red"}})", "filters.color: unknown field"},
    {R"({"message":"x","filters":{"price":{"max":-5,"currency":"USD"}}})", "filters.price.max: "},
    {R"({"message":"x","filters":{"price":{"max":5}}})", "filters.price.currency: "},
    {R"({"message":"x","filters":{"availability":["maybe"]}})", "filters.availability: "},
    {R"({"message":"x","filters":{"brands":[""]}})", "filters.brands: "},
};
INSTANTIATE_TEST_SUITE_P(Table, BadAssistBodyTest, ::testing::ValuesIn(kBad),
                         [](const auto& tested) {
                           return testing::CaseName(tested.index, tested.param.body);
                         });

TEST(RequestCodecTest, RefusesALongMessage) {
  const std::pair<size_t, std::string> cases[] = {{kMaxMessageBytes + 1, "message: "},
                                                  {1000000, "body: "}};
  for (const auto& [bytes, start] : cases) {
    const auto body = ParseAssistBody(R"({"message":")" + std::string(bytes, 'a') + R"("})");
    ASSERT_FALSE(body.ok());
    const std::string message(body.status().message());
    EXPECT_TRUE(message.starts_with(start)) << message;
    EXPECT_LT(message.size(), 200u) << "what was sent is not told back";
  }
}

TEST(RequestCodecTest, ReadsASearchBody) {
  const auto body = ParseSearchBody(R"({"query":"kettle","limit":5,"cursor":"o10"})");
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_EQ(body->request.limit, 5);
  EXPECT_EQ(body->offset, 10);
}

TEST(RequestCodecTest, RefusesBadSearches) {
  for (const std::string_view body :
       {R"({"query":""})", R"({"query":"x","limit":0})", R"({"query":"x","limit":101})",
        R"({"query":"x","cursor":"10"})", R"({"query":"x","cursor":"o-1"})",
        R"({"query":"x","cursor":"o99999"})", R"({"query":"x","facets":true})"}) {
    EXPECT_FALSE(ParseSearchBody(body).ok()) << body;
  }
}

TEST(RequestCodecTest, WritesFiltersAsItReadsThem) {
  const std::string text =
      R"({"price":{"min":100,"max":200,"currency":"USD"},"brands":["A"],"categories":["B"],)"
      R"("availability":["in_stock","preorder"],"locale":"en"})";
  const auto filter = FilterFromJson(*catalog::ParseJson(text), "filters");
  ASSERT_TRUE(filter.ok()) << filter.status();
  catalog::JsonWriter writer;
  WriteFilter(*filter, writer);
  EXPECT_EQ(writer.Take(), text);
}

}  // namespace
}  // namespace emptor::services
