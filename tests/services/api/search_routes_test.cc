// Searches and completions over the routes of a shop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "catalog/encoding/json.h"
#include "tests/services/api/shop_routes_fixture.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SearchRoutesTest : public ShopRoutesTest {};

TEST_F(SearchRoutesTest, Searches) {
  const Response response = Fetch("POST", "/v1/search", R"({"query":"kettle","limit":1})");
  ASSERT_EQ(response.status, 200);
  const auto json = catalog::ParseJson(response.body);
  EXPECT_EQ(json->Find("items")->as_array().size(), 1u);
  EXPECT_EQ(json->Find("total")->is_int(), true);
  ASSERT_NE(json->Find("next_cursor"), nullptr);
  const std::string cursor = json->Find("next_cursor")->as_string();
  const Response next =
      Fetch("POST", "/v1/search", R"({"query":"kettle","limit":1,"cursor":")" + cursor + R"("})");
  const auto more = catalog::ParseJson(next.body);
  ASSERT_EQ(more->Find("items")->as_array().size(), 1u);
  EXPECT_NE(more->Find("items")->as_array()[0].Find("id")->as_string(),
            json->Find("items")->as_array()[0].Find("id")->as_string());
}

catalog::JsonValue JsonOf(const Response& response) {
  EXPECT_EQ(response.status, 200) << response.body;
  auto json = catalog::ParseJson(response.body);
  return json.ok() ? *std::move(json) : catalog::JsonValue();
}

std::vector<std::string> IdsOf(const catalog::JsonValue& reply) {
  std::vector<std::string> ids;
  for (const catalog::JsonValue& item : reply.Find("items")->as_array()) {
    ids.push_back(item.Find("id")->as_string());
  }
  return ids;
}

TEST_F(SearchRoutesTest, WordsBecomeFiltersThatTheReplyEchoes) {
  const auto reply =
      JsonOf(Fetch("POST", "/v1/search", R"({"query":"kettle under 45 dollars not velsar"})"));
  EXPECT_THAT(IdsOf(reply), ::testing::ElementsAre("k80"));
  catalog::JsonWriter filters;
  filters.Value(*reply.Find("filters"));
  EXPECT_EQ(filters.text(), R"({"price":{"max":4500,"currency":"USD"},"not_brands":["Velsar"],)"
                            R"("categories":["Kettles"]})");
  EXPECT_EQ(reply.Find("relaxed"), nullptr);
}

TEST_F(SearchRoutesTest, FiltersOfTheRequestOverrideTheWords) {
  const auto free = JsonOf(Fetch(
      "POST", "/v1/search",
      R"({"query":"kettle under 45 dollars","filters":{"price":null,"categories":["Kettles"]}})"));
  EXPECT_THAT(IdsOf(free), ::testing::UnorderedElementsAre("k20", "k80"));
  const auto range = JsonOf(Fetch(
      "POST", "/v1/search",
      R"({"query":"kettle","filters":{"ranges":[{"attribute":"capacity","unit":"ml","max":1100}]}})"));
  EXPECT_THAT(IdsOf(range), ::testing::ElementsAre("k80"));
}

TEST_F(SearchRoutesTest, SaysWhatItGaveUpAndNeverWhatTheRequestOrANegationSays) {
  const auto widened = JsonOf(Fetch("POST", "/v1/search", R"({"query":"kettle under $35"})"));
  EXPECT_THAT(IdsOf(widened), ::testing::ElementsAre("k80"));
  const catalog::JsonValue& step = widened.Find("relaxed")->as_array().at(0);
  EXPECT_EQ(step.Find("condition")->as_string(), "price");
  EXPECT_EQ(step.Find("action")->as_string(), "widened");
  EXPECT_EQ(step.Find("asked")->Find("price")->Find("max")->as_int(), 3500);
  EXPECT_EQ(widened.Find("filters")->Find("price")->Find("max")->as_int(), 4375);

  const auto fixed =
      JsonOf(Fetch("POST", "/v1/search",
                   R"({"query":"kettle","filters":{"price":{"max":100,"currency":"USD"}}})"));
  EXPECT_THAT(IdsOf(fixed), ::testing::IsEmpty());
  EXPECT_EQ(fixed.Find("filters")->Find("price")->Find("max")->as_int(), 100);
  const auto negated = JsonOf(Fetch("POST", "/v1/search", R"({"query":"kettles not torvane"})"));
  EXPECT_THAT(IdsOf(negated), ::testing::Not(::testing::Contains("k20")));
  EXPECT_NE(negated.Find("filters")->Find("not_brands"), nullptr);
}

TEST_F(SearchRoutesTest, AMessageOfConditionsOnlyListsWhatMeetsThem) {
  const auto reply = JsonOf(Fetch("POST", "/v1/search", R"({"query":"under $100"})"));
  EXPECT_THAT(IdsOf(reply), ::testing::ElementsAre("k20", "k80"));
  EXPECT_EQ(reply.Find("total")->as_int(), 2);
}

TEST_F(SearchRoutesTest, FacetsKeepTheSiblingsOfWhatIsChosen) {
  const auto reply =
      JsonOf(Fetch("POST", "/v1/search",
                   R"({"query":"under $500","facets":true,"filters":{"brands":["Velsar"]}})"));
  EXPECT_THAT(IdsOf(reply), ::testing::ElementsAre("m27"));
  const catalog::JsonValue* facets = reply.Find("facets");
  ASSERT_NE(facets, nullptr);
  catalog::JsonWriter brands, stock;
  brands.Value(*facets->Find("brands"));
  stock.Value(*facets->Find("availability"));
  EXPECT_EQ(brands.text(), R"([{"value":"Torvane","count":2},{"value":"Velsar","count":1}])");
  EXPECT_EQ(stock.text(), R"([{"value":"in_stock","count":1}])");
}

TEST_F(SearchRoutesTest, PagesRepeatAndSkipNothingWhileTheCatalogChanges) {
  std::string lines;
  for (int i = 0; i < 30; ++i) {
    lines += R"({"id":"lamp)" + std::to_string(100 + i) +
             R"(","title":"Desk lamp","locale":"en"})" + "\n";
  }
  shop_.Import(lines);
  std::set<std::string> seen;
  std::string cursor;
  for (int page = 0; page < 20; ++page) {
    const std::string body = R"({"query":"desk lamp","limit":7)" +
                             (cursor.empty() ? "" : R"(,"cursor":")" + cursor + '"') + "}";
    const auto reply = JsonOf(Fetch("POST", "/v1/search", body));
    for (const std::string& id : IdsOf(reply)) EXPECT_TRUE(seen.insert(id).second) << id;
    if (reply.Find("next_cursor") == nullptr) break;
    cursor = reply.Find("next_cursor")->as_string();
    // A better match and a worse one arrive between the pages.
    shop_.Import(R"({"id":"new)" + std::to_string(page) +
                 R"(","title":"Desk lamp desk lamp","locale":"en"})" + "\n" +
                 R"({"id":"lamp101","title":"Desk lamp of another kind","locale":"en"})" + "\n");
  }
  for (int i = 0; i < 30; ++i) EXPECT_EQ(seen.count("lamp" + std::to_string(100 + i)), 1u) << i;
  const Response other =
      Fetch("POST", "/v1/search", R"({"query":"lamp","cursor":")" + cursor + "\"}");
  EXPECT_EQ(other.status, 400);
  EXPECT_THAT(other.body, HasSubstr(R"("param":"cursor")"));
}

// A replica, or the service after a restart: nothing of the process that made it is in a cursor.
TEST_F(SearchRoutesTest, AnotherProcessAcceptsACursor) {
  std::string lines;
  for (int i = 0; i < 12; ++i) {
    lines += R"({"id":"lamp)" + std::to_string(100 + i) + R"(","title":"Desk lamp"})" + "\n";
  }
  shop_.Import(lines);
  const auto all = IdsOf(JsonOf(Fetch("POST", "/v1/search", R"({"query":"lamp","limit":12})")));
  std::vector<std::string> pages;
  std::string cursor;
  for (int page = 0; page < 4; ++page) {
    const std::string body = R"({"query":"lamp","limit":3)" +
                             (cursor.empty() ? "" : R"(,"cursor":")" + cursor + '"') + "}";
    const auto reply = JsonOf(Fetch("POST", "/v1/search", body));
    for (const std::string& id : IdsOf(reply)) pages.push_back(id);
    if (const auto* next = reply.Find("next_cursor")) cursor = next->as_string();
    MakeRouter();
  }
  EXPECT_EQ(pages, all);
}

TEST_F(SearchRoutesTest, RefusesTheCursorOfAnotherSearchWithTheReason) {
  const auto reply = JsonOf(Fetch("POST", "/v1/search", R"({"query":"kettle","limit":1})"));
  const std::string cursor = R"(,"cursor":")" + reply.Find("next_cursor")->as_string() + "\"}";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"query":"toaster")" + cursor, "belongs to another query"},
      {R"({"query":"kettle","filters":{"brands":[]})" + cursor, "belongs to another query"},
      {R"({"query":"kettle","correct":false)" + cursor, "belongs to another query"},
      {R"({"query":"kettle","cursor":"abc"})", "not a cursor of a search"}};
  for (const auto& [body, why] : cases) {
    const Response refused = Fetch("POST", "/v1/search", body);
    EXPECT_EQ(refused.status, 400) << body;
    EXPECT_THAT(refused.body, HasSubstr(R"("param":"cursor")")) << body;
    EXPECT_THAT(refused.body, HasSubstr(why)) << body;
  }
}

TEST_F(SearchRoutesTest, SaysWhatItSearchedInsteadOfAMisspelledWord) {
  shop_.shop().lifecycle().WaitForWords();
  const Response response = Fetch("POST", "/v1/search", R"({"query":"kettel"})");
  ASSERT_EQ(response.status, 200);
  EXPECT_THAT(response.body,
              HasSubstr(R"("corrected":{"from":"kettel","to":"kettle","words":[{"from":"kettel")"));
  const Response typed = Fetch("POST", "/v1/search", R"({"query":"kettel","correct":false})");
  EXPECT_THAT(typed.body, Not(HasSubstr("corrected")));
}

TEST_F(SearchRoutesTest, Autocompletes) {
  shop_.shop().lifecycle().WaitForWords();
  const Response response = Fetch("GET", "/v1/autocomplete?q=torv&limit=3");
  ASSERT_EQ(response.status, 200) << response.body;
  const auto json = catalog::ParseJson(response.body);
  const auto& suggestions = json->Find("suggestions")->as_array();
  ASSERT_GE(suggestions.size(), 1u);
  EXPECT_LE(suggestions.size(), 3u);
  EXPECT_EQ(suggestions[0].Find("text")->as_string(), "Torvane");
  EXPECT_EQ(suggestions[0].Find("kind")->as_string(), "brand");
  EXPECT_EQ(suggestions[0].Find("count")->as_int(), 2);
  // A title is the store's, as it is now.
  const Response title = Fetch("GET", "/v1/autocomplete?q=velsar view monitor v27");
  EXPECT_THAT(title.body, HasSubstr(R"("text":"Velsar View Monitor V27")"));
  EXPECT_THAT(title.body, HasSubstr(R"("id":"m27")"));
  EXPECT_EQ(Fetch("GET", "/v1/autocomplete?q=zzzzzz").body, R"({"suggestions":[]})");
}

TEST_F(SearchRoutesTest, RefusesUnclearAutocompleteQueries) {
  for (const char* query : {"", "?q=", "?q= ", "?q=a&limit=0", "?q=a&limit=21", "?q=a&limit=2x",
                            "?q=a&q=b", "?q=a&page=2", "?q=\xff"}) {
    const Response response = Fetch("GET", std::string("/v1/autocomplete") + query);
    EXPECT_EQ(response.status, 400) << query;
    EXPECT_THAT(response.body, HasSubstr(R"("error":{"code":)")) << query;
  }
  EXPECT_EQ(Fetch("GET", "/v1/autocomplete?q=" + std::string(129, 'a')).status, 400);
}

}  // namespace
}  // namespace emptor::services
