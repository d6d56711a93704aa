// Request bodies: what is taken, and which parameter an error names.
#include "services/api/request_codec.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "services/api/filter_codec.h"
#include "services/api/search_cursor.h"
#include "services/shop/product_search.h"
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
    {R"({"message":"x","conversation_id":"a/b"})", "conversation_id: expected letters, digits"},
    {R"({"message":"x","conversation_id":"c 1"})", "conversation_id: expected letters, digits"},
    {R"({"message":"x","conversation_id":"ü"})", "conversation_id: expected letters, digits"},
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
    EXPECT_LT(message.size(), 200u) << "the request is not echoed";
  }
}

TEST(RequestCodecTest, ReadsASearchBody) {
  const auto body = ParseSearchBody(
      R"({"query":"kettle","limit":5,"cursor":"abc","facets":true,"filters":{"brands":[]}})");
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_EQ(body->input.limit, 5);
  EXPECT_EQ(body->cursor, "abc");
  EXPECT_TRUE(body->input.facets);
  EXPECT_TRUE(body->input.named.contains(retrieval::FilterPart::kBrand));
  EXPECT_FALSE(body->input.named.contains(retrieval::FilterPart::kPrice));
  const auto other = ParseSearchBody(R"({"query":"kettle","filters":{"brands":["A"]}})");
  EXPECT_NE(body->fingerprint, other->fingerprint);
}

TEST(RequestCodecTest, RefusesBadSearches) {
  for (const std::string_view body :
       {R"({"query":""})", R"({"query":"x","limit":0})", R"({"query":"x","limit":101})",
        R"({"query":"x","cursor":10})", R"({"query":"x","facets":"all"})"}) {
    EXPECT_FALSE(ParseSearchBody(body).ok()) << body;
  }
}

TEST(RequestCodecTest, WritesFiltersAsItReadsThem) {
  for (const std::string_view text :
       {R"({"price":{"min":100,"max":200,"currency":"USD"},"brands":["A"],"categories":["B"],)"
        R"("availability":["in_stock","preorder"],"locale":"en"})",
        R"({"price":{"max":200,"currency":"EUR","region":"DE"},"not_brands":["A"],)"
        R"("not_categories":["B"],"colors":["red"],"not_colors":["black"],"location":"Berlin",)"
        R"("condition":["used"],"min_rating":4.5,)"
        R"("attributes":[{"name":"size","values":["10","11"]}],)"
        R"("ranges":[{"attribute":"capacity","unit":"l","min":1.5},{"unit":"inch","above":27},)"
        R"({"attribute":"ports","below":4}],"not":["wifi"],"item_group":"g1"})",
        R"({})"}) {
    const auto read = FilterFromJson(*catalog::ParseJson(text), "filters");
    ASSERT_TRUE(read.ok()) << read.status();
    catalog::JsonWriter writer;
    WriteFilter(read->filter, writer);
    EXPECT_EQ(writer.Take(), text);
  }
}

TEST(RequestCodecTest, RefusedFiltersNameTheField) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"([])", "filters: "},
      {R"({"color":["red"]})", "filters.color: unknown field"},
      {R"({"price":{"max":5}})", "filters.price.currency: "},
      {R"({"price":{"min":5,"max":4,"currency":"USD"}})", "filters.price.max: "},
      {R"({"price":{"max":5,"currency":"USD","region":"de"}})", "filters.price.region: "},
      {R"({"brands":"Sony"})", "filters.brands: "},
      {R"({"brands":[""]})", "filters.brands: "},
      {R"({"colors":["smelly"]})", "filters.colors: "},
      {R"({"availability":["soon"]})", "filters.availability: "},
      {R"({"condition":["broken"]})", "filters.condition: "},
      {R"({"min_rating":5.5})", "filters.min_rating: "},
      {R"({"attributes":[{"values":["a"]}]})", "filters.attributes[0].name: "},
      {R"({"attributes":[{"name":"a","values":[]}]})", "filters.attributes[0].values: "},
      {R"({"ranges":[{"unit":"l","min":1},{"unit":"furlong","min":1}]})",
       "filters.ranges[1].unit: "},
      {R"({"ranges":[{"unit":"l"}]})", "filters.ranges[0].min: "},
      {R"({"ranges":[{"unit":"l","min":1,"above":1}]})", "filters.ranges[0].above: "},
      {R"({"ranges":[{"unit":"l","min":2,"max":1}]})", "filters.ranges[0].max: "},
      {R"({"ranges":[{"min":2}]})", "filters.ranges[0].attribute: "},
      {R"({"ranges":[{"unit":"l","min":1,"speed":2}]})", "filters.ranges[0].speed: "},
      {R"({"not":[7]})", "filters.not: "}};
  for (const auto& [json, message] : cases) {
    const auto read = FilterFromJson(*catalog::ParseJson(json), "filters");
    EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument) << json;
    EXPECT_EQ(std::string(read.status().message()).rfind(message, 0), 0u)
        << json << ": " << read.status();
  }
}

// ---- Cursors

TEST(SearchCursorTest, ReadsBackWhatItSays) {
  SearchCursor cursor{
      .fingerprint = 0x123456789abcdef0,
      .relaxed = {{retrieval::FilterPart::kPrice, true}, {retrieval::FilterPart::kBrand, false}},
      .shown = {}};
  for (uint64_t i = 0; i < 1000; ++i) cursor.shown.push_back(ShownKey({.id = std::to_string(i)}));
  const std::string text = EncodeSearchCursor(cursor);
  EXPECT_LE(text.size(), kMaxCursorTextBytes);
  const auto read = DecodeSearchCursor(text, cursor.fingerprint);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->shown, cursor.shown);
  ASSERT_EQ(read->relaxed.size(), 2u);
  EXPECT_TRUE(read->relaxed[0].widened);
  EXPECT_EQ(read->relaxed[1].part, retrieval::FilterPart::kBrand);
}

TEST(SearchCursorTest, RefusesWhatWasTamperedWithOrIsOfAnotherSearch) {
  const std::string text = EncodeSearchCursor({.fingerprint = 7, .relaxed = {}, .shown = {1, 2}});
  EXPECT_TRUE(DecodeSearchCursor(text, 7).ok());
  EXPECT_FALSE(DecodeSearchCursor(text, 8).ok());
  for (size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'A', 'b', '_', '=', '\0'}) {
      std::string changed = text;
      if (changed[i] == c) continue;
      changed[i] = c;
      EXPECT_FALSE(DecodeSearchCursor(changed, 7).ok()) << changed;
    }
    EXPECT_FALSE(DecodeSearchCursor(text.substr(0, i), 7).ok());
  }
  EXPECT_FALSE(DecodeSearchCursor(text + "A", 7).ok());
  EXPECT_FALSE(DecodeSearchCursor(text + text, 7).ok());
}

TEST(SearchCursorTest, SaysWhyItIsRefused) {
  const std::string text = EncodeSearchCursor({.fingerprint = 7, .relaxed = {}, .shown = {1, 2}});
  const auto why = [](std::string_view cursor, uint64_t fingerprint) {
    return std::string(DecodeSearchCursor(cursor, fingerprint).status().message());
  };
  EXPECT_EQ(why("page 2", 7), "cursor: not a cursor of a search");
  EXPECT_EQ(why(text, 8), "cursor: belongs to another query, other filters or another shop");
  std::string damaged = text;
  damaged[10] = damaged[10] == 'A' ? 'B' : 'A';
  EXPECT_EQ(why(damaged, 7), "cursor: damaged: its checksum does not match");
  EXPECT_EQ(why('B' + text.substr(1), 7),
            "cursor: of another version of the service: begin again without a cursor");
  // A relaxation takes no step twice: a price that is widened again and again would overflow.
  const retrieval::RelaxationStep wider{retrieval::FilterPart::kPrice, true};
  EXPECT_EQ(why(EncodeSearchCursor({.fingerprint = 7, .relaxed = {wider, wider}, .shown = {}}), 7),
            "cursor: damaged: not a relaxation of filters");
}

// Version, contents and checksum of this text must stay readable: shoppers hold it in their pages
// while the service is restarted.
TEST(SearchCursorTest, IsTheSameInEveryProcess) {
  EXPECT_EQ(EncodeSearchCursor({.fingerprint = 7, .relaxed = {}, .shown = {1, 2}}),
            "AgcAAAAAAAAAAAEAAAAAAAIAAAAAAKeYb8RJIbYg");
}

}  // namespace
}  // namespace emptor::services
