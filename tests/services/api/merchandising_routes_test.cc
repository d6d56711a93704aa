// Variants, diversity and a merchant's rules over the route of the search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "catalog/encoding/json.h"
#include "tests/services/api/shop_routes_fixture.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class MerchandisingRoutesTest : public ShopRoutesTest {
 protected:
  MerchandisingRoutesTest() {
    shop_.Import(
        R"({"id":"t1","title":"Torvane Teapot","item_group_id":"teapot"}
{"id":"t2","title":"Torvane Teapot with a red lid","item_group_id":"teapot"}
{"id":"t3","title":"Torvane Teapot with a blue lid and a spout","item_group_id":"teapot"}
{"id":"u1","title":"Teapot of glass for one"}
{"id":"teapot","title":"Teapot warmer made of brass and steel"}
)");
  }

  /// A search for teapots; `more` are further members of the request.
  catalog::JsonValue Search(const std::string& more) {
    const Response response = Fetch("POST", "/v1/search", R"({"query":"teapot")" + more + "}");
    EXPECT_EQ(response.status, 200) << response.body;
    auto json = catalog::ParseJson(response.body);
    return json.ok() ? *std::move(json) : catalog::JsonValue();
  }

  static std::vector<std::string> IdsOf(const catalog::JsonValue& reply) {
    std::vector<std::string> ids;
    for (const catalog::JsonValue& item : reply.Find("items")->as_array()) {
      ids.push_back(item.Find("id")->as_string());
    }
    return ids;
  }

  /// The items with a word of the query: hashed meaning finds others by chance.
  static std::vector<std::string> TeapotsOf(const catalog::JsonValue& reply) {
    std::vector<std::string> ids = IdsOf(reply);
    std::erase_if(
        ids, [](const std::string& id) { return id != "teapot" && id[0] != 't' && id[0] != 'u'; });
    return ids;
  }
};

TEST_F(MerchandisingRoutesTest, TheBestVariantStandsForItsGroup) {
  const auto reply = Search("");
  EXPECT_THAT(TeapotsOf(reply), ::testing::UnorderedElementsAre("t1", "u1", "teapot"));
  const auto& items = reply.Find("items")->as_array();
  for (const catalog::JsonValue& item : items) {
    const catalog::JsonValue* variants = item.Find("variants");
    ASSERT_EQ(variants != nullptr, item.Find("id")->as_string() == "t1");
    if (variants == nullptr) continue;
    EXPECT_EQ(variants->Find("count")->as_int(), 3);
    EXPECT_EQ(variants->Find("ids")->as_array().size(), 3u);
  }
  EXPECT_GE(reply.Find("total")->as_int(), 5);
}

TEST_F(MerchandisingRoutesTest, TheRequestMayAskForEachVariant) {
  EXPECT_EQ(TeapotsOf(Search(R"(,"variants":"all")")).size(), 5u);
  EXPECT_THAT(IdsOf(Search(R"(,"filters":{"item_group":"teapot"})")),
              ::testing::UnorderedElementsAre("t1", "t2", "t3"));
  EXPECT_THAT(Fetch("POST", "/v1/search", R"({"query":"teapot","variants":"some"})").body,
              HasSubstr("expected best or all"));
  EXPECT_EQ(Fetch("POST", "/v1/search", R"({"query":"teapot","diversity":1.5})").status, 400);
}

TEST_F(MerchandisingRoutesTest, PagesShowEveryGroupOnceThoughAnotherVariantBecomesTheBest) {
  std::vector<std::string> shown;
  std::string cursor;
  for (int page = 0; page < 12; ++page) {
    const auto reply = Search(R"(,"limit":1)" + cursor);
    for (const std::string& id : TeapotsOf(reply)) shown.push_back(id);
    if (reply.Find("next_cursor") == nullptr) break;
    cursor = R"(,"cursor":")" + reply.Find("next_cursor")->as_string() + "\"";
    if (!shown.empty() && shown.back() == "t1") {  // now another one is the best of the group
      shop_.Import(R"({"id":"t1","title":"Torvane Pot","item_group_id":"teapot"})");
    }
  }
  EXPECT_THAT(shown, ::testing::UnorderedElementsAre("t1", "u1", "teapot"));
}

TEST_F(MerchandisingRoutesTest, ACursorServesTheSearchThatMadeIt) {
  const auto reply = Search(R"(,"limit":1)");
  const std::string cursor =
      R"(,"limit":1,"cursor":")" + reply.Find("next_cursor")->as_string() + "\"";
  for (const char* other : {R"(,"variants":"all")", R"(,"diversity":0.5)"}) {
    EXPECT_EQ(Fetch("POST", "/v1/search", R"({"query":"teapot")" + cursor + other + "}").status,
              400);
  }
}

TEST_F(MerchandisingRoutesTest, WhatIsPinnedComesFirstAndSaysSo) {
  ASSERT_TRUE(shop_.shop()
                  .writer()
                  .SetMerchandising(
                      R"({"rules":[{"queries":["teapots"],"pin":["m27","u1"],"bury":["t1"]}]})")
                  .ok());
  const auto reply = Search("");
  EXPECT_THAT(IdsOf(reply), ::testing::Not(::testing::IsEmpty()));
  EXPECT_THAT(std::vector<std::string>({IdsOf(reply)[0], IdsOf(reply)[1]}),
              ElementsAre("m27", "u1"));
  EXPECT_EQ(reply.Find("items")->as_array()[0].Find("why")->as_string(), "pinned");
  EXPECT_THAT(IdsOf(reply), Not(::testing::Contains("t1")));  // another variant is shown
  EXPECT_THAT(IdsOf(Search(R"(,"filters":{"brands":["Torvane"]})")),
              Not(::testing::Contains("m27")));
}

TEST_F(MerchandisingRoutesTest, RulesAreMatchedWithTheWordsBehindTheConditions) {
  ASSERT_TRUE(shop_.shop()
                  .writer()
                  .SetMerchandising(R"({"rules":[{"queries":["kettle"],"pin":["k80"]}]})")
                  .ok());
  const Response response = Fetch("POST", "/v1/search", R"({"query":"kettle under 45 dollars"})");
  EXPECT_THAT(response.body, HasSubstr(R"("why":"pinned")"));
}

TEST_F(MerchandisingRoutesTest, RulesAreKeptAndAMistakeChangesNothing) {
  const std::string rules = R"({"rules":[{"queries":["teapot"],"pin":["u1"]}]})";
  ASSERT_TRUE(shop_.shop().writer().SetMerchandising(rules).ok());
  const absl::Status refused =
      shop_.shop().writer().SetMerchandising(R"({"rules":[{"queries":["teapot"],"pin":["u 1"]}]})");
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("rules[0].pin[0]"));
  EXPECT_EQ(shop_.shop().reader().merchandising_json(), rules);
  ASSERT_TRUE(shop_.shop().writer().ReloadMerchandising().ok());  // from the file
  EXPECT_EQ(shop_.shop().reader().merchandising_json(), rules);
  EXPECT_EQ(IdsOf(Search("")).front(), "u1");
}

}  // namespace
}  // namespace emptor::services
